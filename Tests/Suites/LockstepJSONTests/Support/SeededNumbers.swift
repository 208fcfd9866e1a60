import TestSupport

/// Numbers as JSON writes them: short and long, with and without fraction and exponent.
struct SeededNumbers {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func number() -> String {
        var text = random.isOne(in: 3) ? "-" : ""
        text += random.isOne(in: 4) ? "0" : String(Int.random(in: 1...9, using: &random)) + digits(upTo: 18)
        if !random.isOne(in: 3) { text += "." + String(Int.random(in: 0...9, using: &random)) + digits(upTo: 22) }
        if random.isOne(in: 3) {
            text += random.element(of: ["e", "E"]) + random.element(of: ["", "+", "-"])
            text += String(Int.random(in: 0...(random.isOne(in: 2) ? 25 : 280), using: &random))
        }
        return text
    }

    private mutating func digits(upTo limit: Int) -> String {
        let digits = random.isOne(in: 3) ? ["0"] : random.isOne(in: 2) ? ["0", "7"] : (0...9).map(String.init)
        let count = Int.random(in: 0...(random.isOne(in: 2) ? 3 : limit), using: &random)
        return (0..<count).map { _ in random.element(of: digits) }.joined()
    }
}

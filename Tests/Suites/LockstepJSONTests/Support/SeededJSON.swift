import Foundation
import LockstepStore
import TestSupport

/// JSON by seed: values, and texts in every notation that the RFC allows.
struct SeededJSON {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    // MARK: Values

    mutating func value(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 9 : 6), using: &random) {
        case 0: return random.element(of: [.null, .bool(true), .bool(false)])
        case 1: return .integer(random.isOne(in: 2) ? Int64(Int8.random(in: .min ... .max, using: &random)) : integer())
        case 2: return .decimal(Decimal(sign: sign, exponent: exponent(30), significand: Decimal(random.next())))
        case 3: return .double(double())
        case 4, 5: return .string(string())
        case 6: return .array((0..<count()).map { _ in value(depth: depth + 1) })
        default:
            var members: JSONObject = [:]
            for _ in 0..<count() { members[string()] = value(depth: depth + 1) }
            return .object(members)
        }
    }

    private var sign: FloatingPointSign {
        mutating get { random.isOne(in: 2) ? .minus : .plus }
    }

    private mutating func exponent(_ limit: Int) -> Int { Int.random(in: -limit...limit, using: &random) }

    private mutating func integer() -> Int64 { Int64(bitPattern: random.next()) }

    private mutating func double() -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : 0.5
    }

    private mutating func count() -> Int { Int.random(in: 0...4, using: &random) }

    mutating func string() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", " ", "\"", "\\", "/", "\n", "\0", "\u{1F}", "\u{7F}", "é", "\u{301}", "€", "日", "😀", "\u{FFFF}",
            "\u{10FFFF}", "\u{2028}", "\u{D7FF}", "\u{E000}", "\u{FEFF}",
        ]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            string.append(random.isOne(in: 2) ? "x" : random.element(of: scalars))
        }
        return String(string)
    }

    // MARK: Texts

    /// A valid text, with space and escapes wherever they can be.
    mutating func text(depth: Int = 0) -> String { space() + member(depth: depth) + space() }

    private mutating func member(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 4), using: &random) {
        case 0: return random.element(of: ["null", "true", "false"])
        case 1:
            var numbers = SeededNumbers(seed: random.next())
            return numbers.number()
        case 2, 3: return quoted()
        case 4: return "[" + list(depth: depth) { $0.text(depth: depth + 1) } + "]"
        default:
            return "{" + list(depth: depth) { $0.space() + $0.quoted() + $0.space() + ":" + $0.text(depth: depth + 1) }
                + "}"
        }
    }

    private mutating func list(depth: Int, _ member: (inout SeededJSON) -> String) -> String {
        let members = (0..<count()).map { _ in member(&self) }
        return members.isEmpty ? space() : members.joined(separator: ",")
    }

    private mutating func space() -> String {
        guard random.isOne(in: 3) else { return "" }
        let count = Int.random(in: 0...(random.isOne(in: 4) ? 20 : 2), using: &random)
        return (0..<count).map { _ in random.isOne(in: 4) ? random.element(of: ["\n", "\t", "\r"]) : " " }.joined()
    }

    private mutating func quoted() -> String {
        var text = "\""
        for scalar in string().unicodeScalars {
            if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || random.isOne(in: 8) {
                for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
                    let digits = String(unit, radix: 16, uppercase: random.isOne(in: 2))
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else if random.isOne(in: 8) {
                text += random.element(of: [#"\b"#, #"\n"#, #"\\"#, #"\""#, #"\/"#])
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

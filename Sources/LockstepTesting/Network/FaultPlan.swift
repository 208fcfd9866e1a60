import Foundation

/// What happens to one request, decided before it is sent.
struct FaultPlan: Sendable {
    /// What goes wrong; `nil` where nothing does.
    var fault: Fault.Kind?
    var delaySeconds: TimeInterval?
    /// What something in between answers.
    var status = 503
    var retryAfterSeconds: Int?
    /// How many other requests go before one that is late.
    var requestsBefore = 1
    /// How many pieces of a stream come before it breaks.
    var piecesBefore = 1

    init() {}

    /// Decides by the numbers of one request. As many are taken whatever is decided, so that a changed probability
    /// changes as little else as can be.
    init(_ faults: Faults, _ numbers: inout SeededNumbers) {
        var chance = Double.random(in: 0..<1, using: &numbers)
        let delayChance = Double.random(in: 0..<1, using: &numbers)
        let delay = TimeInterval.random(in: faults.delaySeconds, using: &numbers)
        let statuses = [429, 500, 502, 503, 504]
        let status = statuses[Int.random(in: 0..<statuses.count, using: &numbers)]
        let retryAfter = Int.random(in: faults.retryAfterSeconds, using: &numbers)
        let saysWhen = Bool.random(using: &numbers)
        requestsBefore = Int.random(in: 1...4, using: &numbers)
        piecesBefore = Int.random(in: 1...6, using: &numbers)
        for kind in Fault.Kind.allCases where kind != .delayed {
            if chance < faults[kind] {
                fault = kind
                break
            }
            chance -= faults[kind]
        }
        if delayChance < faults.delayed { delaySeconds = delay }
        self.status = fault == .badGateway ? (status == 504 ? 504 : 502) : status
        if fault == .unavailable, status == 429 || (status == 503 && saysWhen) { retryAfterSeconds = retryAfter }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): one seed, one sequence, on every machine.
struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The numbers of the request with this label, which came so many times before: whatever else is under way, they
    /// are the same.
    init(seed: UInt64, label: String, occurrence: Int) {
        var hash = seed ^ 0xCBF2_9CE4_8422_2325
        for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        state = hash &+ UInt64(occurrence) &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

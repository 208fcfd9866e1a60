import Foundation

/// The faults of one request, decided before it is sent.
struct FaultPlan: Sendable {
    /// The fault; `nil` if there is none.
    var fault: Fault.Kind?
    var delaySeconds: TimeInterval?
    /// The status of the intermediary's response.
    var status = 503
    var retryAfterSeconds: Int?
    /// The number of other requests that a late request lets pass.
    var requestsBefore = 1
    /// The number of pieces of a stream before it breaks.
    var piecesBefore = 1

    init() {}

    /// Decides by the random numbers of one request. It always takes the same number of them, so that a changed
    /// probability changes as little else as possible.
    init(_ faults: Faults, numbers: inout SeededNumbers) {
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

    /// The random numbers of the request with this label, which was sent a number of times before. They do not depend
    /// on concurrent requests.
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

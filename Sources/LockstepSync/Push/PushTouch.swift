import LockstepStore

/// A record or value that a request, or the response to it, touches besides its own record. Two requests that touch the
/// same from different sides do not travel at the same time (Rules.md, P18): each may depend on whether the other came
/// first.
struct PushTouch: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// A change of the plan: its own request, and those of records that are linked to its record.
        case change(Int)
        /// The records of an entity: requests that change them, and requests whose responses contain or list them. A
        /// response that the server has made before it has taken such a change would revert it.
        case records(String)
        /// A value that only one record can have: a unique value, or the other end of a one-to-one relationship.
        case value(String, columns: [Int], RecordKey)
        /// The records of an entity that have an identity on the server, and those that were created there without a
        /// response: each of the latter may be one of the former, which a pull has brought.
        case identities(String)
        /// The lists of an entity's records, if a record moves from one to another.
        case lists(String)
    }

    enum Side: Hashable, Sendable {
        case one, other
        /// A side of each request of its own.
        case alone
    }

    let subject: Subject
    let side: Side
}

/// The records and values that are touched by requests in flight, or by those that wait for them.
struct PushTouches {
    private var counts: [PushTouch.Subject: [PushTouch.Side: Int]] = [:]

    /// Whether a request with these must not travel at the same time.
    func meet(_ touches: [PushTouch]) -> Bool {
        touches.contains { touch in
            guard let sides = counts[touch.subject] else { return false }
            return touch.side == .alone || sides.keys.contains { $0 != touch.side }
        }
    }

    mutating func add(_ touches: [PushTouch]) {
        for touch in touches { counts[touch.subject, default: [:]][touch.side, default: 0] += 1 }
    }

    mutating func remove(_ touches: [PushTouch]) {
        for touch in touches {
            guard var sides = counts[touch.subject], let count = sides[touch.side] else { continue }
            sides[touch.side] = count > 1 ? count - 1 : nil
            counts[touch.subject] = sides.isEmpty ? nil : sides
        }
    }
}

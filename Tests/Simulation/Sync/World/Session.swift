import LockstepStore

/// What a device has read of the server's values, and what it has written after that: the guarantees of a session are
/// about them (D. Terry et al., “Session Guarantees for Weakly Consistent Replicated Data”, PDIS 1994).
struct Session {
    /// A value on the server, by its record and its key there.
    struct Place: Hashable {
        let path: String
        let record: String
        let key: String
    }

    /// A value that the device has, and no pending change of.
    struct Reading {
        let step: Int
        let place: Place
        let value: JSONValue
        /// The number of changes that the server had made.
        let changeCount: Int
        /// Whether the device has written it.
        let isOwn: Bool
    }

    /// A local edit of a record that the server has.
    struct Write {
        let step: Int
        let place: Place
        let value: JSONValue
        /// What others had written to the record, as the device had read it.
        let seen: [(place: Place, value: JSONValue)]
    }

    var readings: [Reading] = []
    var writes: [Write] = []
}

/// Where each value is in the order of a server's changes.
struct ServerOrder {
    private var numbers: [Session.Place: [JSONValue: [Int]]] = [:]

    init(_ server: SimulatedServer) {
        for (number, change) in server.changes.enumerated() {
            for effect in server.effects(of: [change]) {
                guard let record = effect.key, case .object(let members) = effect.json else { continue }
                for (key, value) in members {
                    let place = Session.Place(
                        path: effect.path, record: SimulatedServer.storedKey(record), key: key)
                    numbers[place, default: [:]][value, default: []].append(number)
                }
            }
        }
    }

    /// The number of the first change that wrote a value; `nil` if none has.
    func first(_ value: JSONValue, at place: Session.Place) -> Int? { numbers[place]?[value]?.first }

    /// The number of the last one of the first changes.
    func last(_ value: JSONValue, at place: Session.Place, of changeCount: Int) -> Int? {
        numbers[place]?[value]?.last { $0 < changeCount }
    }
}

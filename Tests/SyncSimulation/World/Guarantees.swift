import LockstepTesting

/// What a server's dialect makes possible, in one place: a simulation asks of a sync no more than that.
struct Guarantees: Sendable {
    /// Whether the server does a change once for each idempotency key, whatever the change is.
    ///
    /// Without it a write whose answer was lost is sent again, and takes effect twice where somebody else has written the
    /// same in between. Nobody can tell.
    let updatesAreIdempotent: Bool
    /// Whether a write to an older version is refused.
    ///
    /// Without it, and without idempotent updates, a copy of a write that arrives when the client has gone on puts the old
    /// value back over newer ones. No client can prevent that, so the network delivers no such copies there.
    let writesAreConditional: Bool

    func bears(_ fault: Fault.Kind) -> Bool {
        switch fault {
        case .late, .duplicatedLate: updatesAreIdempotent || writesAreConditional
        default: true
        }
    }

    static func of(_ server: ServerKind) -> Guarantees {
        switch server {
        case .memory: Guarantees(updatesAreIdempotent: true, writesAreConditional: false)
        case .memoryWithVersions: Guarantees(updatesAreIdempotent: true, writesAreConditional: true)
        case .rails, .railsWithoutKeys, .railsOfWholeRecords:
            Guarantees(updatesAreIdempotent: false, writesAreConditional: false)
        case .railsWithVersions, .firebase: Guarantees(updatesAreIdempotent: false, writesAreConditional: true)
        }
    }
}

import LockstepTesting

/// What a server's dialect makes possible, in one place: a simulation asks of a sync no more than that.
struct Guarantees: Sendable {
    /// Whether the server does a change once for each idempotency key, whatever the change is.
    ///
    /// Without it a write whose response was lost is sent again, and takes effect twice where somebody else has written
    /// the same in between. Nobody can tell.
    let updatesAreIdempotent: Bool
    /// Whether a write to an older version is refused.
    ///
    /// Without it, and without idempotent updates, a copy of a write that arrives when the client has gone on puts the
    /// old value back over newer ones. No client can prevent that, so the network delivers no such copies there.
    let writesAreConditional: Bool

    /// Whether a list of records inside of another one changes the records that the server has, rather than taking
    /// their place: then each keeps what the sender does not know, and what others have put into the list.
    let listsAreMerged: Bool

    func bears(_ fault: Fault.Kind, _ domain: Domain) -> Bool {
        switch fault {
        case .late, .duplicatedLate: updatesAreIdempotent || writesAreConditional
        // A record without an identity inside of another one is made each time that it arrives, and only creations have
        // idempotency keys there.
        case .duplicated where domain.entities.contains { $0.container != nil && $0.isServerMade }:
            updatesAreIdempotent || writesAreConditional
        default: true
        }
    }

    static func of(_ server: ServerKind) -> Guarantees {
        switch server {
        case .memory: Guarantees(updatesAreIdempotent: true, writesAreConditional: false, listsAreMerged: false)
        case .memoryWithVersions, .memoryThatEmbeds:
            Guarantees(updatesAreIdempotent: true, writesAreConditional: true, listsAreMerged: false)
        case .rails, .railsWithoutKeys, .railsOfWholeRecords, .railsThatEmbeds:
            Guarantees(updatesAreIdempotent: false, writesAreConditional: false, listsAreMerged: true)
        case .railsWithVersions, .firebase:
            Guarantees(updatesAreIdempotent: false, writesAreConditional: true, listsAreMerged: true)
        }
    }
}

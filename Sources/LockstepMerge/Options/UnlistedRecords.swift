import LockstepStore

/// What may be deleted of the records in scope that a payload does not list (Rules.md, M7).
package enum UnlistedDeletion: Sendable {
    /// All of them.
    case all
    /// None: where there are any, the merge is rolled back and throws ``UnlistedRecords``.
    case none
    /// Those that the server was asked for and does not have.
    ///
    /// - Parameters:
    ///   - gone: Their local keys.
    ///   - note: What is to be said of the others.
    case only(gone: Set<RecordKey>, note: MergeNote?)

    /// Whether the server is asked for each of them.
    package var isAsked: Bool { if case .all = self { false } else { true } }
}

/// The records that a list in pages lacks: each is to be asked for before it is deleted. A record that moved to a page
/// which was read already is on none of them, and is there all the same.
package struct UnlistedRecords: Error {
    package struct Candidate: Sendable {
        /// The local key.
        package let key: RecordKey
        /// What the server knows the record by.
        package let identity: RemoteIdentity
    }

    package let candidates: [Candidate]

    package init(_ candidates: [Candidate]) { self.candidates = candidates }
}

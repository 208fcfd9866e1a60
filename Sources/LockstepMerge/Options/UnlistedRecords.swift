import LockstepStore

/// Which records in scope that a payload does not list may be deleted (Rules.md, M7).
package enum UnlistedDeletion: Sendable {
    /// All of them.
    case all
    /// None: if there are any, the merge is rolled back and throws ``UnlistedRecords``.
    case none
    /// Those that the server was asked for and does not have.
    ///
    /// - Parameters:
    ///   - gone: Their local keys.
    ///   - note: The note about the others.
    case only(gone: Set<RecordKey>, note: MergeNote?)

    /// Whether the server is asked for each of them.
    package var isAsked: Bool { if case .all = self { false } else { true } }
}

/// The records that a paginated list lacks: each must be requested before it is deleted. A record that moved to a page
/// that was read already is missing from all pages, but still exists.
package struct UnlistedRecords: Error {
    package struct Candidate: Sendable {
        /// The local key.
        package let key: RecordKey
        /// The identity on the server.
        package let identity: RemoteIdentity
    }

    package let candidates: [Candidate]

    package init(_ candidates: [Candidate]) { self.candidates = candidates }
}

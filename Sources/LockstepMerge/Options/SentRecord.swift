package import LockstepStore

/// What an answer is about: the record that was sent, and the identities that were in the request.
package struct SentRecord: Sendable {
    let root: RecordPlace
    /// Those of embedded records, as texts, by entity.
    package let identities: [String: Set<String>]

    package init(root: RecordPlace, identities: [String: Set<String>]) {
        self.root = root
        self.identities = identities
    }
}

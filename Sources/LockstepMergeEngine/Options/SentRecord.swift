package import LockstepTables

/// The subject of a response: the record that was sent, and the identities in the request.
package struct SentRecord: Sendable {
    let root: RecordID
    /// The identities of embedded records, as texts, by entity.
    package let identities: [String: Set<ExactText>]

    package init(root: RecordID, identities: [String: Set<ExactText>]) {
        self.root = root
        self.identities = identities
    }
}

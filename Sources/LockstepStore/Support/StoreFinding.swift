/// Something that opening a store has found and that the app may want to know or report. See ``Store/findings``.
///
/// It is not an error; the store works.
public struct StoreFinding: Sendable, Hashable {
    /// The kind of finding.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The outbox contains changes that belong to no entity of the schema: the entity was renamed, or its records
        /// are local only now. They are kept but not sent, and no merge deletes their records.
        case unclaimedChanges
    }

    public let code: Code
    /// The name of the entity when the records were changed.
    public let entity: String
    /// The number of records.
    public let count: Int

    init(_ code: Code, entity: String, count: Int) {
        self.code = code
        self.entity = entity
        self.count = count
    }
}

extension StoreFinding: CustomStringConvertible {
    /// The finding and what to do about it, for developers and logs.
    public var description: String {
        switch code {
        case .unclaimedChanges:
            """
            \(count) \(count == 1 ? "change" : "changes") of “\(entity)” \(count == 1 ? "waits" : "wait") in the \
            outbox, and no entity of the schema claims \(count == 1 ? "it" : "them"). Open the store with a schema that \
            has the entity, under this name and with its table, to send them; or discard them.
            """
        }
    }
}

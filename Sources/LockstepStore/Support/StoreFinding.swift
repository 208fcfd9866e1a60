/// What opening a store has found that the app may want to know, or to tell: ``Store/findings``.
///
/// It is no error; the store works.
public struct StoreFinding: Sendable, Hashable {
    /// What kind of finding it is.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Changes wait in the outbox that no entity of the schema claims: the entity was renamed, or its records stay
        /// on the device now. They are kept and not sent; their records are deleted by no merge.
        case unclaimedChanges
    }

    public let code: Code
    /// The entity, by the name that it had when the records were changed.
    public let entity: String
    /// How many records it is about.
    public let count: Int

    init(_ code: Code, entity: String, count: Int) {
        self.code = code
        self.entity = entity
        self.count = count
    }
}

extension StoreFinding: CustomStringConvertible {
    /// What was found, and what to do, for developers and logs.
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

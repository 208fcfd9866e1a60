import LockstepJSON

/// Something that opening a store has found and that the app may want to know or report. See ``Store/findings``.
///
/// It is not an error; the store works.
public struct StoreFinding: Sendable, Hashable {
    /// The kind of finding.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The outbox contains changes that belong to no entity of the schema: the entity was renamed, or its records
        /// are local only now. They are kept but not sent, and no merge deletes their records.
        case unclaimedChanges
        /// A table of the schema or of the library has triggers that neither has created. SQLite runs them whenever the
        /// store writes to the table. If the app has not created them, something else has changed the file.
        case foreignTriggers
    }

    public let code: Code
    /// The name of the entity: when the records were changed, or whose table has the triggers. If no entity has this
    /// table, the name of the table.
    public let entity: String
    /// The number of records, or of triggers.
    public let count: Int
    /// The names of the triggers, as they are in the file: they can contain anything.
    public let triggers: [String]

    init(_ code: Code, entity: String, count: Int) {
        (self.code, self.entity, self.count, triggers) = (code, entity, count, [])
    }

    init(_ code: Code, entity: String, triggers: [String]) {
        (self.code, self.entity, count, self.triggers) = (code, entity, triggers.count, triggers)
    }

    /// The number of names in a text.
    private static let namesLimit = 3

    /// Some of many texts that a file contains, in one line.
    package static func list(_ texts: [String]) -> String {
        let more = texts.count > namesLimit ? ", and \(texts.count - namesLimit) more" : ""
        return texts.prefix(namesLimit).map(\.visible).joined(separator: ", ") + more
    }
}

extension StoreFinding: CustomStringConvertible {
    /// The finding and what to do about it, for developers and logs.
    @_spi(Requirements) public var description: String {
        switch code {
        case .unclaimedChanges:
            """
            \(count) \(count == 1 ? "change" : "changes") of “\(entity)” \(count == 1 ? "waits" : "wait") in the \
            outbox, and no entity of the schema claims \(count == 1 ? "it" : "them"). Open the store with a schema that \
            has the entity, under this name and with its table, to send them; or discard them.
            """
        case .foreignTriggers:
            """
            The table of “\(entity.visible)” has \(count == 1 ? "a trigger" : "\(count) triggers") that neither the \
            schema nor the library has made: \(Self.list(triggers.map { "“\($0)”" })). If the app has not made \
            \(count == 1 ? "it" : "them") either, do not use this file.
            """
        }
    }
}

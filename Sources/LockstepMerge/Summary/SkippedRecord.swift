/// A record of a payload that was not merged, because it is not as the schema has it (Rules.md, M4 and M12).
///
/// Values are not shown, as they may be private.
public struct SkippedRecord: Sendable, Hashable {
    /// The place in the payload's list, from 0; of a nested record, that of the record it is nested in.
    public let index: Int
    /// The keys that lead from the record in the list to the value that is wrong: `comments[2].title`. Empty where it
    /// is the record itself.
    public let keyPath: String
    /// The entity of the record that was skipped, by its name in the schema.
    public let entity: String
    /// The identity that the server gave it; `nil` where that is missing or cannot be read.
    public let identity: String?
    /// What is wrong: `is required`.
    public let reason: String

    package init(index: Int, keyPath: String = "", entity: String, identity: String? = nil, reason: String) {
        self.index = index
        self.keyPath = keyPath
        self.entity = entity
        self.identity = identity
        self.reason = reason
    }
}

extension SkippedRecord: CustomStringConvertible {
    /// Which record, where and why: `record 17 “a3”, title: is required`.
    public var description: String {
        let name = identity.map { " “\($0)”" } ?? ""
        let place = keyPath.isEmpty ? ": it" : ", \(keyPath):"
        return "record \(index)\(name)\(place) \(reason)"
    }
}

/// A record of a payload that was skipped because it is not valid by the schema (Rules.md, M4 and M12).
///
/// It contains no values except the identity, since they may be private.
public struct SkippedRecord: Sendable, Hashable {
    /// The index in the payload's list, starting at 0; for a nested record, the index of the record it is nested in.
    public let index: Int
    /// The keys that lead from the top-level record to the invalid value: `comments[2].title`. Empty for the record
    /// itself.
    public let keyPath: String
    /// The entity of the record that was skipped, by its name in the schema.
    public let entity: String
    /// The identity that the server has assigned; `nil` if it is missing or cannot be read.
    public let identity: String?
    /// The reason that the record is invalid: `is required`.
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
    /// The record, the location and the reason: `record 17 “a3”, title: is required`.
    public var description: String {
        let name = identity.map { " “\($0)”" } ?? ""
        let location = keyPath.isEmpty ? ": it" : ", \(keyPath):"
        return "record \(index)\(name)\(location) \(reason)"
    }
}

public import Foundation
public import GRDB

/// Describes the record that a hook is called for.
public struct HookContext: Sendable, Hashable {
    /// The entity, by its name in the schema.
    public let entity: String
    /// The identity that the server has assigned to the record; `nil` if it is missing or cannot be read.
    public let identity: String?
    /// The existing or future local identity of the record, if identities are created locally; only for
    /// `MergeCustomization.replace`, otherwise `nil`.
    public let localIdentity: UUID?
    /// The record that it is nested in; `nil` for a top-level record.
    public let parent: Parent?
    /// The index in the payload's list, starting at 0; for a nested record, the index of the record it is nested in.
    public let index: Int
    /// The keys that lead to it from the top-level record: `comments[2]`; empty for a top-level record.
    public let keyPath: String

    /// The record that another is nested in.
    public struct Parent: Sendable, Hashable {
        /// The entity, by its name in the schema.
        public let entity: String
        /// The identity that the server has assigned to it; `nil` if it has none.
        public let identity: String?
        /// The identity as it is stored, one value for each column; empty if it has none.
        public let values: [DatabaseValue]
    }
}

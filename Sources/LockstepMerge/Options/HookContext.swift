public import Foundation
public import GRDB

/// Where a record is that a hook is called for.
public struct HookContext: Sendable, Hashable {
    /// The entity, by its name in the schema.
    public let entity: String
    /// The identity that the server gives the record; `nil` where that is missing or cannot be read.
    public let identity: String?
    /// The identity that the record has on the device, or is to have, where the device makes it; only for
    /// ``MergeCustomization/replace``, else `nil`.
    public let localIdentity: UUID?
    /// The record that it is nested in; `nil` for one of the payload's list.
    public let parent: Parent?
    /// The place in the payload's list, from 0; of a nested record, that of the record it is nested in.
    public let index: Int
    /// The keys that lead to it from the record in the list: `comments[2]`; empty for that itself.
    public let keyPath: String

    /// Whether it is nested in another record.
    public var isNested: Bool { parent != nil }

    /// The record that another is nested in.
    public struct Parent: Sendable, Hashable {
        /// The entity, by its name in the schema.
        public let entity: String
        /// The identity that the server gives it; `nil` where it has none.
        public let identity: String?
        /// The same as the store keeps it, one value for each column; empty where it has none.
        public let values: [DatabaseValue]
    }
}

public import GRDB

/// What tells records of an entity apart: one value, or several together.
public protocol IdentityValue: Hashable, Sendable {
    /// The values of the key's columns, in the order of the key.
    var keyValues: [DatabaseValue] { get }
}

public import GRDB

/// A value that identifies a record of an entity: one value, or several together.
public protocol IdentityValue: Hashable, Sendable {
    /// The values of the key's columns, in the order of the key.
    var keyValues: [DatabaseValue] { get }

    /// Whether two values are identical in the store.
    ///
    /// In Swift, texts are equal if they are canonically equivalent, such as “é” as one scalar and as two. For SQLite
    /// and servers these are different texts, so the store compares their bytes.
    static func isIdentical(_ left: Self, _ right: Self) -> Bool
}

extension IdentityValue {
    public static func isIdentical(_ left: Self, _ right: Self) -> Bool {
        left == right && left.recordKey == right.recordKey
    }

    /// The same for optional values; `nil` is only identical to `nil`.
    package static func isIdentical(_ left: Self?, _ right: Self?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return isIdentical(left, right)
    }
}

/// An identity as the key of a dictionary, compared as in the store.
package struct IdentityKey<Value: IdentityValue>: Hashable {
    private let value: Value

    package init(_ value: Value) { self.value = value }

    package static func == (left: Self, right: Self) -> Bool { Value.isIdentical(left.value, right.value) }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

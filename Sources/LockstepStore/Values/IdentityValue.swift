public import GRDB

/// What tells records of an entity apart: one value, or several together.
public protocol IdentityValue: Hashable, Sendable {
    /// The values of the key's columns, in the order of the key.
    var keyValues: [DatabaseValue] { get }

    /// Whether the store takes two values for the same one.
    ///
    /// To Swift, texts are equal where they look alike: “é” in one scalar and in two. To SQLite and to servers these
    /// are different texts, so the store compares their bytes.
    static func isIdentical(_ left: Self, _ right: Self) -> Bool
}

extension IdentityValue {
    public static func isIdentical(_ left: Self, _ right: Self) -> Bool {
        left == right && left.recordKey == right.recordKey
    }

    /// As for values; `nil` is the same as `nil` only.
    static func isIdentical(_ left: Self?, _ right: Self?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return isIdentical(left, right)
    }
}

/// An identity as the key of a dictionary, told from others as the store does it.
struct IdentityKey<Value: IdentityValue>: Hashable {
    private let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Self, right: Self) -> Bool { Value.isIdentical(left.value, right.value) }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

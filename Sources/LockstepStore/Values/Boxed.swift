/// Keeps its value behind a reference, so that representations can embed each other.
///
/// It behaves as the value: copies are independent, and it is equal, hashable and sendable as the value is.
@propertyWrapper
public struct Boxed<Value> {
    private var box: Box

    private final class Box {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    public var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension Boxed: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

// The box is never changed once made, so sharing it is as safe as sharing the value.
extension Boxed: @unchecked Sendable where Value: Sendable {}

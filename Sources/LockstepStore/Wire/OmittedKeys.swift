/// The keys that the JSON of a representation did not have.
///
/// It says how a representation was read, not what it is: two that differ only in this are equal.
public struct OmittedKeys: Hashable, Sendable {
    private var names: Set<String> = []

    /// Keys whose value was null, for which a default stands in.
    private var nulls: Set<String> = []

    /// None: every value counts.
    public init() {}

    /// Whether the key of this name was missing.
    public func contains(_ name: String) -> Bool { !names.isEmpty && names.contains(name) }

    /// Takes the key of this name out: its value was set, and counts.
    public mutating func remove(_ name: String) {
        if !names.isEmpty { names.remove(name) }
        if !nulls.isEmpty { nulls.remove(name) }
    }

    /// Marks the key of this name as one that is not told.
    public mutating func insert(_ name: String) { names.insert(name) }

    /// Whether the key of this name was null where a value is required, so that the default took its place.
    ///
    /// A default that differs each time, such as the time, must not change a record that has a value.
    package func containsNull(_ name: String) -> Bool { !nulls.isEmpty && nulls.contains(name) }

    /// Notes that the default took the place of null.
    mutating func insertNull(_ name: String) { nulls.insert(name) }

    public static func == (lhs: OmittedKeys, rhs: OmittedKeys) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

/// Notes missing keys while a reader, which is only borrowed, goes through an object.
final class OmissionLog {
    var keys = OmittedKeys()
}

/// The keys that were absent from the JSON of a representation.
///
/// It describes how a representation was decoded, not its value: representations that differ only in this are equal.
public struct OmittedKeys: Hashable, Sendable {
    private var names: Set<String> = []

    /// Keys whose value was null and was replaced by a default.
    private var nulls: Set<String> = []

    /// Creates an empty set: every value is present.
    public init() {}

    /// Whether the key with this name was absent.
    public func contains(_ name: String) -> Bool { !names.isEmpty && names.contains(name) }

    /// Removes the key with this name, because its value was set.
    public mutating func remove(_ name: String) {
        if !names.isEmpty { names.remove(name) }
        if !nulls.isEmpty { nulls.remove(name) }
    }

    /// Marks the key with this name as absent from the JSON.
    public mutating func insert(_ name: String) { names.insert(name) }

    /// Whether the key with this name was null although a value is required, so that the default replaced it.
    ///
    /// A default that differs each time, such as the current time, must not change a record that has a value.
    package func containsNull(_ name: String) -> Bool { !nulls.isEmpty && nulls.contains(name) }

    /// Records that the default replaced null.
    mutating func insertNull(_ name: String) { nulls.insert(name) }

    public static func == (lhs: OmittedKeys, rhs: OmittedKeys) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

/// Records absent keys while a reader, which is only borrowed, processes an object.
final class OmissionLog {
    var keys = OmittedKeys()
}

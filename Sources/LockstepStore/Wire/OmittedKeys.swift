package import LockstepJSON

/// The keys that were absent from the JSON of a representation, and what the JSON had that it cannot represent.
///
/// It describes how a representation was decoded, not its value: representations that differ only in this are equal.
public struct OmittedKeys: Hashable, Sendable {
    private var names: Set<String> = []

    /// Keys whose value was null: it was replaced by a default, or is that of a to-many.
    private var nulls: Set<String> = []

    /// Objects that came beside, or instead of, the keys of to-one relationships, by the first key of each. A
    /// representation has the key only, but a merge takes the object, too (Rules.md, R1).
    private var objects: [String: EmbeddedObject] = [:]

    /// The object of a to-one relationship.
    package struct EmbeddedObject: Sendable {
        /// The keys that lead to it in the record's JSON.
        package let path: [String]
        package let json: JSONValue
        /// Whether the JSON had the key of the relationship, or a part of it, too.
        package fileprivate(set) var isBesideKey: Bool
    }

    /// The keys that are not read although they look like those of relationships (Rules.md, M13), and whether their
    /// values are lists or objects.
    package private(set) var unreadKeys: [String: Bool] = [:]

    /// Creates an empty set: every value is present.
    public init() {}

    /// Whether the key with this name was absent.
    public func contains(_ name: String) -> Bool { !names.isEmpty && names.contains(name) }

    /// Removes the key with this name, because its value was set.
    public mutating func remove(_ name: String) {
        if !names.isEmpty { names.remove(name) }
        if !nulls.isEmpty { nulls.remove(name) }
        if !objects.isEmpty { objects[name] = nil }
    }

    /// Marks the key with this name as absent from the JSON.
    public mutating func insert(_ name: String) { names.insert(name) }

    /// Whether the key with this name was null although a value is required, so that the default replaced it, or was
    /// null for a to-many, which is an empty list.
    ///
    /// A default that differs each time, such as the current time, must not change a record that has a value.
    package func containsNull(_ name: String) -> Bool { !nulls.isEmpty && nulls.contains(name) }

    /// Records that the key was null.
    mutating func insertNull(_ name: String) { nulls.insert(name) }

    /// The objects of to-one relationships.
    package var embeddedObjects: some Collection<EmbeddedObject> { objects.values }

    /// The object of the to-one relationship whose first key has this name.
    func object(of name: String) -> EmbeddedObject? { objects.isEmpty ? nil : objects[name] }

    /// Keeps the object of a to-one relationship, of which this is a key.
    mutating func insert(_ object: JSONValue, at path: [String], of name: String, isBesideKey: Bool) {
        if let known = objects.first(where: { $0.value.path == path })?.key {
            if isBesideKey { objects[known]?.isBesideKey = true }
        } else {
            objects[name] = EmbeddedObject(path: path, json: object, isBesideKey: isBesideKey)
        }
    }

    /// Records a key that is not read.
    mutating func insertUnread(_ name: String, isComposite: Bool) { unreadKeys[name] = isComposite }

    public static func == (lhs: OmittedKeys, rhs: OmittedKeys) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

/// Records absent keys while a reader, which is only borrowed, processes an object.
final class OmissionLog {
    var keys = OmittedKeys()
}

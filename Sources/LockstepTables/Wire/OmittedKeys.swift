package import LockstepJSON

/// The keys that were absent from the JSON of a representation, and what the JSON had that it cannot represent.
///
/// It describes how a representation was decoded, not its value: representations that differ only in this are equal.
public struct OmittedKeys: Hashable, Sendable {
    private var names: Set<String> = []

    /// Keys whose value was null: it was replaced by a default, or is that of a to-many.
    private var nulls: Set<String> = []

    /// The forms of relationships that a representation has no property for, by the first key of each: the object
    /// beside the key of a to-one (Rules.md, R1), or the records beside the identities of a to-many, or the identities
    /// beside its records (R11). A merge reads them, too.
    private var otherForms: [String: OtherForm] = [:]

    /// A relationship in the form that is read, but not sent.
    package struct OtherForm: Sendable {
        /// The keys that lead to it in the record's JSON.
        package let path: [String]
        package let json: JSONValue
        /// Whether the JSON had the form that is sent, or a part of it, too.
        package fileprivate(set) var isBesideKey: Bool
    }

    /// The keys that are not read although they look like those of relationships (Rules.md, M13), and whether their
    /// values are lists or objects.
    package private(set) var unreadKeys: [String: Bool] = [:]

    /// Creates an empty set: every value is present.
    @_spi(Generated) public init() {}

    /// Whether the key with this name was absent.
    package func contains(_ name: String) -> Bool { !names.isEmpty && names.contains(name) }

    /// Removes the key with this name, because its value was set.
    @_spi(Generated) public mutating func remove(_ name: String) {
        if !names.isEmpty { names.remove(name) }
        if !nulls.isEmpty { nulls.remove(name) }
        if !otherForms.isEmpty { otherForms[name] = nil }
    }

    /// Marks the key with this name as absent from the JSON.
    @_spi(Generated) public mutating func insert(_ name: String) { names.insert(name) }

    /// Whether the key with this name was null although a value is required, so that the default replaced it, or was
    /// null for a to-many, which is an empty list.
    ///
    /// A default that differs each time, such as the current time, must not change a record that has a value.
    package func containsNull(_ name: String) -> Bool { !nulls.isEmpty && nulls.contains(name) }

    /// Records that the key was null.
    mutating func insertNull(_ name: String) { nulls.insert(name) }

    /// The relationships in another form than the representation's.
    package var allOtherForms: some Collection<OtherForm> { otherForms.values }

    /// The other form of the relationship whose first key has this name.
    func otherForm(of name: String) -> OtherForm? { otherForms.isEmpty ? nil : otherForms[name] }

    /// Keeps the other form of a relationship, of which this is a key.
    mutating func insert(_ json: JSONValue, at path: [String], of name: String, isBesideKey: Bool) {
        if let known = otherForms.first(where: { $0.value.path == path })?.key {
            if isBesideKey { otherForms[known]?.isBesideKey = true }
        } else {
            otherForms[name] = OtherForm(path: path, json: json, isBesideKey: isBesideKey)
        }
    }

    /// Records a key that is not read.
    mutating func insertUnread(_ name: String, isComposite: Bool) { unreadKeys[name] = isComposite }

    @_spi(Requirements) public static func == (lhs: OmittedKeys, rhs: OmittedKeys) -> Bool { true }

    @_spi(Requirements) public func hash(into hasher: inout Hasher) {}
}

/// Records absent keys while a reader, which is only borrowed, processes an object.
final class OmissionLog {
    var keys = OmittedKeys()
}

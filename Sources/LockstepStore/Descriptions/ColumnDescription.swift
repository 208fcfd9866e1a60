/// One column of an entity's table.
public struct ColumnDescription: Sendable, Hashable {
    /// The name in SQL, unquoted.
    public let name: String
    /// What is in it.
    public let content: Content
    /// The type of the values.
    public let type: StoredType
    /// Whether it may be NULL.
    public let isOptional: Bool
    /// Whether no two records may have the same value.
    public let isUnique: Bool
    /// How it is spelt in JSON; `nil` if it does not travel, or travels with its relationship.
    public let wire: WireDescription?
    /// The value where none is given; `nil` if there is no such default.
    public let defaultValue: DefaultDescription?
    /// What the values must keep to.
    public let limits: Limits

    public enum Content: Sendable, Hashable {
        /// The attribute of this name.
        case attribute(String)
        /// A part of the key that the to-one of this name points at.
        case foreignKey(String)
        /// The place in the ordered to-many of this name, of the owner.
        case position(String)
        /// The key of an entity without identity.
        case surrogateKey
    }

    /// An attribute's column. Its name in SQL and its key in JSON are the attribute's own unless they are given.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the schema.
    ///   - type: The type of the values.
    ///   - column: The column's name in SQL, unquoted; `nil` for the attribute's name.
    ///   - isOptional: Whether it may be NULL.
    ///   - isUnique: Whether no two records may have the same value.
    ///   - wire: How it is spelled in JSON; `nil` if it does not travel.
    ///   - defaultValue: The value if none is given.
    ///   - limits: What the values must keep to.
    public static func attribute(
        _ name: String, _ type: StoredType, column: String? = nil, isOptional: Bool = false, isUnique: Bool = false,
        wire: WireDescription? = .ownName, default defaultValue: DefaultDescription? = nil, limits: Limits = .none
    ) -> ColumnDescription {
        ColumnDescription(
            name: column ?? name, content: .attribute(name), type: type, isOptional: isOptional, isUnique: isUnique,
            wire: wire?.isOwnName == true ? WireDescription(path: [name]) : wire, defaultValue: defaultValue,
            limits: limits)
    }

    /// An attribute's column, as earlier versions of the generator describe it: without `wire` it does not travel.
    public static func attribute(
        _ name: String, column: String, _ type: StoredType, isOptional: Bool = false, isUnique: Bool = false,
        wire: WireDescription? = nil, default defaultValue: DefaultDescription? = nil, limits: Limits = .none
    ) -> ColumnDescription {
        ColumnDescription(
            name: column, content: .attribute(name), type: type, isOptional: isOptional, isUnique: isUnique, wire: wire,
            defaultValue: defaultValue, limits: limits)
    }

    /// A column of the foreign key of the to-one `name`.
    public static func foreignKey(
        _ name: String, column: String, _ type: StoredType, isOptional: Bool = true
    ) -> ColumnDescription {
        ColumnDescription(
            name: column, content: .foreignKey(name), type: type, isOptional: isOptional, isUnique: false, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// The place in the ordered to-many `name` of the owner.
    public static func position(_ name: String, column: String) -> ColumnDescription {
        ColumnDescription(
            name: column, content: .position(name), type: .int, isOptional: true, isUnique: false, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// The key of an entity without identity.
    public static var surrogateKey: ColumnDescription {
        ColumnDescription(
            name: "lockstep_id", content: .surrogateKey, type: .int64, isOptional: false, isUnique: true, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// Whether a property can have a value that the column must not: one beyond its limits, none where one is required,
    /// a number that no SQL has.
    package var needsCheck: Bool {
        if case .foreignKey = content { return !isOptional }
        return !limits.isEmpty || type.needsCheck
    }

    /// The name that people know it by: the attribute's or the relationship's.
    package var memberName: String {
        switch content {
        case .attribute(let name), .foreignKey(let name), .position(let name): name
        case .surrogateKey: name
        }
    }
}

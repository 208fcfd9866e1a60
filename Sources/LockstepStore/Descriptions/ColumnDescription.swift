package import LockstepEvolution

/// One column of an entity's table.
package struct ColumnDescription: Sendable, Hashable {
    /// The name in SQL, unquoted.
    package let name: String
    /// The kind of content of the column.
    package let content: Content
    /// The type of the values.
    package let type: StoredType
    /// Whether it may be NULL.
    package let isOptional: Bool
    /// Whether no two records may have the same value.
    package let isUnique: Bool
    /// How it is encoded in JSON; `nil` if it is not sent, or is encoded with its relationship.
    package let wire: WireDescription?
    /// The default value; `nil` if there is none.
    package let defaultValue: DefaultValue?
    /// The limits of the values.
    package let limits: Limits

    package enum Content: Sendable, Hashable {
        /// The attribute of this name.
        case attribute(String)
        /// A part of the foreign key of the to-one of this name.
        case foreignKey(String)
        /// The position in the ordered to-many whose inverse is the to-one of this name.
        case position(String)
        /// The key of an entity without identity.
        case surrogateKey
    }

    /// Describes an attribute's column. Its name in SQL and its key in JSON are the attribute's name by default.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the schema.
    ///   - type: The type of the values.
    ///   - column: The column's name in SQL, unquoted; `nil` for the attribute's name.
    ///   - isOptional: Whether it may be NULL.
    ///   - isUnique: Whether no two records may have the same value.
    ///   - wire: How it is encoded in JSON; `nil` if it is not sent.
    ///   - defaultValue: The default value.
    ///   - limits: The limits of the values.
    package static func attribute(
        _ name: String, _ type: StoredType, column: String? = nil, isOptional: Bool = false, isUnique: Bool = false,
        wire: WireDescription? = .ownName, default defaultValue: DefaultValue? = nil,
        limits: Limits = .none
    ) -> ColumnDescription {
        ColumnDescription(
            name: column ?? name, content: .attribute(name), type: type, isOptional: isOptional, isUnique: isUnique,
            wire: wire?.isOwnName == true ? WireDescription(path: [name]) : wire, defaultValue: defaultValue,
            limits: limits)
    }

    /// A column of the foreign key of the to-one `name`.
    package static func foreignKey(
        _ name: String, column: String, _ type: StoredType, isOptional: Bool = true
    ) -> ColumnDescription {
        ColumnDescription(
            name: column, content: .foreignKey(name), type: type, isOptional: isOptional, isUnique: false, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// The position in the ordered to-many whose inverse is the to-one `name`.
    package static func position(_ name: String, column: String) -> ColumnDescription {
        ColumnDescription(
            name: column, content: .position(name), type: .int, isOptional: true, isUnique: false, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// The key of an entity without identity.
    package static var surrogateKey: ColumnDescription {
        ColumnDescription(
            name: "lockstep_id", content: .surrogateKey, type: .int64, isOptional: false, isUnique: true, wire: nil,
            defaultValue: nil, limits: .none)
    }

    /// The column as part of an identity.
    var ofIdentity: ColumnDescription {
        guard type.canContainNUL else { return self }
        return ColumnDescription(
            name: name, content: content, type: type, isOptional: isOptional, isUnique: isUnique, wire: wire,
            defaultValue: defaultValue, limits: limits.ofIdentity)
    }

    /// Whether a property can have a value that the column must not have: one beyond its limits, no value if one is
    /// required, or a number that SQL cannot represent.
    package var needsCheck: Bool {
        if case .foreignKey = content { return !isOptional }
        return !limits.isEmpty || type.needsCheck
    }

    /// The name in the schema: that of the attribute or the relationship.
    package var memberName: String {
        switch content {
        case .attribute(let name), .foreignKey(let name), .position(let name): name
        case .surrogateKey: name
        }
    }
}

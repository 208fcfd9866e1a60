package import LockstepEvolution

/// One column of an entity's table.
package struct ColumnDescription: Sendable, Hashable {
    /// The name in SQL, unquoted.
    package let name: String
    /// The kind of content of the column.
    package let content: EntityColumn.Content
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
    package private(set) var limits: Limits

    package init(
        _ name: String, content: EntityColumn.Content, type: StoredType, isOptional: Bool = false,
        isUnique: Bool = false, wire: WireDescription? = nil, default defaultValue: DefaultValue? = nil,
        limits: Limits = .none
    ) {
        self.name = name
        self.content = content
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
        self.wire = wire
        self.defaultValue = defaultValue
        self.limits = limits
    }

    /// The column as part of an identity.
    var ofIdentity: ColumnDescription {
        var column = self
        if type.canContainNUL { column.limits = limits.ofIdentity }
        return column
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

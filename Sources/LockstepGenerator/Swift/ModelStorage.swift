import LockstepSchema

/// How a model is read from a row and bound to a statement, column by column.
///
/// Columns are numbered in the order of the table: here, in the setters of properties and in the order of the
/// entity's `columns`. A number costs nothing at run time, and all of them come from `EntityShape.column(of:)`.
enum ModelStorage {
    static func code(for shape: EntityShape) -> Code {
        .sections([identityInRow(shape), load(shape), bind(shape), setForeignKey(shape), setPosition(shape)])
    }

    /// The expression that reads an attribute from `row`.
    static func read(_ attribute: Attribute, of shape: EntityShape) -> String {
        "row.\(attribute.type.accessor(isOptional: attribute.isOptional))(\(shape.column(of: attribute)))"
    }

    /// The statement that reads a foreign key from `row` into a property.
    static func readKey(_ key: EntityShape.HeldKey, into property: String, of shape: EntityShape) -> Code {
        let attributes = shape.scope.keyAttributes(of: key.destination)
        let reads = zip(attributes, key.columns).map { "row.\($0.type.accessor(isOptional: true))(\($1))" }
        guard attributes.count > 1 else { return "\(property) = \(reads.first ?? "nil")" }
        return "\(property) = \(key.type)(\n    \(Code.list(reads.map { Code($0) }))\n)"
    }

    /// The statement that reads the position in an ordered inverse from `row`.
    static func readPosition(_ key: EntityShape.HeldKey, of shape: EntityShape) -> Code {
        key.key.positionProperty.map { "\(shape.storage(of: $0)) = row.optionalInt(\(key.positionColumn ?? 0))" }
            ?? Code()
    }

    private static func identityInRow(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let keys = shape.keyAttributes
        let type = keys.count > 1 ? "Identity" : scope.identityType(of: shape.entity)
        let value: Code =
            switch keys.count {
            case 0: "row.int64(0)"
            case 1: Code(read(keys[0], of: shape))
            default: "Identity(\(keys.map { "\($0.swiftName.label): \(read($0, of: shape))" }.joined(separator: ", ")))"
            }
        return """
            \(scope.access)static func identity(in row: \(scope.runtime("RowReader"))) -> \(type) {
                \(value)
            }
            """
    }

    private static func load(_ shape: EntityShape) -> Code {
        var cases: [Code] = shape.storedAttributes.filter { !shape.isKey($0) }.map { attribute in
            "case \(shape.column(of: attribute)): \(shape.target(of: attribute)) = \(read(attribute, of: shape))"
        }
        for key in shape.foreignKeys {
            cases.append(loadKey(key, of: shape))
            if let position = key.key.positionProperty, let column = key.positionColumn {
                cases.append("case \(column): \(position.qualified) = row.optionalInt(\(column))")
            }
        }
        guard !cases.isEmpty else { return Code() }
        return """
            \(shape.scope.access)override func load(_ column: \(shape.scope.standard("Int")), from row: \(shape.scope.runtime("RowReader"))) {
                switch column {
                \(Code.lines(cases))
                default: break
                }
            }
            """
    }

    private static func loadKey(_ key: EntityShape.HeldKey, of shape: EntityShape) -> Code {
        let attributes = shape.scope.keyAttributes(of: key.destination)
        let reads = zip(attributes, key.columns).map { "row.\($0.type.accessor(isOptional: true))(\($1))" }
        let columns = key.columns.map(String.init).joined(separator: ", ")
        guard attributes.count > 1 else {
            return "case \(columns): \(key.key.property.qualified) = \(reads.first ?? "nil")"
        }
        return """
            case \(columns):
                \(Code.call("\(key.key.property.qualified) = \(key.type)", arguments: reads))
            """
    }

    private static func bind(_ shape: EntityShape) -> Code {
        var cases: [Code] = []
        if shape.hasSurrogateKey { cases.append("case 0: row.int64(lockstepID)") }
        cases += shape.storedAttributes.map { attribute in
            let accessor = attribute.type.accessor(isOptional: attribute.isOptional)
            return "case \(shape.column(of: attribute)): row.\(accessor)(\(shape.storage(of: attribute).qualified))"
        }
        for key in shape.foreignKeys {
            let attributes = shape.scope.keyAttributes(of: key.destination)
            for (attribute, column) in zip(attributes, key.columns) {
                let value =
                    shape.storage(of: key.key.property) + (attributes.count > 1 ? "?.\(attribute.swiftName)" : "")
                cases.append("case \(column): row.\(attribute.type.accessor(isOptional: true))(\(value))")
            }
            if let position = key.key.positionProperty, let column = key.positionColumn {
                cases.append("case \(column): row.optionalInt(\(shape.storage(of: position)))")
            }
        }
        return """
            \(shape.scope.access)override func bind(_ column: \(shape.scope.standard("Int")), to row: inout \(shape.scope.runtime("RowWriter"))) {
                switch column {
                \(Code.lines(cases))
                default: break
                }
            }
            """
    }

    private static func setForeignKey(_ shape: EntityShape) -> Code {
        let cases = shape.foreignKeys.map { key -> Code in
            let owner = "(owner as? \(key.destination.swiftName))"
            return "case \(key.relationshipIndex): \(key.key.property.qualified) = \(owner)?.identity"
        }
        guard !cases.isEmpty else { return Code() }
        let parameters =
            "_ relationship: \(shape.scope.standard("Int")), to owner: \(shape.scope.runtime("ManagedObject"))?"
        return """
            \(shape.scope.access)override func setForeignKey(\(parameters)) {
                switch relationship {
                \(Code.lines(cases))
                default: break
                }
            }
            """
    }

    private static func setPosition(_ shape: EntityShape) -> Code {
        let cases = shape.foreignKeys.compactMap { key -> Code? in
            key.key.positionProperty.map { "case \(key.relationshipIndex): \($0.qualified) = position" }
        }
        guard !cases.isEmpty else { return Code() }
        let int = shape.scope.standard("Int")
        return """
            \(shape.scope.access)override func setPosition(_ relationship: \(int), to position: \(int)?) {
                switch relationship {
                \(Code.lines(cases))
                default: break
                }
            }
            """
    }
}

import LockstepSchema

/// The code after the class: its columns and relationships for requests, and its composite identity.
enum ModelExtensionTemplate {
    static func code(for shape: EntityShape) -> Code {
        let scope = shape.scope
        return """
            extension \(shape.entity.swiftName) {
                \(Code.lines([identityType(shape), wireIdentityType(shape)]))
                \(scope.access)typealias Representation = \(shape.entity.representationName)

                \(compositeIdentity(shape))

                /// The columns of `\(shape.entity.tableName)`, for requests: `\(example(shape))`.
                \(scope.typeAccess)enum Columns {
                    \(Code.lines(columns(shape)))
                }

                \(relationships(shape))

                \(scope.access)static let entity = \(scope.schema.swiftName).compiled.entity(\(SwiftLiteral.string(shape.entity.name)))
            }
            """
    }

    private static func identityType(_ shape: EntityShape) -> Code {
        guard shape.keyAttributes.count < 2 else { return Code() }
        return "\(shape.scope.access)typealias Identity = \(shape.scope.identityType(of: shape.entity))"
    }

    private static func wireIdentityType(_ shape: EntityShape) -> Code {
        guard shape.scope.remoteAttribute(of: shape.entity) != nil else { return Code() }
        return "\(shape.scope.access)typealias WireIdentity = \(shape.scope.wireIdentityType(of: shape.entity))"
    }

    private static func compositeIdentity(_ shape: EntityShape) -> Code {
        let keys = shape.keyAttributes
        guard keys.count > 1 else { return Code() }
        let scope = shape.scope
        let access = scope.access
        let optionals = keys.map { "_ \($0.swiftName): \(scope.typeName($0.type))?" }
        let names = keys.map { "let \($0.swiftName)" }.joined(separator: ", ")
        let arguments = keys.map { "\($0.swiftName.label): \($0.swiftName)" }
        return """
            /// The identity of a record.
            \(scope.typeAccess)struct Identity: \(scope.runtime("IdentityValue")) {
                \(Code.lines(keys.map { "\(access)let \($0.swiftName): \(scope.typeName($0.type))" }))

                \(Code.call("\(access)init", arguments: keys.map { "\($0.swiftName): \(scope.typeName($0.type))" })) {
                    \(Code.lines(keys.map { "self.\($0.swiftName) = \($0.swiftName)\($0.rounding)" }))
                }

                /// Creates an identity from its parts; `nil` if one of them is `nil`.
                \(Code.call("\(access)init?", arguments: optionals)) {
                    guard \(names) else { return nil }
                    \(Code.call("self.init", arguments: arguments))
                }

                \(access)var keyValues: [\(scope.runtime("DatabaseValue"))] {
                    \(Code.joined(keys.map { "self.\($0.swiftName).keyValues" }, separator: keys.count > 3 ? "\n    + " : " + "))
                }
            }
            """
    }

    private static func example(_ shape: EntityShape) -> String {
        guard let column = shape.entity.columns.first else { return "" }
        return "\(shape.entity.swiftName).order(\\.\(column.property))"
    }

    private static func columns(_ shape: EntityShape) -> [Code] {
        let scope = shape.scope
        return shape.entity.columns.map { column in
            let attribute = shape.attribute(of: column)
            let declaration =
                "\(scope.access)static let \(columnName(column, of: shape)) = "
                + "\(scope.runtime("AttributeColumn"))<\(scope.typeName(column.type))>"
                + "(\(SwiftLiteral.string(column.name)))"
            return .lines([.deprecation(attribute?.deprecation), Code(declaration)])
        }
    }

    /// A part of a composite foreign key has no property of its own. Its column is named by relationship and attribute.
    private static func columnName(_ column: Column, of shape: EntityShape) -> String {
        guard case .foreignKey(let relationship, let attribute) = column.content,
            let key = shape.foreignKeys.first(where: { $0.relationship.name == relationship }), key.columns.count > 1
        else { return column.property }
        return relationship + attribute.prefix(1).uppercased() + attribute.dropFirst()
    }

    /// A handle for each relationship. The runtime has a `Relationships` for entities without any.
    private static func relationships(_ shape: EntityShape) -> Code {
        guard let first = shape.entity.relationships.first else { return Code() }
        let scope = shape.scope
        let name = shape.entity.swiftName
        let handles = shape.entity.relationships.map { relationship -> Code in
            let destination = scope.entity(relationship.destination).swiftName
            let type = "\(scope.runtime("RelationshipHandle"))<\(name), \(destination)>"
            let start = "\(scope.access)static let \(relationship.swiftName) ="
            let value = "\(type)(\(SwiftLiteral.string(relationship.name)))"
            let isLong = start.utf8.count + value.utf8.count > 111
            return .lines([
                .deprecation(relationship.deprecation), "\(start)\(isLong ? "\n    " as Code : " ")\(value)",
            ])
        }
        let example = "\(name).prefetch(\\.\(first.swiftName))"
        return """
            \(Code.documentation("The relationships, for requests that load them along: `\(example)`."))
            \(scope.typeAccess)enum Relationships {
                \(Code.lines(handles))
            }
            """
    }
}

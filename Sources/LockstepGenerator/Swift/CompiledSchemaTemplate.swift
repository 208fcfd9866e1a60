import LockstepSchema

/// The parts of a schema that the store needs beside the structure: types of the app, and how lists are sorted and
/// merged.
enum CompiledSchemaTemplate {
    static func code(in scope: SwiftScope) -> Code {
        let arguments =
            ["\(scope.schema.swiftName).self"]
            + [("types", types(scope)), ("sorting", sorting(scope.schema)), ("unlisted", unlisted(scope.schema))]
            .filter { !$1.isEmpty }.map { "\($0): [\($1.joined(separator: ", "))]" }
        return """
            /// What the store makes of the structure.
            \(Code.call("\(scope.access)static let compiled = \(scope.runtime("CompiledSchema"))", arguments: arguments))
            """
    }

    private static func types(_ scope: SwiftScope) -> [String] {
        scope.schema.entities.flatMap { entity in
            entity.attributes.filter { !$0.isTransient }.compactMap { attribute in
                customType(attribute.type).map {
                    element(entity, member: attribute.name, value: "\(scope.typeName($0)).self")
                }
            }
        }
    }

    private static func customType(_ type: AttributeType) -> AttributeType? {
        switch type {
        case .custom: type
        case .list(let element): customType(element)
        case .scalar, .enumeration, .attachment: nil
        }
    }

    private static func sorting(_ schema: Schema) -> [String] {
        relationships(schema) { $0.isToMany && !$0.sortedBy.isEmpty }.map { entity, relationship in
            let keys = relationship.sortedBy.map { ($0.isDescending ? "-" : "") + $0.attribute }
            return element(
                entity, member: relationship.name, value: "[\(keys.map(SwiftLiteral.string).joined(separator: ", "))]")
        }
    }

    private static func unlisted(_ schema: Schema) -> [String] {
        relationships(schema) { $0.unlisted != nil }.map { entity, relationship in
            element(
                entity, member: relationship.name, value: SwiftLiteral.string(relationship.unlisted?.rawValue ?? ""))
        }
    }

    private static func relationships(
        _ schema: Schema, where isIncluded: (Relationship) -> Bool
    ) -> [(Entity, Relationship)] {
        schema.entities.flatMap { entity in entity.relationships.filter(isIncluded).map { (entity, $0) } }
    }

    private static func element(_ entity: Entity, member: String, value: String) -> String {
        "\(SwiftLiteral.string("\(entity.name).\(member)")): \(value)"
    }
}

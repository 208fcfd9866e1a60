import LockstepSchema

/// `Timestamped.swift`: the protocol of an abstract entity.
enum ProtocolTemplate {
    static func file(for entity: AbstractEntity, in scope: SwiftScope) -> SwiftFile {
        let inherited = entity.protocols.isEmpty ? [scope.runtime("ManagedObject")] : entity.protocols
        let body: Code = """
            \(Code.documentation(entity.documentation, indentation: 0))
            \(scope.typeAccess)protocol \(entity.swiftName): \(inherited.joined(separator: ", ")) {
                \(Code.lines(entity.attributes.map { attribute($0, of: entity, in: scope) } + entity.relationships.map { relationship($0, in: scope) }))
            }
            """
        return SwiftFile(modules: modules(of: entity, in: scope), body: body)
    }

    /// A protocol that only inherits from another one of the schema may not use a type of the runtime.
    private static func modules(of entity: AbstractEntity, in scope: SwiftScope) -> [String] {
        let types = entity.attributes.map(\.type)
        let showsRuntime =
            entity.protocols.isEmpty || entity.relationships.contains(where: \.isToMany)
            || types.contains { $0 == .scalar(.json) || $0 == .list(.scalar(.json)) }
        return Imports.modules(for: types, in: scope).filter { $0 != Imports.runtime || showsRuntime }
    }

    private static func attribute(_ attribute: Attribute, of entity: AbstractEntity, in scope: SwiftScope) -> Code {
        let type = scope.typeName(attribute.type, isOptional: attribute.isOptional)
        // A model that extends it cannot set its identity and its version.
        let isReadOnly = scope.schema.entities.contains { model in
            (model.identity.keyAttributes.contains(attribute.name) || model.version == attribute.name)
                && model.protocols.contains(entity.swiftName)
        }
        return .lines([
            .documentation(attribute.documentation),
            .deprecation(attribute.deprecation),
            "var \(attribute.swiftName): \(type) { \(isReadOnly ? "get" : "get set") }",
        ])
    }

    private static func relationship(_ relationship: AbstractRelationship, in scope: SwiftScope) -> Code {
        let destination = relationship.destinationSwiftName
        let requirement: Code =
            if relationship.isToMany {
                "var \(relationship.swiftName): \(scope.runtime("ToMany"))<\(destination)> { get }"
            } else {
                "var \(relationship.swiftName): \(destination)\(relationship.isOptional ? "?" : "") { get set }"
            }
        return .lines([.documentation(relationship.documentation), requirement])
    }
}

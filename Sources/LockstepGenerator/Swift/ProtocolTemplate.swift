import LockstepSchema

/// `Timestamped.swift`: the protocol of an abstract entity.
enum ProtocolTemplate {
    static func file(for entity: AbstractEntity, in scope: SwiftScope) -> SwiftFile {
        let inherited = entity.protocols.isEmpty ? [scope.runtime("ManagedObject")] : entity.protocols
        let body: Code = """
            \(Code.documentation(entity.documentation, indentation: 0))
            \(scope.typeAccess)protocol \(entity.swiftName): \(inherited.joined(separator: ", ")) {
                \(Code.lines(entity.attributes.map { attribute($0, scope) } + entity.relationships.map { relationship($0, scope) }))
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

    private static func attribute(_ attribute: Attribute, _ scope: SwiftScope) -> Code {
        let type = scope.typeName(attribute.type, isOptional: attribute.isOptional)
        let isReadOnly = scope.schema.entities.contains { entity in
            (entity.identity.keyAttributes.contains(attribute.name) || entity.version == attribute.name)
                && entity.attributes.contains { $0.name == attribute.name && $0 == attribute }
        }
        return .lines([
            .documentation(attribute.documentation),
            .deprecation(attribute.deprecation),
            "var \(attribute.swiftName): \(type) { \(isReadOnly ? "get" : "get set") }",
        ])
    }

    private static func relationship(_ relationship: AbstractRelationship, _ scope: SwiftScope) -> Code {
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

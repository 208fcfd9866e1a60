import LockstepSchema

/// `Entry.swift`: the model class.
enum ModelTemplate {
    static func file(for shape: EntityShape) -> SwiftFile {
        let entity = shape.entity
        let scope = shape.scope
        let body: Code = """
            \(Code.documentation(entity.documentation, indentation: 0))
            \(scope.typeAccess)final class \(entity.swiftName): \(conformances(shape)) {
                \(ModelProperties.code(for: shape))

                \(ModelInitializers.code(for: shape))

                \(ModelRepresentation.code(for: shape))

                \(ModelStorage.code(for: shape))
            }

            \(ModelExtensionTemplate.code(for: shape))
            """
        return SwiftFile(modules: Imports.modules(forModel: shape), body: body, callsRuntimeInternals: true)
    }

    private static func conformances(_ shape: EntityShape) -> String {
        let base = [shape.scope.runtime("ManagedObject"), shape.scope.runtime("Model")]
        return (base + shape.entity.protocols).joined(separator: ", ")
    }
}

/// The modules whose types appear in a generated file's declarations.
enum Imports {
    static let runtime = "LockstepStore"

    static func modules(forModel shape: EntityShape) -> [String] {
        let transient = shape.entity.attributes.filter(\.isTransient).map(\.type)
        return modules(for: shape.entity.columns.map(\.type) + transient, in: shape.scope)
    }

    static func modules(forRepresentation shape: EntityShape) -> [String] {
        let types = shape.fields.flatMap { field -> [AttributeType] in
            switch field.content {
            case .attribute(let attribute, _): [attribute.type]
            case .embedded: []
            case .identity(let relationship, paths: _, embeddedPath: _),
                .identities(let relationship, path: _, embeddedPath: _):
                shape.wireIdentityAttributes(of: relationship).map(\.type)
            }
        }
        return modules(for: types, in: shape.scope)
    }

    /// The sorted modules of these types, including the runtime's.
    static func modules(for types: [AttributeType], in scope: SwiftScope) -> [String] {
        var modules = [runtime]
        if types.contains(where: { $0.usesFoundation(in: scope) }) { modules.append("Foundation") }
        for type in types {
            if let module = type.customModule(in: scope), !modules.contains(module) { modules.append(module) }
        }
        return modules.sorted()
    }
}

extension AttributeType {
    fileprivate func usesFoundation(in scope: SwiftScope) -> Bool {
        switch self {
        case .scalar(let scalar): [.decimal, .date, .uuid, .url, .data].contains(scalar)
        case .enumeration, .custom, .attachment: false
        case .list(let element): element.usesFoundation(in: scope)
        }
    }

    fileprivate func customModule(in scope: SwiftScope) -> String? {
        switch self {
        case .scalar, .enumeration, .attachment: nil
        case .custom(let name): scope.customType(name).module
        case .list(let element): element.customModule(in: scope)
        }
    }
}

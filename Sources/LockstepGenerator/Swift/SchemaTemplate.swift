import LockstepEvolution
import LockstepJSON
import LockstepSchema

/// `JournalSchema.swift`: the schema for the store, with its structure and its versions.
enum SchemaTemplate {
    static func file(in scope: SwiftScope) -> SwiftFile {
        let schema = scope.schema
        let access = scope.access
        let entities = schema.entities.map { Code("\($0.swiftName).self") }
        let stored = schema.structure
        let structure = SchemaTree(stored)
        let versions = versions(scope, of: stored, tree: structure)
        let declaration: Code = """
            \(Code.documentation(schema.documentation, indentation: 0))
            \(scope.typeAccess)enum \(schema.swiftName): \(scope.runtime("StoreSchema")) {
                \(access)static let name = \(SwiftLiteral.string(schema.name))
                \(access)static let version = \(schema.version)
                \(access)static let entities: [any \(scope.runtime("Model")).Type] = [
                    \(Code.elements(entities))
                ]

                \(versions)

                \(CompiledSchemaTemplate.code(in: scope))
            }
            """
        let body = Code.sections([
            declaration, ConversionTemplate.code(in: scope),
            isDraft(scope, structure: structure) ? draftError(schema) : "",
        ])
        let types: [AttributeType] = ConversionTemplate.usesFoundation(in: scope) ? [.scalar(.date)] : []
        return SwiftFile(
            modules: Imports.modules(for: types, in: scope),
            internalModules: Imports.modules(for: schema.entities.flatMap(\.attributes).map(\.type), in: scope).filter {
                $0 != "Foundation"
            }, body: body, callsRuntimeInternals: true)
    }

    // MARK: Versions

    private static func versions(_ scope: SwiftScope, of stored: SchemaStructure, tree: SchemaTree) -> Code {
        let fingerprint: Code = """
            /// Identifies what is stored and sent.
            \(scope.access)static let fingerprint = \(SwiftLiteral.string(StructureHash(tree).text))
            """
        let current: Code = """
            /// What is stored and sent, as JSON, in the order of the columns and of the keys in bodies.
            \(scope.access)static let structure = \(SwiftLiteral.json(stored.json(of: tree)))
            """
        let history = scope.history.map { history in
            """
            /// The recorded versions, as JSON.
            \(scope.access)static let history = \(SwiftLiteral.json(json(history)))
            """ as Code
        }
        let draft: Code = """
            /// It has changes that no version records.
            \(scope.access)static let isDraft = true
            """
        return .sections([fingerprint, current, history ?? "", isDraft(scope, structure: tree) ? draft : ""])
    }

    private static func isDraft(_ scope: SwiftScope, structure: SchemaTree) -> Bool {
        guard let history = scope.history else { return false }
        return history.head.hash != StructureHash(structure)
    }

    private static func draftError(_ schema: Schema) -> Code {
        let file = schema.source.split(separator: "/").last.map(String.init) ?? schema.source
        let message = "\(file) has changes that no version records. Run: swift run lockstep migrate --name NAME"
        return """
            #if !DEBUG
                #error(\(SwiftLiteral.string(message)))
            #endif
            """
    }

    // MARK: JSON

    /// One line for each version.
    private static func json(_ history: SchemaHistory) -> String {
        guard case .object(var members) = history.json, case .array(let versions)? = members["versions"] else {
            return ""
        }
        members["versions"] = nil
        let lines = versions.map { "\n" + text(of: $0) }
        return "\(text(of: .object(members)).dropLast()),\"versions\":[\(lines.joined(separator: ","))]}"
    }

    private static func text(of json: JSONValue) -> String {
        var writer = JSONWriter()
        // A structure has names, texts and integers, and is not nested deeply.
        try? writer.write(json)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

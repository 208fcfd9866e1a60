package import LockstepEvolution
import LockstepJSON
package import LockstepStore

/// The schemas of recorded versions, made from the history instead of generated code.
package struct RecordedSchemas: Sendable {
    package let history: SchemaHistory
    /// The schema of the app; `nil` for the last recorded version.
    private let current: SchemaDescription?

    package init(_ history: SchemaHistory, current: SchemaDescription? = nil) {
        self.history = history
        self.current = current
    }

    /// The description and the structure of a version.
    ///
    /// - Throws: `StructureError` if the history does not have it.
    package func schema(at version: Int) throws -> RecordedSchema {
        let tree = try history.structure(at: version)
        let structure = try SchemaStructure(tree)
        if let current, current.version == version { return RecordedSchema(description: current, structure: structure) }
        var history = history
        history.versions.removeAll { $0.number > version }
        let description = SchemaDescription(
            name: history.schema, version: version, plan: SchemaPlan(structure), fingerprint: StructureHash(tree).text,
            structure: try Self.text(tree.json), history: try Self.text(history.json),
            conversions: current?.conversions ?? [])
        return RecordedSchema(description: description, structure: structure)
    }

    private static func text(_ json: JSONValue) throws -> String { String(decoding: try json.json(), as: UTF8.self) }
}

/// A version of a schema.
package struct RecordedSchema: Sendable {
    package let description: SchemaDescription
    package let structure: SchemaStructure
}

extension RandomNumberGenerator {
    /// `true` once in `count` calls on average.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

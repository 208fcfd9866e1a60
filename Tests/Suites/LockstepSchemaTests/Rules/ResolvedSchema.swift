import Testing

@testable import LockstepSchema

/// The schema that `entities` (YAML, indented by two spaces) resolve to; fails the test if there is any finding.
func resolved(
    _ entities: String, header: String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws -> Schema {
    let text = "lockstep: 1\nschema: Shop\n\(header)\nentities:\n\(entities)\n"
    let reading = readSchemas([SchemaSource(path: "Schemas/Shop.yaml", bytes: Array(text.utf8))])
    #expect(reading.diagnostics.map(\.message) == [], sourceLocation: sourceLocation)
    return try #require(reading.schemas.first, sourceLocation: sourceLocation)
}

extension Schema {
    func entity(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Entity {
        try #require(entities.first { $0.name == name }, sourceLocation: sourceLocation)
    }
}

extension Entity {
    func attribute(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Attribute {
        try #require(attributes.first { $0.name == name }, sourceLocation: sourceLocation)
    }

    func relationship(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Relationship {
        try #require(relationships.first { $0.name == name }, sourceLocation: sourceLocation)
    }
}

extension Relationship {
    var foreignKey: ForeignKey? {
        if case .foreignKey(let foreignKey) = storage { foreignKey } else { nil }
    }
}

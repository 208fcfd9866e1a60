package import LockstepEvolution
package import LockstepSchema

/// Everything that a schema declares, for readers: each entity with its attributes, relationships, columns and indexes.
package struct DataDictionary {
    let title: String
    let version: Int
    let documentation: String?
    let facts: [Fact]
    let diagram: Diagram
    /// A sentence that lists the omissions of the diagram; `nil` if it is complete.
    let diagramNote: String?
    let chapters: [Chapter]

    /// - Parameter history: The recorded versions; `nil` if there are none.
    package init(_ schema: Schema, history: SchemaHistory?) {
        let parts = SchemaParts(schema)
        title = schema.name
        version = schema.version
        documentation = schema.documentation
        facts = parts.facts
        let hasOnlyKeys = schema.entities.count >= Self.largeCount
        diagram = Diagram(schema, hasOnlyKeys: hasOnlyKeys)
        diagramNote = hasOnlyKeys ? "The diagram shows only keys, because there are many entities." : nil
        let all = [
            Chapter(title: "Entities", sections: schema.entities.map(parts.section)),
            Chapter(
                title: "Abstract entities", introduction: "They have no records; other entities extend them.",
                sections: schema.abstractEntities.map(parts.section)),
            Chapter(title: "Enums", sections: schema.enumerations.map(parts.section)),
            Chapter(title: "Custom types", sections: schema.customTypes.map(parts.section)),
            Chapter(
                title: "Join tables", introduction: "They store relationships that are to-many at both ends.",
                sections: schema.joinTables.map(parts.section)),
            Chapter(title: "Versions", sections: history.map { $0.versions.reversed().map(Section.init) } ?? []),
        ]
        chapters = all.filter { !$0.sections.isEmpty }
    }

    /// The number of entities from which on a diagram with all attributes is too large to be read.
    private static let largeCount = 60
}

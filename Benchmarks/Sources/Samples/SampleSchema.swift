/// A realistic schema of any size: entities of 12 attributes and 2 relationships each, and a few enums.
///
/// The same count and seed give the same schema. An entity depends on its number and the seed alone, so that a larger
/// schema begins like a smaller one.
package struct SampleSchema {
    /// The name of the schema and of its output folder.
    package static let name = "Benchmark"

    package let entities: [SampleEntity]
    package let enumerations: [SampleEnumeration]
    package let isPublic: Bool

    /// Makes the schema of `count` entities.
    ///
    /// - Parameters:
    ///   - changed: The number of one entity that differs from the schema that is otherwise the same.
    ///   - isPublic: Whether the Swift declarations are public; internal otherwise.
    package init(count: Int, seed: UInt64, changed: Int? = nil, isPublic: Bool = true) {
        enumerations = SampleEnumeration.all
        self.isPublic = isPublic
        var entities = (0..<count).map { SampleEntity(number: $0, seed: seed) }
        for number in entities.indices {
            Self.relate(number, to: (number + count - 1) % count, in: &entities)
        }
        if let changed { entities[changed].widenTitle() }
        self.entities = entities
    }

    /// Links an entity to the one before it, both ways. Every fourth entity carries the records that belong to it in
    /// its own JSON; those then do not repeat whom they belong to.
    private static func relate(_ number: Int, to owner: Int, in entities: inout [SampleEntity]) {
        let isEmbedded = owner.isMultiple(of: 4)
        let parentName = lowerCamelCase(entities[owner].name)
        let childrenName = lowerCamelCase(entities[number].name) + "s"
        entities[number].parent = SampleRelationship(
            name: parentName, destination: entities[owner].name, inverse: childrenName,
            keyType: entities[owner].identity.type, isOnWire: !isEmbedded)
        entities[owner].children = SampleRelationship(
            name: childrenName, destination: entities[number].name, inverse: parentName,
            keyType: entities[number].identity.type, isOnWire: isEmbedded)
    }
}

/// An enum of a sample schema.
package struct SampleEnumeration {
    package let name: String
    package let documentation: String
    /// The names of the cases with their raw values.
    package let cases: [(name: String, rawValue: String)]

    package static let all: [SampleEnumeration] = [
        SampleEnumeration(
            name: "Status", documentation: "How far a record has come.",
            cases: plain(["draft", "open", "waiting", "closed"])),
        SampleEnumeration(
            name: "Visibility", documentation: "Who may see a record.",
            cases: [("onlyMe", "private"), ("team", "team"), ("everyone", "public")]),
        SampleEnumeration(
            name: "Urgency", documentation: "How soon a record wants attention.",
            cases: plain(["low", "normal", "high"])),
        SampleEnumeration(
            name: "Origin", documentation: "Where a record came from.",
            cases: plain(["phone", "letter", "website", "visit"])),
    ]

    private static func plain(_ names: [String]) -> [(name: String, rawValue: String)] {
        names.map { ($0, $0) }
    }
}

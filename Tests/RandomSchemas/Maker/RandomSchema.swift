import TestSupport

/// A schema made by seed, of what matters for merging: identities, types, wire options and relationships of each kind.
///
/// The same seed makes the same text for ever: what is made of it is committed.
public struct RandomSchema {
    /// The seeds of the schemas that are committed, by their place: `RandomSchema1` and so on.
    public static let committedSeeds: [UInt64] = [11, 22, 33, 44, 55, 66, 77, 88, 99]

    /// The committed schemas, as `lockstep generate` reads them.
    public static func committed() -> [(name: String, text: String)] {
        committedSeeds.enumerated().map { index, seed in
            let schema = RandomSchema(number: index + 1, seed: seed)
            return (schema.name, schema.text)
        }
    }

    public let name: String
    public private(set) var text = ""
    private var random: SeededRandom
    private var entities: [RandomEntity] = []

    /// - Parameter number: What sets the names apart from those of other schemas in the same module.
    public init(number: Int, seed: UInt64) {
        name = "RandomSchema\(number)"
        random = SeededRandom(seed: seed)
        makeEntities(number)
        makeRelationships(number)
        text = yaml(seed: seed, number: number)
    }

    private mutating func makeEntities(_ number: Int) {
        let nouns = ["Farm", "Crate", "Visit", "Badge", "Scrap"].map { "\($0)\(number)" }
        var identities: [RandomEntity.Identity] = [
            .int, .string, .uuid, .composite, .local("int"), .local("string"), .local("uuid"),
        ]
        identities.shuffle(using: &random)
        for (noun, identity) in zip(nouns, identities.prefix(nouns.count - 1) + [.none]) {
            var entity = RandomEntity(name: noun, identity: identity)
            entity.addAttributes(enumerations: ["Mood\(number)", "Level\(number)"], &random)
            entities.append(entity)
        }
    }

    /// Each schema begins at another pattern, so that all of them together have each several times.
    private mutating func makeRelationships(_ number: Int) {
        let patterns = RelationshipPattern.allCases
        for step in 0..<6 {
            let pattern = patterns[(number * 6 + step) % patterns.count]
            let identified = entities.count - 1
            var source = Int.random(in: 0..<identified, using: &random)
            var destination = Int.random(in: 0..<identified, using: &random)
            // A list of ids is of single values; there is one composite identity at most.
            if pattern.isByIDs, entities[destination].identity == .composite {
                destination = (destination + 1) % identified
            }
            if pattern.isInTree, entities[source].identity == .composite { source = (source + 1) % identified }
            if pattern.isInTree { destination = source }
            if pattern.isOfScraps { destination = identified }
            // Most links are between two entities.
            if !pattern.isInTree, destination == source { source = (destination + 1) % identified }
            // One embedded in one may not come around to itself.
            if pattern.isEmbeddedToOne, source > destination { swap(&source, &destination) }
            let adjective = ["main", "other", "next", "spare", "early", "late"][step]
            let lines = pattern.lines(
                from: entities[source].name, to: entities[destination].name, adjective: adjective, &random)
            entities[source].relationships.append(lines.source)
            if let inverse = lines.destination { entities[destination].relationships.append(inverse) }
        }
    }

    private mutating func yaml(seed: UInt64, number: Int) -> String {
        let names = random.element(of: ["snake_case", "camelCase", "asWritten"])
        let dates = random.element(of: [
            "iso8601", "secondsSince1970", "millisecondsSince1970", "\"yyyy-MM-dd HH:mm:ss Z\"",
        ])
        let columns = random.element(of: ["snake_case", "asWritten"])
        return """
            # Made by `make random-schemas` from seed \(seed). Edit Tests/RandomSchemas/Maker instead.
            lockstep: 1
            schema: \(name)
            access: package
            wire: { names: \(names), dates: \(dates) }
            columns: \(columns)

            enums:
              Mood\(number): [sad, neutral, happy]
              Level\(number): { type: int, closed: true, cases: { low: 0, high: 10 } }

            entities:
            \(entities.map(\.yaml).joined(separator: "\n"))

            """
    }
}

import TestSupport

/// A schema made by seed, of what matters for merging: identities, types, wire options and relationships of each kind.
///
/// The same seed makes the same text for ever: what is made of it is committed.
public struct RandomSchema {
    /// The seeds of the schemas that are committed, by their place: `RandomSchema1` and so on.
    public static let committedSeeds: [UInt64] = [
        11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132, 143, 198, 187,
    ]
    /// How many of them only have the first patterns of relationships.
    static let firstCount = 9

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
        var nested = NestedEntities()
        for step in 0..<6 {
            let pattern = Self.pattern(number, step)
            var (source, destination) = ends(of: pattern)
            var count = 1
            while number > Self.firstCount, !nested.mayHave(pattern, source, destination), count < Self.choiceLimit {
                (source, destination) = ends(of: pattern)
                count += 1
            }
            if number > Self.firstCount, !nested.mayHave(pattern, source, destination) { continue }
            nested.add(pattern, source, destination)
            let adjective = ["main", "other", "next", "spare", "early", "late"][step]
            let lines = pattern.lines(
                from: entities[source].name, to: entities[destination].name, adjective: adjective, &random)
            entities[source].relationships.append(lines.source)
            if let inverse = lines.destination { entities[destination].relationships.append(inverse) }
        }
    }

    /// How often entities are chosen for a pattern, until some are suitable.
    private static let choiceLimit = 20

    private mutating func ends(of pattern: RelationshipPattern) -> (source: Int, destination: Int) {
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
        return (source, destination)
    }

    /// The entities whose records can be nested in others.
    ///
    /// If a record needs an owner, and only the owner's list says whose it is, it is nested nowhere else: there it would
    /// lack its owner, and could not be created until the owner comes (M16). The order of the records would matter.
    private struct NestedEntities {
        private var all: Set<Int> = []
        private var needingOwners: Set<Int> = []

        func mayHave(_ pattern: RelationshipPattern, _ source: Int, _ destination: Int) -> Bool {
            if pattern.needsOwner { return !all.contains(destination) }
            return needingOwners.isDisjoint(with: Self.nested(by: pattern, source, destination))
        }

        mutating func add(_ pattern: RelationshipPattern, _ source: Int, _ destination: Int) {
            all.formUnion(Self.nested(by: pattern, source, destination))
            if pattern.needsOwner { needingOwners.insert(destination) }
        }

        /// In place of the identity of one record, the whole record can come (R1).
        private static func nested(by pattern: RelationshipPattern, _ source: Int, _ destination: Int) -> Set<Int> {
            if pattern.isEmbedded || pattern.identifiesDestination { return [destination] }
            return pattern.identifiesSource ? [source] : []
        }
    }

    /// The later schemas have four of the later patterns, and two of the first; each other one has a symmetric to-one.
    private static func pattern(_ number: Int, _ step: Int) -> RelationshipPattern {
        let (first, later) = (RelationshipPattern.first, RelationshipPattern.later)
        if number > firstCount, number.isMultiple(of: 2), step == 5 { return .symmetricID }
        guard number > firstCount, step < 4 else { return first[(number * 6 + step) % first.count] }
        return later[(number * 4 + step) % later.count]
    }

    private mutating func yaml(seed: UInt64, number: Int) -> String {
        let names = random.element(of: ["snake_case", "camelCase", "asWritten"])
        let dates = random.element(of: [
            "iso8601", "secondsSince1970", "millisecondsSince1970", "\"yyyy-MM-dd HH:mm:ss Z\"",
        ])
        let columns = random.element(of: ["snake_case", "asWritten"])
        return """
            # Made by `make random-schemas` from seed \(seed). Edit Tests/Tools/upkeep instead.
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

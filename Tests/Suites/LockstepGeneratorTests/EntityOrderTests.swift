import LockstepGenerator
import LockstepSchema
import TestSupport
import Testing

@Suite("The order of entities and relationships in a file")
struct EntityOrderTests {
    /// 25 seeds of 40 schemas each; a failure prints the seed, the number and both texts.
    @Test("does not decide whether a schema is valid: shuffled, it has the same diagnostics", arguments: 0..<UInt64(25))
    func diagnostics(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for number in 0..<40 {
            let schema = ShuffledSchema(isDecided: false, &random)
            let shuffled = schema.shuffled(&random)
            let (first, second) = (schema.findings, shuffled.findings)
            #expect(first == second, "seed \(seed), number \(number):\n\(schema.text)\n\(shuffled.text)")
            if first != second { return }
        }
    }

    @Test("does not change the output, except for its order, if nothing depends on it", arguments: 0..<UInt64(10))
    func output(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for number in 0..<40 {
            let schema = ShuffledSchema(isDecided: true, &random)
            let shuffled = schema.shuffled(&random)
            let (first, second) = (schema.outputWords, shuffled.outputWords)
            #expect(first == second, "seed \(seed), number \(number):\n\(schema.text)\n\(shuffled.text)")
            if first != second { return }
        }
    }

    @Test("The random schemas are valid and invalid, in many ways")
    func variety() {
        var random = SeededRandom(seed: 0)
        let findings = (0..<1_000).map { _ in ShuffledSchema(isDecided: false, &random).findings }
        let codes = Set(findings.flatMap(\.keys))
        #expect(findings.count { $0.isEmpty } > 80)
        #expect(codes.count >= 10, "\(codes.sorted())")
        for code in ["destination-without-identity", "unknown-entity", "unknown-inverse", "relationship-option"] {
            #expect(codes.contains(code), "\(code)")
        }
        let decided = (0..<200).map { _ in ShuffledSchema(isDecided: true, &random).outputWords }
        #expect(decided.count { !$0.isEmpty } > 30)
    }
}

/// A random schema of a few entities, which can be shuffled. Each member is a line that occurs once in its entity.
private struct ShuffledSchema {
    struct Entity {
        var name: String
        /// The lines of `identity:`, `attributes:` and `indexes:`.
        var lines: [String]
        var relationships: [String]
    }

    var entities: [Entity]

    /// - Parameter isDecided: Whether nothing in the schema is decided by the order: there are no join tables, whose
    ///   names begin with the first entity, and one end of each one-to-one relationship is required.
    init(isDecided: Bool, _ random: inout SeededRandom) {
        let names = ["Author", "Book", "City", "Dog", "Engine"].prefix(Int.random(in: 2...5, using: &random))
        entities = names.map { Entity(name: $0, lines: Self.identity(&random), relationships: []) }
        for number in 0..<Int.random(in: 1...5, using: &random) {
            addPair(number, isDecided: isDecided, &random)
        }
        for index in entities.indices where random.isOne(in: 8) {
            let members = entities[index].relationships.map { String($0.prefix { $0 != ":" }) } + ["size"]
            entities[index].lines += ["    indexes:", "      - [\(random.element(of: members))]"]
        }
    }

    private static func identity(_ random: inout SeededRandom) -> [String] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: ["    attributes: { name: string, size: int }"]
        case 2: ["    identity: [name, size]", "    attributes: { name: string, size: int }"]
        default: ["    attributes: { id: int, name: string, size: int }"]
        }
    }

    /// Adds a relationship, mostly with its inverse, and with options that may be wrong.
    private mutating func addPair(_ number: Int, isDecided: Bool, _ random: inout SeededRandom) {
        let left = Int.random(in: entities.indices, using: &random)
        let right = Int.random(in: entities.indices, using: &random)
        let kind = Int.random(in: 0..<(isDecided ? 3 : 4), using: &random)
        let mark = isDecided || random.isOne(in: 4) ? "" : "?"
        let (forth, back) = ("forth\(number)", "back\(number)")
        let rightName = !isDecided && random.isOne(in: 12) ? "Bok" : entities[right].name
        let leftName = entities[left].name
        var options: [String] = []
        if !random.isOne(in: 3) { options.append("inverse: \(!isDecided && random.isOne(in: 10) ? "bakc" : back)") }
        let destination: (forth: String, back: String) =
            switch kind {
            case 0: ("[\(rightName)]", leftName + mark)
            case 1: (rightName + "?", "[\(leftName)]")
            case 2: (rightName + "?", leftName + mark)
            default: ("[\(rightName)]", "[\(leftName)]")
            }
        var backOptions = random.isOne(in: 3) ? [] : ["inverse: \(forth)"]
        if options.isEmpty, backOptions.isEmpty { backOptions = ["inverse: \(forth)"] }
        options += Self.options("forth", number, isDecided: isDecided, &random)
        backOptions += Self.options("back", number, isDecided: isDecided, &random)
        entities[left].relationships.append(Self.line(forth, destination.forth, options))
        if isDecided || !random.isOne(in: 10) {
            entities[right].relationships.append(Self.line(back, destination.back, backOptions))
        }
    }

    private static func options(
        _ end: String, _ number: Int, isDecided: Bool, _ random: inout SeededRandom
    ) -> [String] {
        var options: [String] = []
        if random.isOne(in: 4) { options.append("onDelete: \(random.element(of: ["cascade", "deny", "none"]))") }
        if isDecided { return options }
        if random.isOne(in: 12) { options.append("wire: \(random.element(of: ["id", "ids", "embedded", "none"]))") }
        if random.isOne(in: 12) { options.append("column: \(end)_column\(number)") }
        if random.isOne(in: 12) { options.append("key: \(end)_key\(number)") }
        if random.isOne(in: 12) { options.append("ordered: true") }
        if random.isOne(in: 12) { options.append("sortedBy: \(random.element(of: ["size", "sise"]))") }
        return options
    }

    private static func line(_ name: String, _ destination: String, _ options: [String]) -> String {
        "\(name): { " + (["to: \(destination)"] + options).joined(separator: ", ") + " }"
    }

    func shuffled(_ random: inout SeededRandom) -> Self {
        var copy = self
        for index in copy.entities.indices { copy.entities[index].relationships.shuffle(using: &random) }
        copy.entities.shuffle(using: &random)
        return copy
    }

    var text: String {
        let lines = entities.flatMap { entity in
            ["  \(entity.name):"] + entity.lines + (entity.relationships.isEmpty ? [] : ["    relationships:"])
                + entity.relationships.map { "      " + $0 }
        }
        return (["lockstep: 1", "schema: Shop", "entities:"] + lines).joined(separator: "\n") + "\n"
    }

    private var reading: SchemaReading { readSchemas([SchemaSource(path: "test.yaml", bytes: Array(text.utf8))]) }

    /// The number of diagnostics of each code, and the locations that they name. Which of two equal things is the
    /// second one does depend on the order; the first one is in a note.
    var findings: [String: [String]] {
        let lines = text.split(separator: "\n").map(String.init)
        func place(_ location: SourceRange) -> String {
            let line = location.start.line - 1
            let entity = lines[...line].last { $0.hasPrefix("  ") && !$0.hasPrefix("   ") } ?? ""
            return "\(entity)\(lines[line]) at \(location.start.column)"
        }
        return Dictionary(grouping: reading.diagnostics, by: \.code.rawValue).mapValues { diagnostics in
            let places = diagnostics.flatMap { [$0.location] + $0.notes.map(\.location) }.map(place)
            return ["\(diagnostics.count)"] + Set(places).sorted()
        }
    }

    /// The words of each generated file, without the numbers of columns and properties; empty if the schema is invalid.
    /// One word is the fingerprint of the tables and of the JSON.
    var outputWords: [String: Set<String>] {
        guard let schema = reading.schemas.first else { return [:] }
        let files = generate(schema).map { file in
            let words = String(decoding: file.contents, as: UTF8.self)
                .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            return (file.path, Set(words.map(String.init).filter { Int($0) == nil }))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }
}

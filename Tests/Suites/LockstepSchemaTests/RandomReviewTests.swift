import LockstepEvolution
import LockstepJSON
import LockstepReview
import TestSupport
import Testing

@testable import LockstepSchema

@Suite("Answers to random changes")
struct RandomReviewTests {
    /// Follows a random answer of each finding until nothing is open.
    @Test(
        "V10 The hints that findings propose are accepted, and make a version that can be recorded", arguments: 0..<200)
    func answers(seed: UInt64) throws {
        var random = RandomSchemaText(seed: seed)
        let texts = (random.text(), random.text())
        let former = try Self.schema(texts.0).schema.structure
        let schema = try Self.schema(texts.1)
        var hints = ReviewHints()
        var review = try schema.review(from: SchemaTree(former), hints: hints)
        for _ in 0..<40 {
            let open = review.findings.filter { $0.level == .error && !$0.answers.isEmpty }
            guard let finding = open.first else { break }
            hints.follow(random.element(of: finding.answers).flags)
            review = try schema.review(from: SchemaTree(former), hints: hints)
            #expect(review.problems.map { "\($0.hint): \($0.reason)" } == [], "seed \(seed)\n\(texts.0)\n\(texts.1)")
            if !review.problems.isEmpty { return }
        }
        let rest = review.findings.filter { $0.level == .error }
        let unanswered: Set<ReviewFinding.Code> = [
            .changesIdentity, .narrowsType, .addsRequired, .becomesRequired, .becomesUnique,
        ]
        #expect(rest.allSatisfy { $0.answers.isEmpty && unanswered.contains($0.code) }, "seed \(seed)\n\(rest)")
        if !review.isComplete { return }
        let removed = review.changes.compactMap { change -> String? in
            if case .remove = change.action, change.path.member == nil { change.path.type } else { nil }
        }
        for entity in schema.schema.structure.entities where !removed.contains(entity.name) {
            // V10: each has one key, `id`, whose stored form stays.
            let isText = { (entity: EntityStructure) in entity.attribute("id")?.type == .scalar(.uuid) }
            guard let old = former.entities.first(where: { $0.name == entity.name }) else { continue }
            #expect(isText(old) == isText(entity), "seed \(seed)\n\(texts.0)\n\(texts.1)")
        }
        var history = SchemaHistory(beginningWith: SchemaTree(former), version: 1)
        history.append(review.changes, resultingIn: SchemaTree(schema.schema.structure), name: "next")
        #expect(try history.verified() == SchemaTree(schema.schema.structure), "seed \(seed)")
        // The same hints, read from the history, lead to the same changes.
        let again = try schema.review(from: SchemaTree(former), hints: ReviewHints(recordedIn: review.changes))
        #expect(again.isComplete, "seed \(seed)\n\(again.findings)\n\(again.problems)\n\(texts.0)\n\(texts.1)")
    }

    private static func schema(_ text: String) throws -> VersionedSchema {
        let reading = readVersions([VersionedSource(schema: SchemaSource(text))], checking: .history)
        #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.message) == [], "\(text)")
        return try #require(reading.schemas.first)
    }
}

/// Small schemas with few names, so that two of them have much in common.
private struct RandomSchemaText {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func element<Value>(of values: [Value]) -> Value { random.element(of: values) }

    mutating func text() -> String {
        let entities = ["Entry", "Note", "Tag"].filter { _ in !random.isOne(in: 3) }
        let names = entities.isEmpty ? ["Entry"] : entities
        return """
            lockstep: 1
            schema: Journal
            enums:
              Mood: { closed: \(random.isOne(in: 2)), cases: [sad\(random.isOne(in: 2) ? ", happy" : "")\(random.isOne(in: 2) ? ", glad" : "")] }
            entities:
            \(names.map { entity($0, names) }.joined(separator: "\n"))

            """
    }

    private mutating func entity(_ name: String, _ others: [String]) -> String {
        let id = random.element(of: ["uuid", "uuid", "uuid", "int16", "int"])
        let attributes = ["a", "b", "c", "at"].filter { _ in !random.isOne(in: 3) }.map { "\($0): \(attribute())" }
        let links = ["owner", "other"].filter { _ in random.isOne(in: 3) }.map { link in
            let to = random.element(of: others)
            // Required relationships must not form a cycle.
            let isOptional = to <= name || !random.isOne(in: 3)
            return "\(link): { to: \(to)\(isOptional ? "?" : ""), onDelete: none }"
        }
        var lines = ["  \(name):", "    attributes: { \((["id: \(id)"] + attributes).joined(separator: ", ")) }"]
        if !links.isEmpty { lines.append("    relationships: { \(links.joined(separator: ", ")) }") }
        if random.isOne(in: 5) { lines.append("    remote: none") }
        if attributes.contains(where: { $0.hasPrefix("a: { type: int") }), random.isOne(in: 2) {
            lines.append("    indexes: [{ on: [a], unique: \(random.isOne(in: 2)) }]")
        }
        return lines.joined(separator: "\n")
    }

    private mutating func attribute() -> String {
        let type = random.element(of: [
            "string", "int", "int16", "double", "decimal", "date", "bool", "Mood", "url", "data",
        ])
        var options = ["type: \(type)\(random.isOne(in: 2) ? "?" : "")"]
        if random.isOne(in: 4), type == "int" || type == "decimal" {
            options.append("min: \(random.element(of: [0, 1, 5]))")
        }
        if random.isOne(in: 4), type == "string" { options.append("minLength: \(random.element(of: [1, 3]))") }
        if random.isOne(in: 5), type != "bool", type != "Mood" { options.append("unique: true") }
        if random.isOne(in: 4), type == "string" { options.append("default: abcdef") }
        if random.isOne(in: 4), type == "date" { options.append("default: now") }
        return "{ \(options.joined(separator: ", ")) }"
    }
}

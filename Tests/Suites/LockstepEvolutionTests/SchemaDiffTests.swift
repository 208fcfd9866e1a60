import LockstepEvolution
import LockstepJSON
import Testing

@Suite("The changes between two structures")
struct SchemaDiffTests {
    private static func journal(
        _ attributes: [AttributeStructure], moods: [String]? = nil, isInteger: Bool = false
    ) -> SchemaTree {
        let identifier = AttributeStructure(name: "id", column: "id", type: .scalar(.int))
        let entry = EntityStructure(
            name: "Entry", table: "entry", identity: .attributes(["id"]), attributes: [identifier] + attributes)
        var structure = SchemaStructure(name: "Journal", entities: [entry])
        if let moods {
            let cases = moods.enumerated().map { index, name in
                EnumerationStructure.Case(name: name, rawValue: isInteger ? .int(Int64(index)) : .string(name))
            }
            structure.enumerations = [
                EnumerationStructure(name: "Mood", isClosed: true, isInteger: isInteger, cases: cases)
            ]
        }
        return SchemaTree(structure)
    }

    private static func attribute(_ name: String, _ type: ValueType, isOptional: Bool = false) -> AttributeStructure {
        AttributeStructure(name: name, column: name, type: type, isOptional: isOptional)
    }

    private static func plan(_ versions: [SchemaTree], answers: [ChangeAnswers] = []) throws -> MigrationPlan {
        var later: [SchemaHistory.Version] = []
        for (index, (former, new)) in zip(versions, versions.dropFirst()).enumerated() {
            var changes = try SchemaDiff.changes(from: former, to: new)
            for place in changes.indices where answers.indices.contains(index) {
                changes[place].answers = answers[index]
            }
            later.append(SchemaHistory.Version(number: index + 2, hash: StructureHash(new), changes: changes))
        }
        let evolution = try SchemaEvolution(from: versions[0], by: later)
        return MigrationPlan(evolution, in: FileTables(new: evolution.former), now: 0)
    }

    @Test("A member can get the name of one that is removed")
    func renamedToRemoved() throws {
        let former = Self.journal([Self.attribute("text", .scalar(.string)), Self.attribute("body", .scalar(.string))])
        let new = Self.journal([Self.attribute("text", .scalar(.string))])
        let changes = try SchemaDiff.changes(
            from: former, to: new, renames: [MemberPath("Entry", member: "body"): "text"])
        #expect(
            changes.map(\.action) == [
                .remove(was: ["type": "string", "sent": false]), .rename(to: "text"),
            ])
    }

    @Test("An enum is removed after the attributes that had its values have changed")
    func removedEnumeration() throws {
        let former = Self.journal([Self.attribute("mood", .enumeration("Mood"))], moods: ["sad"], isInteger: true)
        let new = Self.journal([Self.attribute("mood", .scalar(.string))])
        let plan = try Self.plan([former, new])
        #expect(plan.tables[0].statements[1].contains("lockstep_convert(\"mood\", 'int64', 'string')"))
        #expect(
            try SchemaDiff.changes(from: former, to: new).map(\.path) == [
                MemberPath("Entry", member: "mood"), MemberPath("Mood"),
            ])
    }

    @Test("A new case of a closed enum converts no values")
    func addedCase() throws {
        let mood = Self.attribute("mood", .enumeration("Mood"), isOptional: true)
        let versions = [["glad"], ["glad", "sad"], ["calm", "glad", "sad"]].map { Self.journal([mood], moods: $0) }
        let plan = try Self.plan(versions)
        #expect(plan.changedColumns.isEmpty)
        #expect(plan.tables[0].work == .shuffle)
    }

    @Test("Values that change in many versions are converted one after the other, not by nested expressions")
    func manySteps() throws {
        let mood = Self.attribute("mood", .enumeration("Mood"))
        let versions = (0..<20).map { Self.journal([mood], moods: [$0.isMultiple(of: 2) ? "glad" : "sad"]) }
        let answers = (1..<20).map { ChangeAnswers(cases: $0.isMultiple(of: 2) ? ["sad": "glad"] : ["glad": "sad"]) }
        let statement = try Self.plan(versions, answers: answers).tables[0].statements[1]
        #expect(
            statement.hasPrefix(
                """
                UPDATE "entry" SET "lockstep_new_mood" = (WITH lockstep_0("v") AS MATERIALIZED (SELECT "mood"), \
                lockstep_1("v") AS MATERIALIZED (SELECT
                """))
        #expect(statement.hasSuffix("FROM lockstep_18) SELECT \"v\" FROM lockstep_19)"))
    }
}

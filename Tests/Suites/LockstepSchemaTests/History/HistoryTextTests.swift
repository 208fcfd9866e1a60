import LockstepEvolution
import LockstepJSON
import LockstepSchema
import Testing

@Suite("A history file")
struct HistoryTextTests {
    @Test("It is the same history after it was written and read", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var random = RandomHistory(seed: seed)
        let history = try random.history()
        try history.verified()
        var diagnostics: [Diagnostic] = []
        let source = SchemaSource(path: "Journal.history.yaml", bytes: Array(history.yaml.utf8))
        let read = readHistory(source, diagnostics: &diagnostics)
        #expect(diagnostics.map(\.message) == [], "seed \(seed):\n\(history.yaml)")
        #expect(read == history, "seed \(seed):\n\(history.yaml)")
    }

    @Test("Its layout: a line for each member, and for each part of a change")
    func layout() throws {
        #expect(
            try Samples.history().yaml == """
                # The versions of Journal. `lockstep migrate` writes this file; commit it.
                # A released version never changes.
                history: 1
                schema: Journal
                head: 3 \(Samples.hashes[2])  # changes with every version, so that parallel branches conflict
                versions:
                  - version: 1
                    is: \(Samples.hashes[0])
                    released: true
                    enums:
                      Mood: { cases: { happy: happy, sad: sad } }
                    entities:
                      Entry:
                        table: entry
                        identity: id
                        remote: { path: /entries }
                        attributes:
                          bodyText: { type: string?, column: body_text }
                          id: { type: int }
                          mood: { type: Mood, default: sad }
                  - version: 2
                    name: "2"
                    is: \(Samples.hashes[1])
                    changes:
                      - add: Tag
                        as:
                          table: tag
                          identity: id
                          remote: { path: /tags }
                          attributes:
                            id: { type: int }
                  - version: 3
                    name: text
                    is: \(Samples.hashes[2])
                    changes:
                      - rename: Entry.bodyText
                        to: text
                      - remove: Entry.mood
                        was: { type: Mood, default: sad }
                        because: Nobody filled it in.
                      - change: Entry.text
                        from: { type: string? }
                        to: { type: string }
                        fill: ""

                """)
    }

    @Test(
        "The history of a schema is beside it",
        arguments: [
            ("Schemas/Journal.yaml", "Schemas/Journal.history.yaml"), ("Journal.yml", "Journal.history.yaml"),
            ("a/Journal.lockstep.yaml", "a/Journal.history.yaml"), ("other", "other.history.yaml"),
        ])
    func place(schema: String, history: String) {
        #expect(HistoryFile.path(besideSchema: schema) == history)
        #expect(HistoryFile.isHistory(history) && !HistoryFile.isHistory(schema))
    }
}

/// A history with one of each kind of change.
enum Samples {
    static func history() throws -> SchemaHistory {
        var trees = [tree()]
        let steps: [(name: String, changes: [SchemaChange])] = [
            (
                "2",
                [
                    SchemaChange(
                        MemberPath("Tag"),
                        action: .add([
                            "table": "tag", "identity": "id", "remote": ["path": "/tags"],
                            "attributes": ["id": ["type": "int"]],
                        ]))
                ]
            ),
            (
                "text",
                [
                    SchemaChange(MemberPath("Entry", member: "bodyText"), action: .rename(to: "text")),
                    SchemaChange(
                        MemberPath("Entry", member: "mood"), action: .remove(was: ["type": "Mood", "default": "sad"]),
                        answers: ChangeAnswers(because: "Nobody filled it in.")),
                    SchemaChange(
                        MemberPath("Entry", member: "text"),
                        action: .change(from: ["type": "string?"], to: ["type": "string"]),
                        answers: ChangeAnswers(fill: "")),
                ]
            ),
        ]
        var history = SchemaHistory(beginningWith: trees[0], version: 1, isReleased: true)
        for (index, step) in steps.enumerated() {
            var next = trees[index]
            for change in step.changes { try next.apply(change) }
            trees.append(next)
            history.versions.append(
                SchemaHistory.Version(
                    number: index + 2, name: step.name, hash: StructureHash(next), changes: step.changes))
        }
        return history
    }

    static let hashes: [String] = (try? history().versions.map(\.hash.text)) ?? []

    private static func tree() -> SchemaTree {
        var tree = SchemaTree(name: "Journal")
        tree.enumerations["Mood"] = ["cases": ["happy": "happy", "sad": "sad"]]
        tree.entities["Entry"] = EntityTree(
            properties: ["table": "entry", "identity": "id", "remote": ["path": "/entries"]],
            members: [
                "id": ["type": "int"], "bodyText": ["type": "string?", "column": "body_text"],
                "mood": ["type": "Mood", "default": "sad"],
            ])
        return tree
    }
}

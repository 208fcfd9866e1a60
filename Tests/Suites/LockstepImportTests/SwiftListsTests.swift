import LockstepImport
import Testing

@Suite("Lists of versions, aliases, attributes and cases in Swift are read, or reported")
struct SwiftListsTests {
    private func history(ofModels list: String, others: String = "") throws -> ImportedSchema {
        try importingSwift(
            """
            enum SchemaV1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Note.self] }
                @Model final class Note { var id: UUID; var body: String }
            }
            enum SchemaV2: VersionedSchema {
                static let versionIdentifier = Schema.Version(2, 0, 0)
                static var models: [any PersistentModel.Type] { \(list) }
                @Model final class Folder { var id: UUID; var title: String }
            }
            enum SchemaV3: VersionedSchema {
                static let versionIdentifier = Schema.Version(3, 0, 0)
                static var models: [any PersistentModel.Type] { [Note.self, Folder.self] }
                @Model final class Note { var id: UUID; @Attribute(originalName: "body") var text: String }
                @Model final class Folder { var id: UUID; var title: String }
            }
            \(others)
            """, hasVersions: true)
    }

    @Test(
        "A version can list the models of another one, with more",
        arguments: [
            "SchemaV1.models + [Folder.self]", "[Folder.self] + SchemaV1.models",
            "return SchemaV1.models + [Folder.self]",
            "[SchemaV1.Note.self, Folder.self]", "[Former.self, Folder.self]",
        ])
    func versions(list: String) throws {
        let imported = try history(ofModels: list, others: "typealias Former = SchemaV1.Note")
        let history = try #require(imported.history)
        #expect(history.contains("- rename: Note.body\n        to: text\n"))
        #expect(!history.contains("remove:"))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test(
        "What else a version lists is reported at its line",
        arguments: [
            ("[Folder.self, Elsewhere.self]", "Elsewhere.self"), ("SchemaV1.models + more()", "more()"),
            ("SchemaV1.models.filter { _ in true }", "SchemaV1.models.filter()"),
            ("let all = [Folder.self]\nreturn all", "what its code returns"),
        ])
    func unreadLists(list: String, text: String) throws {
        let imported = try history(ofModels: list)
        let note = imported.report.notes.first { $0.text == "SchemaV2.models: \(text)" }
        #expect(note?.kind == .left)
        #expect(note?.location == "App/App.swift:8")
    }

    @Test("Versions that list each other, many times, end in a schema")
    func cycles() throws {
        let versions = (1...40).map { number in
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { \
            V\(number % 40 + 1).models + V\(number % 40 + 1).models + [Note.self] }
            }
            """
        }
        let model = "@Model class Note { var id: UUID }\n"
        let imported = try importingSwift(model + versions.joined(separator: "\n"), hasVersions: true)
        #expect(imported.lines.contains("Note:"))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test(
        "An alias is the type that it stands for",
        arguments: [
            ("typealias Tags = [String]\nvar note: Tags = []", "note: { type: [string], default: [] }"),
            ("typealias Name = String?\nvar note: Name", "note: string?"),
            ("typealias Key = UUID\ntypealias Keys = [Key]\nvar note: Keys", "note: [uuid]"),
            ("typealias Self2 = [Self2]\nvar note: Self2", "note: json"),
            ("typealias Parent = Stop\nvar note: Parent?", "note: Stop?"),
            ("typealias Parents = [Stop]\nvar note: Parents?", "note: { to: [Stop], inverse: tripsOfNote }"),
            ("typealias Pair<T> = [T]\nvar note: Pair<Int>", "note: json"),
        ])
    func aliases(property: String, line: String) throws {
        let imported = try importingSwift(
            """
            @Model class Trip { var id: UUID
            \(property)
            }
            @Model class Stop { var id: UUID }
            """)
        #expect(imported.lines.contains { $0.hasPrefix(line.prefix { $0 != "," }) }, "\(imported.text)")
    }

    @Test("What an extension of an alias declares belongs to the type that it stands for")
    func extendedAliases() throws {
        let imported = try importingSwift(
            """
            typealias CurrentSchema = App.SchemaV1
            enum App { enum SchemaV1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Trip.self] }
            } }
            extension CurrentSchema {
                @Model class Trip { var id: UUID; var mood: Mood }
                enum Mood: String, Codable { case good, bad }
            }
            typealias Loop = Round
            typealias Round = Loop
            extension Loop { struct Part {} }
            """)
        #expect(imported.lines.contains("mood: Mood"))
        #expect(imported.lines.contains("Mood: [good, bad]"))
    }

    @Test("A case that gets another name has a note, with the line of the case")
    func cases() throws {
        let imported = try importingSwift(
            """
            @Model class Trip { var id: UUID; var mood: Mood = Mood.unknown }
            enum Mood: String, Codable {
                case good
                case unknown
            }
            """)
        #expect(imported.lines.contains("mood: { type: Mood, default: unspecified }"))
        let note = imported.report.notes.first { $0.text.hasPrefix("Mood.unknown is 'unspecified'") }
        #expect(note?.location == "App/App.swift:4")
        #expect(!imported.report.notes.contains { $0.text.contains("Mood.good") })
    }

    @Test("Cases have different names, which defaults follow, and a name that Swift changes has a note")
    func caseNames() throws {
        let imported = try importingSwift(
            """
            @Model class Trip {
                var id: UUID
                var mood: Mood = Mood.none_
                var other: Mood = .none
                var moods: [Mood] = [.Good, .good]
                init(last: Mood = .default) {}
                var last: Mood
            }
            enum Mood: String, Codable { case none, none_, good, Good, `default` }
            """)
        #expect(
            imported.lines.contains("Mood: { none: none, none2: none_, good: good, good2: Good, default: default }"))
        #expect(imported.lines.contains("mood: { type: Mood, default: none2 }"))
        #expect(imported.lines.contains("other: { type: Mood, default: none }"))
        #expect(imported.lines.contains("moods: { type: [Mood], default: [good2, good] }"))
        #expect(imported.lines.contains("last: { type: Mood, default: default }"))
        let notes = imported.report.notes.filter { $0.text.hasPrefix("Mood.") }
        #expect(
            notes.map { $0.text.prefix { $0 != ":" && $0 != "," } } == [
                "Mood.none is 'none_' in generated code", "Mood.none_ is 'none2'", "Mood.Good is 'good2'",
            ])
    }

    @Test("`.none` of an optional is nil, and not the case of its type", arguments: [".none", "Optional.none", "nil"])
    func noCase(value: String) throws {
        let imported = try importingSwift(
            """
            @Model class Trip {
                var id: UUID
                var mood: Mood? = \(value)
                var other: Mood? = Mood.none
                var count: Int? = \(value)
            }
            enum Mood: String, Codable { case none, good }
            """)
        #expect(imported.lines.contains("mood: Mood?"))
        #expect(imported.lines.contains("other: { type: Mood?, default: none }"))
        #expect(imported.lines.contains("count: int64?"))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test("Attributes of classes, patterns, and models that are no classes are reported at their lines")
    func leftovers() throws {
        let imported = try importingSwift(
            """
            @Fancy("x") @Model @available(iOS 17, *) final class Trip {
                var id: UUID
                var (first, last) = (1, 2)
                static let (a, b) = (1, 2)
            }
            @Model struct Stop { var id: UUID }
            """)
        let left = imported.report.notes.filter { $0.kind == .left }
        #expect(
            left.map { "\($0.location ?? ""): \($0.text)" }.sorted() == [
                "App/App.swift:1: Trip: the attribute @Fancy",
                "App/App.swift:3: Trip: the properties in (first, last)",
                "App/App.swift:6: Stop, which has @Model but is not a class",
            ])
        #expect(!imported.lines.contains("Stop:"))
    }

    @Test("What JSON cannot have is not missing in CodingKeys: what is transient, and to-many relationships")
    func codingKeys() throws {
        let imported = try importingSwift(
            """
            @Model class Trip {
                enum CodingKeys: String, CodingKey { case id, name = "trip_name" }
                var id: UUID
                var name: String
                var other: String
                @Transient var cache: Int = 0
                @Attribute(.ephemeral) var draft: Int = 0
                @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []
            }
            @Model class Stop { var id: UUID; var trip: Trip? }
            """)
        let notes = imported.notes(.decided).filter { $0.hasSuffix("is in JSON, but not in CodingKeys") }
        #expect(notes == ["Trip.other is in JSON, but not in CodingKeys"])
        #expect(imported.lines.contains("draft: { type: int64, default: 0, transient: true }"))
    }
}

import LockstepEvolution
import Testing

@testable import LockstepSchema

@Suite("A schema and its history")
struct VersionReaderTests {
    private static let journal = """
        lockstep: 1
        schema: Journal
        version: 2
        entities:
          Entry:
            attributes: { id: uuid, title: string }

        """

    /// The history whose only version is this schema.
    static func history(of text: String, version: Int = 2) throws -> SchemaHistory {
        let schema = try #require(readSchemas([SchemaSource(text)]).schemas.first)
        return SchemaHistory(beginningWith: SchemaTree(schema.structure), version: version)
    }

    private static func read(
        _ text: String, _ history: SchemaHistory?, _ checks: VersionChecks = .release
    ) -> (schemas: [VersionedSchema], diagnostics: [Diagnostic]) {
        let source = VersionedSource(
            schema: SchemaSource(text), history: history.map { SchemaSource($0.yaml, path: "test.history.yaml") })
        return readVersions([source], checking: checks)
    }

    @Test("A schema that its history records has no findings, whatever its order and its comments are")
    func recorded() throws {
        let text = Self.journal.replacing("id: uuid, title: string", with: "title: string, id: uuid")
        let reading = Self.read("# A comment.\n" + text, try Self.history(of: Self.journal))
        #expect(reading.diagnostics == [])
        #expect(reading.schemas.first?.isDraft == false)
        #expect(reading.schemas.first?.history != nil)
    }

    @Test("A change that no version records")
    func unrecorded() throws {
        let text = """
            lockstep: 1
            schema: Journal
            version: 2
            entities:
              Entry:
                attributes: { id: uuid, title: string, place: string? }
                #                                      ^ unrecorded-change: 1 change that no version records: + Entry.place: string?

            """
        let history = try Self.history(of: Self.journal)
        expect(Self.read(text, history).diagnostics, areThosePointedAtIn: text)
        let warned = Self.read(text, history, .build)
        #expect(warned.diagnostics.map(\.severity) == [.warning])
        #expect(warned.schemas.first?.isDraft == true)
    }

    @Test("A declared rename is one change")
    func renamed() throws {
        let text = """
            lockstep: 1
            schema: Journal
            version: 2
            entities:
              Page:
                renamedFrom: Entry
                attributes: { id: uuid, name: { type: string, renamedFrom: title } }

            """
        let messages = Self.read(text, try Self.history(of: Self.journal)).diagnostics.map(\.message)
        #expect(
            messages == [
                """
                The schema has 3 changes that no version records: Entry → Page; Page.title → name; \
                Page: remote path, table entry → page
                """
            ])
    }

    @Test("Another version than that of the history")
    func behind() throws {
        let text = """
            lockstep: 1
            schema: Journal
            version: 2
            #        ^ history-behind: The schema's version is 2, but the history's last version is 3
            entities:
              Entry:
                attributes: { id: uuid, title: string }

            """
        expect(Self.read(text, try Self.history(of: text, version: 3)).diagnostics, areThosePointedAtIn: text)
    }

    @Test("A version without a history: a release needs one from its first version on, a build from the second")
    func missing() throws {
        let text = """
            lockstep: 1
            schema: Journal
            version: 2
            #        ^ history-missing: The version is 2, but 'test.history.yaml' does not exist
            entities:
              Entry:
                attributes: { id: uuid, title: string }

            """
        let reading = Self.read(text, nil)
        expect(reading.diagnostics, areThosePointedAtIn: text)
        #expect(reading.diagnostics.map(\.severity) == [.warning])
        let first = """
            lockstep: 1
            schema: Journal
            #       ^ never-recorded: No version of 'Journal' is recorded
            entities:
              Entry:
                attributes: { id: uuid, title: string }

            """
        expect(Self.read(first, nil).diagnostics, areThosePointedAtIn: first)
        #expect(Self.read(first, nil).diagnostics.map(\.severity) == [.warning])
        #expect(Self.read(first, nil, .build).diagnostics == [])
    }

    @Test("The history of another schema")
    func another() throws {
        let text = """
            lockstep: 1
            schema: Diary
            #       ^ history-edited: The history is that of 'Journal', not of 'Diary'
            version: 2
            entities:
              Entry:
                attributes: { id: uuid, title: string }

            """
        expect(Self.read(text, try Self.history(of: Self.journal)).diagnostics, areThosePointedAtIn: text)
    }
}

import TestSupport
import Testing

@Suite("Entities that begin to be synced, or are synced no more")
struct SyncedTests {
    private let journal: VersionedJournal

    init() throws { journal = try VersionedJournal() }

    @Test("V8 An entity that begins to be synced needs a word")
    func refused() throws {
        try journal.edit("    remote: none\n", "")
        try journal.expectRefusal(
            ["--name", "drafts"],
            """
            Schemas/Journal.yaml:15:3: error: The records of 'Draft' begin to be synced; existing ones are on the device \
            only [becomes-synced]
             15 |   Draft:
                |   ^~~~~
            help: If the server has none of them: lockstep migrate --name drafts --first Draft=push
                  If the server has them:         lockstep migrate --name drafts --first Draft=pull
                  With pull, they count as unchanged: a pull matches them by their identities, and may delete those \
            that the server does not list.

            1 error
            Nothing was written.

            """)
    }

    @Test("V8 The answer is recorded", arguments: [("push", "are sent"), ("pull", "count as unchanged")])
    func answered(first: String, text: String) throws {
        try journal.edit("    remote: none\n", "")
        try journal.expectRecording(
            ["--name", "drafts", "--first", "Draft=\(first)"],
            """
            Journal 1 → 2 (drafts)
              ~ Draft: + remote path   instant; existing records \(text)
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - change: Draft
                        from: {}
                        to: { remote: { path: /drafts } }
                        first: \(first)

                """)
        // The answer is kept when the version is recorded again.
        try journal.edit("id: uuid, text: string", "id: uuid, text: string, page: int?")
        #expect(try journal.migrate("--amend").status == 0)
        #expect(try journal.lastChanges.contains("first: \(first)\n"))
    }

    @Test("V8 A server that accepts no creations can only be pulled")
    func readOnly() throws {
        try journal.edit("    remote: none\n", "    remote: { write: [update] }\n")
        let result = try journal.migrate("--name", "drafts")
        #expect(result.status == 1)
        #expect(result.errors.contains("help: lockstep migrate --name drafts --first Draft=pull\n"))
        #expect(!result.errors.contains("=push"))
        try journal.expectRefusal(
            ["--name", "drafts", "--first", "Draft=push"], status: 2,
            """
            error: --first Draft=push: The server accepts no creations of 'Draft'.
            Nothing was written.

            """)
    }

    @Test("V8 No pull is proposed if it could match no record")
    func serverIdentity() throws {
        let journal = try VersionedJournal(
            """
            lockstep: 1
            schema: Journal
            entities:
              Draft:
                identity: { local: id, remote: number }
                attributes: { id: uuid, number: int? }
                remote: none

            """)
        try journal.edit("    remote: none\n", "")
        let result = try journal.migrate("--name", "drafts")
        #expect(result.status == 1)
        #expect(result.errors.contains("\nhelp: lockstep migrate --name drafts --first Draft=push\n"))
        #expect(!result.errors.contains("=pull"))
    }

    @Test("V8 Words that are none, and that no change needs")
    func wrong() throws {
        try journal.expectUnused()
        try journal.edit("    remote: none\n", "")
        try journal.expectRefusal(
            ["--name", "drafts", "--first", "Draft=send"], status: 2,
            "error: --first Draft=send: It is push or pull.\nNothing was written.\n")
        try journal.expectRefusal(
            ["--name", "drafts", "--first", "Draft=pull", "--first", "Product=push"], status: 2,
            "error: --first Product=push: No change of 'Product' needs it.\nNothing was written.\n")
    }

    @Test("V8 Fewer writes, and records that stay on the device, need no word")
    func smaller() throws {
        try journal.edit("price: string, code: string? }\n", "price: string, code: string? }\n    remote: none\n")
        #expect(try journal.migrate("--name", "local").status == 0)
        #expect(try journal.lastChanges.contains("- change: Product\n"))
    }
}

extension VersionedJournal {
    fileprivate func expectUnused() throws {
        try edit("title: string\n", "title: string\n      place: string?\n")
        try expectRefusal(
            ["--name", "place", "--first", "Entry=push"], status: 2,
            "error: --first Entry=push: No change of 'Entry' needs it.\nNothing was written.\n")
    }
}

import Foundation
import TestSupport
import Testing

@Suite("Versions of branches")
struct BranchTests {
    private let journal: VersionedJournal

    init() throws {
        journal = try VersionedJournal()
        try git("init", "-q", "-b", "main")
        try commit("one")
    }

    @discardableResult
    private func git(_ arguments: String...) throws -> ProcessResult {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
        return try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["git"] + identity + arguments, in: journal.tool.folder)
    }

    private func commit(_ message: String) throws {
        try git("add", ".")
        let result = try git("commit", "-q", "-m", message)
        try #require(result.status == 0, "\(result.text)")
    }

    /// Two branches that both add version 2, merged, with the schema of both.
    private func fork() throws {
        try git("checkout", "-q", "-b", "feature")
        try journal.edit("bodyText: string?", "text: string?")
        try journal.migrate("--name", "text", "--rename", "Entry.bodyText=text")
        try commit("text")
        try git("checkout", "-q", "main")
        try journal.edit("      title: string\n", "      title: string\n      place: string?\n")
        try journal.migrate("--name", "place")
        try commit("place")
        try git("checkout", "-q", "feature")
        let merge = try git("merge", "-q", "main")
        #expect(merge.status != 0, "the head line of the history conflicts")
        var schema = VersionedJournal.schema.replacing("schema: Journal\n", with: "schema: Journal\nversion: 2\n")
        schema = schema.replacing("bodyText: string?", with: "text: string?")
        schema = schema.replacing("      title: string\n", with: "      title: string\n      place: string?\n")
        try journal.tool.write(schema, to: "Schemas/Journal.yaml")
    }

    @Test("--rebase continues the history of the merged branch, with the hints that this one had")
    func rebase() throws {
        try fork()
        let check = try journal.tool.run("check")
        #expect(check.status == 1)
        #expect(check.errors.contains("error: The history has the conflicts of a merge [history-forked]"))
        let result = try journal.migrate("--rebase")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.hasSuffix(
                """
                Journal 2 → 3 (text)
                  ~ Entry.bodyText → text                 instant
                  ~ Entry.text: column body_text → text   instant
                Written: Schemas/Journal.history.yaml, version: 3 in Schemas/Journal.yaml

                """))
        #expect(
            try journal.tool.run("history").output == """
                Journal
                  3 text
                     Entry.bodyText → text
                     Entry.text: column body_text → text
                  2 place
                     + Entry.place: string?
                  1

                """)
        #expect(try journal.tool.run("check").status == 0)
    }

    @Test("--rebase --onto takes a file, without Git's merge")
    func onto() throws {
        try fork()
        let main = try git("show", "main:Schemas/Journal.history.yaml").output
        try journal.tool.write(main, to: "other.history.yaml")
        try git("checkout", "-q", "--ours", "Schemas/Journal.history.yaml")
        #expect(try journal.migrate("--rebase", "--onto", "other.history.yaml").status == 0)
        #expect(try journal.tool.run("check").status == 0)
    }

    @Test("--rebase needs the other history, which it does not guess")
    func withoutMerge() throws {
        try journal.expectRefusal(
            ["--rebase"], status: 2,
            """
            error: Git is not merging 'Schemas/Journal.history.yaml'. Name the other branch's history with --onto FILE.

            """)
    }

    @Test("diff compares with the last version, a file, or a revision")
    func diff() throws {
        #expect(try journal.tool.run("diff").output == "Journal, since version 1\n  no changes\n")
        try journal.edit("      title: string\n", "      title: string\n      place: string?\n")
        try journal.migrate("--name", "place")
        try journal.edit("place: string?", "place: string")
        let head = try journal.tool.run("diff")
        #expect(head.status == 0)
        #expect(
            head.output == """
                Journal, since version 2
                  ~ Entry.place: string? → string   about 9.1 s for a million rows

                """)
        #expect(head.errors.contains("help: If one value is right for all: lockstep migrate --name NAME --fill"))
        let main = try journal.tool.run("diff", "--against", "main")
        #expect(main.output == "Journal, since main\n  + Entry.place: string   instant; Entry is pulled again\n")
        try journal.tool.write(try journal.schema, to: "same.yaml")
        #expect(
            try journal.tool.run("diff", "--against", "same.yaml").output == "Journal, since same.yaml\n  no changes\n")
        let unknown = try journal.tool.run("diff", "--against", "nowhere")
        #expect(unknown.status == 2)
        #expect(unknown.errors.hasPrefix("error: There is no file 'nowhere', and no revision of that name that has"))
    }
}

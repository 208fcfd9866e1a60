import Foundation
import GRDB
import Journal
import LockstepStore
import TestSupport
import Testing

@Suite("lockstep inspect")
struct InspectCommandTests {
    private let tool: CommandLineTool
    private var url: URL { tool.folder.appendingPathComponent("journal.sqlite") }

    init() async throws {
        tool = try CommandLineTool()
        let store = try Store(JournalSchema.self, at: .file(tool.folder.appendingPathComponent("journal.sqlite")))
        try await store.perform { context in
            Entry(title: "Marked", context: context)
            try context.save()
        }
        try store.close()
    }

    @Test("Prints text, JSON, or a page, and writes a page to a file")
    func forms() throws {
        let text = try tool.run("inspect", "journal.sqlite")
        #expect(text.status == 0 && text.errors == "")
        #expect(text.output.hasPrefix("journal.sqlite: Journal, version 1\n"))
        #expect(text.output.contains("Pending: 1 record, ") && !text.output.contains("Marked"))
        let json = try tool.run("inspect", "journal.sqlite", "--json", "--values")
        #expect(json.status == 0 && json.output.contains("\"Marked\""))
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
        let page = try tool.run("inspect", "journal.sqlite", "--html")
        #expect(page.status == 0 && page.output.hasPrefix("<!doctype html>"))
        let written = try tool.run("inspect", "journal.sqlite", "--html", "--output", "page.html")
        #expect(written.status == 0 && written.output == "" && written.errors == "Written: page.html\n")
        #expect(try tool.read("page.html").hasPrefix("<!doctype html>"))
        #expect(try tool.contents(of: ".").keys.sorted() == ["journal.sqlite", "page.html"])
    }

    @Test("A store in which something is wrong exits with 1")
    func findings() async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        try await store.writer.write {
            try $0.execute(sql: "UPDATE lockstep_outbox SET parked_status = 403, parked_body = X''")
        }
        try store.close()
        let result = try tool.run("inspect", "journal.sqlite", "--entity", "Entry")
        #expect(result.status == 1 && result.errors == "")
        #expect(
            result.output.contains(
                "\n  error: 1 change is parked, and not sent: 1 × Entry: 403, the server does not allow it.\n"))
    }

    @Test("What cannot be inspected exits with 2, and says what to do")
    func failures() throws {
        try tool.write("no database, and a bit longer than the header", to: "text.txt")
        let cases: [([String], String)] = [
            (["inspect", "missing"], "error: 'missing': there is no such file. Check the path.\n"),
            (["inspect", "."], "error: '.': it is a folder. Give the file of the store in it.\n"),
            (
                ["inspect", "text.txt"],
                "error: 'text.txt': it is not an SQLite database, or it is encrypted. Check what it is."
                    + " Of an encrypted store, let the app make a copy without encryption.\n"
            ),
            (
                ["inspect", "journal.sqlite", "--entity", "Page"],
                "error: 'journal.sqlite': there is no entity “Page” in it. It has: Entry.\n"
            ),
            (
                ["inspect", "journal.sqlite", "--html", "--output", "no/page.html"],
                "error: 'no/page.html' cannot be written: "
            ),
        ]
        for (arguments, message) in cases {
            let result = try tool.run(arguments)
            #expect(result.status == 2 && result.output == "" && result.errors.hasPrefix(message), "\(result.text)")
        }
        #expect(try tool.run("inspect", "journal.sqlite", "--html", "--json").status == 2)
        #expect(try tool.run("inspect", "journal.sqlite", "--output", "page.html").status == 2)
    }
}

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
        #expect(written.status == 0 && written.output == "" && written.errors == "Wrote page.html.\n")
        #expect(try tool.read("page.html").hasPrefix("<!doctype html>"))
        #expect(
            try tool.contents(of: ".").keys.sorted() == [
                "journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal", "page.html",
            ])
    }

    @Test("export prints all records, and writes them to a file")
    func export() throws {
        let printed = try tool.run("export", "journal.sqlite")
        #expect(printed.status == 0 && printed.errors == "")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "Journal" && document["version"] as? Int == 1)
        let entries = try #require((document["entities"] as? [String: [[String: Any]]])?["Entry"])
        #expect(entries.map { $0["title"] as? String } == ["Marked"])
        #expect(Set(entries[0].keys) == ["identifier", "title", "bodyText", "mood", "timestamp"])
        let written = try tool.run("export", "journal.sqlite", "--output", "journal.json")
        #expect(written.status == 0 && written.output == "" && written.errors == "Wrote journal.json.\n")
        #expect(try tool.read("journal.json") == printed.output)
        let file = try FileManager.default.attributesOfItem(
            atPath: tool.folder.appendingPathComponent("journal.json").path)
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let unknown = try tool.run("export", "journal.sqlite", "--entity", "Page")
        #expect(unknown.status == 2 && unknown.errors.contains("there is no entity “Page” in it"))
    }

    @Test("Nothing is written over the store, by whatever name", arguments: [["export"], ["inspect", "--html"]])
    func outputOverStore(_ command: [String]) throws {
        let before = try Data(contentsOf: url)
        let link = tool.folder.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: url.path)
        try FileManager.default.linkItem(atPath: url.path, toPath: tool.folder.appendingPathComponent("hard").path)
        for name in ["journal.sqlite", "./journal.sqlite", "link", "hard", "journal.sqlite-wal"] {
            let result = try tool.run(command + ["journal.sqlite", "--output", name])
            #expect(result.status == 2 && result.errors.contains("'\(name)' is a file of the store."), "\(result.text)")
        }
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("The SQL of the page on taking data out reads records, and removes what belongs to the library")
    func takingOut() async throws {
        let sql = Documentation.files("sql", in: try Documentation.page("TakingDataOut"))
        let database = try DatabaseQueue(path: url.path)
        try await database.write { database in
            #expect(try Row.fetchOne(database, sql: sql[0])?[0] == "Marked")
            for statement in try String.fetchAll(database, sql: sql[1]) { try database.execute(sql: statement) }
            let left = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'")
            #expect(left == ["entry"])
            try database.execute(sql: "UPDATE entry SET title = 'Others'")
        }
        try database.close()
    }

    @Test("A store in which something is wrong exits with 1")
    func findings() async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        try await store.writer.write {
            try $0.execute(sql: "UPDATE lockstep_outbox SET parked_status = 403, parked_body = X''")
        }
        try store.close()
        let result = try tool.run("inspect", "journal.sqlite")
        #expect(result.status == 1 && result.errors == "")
        #expect(
            result.output.contains(
                "\n  error: 1 change is parked, and not sent: 1 × Entry: 403, the server does not allow it.\n"))
    }

    @Test("What cannot be inspected exits with 2, and says what to do")
    func failures() throws {
        try tool.write("no database, and a bit longer than the header", to: "text.txt")
        let cases: [([String], String)] = [
            (["inspect", "missing"], "error: 'missing': the file does not exist. Check the path.\n"),
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
                "error: There is no folder 'no'. Create it first.\n"
            ),
            (
                ["inspect", "journal.sqlite", "--html", "-o", "."],
                "error: '.' is a folder. Name a file, for example one in it.\n"
            ),
        ]
        for (arguments, message) in cases {
            let result = try tool.run(arguments)
            #expect(result.status == 2 && result.output == "" && result.errors.hasPrefix(message), "\(result.text)")
        }
        #expect(try tool.run("inspect", "journal.sqlite", "--html", "--json").status == 2)
        #expect(try tool.run("inspect", "journal.sqlite", "--output", "page.html").status == 2)
    }

    /// Whether files without permission can be tested: root may read them, and becomes another user for that.
    private static var canBeRefused: Bool {
        geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    }

    /// Runs the command as a user without the rights of root.
    private func inspectWithoutRights(_ path: String) throws -> ProcessResult {
        if geteuid() != 0 { return try tool.run("inspect", path) }
        let arguments = ["--reuid=65534", "--clear-groups", try builtProduct("lockstep").path, "inspect", path]
        return try runProcess(URL(fileURLWithPath: "/usr/bin/setpriv"), arguments, in: tool.folder)
    }

    @Test("A file is read in a folder that cannot be written, with and without a journal", .enabled(if: canBeRefused))
    func readOnlyFolder() async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try await store.perform { context in
            Entry(title: "Two", context: context)
            try context.save()
        }
        for (name, suffixes, count) in [
            ("alone", [""], 1), ("both", ["", "-wal"], 2), ("all", ["", "-wal", "-shm"], 2),
        ] {
            let locked = tool.folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: false)
            for suffix in suffixes {
                let copy = locked.path + "/copy.sqlite" + suffix
                try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy)
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: copy)
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked.path) }
            let result = try inspectWithoutRights("\(name)/copy.sqlite")
            #expect(result.output.contains("\n  Entry  \(count)  \(count) pending\n"), "\(name): \(result.text)")
        }
        try store.close()
    }

    @Test("Who may not read the journal is told so, and nothing else", .enabled(if: canBeRefused))
    func unreadableJournal() async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        try await store.perform { context in
            Entry(title: "Two", context: context)
            try context.save()
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: url.path + suffix, toPath: tool.folder.path + "/copy.sqlite" + suffix)
        }
        try store.close()
        let permissions: [(String, Int)] = [("", 0o444), ("-wal", 0)]
        for (suffix, mode) in permissions {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: tool.folder.path + "/copy.sqlite" + suffix)
        }
        let result = try inspectWithoutRights("copy.sqlite")
        #expect(result.status == 2)
        #expect(
            result.errors == """
                error: 'copy.sqlite': its journal “copy.sqlite-wal” is not readable. Check the permissions of the \
                journal.

                """)
    }
}

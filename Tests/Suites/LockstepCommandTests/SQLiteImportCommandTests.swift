import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Importing an SQLite database")
struct SQLiteImportCommandTests {
    private let tool: CommandLineTool

    init() throws { tool = try CommandLineTool() }

    private func make(_ name: String, _ sql: String) throws {
        let database = try DatabaseQueue(path: tool.folder.appendingPathComponent(name).path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    /// The blocks of a language on the page.
    private static func blocks(_ language: String) throws -> [String] {
        Documentation.files(language, in: try Documentation.page("SQLiteDatabases"))
    }

    @Test("The example on the page is what the command prints and writes, and it generates")
    func page() throws {
        try make("Diary.sqlite", try #require(try Self.blocks("sql").first))
        let schema = try #require(try Self.blocks("yaml").first)
        let console = try #require(try Self.blocks("").first { $0.hasPrefix("$ lockstep import Diary") })
        let result = try tool.run("import", "Diary.sqlite", "--rows")
        #expect(result.status == 0)
        #expect("$ lockstep import Diary.sqlite --rows\n" + result.errors == console)
        #expect(try tool.read("Schemas/Diary.yaml") == schema)
        #expect(try tool.read("Schemas/Diary.rows.sql").contains("INSERT INTO main.\"photo\""))
        #expect(try tool.run("generate").status == 0)
        #expect(try tool.run("check").status == 0)
    }

    @Test("A script of rows that exists stays, and no schema is written")
    func existing() throws {
        try make("Diary.sqlite", "CREATE TABLE entry (id INTEGER PRIMARY KEY)")
        try tool.write("mine", to: "Schemas/Diary.rows.sql")
        let result = try tool.run("import", "Diary.sqlite", "--rows")
        #expect(result.status == 2)
        #expect(result.errors.contains("'Schemas/Diary.rows.sql' already exists. Nothing was written."))
        #expect(try tool.contents(of: "Schemas").keys.sorted() == ["Diary.rows.sql"])
    }

    @Test("A damaged database writes nothing")
    func damaged() throws {
        try tool.write("not a database", to: "Diary.sqlite")
        let result = try tool.run("import", "Diary.sqlite", "--rows")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("error: Diary.sqlite: It does not begin as an SQLite database does"))
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("Schemas").path))
    }
}

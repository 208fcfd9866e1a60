import Foundation
import TestSupport
import Testing

@Suite("Options and sources of an import")
struct ImportOptionsCommandTests {
    private let tool: CommandLineTool
    private var hasSchemas: Bool {
        FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("Schemas").path)
    }

    private static let models = "Core Data models (.xcdatamodeld, .xcdatamodel)"

    init() throws { tool = try CommandLineTool() }

    @Test(
        "An option that the source has nothing for is refused with the sources that it is for",
        arguments: [
            ("--rows", "things.json", "\(Self.models), SwiftData models (.swift) and SQLite databases"),
            ("--versions", "things.json", "\(Self.models) and SwiftData models (.swift)"),
            ("--rows", "schema.rb", "\(Self.models), SwiftData models (.swift) and SQLite databases"),
            ("--versions", "api.yaml", "\(Self.models) and SwiftData models (.swift)"),
        ])
    func options(_ option: String, _ file: String, _ sources: String) throws {
        try tool.write(#"[{"id":1}]"#, to: "things.json")
        try tool.write(
            "ActiveRecord::Schema[7.1].define do\n  create_table \"a\" do |t|\n  end\nend\n", to: "schema.rb")
        try tool.write(
            """
            openapi: 3.1.0
            info: { title: A, version: '1' }
            paths: {}
            components: { schemas: { A: { type: object } } }

            """,
            to: "api.yaml")
        let result = try tool.run("import", file, option)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("error: \(file): `\(option)` is only for \(sources)"), "\(result.errors)")
        #expect(result.errors.hasSuffix("Run the command again without it. Nothing was written.\n"))
        #expect(!hasSchemas)
    }

    @Test("With --verbose, a long report has all notes")
    func verbose() throws {
        let tables = (0..<50).map { "  create_table \"items\($0)\" do |t|\n    t.string \"api_key\"\n  end\n" }
        try tool.write("ActiveRecord::Schema[7.1].define do\n\(tables.joined())end\n", to: "schema.rb")
        let short = try tool.run("import", "schema.rb", "--name", "Shop")
        #expect(short.status == 0)
        #expect(short.errors.contains("items14.api_key and 35 more\n"), "\(short.errors)")
        #expect(short.errors.hasSuffix("with `--verbose` and `--output` to print all notes.\n"))
        let long = try tool.run("import", "schema.rb", "--name", "Other", "--verbose")
        #expect(long.errors.contains("items48.api_key (schema.rb:"), "\(long.errors)")
        #expect(long.errors.contains("items49.api_key (schema.rb:"), "\(long.errors)")
        #expect(!long.errors.contains("`--verbose`"))
    }

    @Test(
        "A name that no schema can have is refused with what is allowed",
        arguments: [
            ("9x", "'9x' cannot be the name of a schema", "Rename it to 'T9x'."),
            ("a/b", "'a/b' cannot be the name of a schema", "Rename it to 'AB'."),
            ("../x", "'../x' cannot be the name of a schema", "Rename it to 'X'."),
            ("", "'' cannot be the name of a schema", "Use letters and digits."),
            ("-", "'-' cannot be the name of a schema", "Use letters and digits."),
            ("it's", "'it's' cannot be the name of a schema", "Rename it to 'ItS'."),
            (
                "shop", "The name of a schema must begin with a capital letter, but 'shop' does not",
                "Rename it to 'Shop'."
            ),
        ])
    func names(_ name: String, _ problem: String, _ remedy: String) throws {
        try tool.write(#"[{"id":1}]"#, to: "things.json")
        let message =
            "error: \(problem). A schema's name begins with a capital letter, and has letters and digits. \(remedy)\n"
        for arguments in [["import", "things.json", "--name", name], ["init", "--", name]] {
            let result = try tool.run(arguments)
            #expect(result.status == 2)
            #expect(result.errors == message)
        }
        #expect(!hasSchemas)
        #expect(try tool.run("import", "things.json", "--name", "Shop").status == 0)
    }

    @Test("SQL is no source, and the error says how to make one of it")
    func sql() throws {
        try tool.write("CREATE TABLE a (id INTEGER PRIMARY KEY);\n", to: "structure.sql")
        let result = try tool.run("import", "structure.sql")
        #expect(result.status == 2)
        #expect(result.errors.contains("'sqlite3 new.db < structure.sql'"))
        #expect(result.errors.contains("Of a Rails app, import schema.rb."))
    }

    // MARK: Pipes

    /// Runs a command of a shell, in which `lockstep` is this tool.
    private func shell(_ command: String) throws -> ProcessResult {
        let tool = try builtProduct("lockstep").path
        return try runProcess(
            URL(fileURLWithPath: "/bin/bash"), ["-c", "lockstep() { '\(tool)' \"$@\"; }; \(command)"],
            in: self.tool.folder)
    }

    @Test(
        "A pipe is read once",
        arguments: [
            "lockstep import <(cat things.json) --name Shop",
            "cat things.json | lockstep import /dev/stdin --name Shop",
            "cat things.json | lockstep import - --name Shop",
            "mkfifo pipe.json; cat things.json > pipe.json & lockstep import pipe.json --name Shop",
            "lockstep import <(cat things.json) <(cat things.json) --name Shop",
        ])
    func pipes(_ command: String) throws {
        // More than is read to recognize it, and more than fits into a pipe.
        let things = (0..<5000).map { #"{"id":\#($0),"title":"A thing of some length"}"# }
        try tool.write("[\(things.joined(separator: ",\n"))]", to: "things.json")
        let result = try shell(command)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try tool.read("Schemas/Shop.yaml").contains("      title: string\n"))
    }

    @Test("A database that comes through a pipe is read, too")
    func pipedDatabase() throws {
        let header = Data("SQLite format 3\u{0}".utf8)
        try header.write(to: tool.folder.appendingPathComponent("cut.db"))
        let result = try shell("cat cut.db | lockstep import /dev/stdin --name Shop")
        #expect(result.status == 2)
        #expect(
            result.errors
                == "error: /dev/stdin: It is cut off within its header. Get a complete copy. Nothing was written.\n")
    }

    @Test("Standard input without a name has the name of a thing")
    func unnamed() throws {
        let result = try shell("echo '[{\"id\":1}]' | lockstep import /dev/stdin")
        #expect(result.status == 0)
        #expect(try tool.read("Schemas/Server.yaml").hasPrefix("# Imported from standard input.\n"))
    }
}

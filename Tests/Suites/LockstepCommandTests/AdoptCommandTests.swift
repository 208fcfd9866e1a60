import Foundation
import TestSupport
import Testing

@Suite("lockstep import and generate for a PostgreSQL database")
struct AdoptCommandTests {
    private static let schema = """
        lockstep: 1
        schema: Notes
        wire: { names: snake_case }
        entities:
          Note: { scope: owner, attributes: { id: uuid, owner: uuid, title: string } }

        """

    /// What the query answers for a table with these types of its columns.
    private static func description(title: String) -> String {
        let columns = [("id", "uuid"), ("owner", "uuid"), ("title", title)].map { name, type in
            """
            {"name": "\(name)", "type": "\(type)", "required": true, "default": null, "numbered": false,
             "always": false, "generated": false, "collation": null, "comment": null}
            """
        }
        return """
            {"lockstep" : "postgresql", "form": 1, "schema": "public", "enums": [], "domains": [], "others": [],
             "tables": [{"name": "note", "comment": null, "rowSecurity": false,
             "ownerRestricted": false, "inheriting": false,
             "columns": [\(columns.joined(separator: ", "))], "policies": [], "triggers": [],
             "constraints": [{"name": "note_pkey", "kind": "p", "columns": ["id"], "schema": null, "table": null,
             "references": [], "delete": " ", "update": " ", "deferrable": false, "expression": null,
             "text": "PRIMARY KEY (id)"}],
             "indexes": [{"name": "note_pkey", "unique": true, "key": true, "constraint": true, "partial": false,
             "method": "btree", "columns": ["id"], "text": ""}]}]}
            """
    }

    @Test("The query is printed alone, and what it answers becomes a schema")
    func query() throws {
        let tool = try CommandLineTool()
        let query = try tool.run("import", "--postgresql-query")
        #expect(query.status == 0)
        #expect(query.output.contains("SELECT json_build_object(\n    'lockstep', 'postgresql',"))
        #expect(query.errors == "")
        #expect(try tool.run("import", "--postgresql-query", "Notes.json").status == 2)
        #expect(try tool.run("import").status == 2)
        try tool.write(Self.description(title: "text"), to: "Notes.json")
        #expect(try tool.run("import", "Notes.json").status == 0)
        #expect(try tool.read("Schemas/Notes.yaml").contains("      title: string\n"))
    }

    @Test("Tables that fit get the server alone; a dry run says what it changes, and writes nothing")
    func fits() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.schema, to: "Schemas/Notes.yaml")
        try tool.write(Self.description(title: "text"), to: "Notes.json")
        let dryRun = try tool.run("generate", "--server", "--adopt", "Notes.json", "--dry-run")
        #expect(dryRun.status == 0)
        #expect(dryRun.output.contains("The tables in Notes.json fit Notes. Its file of the server:\n"))
        #expect(dryRun.output.contains("\n    switches on row-level security"))
        #expect(!tool.exists("Generated"))
        #expect(try tool.run("generate", "--server", "--adopt", "Notes.json").status == 0)
        #expect(tool.exists("Generated/Notes/Notes.server.postgresql.sql"))
        #expect(!tool.exists("Generated/Notes/Notes.postgresql.sql"))
        #expect(try tool.run("generate", "--server", "--adopt", "Notes.json", "--check").status == 0)
    }

    @Test("Tables that do not fit, and another file, are refused, and nothing is written")
    func misfits() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.schema, to: "Schemas/Notes.yaml")
        try tool.write(Self.description(title: "integer"), to: "Notes.json")
        let misfit = try tool.run("generate", "--server", "--adopt", "Notes.json")
        #expect(misfit.status == 1)
        #expect(misfit.errors.hasPrefix("Notes.json: error: note.title: its type is integer, and Note.title"))
        try tool.write("{}", to: "Other.json")
        let other = try tool.run("generate", "--server", "--adopt", "Other.json")
        #expect(other.status == 2)
        #expect(other.errors.contains("Other.json: It is not the description of a PostgreSQL database"))
        #expect(try tool.run("generate", "--server", "--adopt", "Missing.json").status == 2)
        #expect(try tool.run("generate", "--adopt", "Notes.json").status == 2)
        #expect(!tool.exists("Generated"))
    }
}

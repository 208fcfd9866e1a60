import Foundation
import LockstepGenerator
import LockstepImport
import LockstepSchema
import Testing

/// Names that a schema, Swift or SQLite reserves, and names that are none there.
@Suite("No name of a source is refused")
struct AnyNamesTests {
    enum Form: CaseIterable { case coreData, sample, openAPI, sqlite, rails }

    static let names = [
        "Lockstep", "LockstepItem", "lockstep_item", "Sqlite", "SqliteStat", "Foundation", "Swift", "Type", "Self",
        "ID", "Identity", "Columns", "Shop", "ShopSchema", "Other", "OtherRepresentation", "1st", "_", "+", "Ελιά",
        "keyValues", "lockstepID", "class", "String", "rowid", "x y",
    ]

    /// A type with the name, and members with all names, between which and another type there are links.
    private func source(_ form: Form, named name: String) throws -> ImportedSchema {
        switch form {
        case .coreData:
            let attributes = Self.names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
            return try importing(
                model(
                    """
                    <entity name="\(name)"><attribute name="id" attributeType="UUID"/>\(attributes.joined())
                    <relationship name="owned" toMany="YES" destinationEntity="Owner" inverseName="owners"/>
                    <relationship name="lockstep" maxCount="1" destinationEntity="\(name)"/></entity>
                    <entity name="Owner"><attribute name="id" attributeType="UUID"/>
                    <relationship name="owners" toMany="YES" destinationEntity="\(name)" inverseName="owned"/>
                    <relationship name="all" toMany="YES" destinationEntity="\(name)"/></entity>
                    """))
        case .sample:
            let values = Self.names.map { "\"\($0)\": \"a\"" }.joined(separator: ", ")
            return try importing(samples: [
                ("\(name).json", "[{\"id\": 1, \(values), \"owner\": {\"id\": 1, \"x\": 2}}]")
            ])
        case .openAPI:
            let properties = Self.names.map { "\"\($0)\": {\"type\": \"string\"}" }.joined(separator: ", ")
            let link = "{\"$ref\": \"#/components/schemas/\(name)\"}"
            return try importing(
                """
                {"openapi": "3.1.0", "components": {"schemas": {
                  "\(name)": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "integer"}, \(properties)}},
                  "Owner": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "integer"}, "one": \(link), "all": {"type": "array", "items": \(link)}}}}}}
                """, file: "api.json")
        case .sqlite:
            // SQLite takes names for the same that differ in case only.
            let columns = Self.names.filter { $0 != "ID" }.map { "\"\($0)\" TEXT" }.joined(separator: ", ")
            return try SQLiteFixture(
                "Shop",
                """
                CREATE TABLE "\(name)" (id INTEGER PRIMARY KEY, \(columns));
                CREATE TABLE owner (id INTEGER PRIMARY KEY, own_id INTEGER REFERENCES "\(name)" (id));
                CREATE TABLE owned (a INTEGER REFERENCES owner (id), b INTEGER REFERENCES "\(name)" (id),
                    PRIMARY KEY (a, b));
                """
            ).imported()
        case .rails:
            let columns = Self.names.map { "    t.string \"\($0)\"" }.joined(separator: "\n")
            return try importing(
                """
                ActiveRecord::Schema[8.0].define(version: 1) do
                  create_table "\(name)" do |t|
                \(columns)
                  end
                  create_table "owners" do |t|
                    t.bigint "own_id"
                  end
                  add_foreign_key "owners", "\(name)", column: "own_id"
                end
                """, file: "schema.rb")
        }
    }

    @Test("A schema with another name or table is made, and SQLite has its tables", arguments: Form.allCases, names)
    func imports(form: Form, name: String) throws {
        let imported = try source(form, named: name)
        let reading = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.filter { $0.severity == .error }.isEmpty, "\(imported.text)")
        let database = try SQLiteTool(":memory:")
        for statement in sqlStatements(for: try #require(reading.schemas.first), dialect: .sqlite) {
            try database.run(statement)
        }
    }
}

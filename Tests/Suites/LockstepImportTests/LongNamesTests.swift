import Foundation
import LockstepImport
import Testing

/// YAML reads no key of more than 1,024 bytes, and the name of a file has at most 255.
@Suite("Names of any length are imported")
struct LongNamesTests {
    enum Form: CaseIterable { case sample, openAPI, sqlite }

    enum Name: CaseIterable {
        case words, marks

        var text: String {
            switch self {
            case .words: String(repeating: "word_", count: 180)
            case .marks: "e" + String(repeating: "\u{301}", count: 440)
            }
        }
    }

    /// Two tables or objects, whose names and whose members' names begin in the same way, with two values of an enum.
    private func source(_ form: Form, named name: String) throws -> ImportedSchema {
        switch form {
        case .sample:
            return try importing(
                sample: """
                    [{"id": 1, "\(name)a": 1, "\(name)b": {"id": 1, "x": 2}, "\(name)c": {"id": 2, "y": 3}}]
                    """)
        case .openAPI:
            return try importing(
                """
                {"openapi": "3.1.0", "components": {"schemas": {
                  "\(name)a": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"}, "\(name)x": {"type": "string", "enum": ["\(name)1", "\(name)2"]},
                    "\(name)y": {"type": "string"}}},
                  "\(name)b": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"}, "\(name)z": {"$ref": "#/components/schemas/\(name)a"}}}}}}
                """, file: "api.json")
        case .sqlite:
            return try SQLiteFixture(
                "Shop",
                """
                CREATE TABLE "\(name)a" (id INTEGER PRIMARY KEY, "\(name)x" TEXT CHECK ("\(name)x" IN ('\(name)1', '\(name)2')),
                    "\(name)y" TEXT);
                CREATE TABLE "\(name)b" (id INTEGER PRIMARY KEY, "\(name)z" INTEGER REFERENCES "\(name)a" (id));
                """
            ).imported()
        }
    }

    @Test(
        "A schema has the beginning of the name, and the whole name where the source is read",
        arguments: Form.allCases, Name.allCases)
    func names(form: Form, name: Name) throws {
        let schema = try source(form, named: name.text)
        let keys = schema.lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ":").first }
        #expect(keys.filter { $0.utf8.count > 125 } == [])
        #expect(schema.notes(.unequal).isEmpty)

        #expect(schema.text.contains(name.text))
    }
}

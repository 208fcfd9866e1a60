import Foundation
import LockstepImport
import Testing

@Suite("Descriptions in several files")
struct DescriptionFilesTests: DescriptionFolder {
    @Test("What a description refers to in the files of its folder is read as if it were in the description")
    func followed() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.0.3
            paths:
              /orders: { $ref: "paths/all.yaml#/orders" }
              /users: { $ref: paths/users.yaml }
            components:
              schemas:
                User: { $ref: "./schemas/user.yaml" }
                Mood: { type: string, enum: [sad, happy] }
            """,
            "paths/all.yaml": "orders: { \(list(of: "../schemas/order.yaml#/Order")) }",
            "paths/users.yaml": list(of: "../schemas/user.yaml"),
            "schemas/order.yaml": """
            Order:
              type: object
              required: [id]
              properties:
                id: { type: integer }
                buyer: { $ref: "user.yaml" }
                lines: { type: array, items: { $ref: "#/Line" } }
                mood: { $ref: "../openapi.yaml#/components/schemas/Mood" }
            Line: { type: object, properties: { count: { type: integer, multipleOf: 2 } } }
            Extra: { type: object }
            """,
            "schemas/user.yaml": "type: object\nproperties: { id: { type: integer }, name: { type: string } }",
        ])
        for line in ["Mood: [sad, happy]", "User:", "Order:", "buyer: { to: User?, wire: embedded }", "mood: Mood?"] {
            #expect(imported.lines.contains(line), "\(imported.text)")
        }
        #expect(!imported.text.contains("write: [create") && !imported.text.contains("has no path"))
        #expect(imported.notes(.left) == ["Line.count: multipleOf 2", "Extra is not used"])
        let places = imported.report.notes.filter { $0.kind == .left }.map(\.location)
        #expect(places == ["schemas/order.yaml:9", "schemas/order.yaml:10"])
    }

    @Test("All paths and all schemas can be in a file of their own")
    func indices() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            paths: { $ref: paths/index.yaml }
            components: { schemas: { $ref: schemas/index.yaml } }
            """,
            "paths/index.yaml": "/members: { \(list(of: "../schemas/index.yaml#/Member")) }",
            "schemas/index.yaml": "Member: { $ref: person.yaml }",
            "schemas/person.yaml": "type: object\nproperties: { id: { type: string } }",
        ])
        #expect(imported.lines.suffix(5) == ["Member:", "remote: { write: [] }", "attributes:", "id: string", ""])
        #expect(imported.notes(.left).isEmpty)
    }

    @Test("A JSON Schema can refer to other files, and they to each other")
    func jsonSchema() throws {
        let imported = try imported([
            "shop.schema.json": #"{"type":"object","properties":{"id":{"type":"string"},"cat":{"$ref":"cat.json"}}}"#,
            "cat.json": #"{"properties":{"id":{"type":"string"},"shop":{"$ref":"shop.schema.json"}}}"#,
        ])
        #expect(imported.lines.contains { $0.hasPrefix("cat: { to: Cat?") })
        #expect(imported.lines.contains { $0.hasPrefix("shop: ") && $0.contains("?") }, "\(imported.text)")
    }

    @Test("Files that refer to each other without end are reported")
    func cycle() throws {
        let imported = try imported([
            "api.yaml": """
            openapi: 3.1.0
            components: { schemas: { Item: { type: object, properties: {
              id: { type: string }, other: { $ref: "a.yaml" } } } } }
            """, "a.yaml": "$ref: b.yaml", "b.yaml": "$ref: a.yaml",
        ])
        #expect(imported.lines.contains("other: json?"))
        #expect(imported.notes(.left).contains("Item.other: it refers to itself"))
    }

    @Test(
        "Files outside of the folder of a description are not read",
        arguments: [
            ("../secret.yaml", "which are outside of its folder"),
            ("/etc/hosts.yaml", "which are outside of its folder"),
            ("a/../../secret.yaml", "which are outside of its folder"),
            ("%2e%2e/secret.yaml", "which are outside of its folder"),
            ("link.yaml", "which are outside of its folder"), ("linked/secret.yaml", "which are outside of its folder"),
            ("https://example.com/a.yaml", "which are named by a URL"), ("file:///a.yaml", "which are named by a URL"),
            ("//example.com/a.yaml", "which are named by a URL"), ("none.yaml", "which do not exist"),
            ("notes.txt", "which are no .yaml or .json files"), ("pipe.yaml", "which are no .yaml or .json files"),
            ("folder.yaml", "which are no .yaml or .json files"),
        ])
    func confined(reference: String, reason: String) throws {
        let text = """
            openapi: 3.1.0
            components: { schemas: { Item: { type: object, properties: {
              id: { type: string }, other: { $ref: "\(reference)#/Secret" } } } } }
            """
        let imported = try imported(["api.yaml": text, "notes.txt": "Secret: { type: integer }"]) { folder in
            let manager = FileManager.default
            let outside = folder.deletingLastPathComponent()
            try Data("Secret: { type: integer }".utf8).write(to: outside.appendingPathComponent("secret.yaml"))
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent("link.yaml").path, withDestinationPath: "../secret.yaml")
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent("linked").path, withDestinationPath: outside.path)
            try manager.createDirectory(
                at: folder.appendingPathComponent("folder.yaml"), withIntermediateDirectories: true)
            #expect(mkfifo(folder.appendingPathComponent("pipe.yaml").path, 0o600) == 0)
        }
        #expect(imported.lines.contains("other: json?"))
        let note = try #require(imported.report.notes.first { $0.text.hasPrefix("What is in other files") })
        #expect(note.text == "What is in other files, \(reason): \(reference)")
        #expect(note.location == "api.yaml:3")
        #expect(note.help?.hasSuffix("'npx @redocly/cli bundle', and import the result.") == true)
    }

    @Test("What cannot be imported without other files says which ones were not read")
    func unread() throws {
        let paths = try failure(["api.yaml": "openapi: 3.1.0\npaths: { /users: { $ref: paths/users.yaml } }"])
        #expect(
            paths.reason.contains(
                "It has no schemas in 'components'. It refers to other files, which do not exist: paths/users.yaml "
                    + "(api.yaml:2). Correct the paths, or bundle"))
        #expect(paths.reason.hasSuffix("and import the result."))
        let schemas = try failure([
            "api.yaml": "openapi: 3.1.0\ncomponents: { schemas: { A: { $ref: ../a.yaml } } }"
        ])
        #expect(schemas.reason.contains("It describes no entity"))
        #expect(schemas.reason.contains("which are outside of its folder: ../a.yaml (api.yaml:2). Move them to "))
    }

    @Test("A file that cannot be read is named with its line")
    func broken() throws {
        let failure = try failure([
            "api.yaml": "openapi: 3.1.0\ncomponents: { schemas: { A: { $ref: a.yaml } } }",
            "a.yaml": "type: object\na: [",
        ])
        #expect(failure.path.hasSuffix("/a.yaml"))
        #expect(failure.line == 3 || failure.line == 2)
    }

    @Test("More files than the limit are refused")
    func many() throws {
        let schemas = (0...1_000).map { "S\($0): { $ref: s\($0).yaml }" }.joined(separator: ", ")
        let failure = try #require(
            #expect(throws: ImportFailure.self) {
                try imported(["api.yaml": "openapi: 3.1.0\ncomponents: { schemas: { \(schemas) } }"]) { folder in
                    for number in 0...1_000 {
                        try Data("type: string".utf8).write(to: folder.appendingPathComponent("s\(number).yaml"))
                    }
                }
            })
        #expect(failure.reason.contains("more than 1000 files"))
    }

    @Test("Aliases of several files do not expand to more values than those of one file can")
    func aliases() throws {
        let text = aliasesOfAliases(levels: 4) + "x5: [*a4, *a4, *a4, *a4, *a4]\n"
        let schemas = "A: { $ref: a.yaml }, B: { $ref: b.yaml }"
        let failure = try failure([
            "api.yaml": "openapi: 3.1.0\ncomponents: { schemas: { \(schemas) } }", "a.yaml": text, "b.yaml": text,
        ])
        #expect(failure.reason.contains("1000000 values"), "\(failure)")
    }

    @Test("A part of a description, and the folder that it is in, say what to import")
    func parts() throws {
        let text =
            "openapi: 3.1.0\ncomponents: { schemas: { A: { type: object, properties: { id: { type: string } } } } }"
        let files = [("api/openapi.yaml", text), ("api/order.yaml", "Order: { type: object }")]
        let both = #expect(throws: ImportFailure.self) { try importing(samples: files) }
        #expect(
            both?.reason.hasSuffix("If one refers to the others, import it alone. If not, import each by itself.")
                == true)
        let part = #expect(throws: ImportFailure.self) { try importing(samples: [files[1]]) }
        #expect(part?.reason.hasSuffix("import the file that refers to it.") == true)
        _ = try imported(["openapi.yaml": text, "order.yaml": "Order: {}"]) { folder in
            let failure = #expect(throws: ImportFailure.self) {
                try importSchema([ImportInput(path: folder.path)], options: ImportOptions())
            }
            #expect(failure?.reason == "It is a folder. Name what is to be imported in it: openapi.yaml.")
        }
    }
}

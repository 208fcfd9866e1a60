import Foundation
import LockstepImport
import Testing

@Suite("References of descriptions in several files")
struct DescriptionReferencesTests: DescriptionFolder {
    private let item = "type: object\nrequired: [id]\nproperties: { id: { type: string }, size: { type: integer } }\n"

    private func places(_ imported: ImportedSchema) -> [String] {
        imported.report.notes.filter { $0.kind == .left }.map { "\($0.location ?? ""): \($0.text)" }
    }

    @Test(
        "The members of a map are names, even those that are keywords elsewhere",
        arguments: ["default", "example", "items", "const", "properties", "schema"])
    func names(name: String) throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            paths: { /items: { $ref: paths.yaml#/all } }
            components: { schemas: { $ref: schemas.yaml }, responses: { $ref: responses.yaml } }
            """,
            "paths.yaml": """
            all: { get: { responses: { "200": { $ref: responses.yaml#/\(name) } } } }
            """,
            "responses.yaml": """
            \(name): { content: { application/json: { schema: { type: array, items: { $ref: "#/more/\(name)" } } } } }
            more: { \(name): { $ref: schemas.yaml#/\(name) } }
            """,
            "schemas.yaml":
                "\(name): { type: object, properties: { id: { type: string }, \(name): { $ref: a.yaml } } }",
            "a.yaml": "type: integer",
        ])
        #expect(imported.notes(.left).isEmpty, "\(imported.report.text(""))")
        #expect(imported.text.contains("int?") && imported.text.contains("write: []"), "\(imported.text)")
    }

    @Test("A reference under the response `default` leads to its own file")
    func ownFile() throws {
        let user = "{ type: object, properties: { id: { type: integer }"
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            paths: { /users: { $ref: users.yaml } }
            components: { schemas: { User: \(user), wrong: { type: string } } } } }
            """,
            "users.yaml": """
            get:
              responses:
                default: { content: { application/json: { schema: { $ref: "#/definitions/User" } } } }
                "200": { content: { application/json:
                  { schema: { type: array, items: { $ref: "#/definitions/User" } } } } }
            definitions: { User: \(user), right: { type: string } } } }
            """,
        ])
        #expect(imported.lines.contains("right: string?"))
    }

    @Test("A pointer leads through the references on its way")
    func pointers() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            components:
              schemas: { $ref: schemas.yaml }
              x-copy: { size: { $ref: "#/components/schemas/Item/properties/size" } }
            """,
            "schemas.yaml": """
            Item: { $ref: item.yaml }
            Box:
              type: object
              properties:
                id: { type: string }
                size: { $ref: "openapi.yaml#/components/schemas/Item/properties/size" }
                width: { $ref: "#/Item/properties/size" }
                depth: { $ref: "openapi.yaml#/components/x-copy/size" }
                none: { $ref: "#/Item/properties/none" }
            """, "item.yaml": item,
        ])
        #expect(Set(["size: int?", "width: int?", "depth: int?", "none: json?"]).isSubset(of: imported.lines))
        #expect(places(imported) == ["schemas.yaml:9: Box.none: there is no '#/Item/properties/none'"])
    }

    @Test("Pointers that lead through themselves, and maps that refer to themselves, lead nowhere")
    func circles() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            paths: { /items: { get: { $ref: "#/paths/~1items/get" } }, /boxes: { $ref: a.yaml } }
            components:
              schemas:
                Item: { type: object, properties: { id: { type: string },
                  a: { $ref: "#/components/schemas/Item/properties/a/b" }, c: { $ref: "#/components/schemas/C" } } }
                C: { type: object, properties: { $ref: "#/components/schemas/C" } }
                D: { type: object, properties: { $ref: "#/components/schemas/D/properties" } }
            """, "a.yaml": "$ref: b.yaml", "b.yaml": "$ref: a.yaml",
        ])
        #expect(imported.lines.contains("a: json?"))
        let left = imported.notes(.left)
        #expect(left.contains("'#/paths/~1items/get' refers to itself"), "\(left)")
        #expect(left.contains { $0.hasSuffix(".yaml' refers to itself") })
        #expect(left.contains { $0.hasPrefix("Item.a: there is no ") })
    }

    @Test("A pointer leads through as many references as a chain can have, and a longer way leads nowhere")
    func ways() throws {
        let count = 2_000
        let ways = (0..<count).map { "  w\($0): { $ref: \"#/x/w\($0 + 1)/a\" }\n" }.joined()
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            components: { schemas: { Item: { type: object, properties: { id: { type: string },
              far: { $ref: "#/x/w0/a" }, near: { $ref: "#/x/w\(count - 3)/a" } } } } }
            x:
            \(ways)  w\(count): { a: { a: { a: { a: { type: integer } } } } }
            """
        ])
        #expect(imported.lines.contains("far: json?") && imported.lines.contains("near: int?"), "\(imported.text)")
    }

    @Test("Operations, responses, bodies and their contents can be in other files, and beside them other operations")
    func operations() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            paths:
              /items:
                get: { $ref: "operations.yaml#/list" }
                post: { $ref: "./my%20operation.yaml" }
                parameters: [{ $ref: "operations.yaml#/page" }]
              /items/{id}:
                $ref: rest.yaml
                delete: { responses: { $ref: responses.yaml } }
              /boxes:
                get: { responses: { "200": { content: { application/json: { $ref: media.yaml } } } } }
            """,
            "operations.yaml": """
            list: { responses: { "200": { content: { $ref: content.yaml } } } }
            page: { name: page, in: query, required: true }
            """,
            "my operation.yaml": "requestBody: { content: { application/json: { schema: { $ref: item.yaml } } } }",
            "rest.yaml": "patch: { requestBody: { $ref: my operation.yaml#/requestBody } }",
            "responses.yaml": "\"204\": { headers: { ETag: {} } }",
            "content.yaml": "application/json: { schema: { type: array, items: { $ref: item.yaml } } }",
            "media.yaml": "schema: { type: array, items: { $ref: box.yaml } }",
            "item.yaml": item, "box.yaml": "type: object\nrequired: [id]\nproperties: { $ref: properties.yaml }",
            "properties.yaml": "id: { type: integer }\nname: { type: string }",
        ])
        #expect(imported.text.contains("  Item:\n    attributes:"), "\(imported.text)")
        let box = "  Box:\n    remote: { write: [] }\n    attributes:\n      id: int\n      name: string?\n"
        #expect(imported.text.contains(box))
        #expect(imported.notes(.decided).contains { $0.contains("requires the parameter 'page'") })
        #expect(imported.notes(.left) == ["A header for the version of a record (`If-Match`, `ETag`)"])
    }

    @Test("Lines are those of editors, whatever ends them", arguments: ["\n", "\r", "\r\n"])
    func lines(end: String) throws {
        let text = """
            openapi: 3.1.0
            info: { title: "a\u{2028}b\u{2029}c\u{85}d" }
            components:
              schemas:
                Box: { type: object, properties: { id: { type: string }, a: { type: string, pattern: x },
                  b: { $ref: b.yaml } } }
            """
        let imported = try imported([
            "openapi.yaml": text.replacingOccurrences(of: "\n", with: end),
            "b.yaml": "# \u{2028}\n\(item)not: {}\n".replacingOccurrences(of: "\n", with: end),
        ])
        #expect(places(imported) == ["openapi.yaml:5: Box.a: pattern x", "b.yaml:5: B: the keyword not"])
    }

    @Test("Keywords that are not supported are reported as such in each file, and not as irrelevant")
    func keywords() throws {
        let imported = try imported([
            "openapi.yaml": "openapi: 3.1.0\npaths: { /items: { $ref: items.yaml } }",
            "items.yaml": """
            get:
              parameters: [{ name: q, in: query, schema: { type: string, pattern: q } }]
              responses: { "200": { content: { application/json: { schema: { type: array, items:
                { type: object, properties: { id: { type: string }, a: { type: string, pattern: x } } } } } } } }
            post: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Box" } } } },
              responses: { "200": { content: { application/json: {
                schema: { $ref: "#/components/schemas/Box" } } } } } }
            components:
              schemas:
                Box: { type: object, properties: { id: { type: string }, b: { type: string, pattern: y } } }
            """,
        ])
        let patterns = "items.yaml:4: pattern of Item.a, Box.b, in lines items.yaml:4, items.yaml:10"
        #expect(places(imported).contains(patterns))
        #expect(!imported.notes(.ignored).contains { $0.contains("pattern") })
    }

    @Test(
        "A file is read once, however it is reached",
        arguments: ["./item.yaml", "a/../item.yaml", "%69tem.yaml", "link.yaml", "linked/item.yaml"])
    func once(path: String) throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            components: { schemas: { Box: { type: object, properties: {
              id: { type: string }, a: { $ref: item.yaml }, b: { $ref: "\(path)" }, c: { $ref: again.yaml#/Thing } } } } }
            Thing: { type: integer }
            """, "item.yaml": item,
        ]) { folder in
            for (link, target) in [("link", "item"), ("again", "openapi")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appendingPathComponent("\(link).yaml").path, withDestinationPath: "\(target).yaml")
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent("linked").path, withDestinationPath: ".")
        }
        #expect(imported.text.components(separatedBy: " Item?").count == 3, "\(imported.text)")
        #expect(imported.lines.contains("c: int?"))
    }

    @Test(
        "A schema has the name of its definition, its file, or the folder of an index, without escapes",
        arguments: [
            ("schemas/pet/index.yaml", "Pet"), ("schemas/my%20pet/_index.yaml", "MyPet"), ("index.yaml", "Index"),
            ("schemas/all.yaml#/my%20pet", "MyPet"), ("schemas/all.yaml#/definitions/my~1pet", "MyPet"),
        ])
    func schemaNames(reference: String, name: String) throws {
        let all = "my pet: { type: object, properties: { id: { type: string } } }"
        let imported = try imported([
            "openapi.yaml": "openapi: 3.1.0\npaths: { /all: { \(list(of: reference)) } }",
            "schemas/pet/index.yaml": item, "schemas/my pet/_index.yaml": item, "index.yaml": item,
            "schemas/all.yaml": "\(all)\ndefinitions: { \(all.replacingOccurrences(of: "my pet", with: "my/pet")) }",
        ])
        #expect(imported.lines.contains("\(name):"), "\(imported.text)")
    }

    @Test("An alias of a definition in the same file is no other entity")
    func aliases() throws {
        let imported = try imported([
            "openapi.yaml": "openapi: 3.1.0\ncomponents: { schemas: { $ref: schemas.yaml } }",
            "schemas.yaml": """
            A: { $ref: "#/B" }
            B: { type: object, properties: { id: { type: string }, a: { $ref: "#/A" } } }
            """,
        ])
        #expect(imported.lines.contains("a: B?"), "\(imported.text)")
        #expect(!imported.lines.contains("A:"))
    }

    @Test("A refusal says where the references are, what is wrong and what to do")
    func refusals() throws {
        let imported = try imported([
            "openapi.yaml": """
            openapi: 3.1.0
            components: { schemas: { Box: { type: object, properties: { id: { type: string },
              a: { $ref: none.yaml }, b: { $ref: b.yaml } } } } }
            """, "b.yaml": "properties:\n  a: { $ref: other.yaml }\n  b: { $ref: none.yaml }\n  c: { $ref: c.txt }",
        ])
        let notes = imported.report.notes.filter { $0.text.hasPrefix("What is in other files") }
        #expect(
            notes.map { "\($0.location ?? ""): \($0.text)" } == [
                "openapi.yaml:3: What is in other files, which do not exist: none.yaml, other.yaml (b.yaml:2), "
                    + "none.yaml (b.yaml:3)",
                "b.yaml:4: What is in other files, which are no .yaml or .json files: c.txt",
            ])
        #expect(notes.first?.help?.hasPrefix("Correct the paths, or bundle all files first, ") == true)
        #expect(notes.last?.help?.hasPrefix("Save them as YAML or JSON, or bundle") == true)
        let broken = try failure([
            "openapi.yaml": "openapi: 3.1.0\ncomponents: { schemas: { A: { $ref: a.yaml } } }", "a.yaml": "a: [",
        ])
        #expect(broken.path.hasSuffix("/a.yaml") && broken.reason.hasSuffix("It is referred to in openapi.yaml:2."))
    }
}

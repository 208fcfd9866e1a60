import Foundation
import LockstepSchema
import Testing

@testable import LockstepImport

@Suite("Files that are no usable OpenAPI descriptions or JSON Schemas")
struct HostileDescriptionTests {
    private func failure(_ text: String, file: String = "api.yaml") throws -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try importing(text, file: file) }
    }

    private func item(_ properties: String) -> String {
        """
        openapi: 3.1.0
        components:
          schemas:
            Item:
              type: object
              required: [id]
              properties:
                id: { type: string }
                \(properties)
        """
    }

    @Test("Aliases of aliases are refused before they expand")
    func aliases() throws {
        let failure = try #require(try failure("openapi: 3.0.0\n" + aliasesOfAliases(levels: 9)))
        #expect(failure.line == 7)
        #expect(failure.reason.contains("expand to more than 1000000 values"))
    }

    @Test("Values nested very deep are refused", arguments: ["api.yaml", "api.json"])
    func deep(file: String) throws {
        let text = "{\"openapi\": \"3.0.0\",\n\"x\": " + String(repeating: "[", count: 100_000)
        let failure = try #require(try failure(text, file: file))
        #expect(failure.line == 2)
        #expect(failure.reason.contains("nested deeper than 64 levels"))
    }

    @Test("A file above the limit is refused")
    func large() throws {
        var data = Data("openapi: 3.0.0\n".utf8)
        data.append(Data(repeating: UInt8(ascii: "#"), count: 16 << 20))
        let failure = try #require(#expect(throws: ImportFailure.self) { try importing(data, file: "api.yaml") })
        #expect(failure.reason.contains("at most 16777216"))
    }

    @Test("A file that breaks off names the line", arguments: [20, 60, 90])
    func truncated(percent: Int) throws {
        let text = try DescriptionFixture.openAPI[1].contents
        let part = String(text.prefix(text.count * percent / 100))
        let failure = try #require(try failure(part, file: "api.json"))
        let lines = part.components(separatedBy: "\n").count
        #expect(failure.line.map { (1...lines).contains($0) } == true)
    }

    @Test("Text that is no UTF-8 is refused")
    func encoding() throws {
        var data = Data("openapi: 3.0.0\ncomponents: {}\nx: ".utf8)
        data.append(contentsOf: [0xFF, 0xFE, 0x41])
        let failure = try #require(#expect(throws: ImportFailure.self) { try importing(data, file: "api.yaml") })
        #expect(failure.line == 3)
    }

    @Test(
        "Other versions and other values of 'openapi' are refused with what to do",
        arguments: [
            ("openapi: [3]", "is not a version"), ("openapi: 4.0.0", "OpenAPI '4.0.0' is not supported"),
            ("openapi: 3.0.x", "OpenAPI '3.0.x' is not supported"), ("swagger: \"2.0\"", "Convert it to OpenAPI 3"),
            ("openapi: 3.0.0", "It has no schemas in 'components'"),
            ("openapi: 3.0.0\ncomponents: { schemas: { A: { type: string } } }", "It describes no entity"),
            ("$defs: {}", "It has no schema with properties"),
        ])
    func versions(text: String, reason: String) throws {
        let failure = try #require(try failure(text))
        #expect(failure.reason.contains(reason), "\(failure)")
    }

    @Test("A key that is there twice is reported, and the first one counts")
    func twice() throws {
        let imported = try importing(item("a: { type: string, type: integer }"), file: "api.yaml")
        #expect(imported.text.contains("a: string?"))
        #expect(imported.report.notes.contains { $0.kind == .left && $0.location == "api.yaml:9" })
    }

    @Test("A key that is no text is refused with the line")
    func keys() throws {
        #expect(try failure(item("? [a]\n        : { type: string }"))?.line == 9)
    }

    @Test(
        "References that go around are reported",
        arguments: [
            "self: { $ref: \"#/components/schemas/Item/properties/self\" }",
            "self: { allOf: [{ $ref: \"#/components/schemas/Item/properties/self\" }] }",
            "self: { $ref: \"#/components/schemas/Item/properties/other\" }\n"
                + "        other: { oneOf: [{ type: \"null\" }, "
                + "{ $ref: \"#/components/schemas/Item/properties/self\" }] }",
        ])
    func loops(properties: String) throws {
        let imported = try importing(item(properties), file: "api.yaml")
        #expect(imported.report.notes.contains { $0.text == "Item.self: it refers to itself" })
        #expect(imported.text.contains("json?"))
    }

    @Test(
        "Schemas that refer to themselves are reported, in every version and at every distance",
        arguments: ["openapi: 3.0.0", "openapi: 3.1.0"],
        [
            "C: { $ref: \"#/components/schemas/C\" }",
            "C: { $ref: \"#/components/schemas/D\" }\n    D: { $ref: \"#/components/schemas/C\" }",
            "C: { $ref: \"#/components/schemas/C/properties/x\" }",
            "C: { allOf: [{ $ref: \"#/components/schemas/D\" }] }\n"
                + "    D: { allOf: [{ $ref: \"#/components/schemas/C\" }] }",
            "C: { nullable: true, oneOf: [{ $ref: \"#/components/schemas/C\" }] }",
            "C: { type: object, properties: { c: { $ref: \"#/components/schemas/C/properties/c\" } } }",
            "C: { type: array, items: { $ref: \"#/components/schemas/C\" } }",
            "C: { $ref: \"#\" }",
        ])
    func selfReferences(version: String, schemas: String) throws {
        let text = """
            \(version)
            components:
              schemas:
                \(schemas)
                Item: { properties: { id: { type: string }, c: { $ref: "#/components/schemas/C" } } }
            """
        let imported = try importing(text, file: "api.yaml")
        #expect(imported.text.contains("  Item:\n    attributes:\n      id: string\n      c"))
        #expect(!imported.report.notes.filter { $0.text.hasPrefix("C") || $0.text.hasPrefix("Item.c") }.isEmpty)
        #expect(!imported.report.notes.contains { $0.text.contains("There is no '#/components/schemas/") })
    }

    @Test("A schema that includes itself is an entity with its other properties, and the rest is reported")
    func selfInclusion() throws {
        let text = """
            openapi: 3.0.0
            components:
              schemas:
                Item: { allOf: [{ $ref: "#/components/schemas/Item" }, { properties: { id: { type: string } } }] }
            """
        let imported = try importing(text, file: "api.yaml")
        #expect(imported.text.contains("  Item:\n    attributes:\n      id: string\n"))
        let notes = imported.report.notes.filter { $0.kind == .left }
        #expect(notes.first?.text == "An `allOf` that refers to itself, or is nested too deep")
    }

    @Test("Each schema that is no part of an entity is reported with its line, and what has another form than it must")
    func unused() throws {
        let text = """
            openapi: 3.0.0
            paths:
              /a: 1
              /b: { get: 2, post: { responses: 5 } }
            components:
              schemas:
                Item: { required: 5, properties: { id: { type: string }, choice: { oneOf: [
                  { $ref: "#/components/schemas/Card" }, { type: string }] } } }
                Lost: { $ref: "#/components/schemas/Nope" }
                Loop: { allOf: [{ $ref: "#/components/schemas/Loop2" }] }
                Loop2: { allOf: [{ $ref: "#/components/schemas/Loop" }] }
                Card: { type: object, properties: { number: { type: string } } }
                State: { enum: [on, off] }
                Map: { type: object, additionalProperties: true }
                Scalar: 1
                Odd: { properties: 2 }
            """
        let notes = try importing(text, file: "api.yaml").report.notes.filter { $0.kind == .left }
        #expect(
            notes.map { "\($0.location ?? ""): \($0.text)" } == [
                "api.yaml:4: GET, POST /b",
                "api.yaml:9: Lost is not in the schema: there is no '#/components/schemas/Nope'",
                "api.yaml:10: Loop is not in the schema: it refers to itself",
                "api.yaml:11: Loop2 is not in the schema: it refers to itself",
                "api.yaml:12: Card is not in the schema: what refers to it is json, or is not in the schema either",
                "api.yaml:13: State is not in the schema: nothing refers to it",
                "api.yaml:14: Map is not in the schema: nothing refers to it",
                "api.yaml:16: Odd is not in the schema: nothing refers to it",
                "api.yaml:3: /a is not an object",
                "api.yaml:4: GET /b is not an object",
                "api.yaml:4: POST /b: `responses` is not an object",
                "api.yaml:7: Item: `required` is not a list",
                "api.yaml:15: Scalar is not a schema: a schema is an object",
                "api.yaml:16: Odd: `properties` is not an object",
            ])
    }

    @Test("Values that are no schemas, and enums without values, are reported as what they are")
    func emptyParts() throws {
        let text = item("a: { enum: [] }\n        b: null\n        c: [1]\n        d: true")
        let imported = try importing(text, file: "api.yaml")
        let notes = imported.report.notes.filter { $0.kind == .left }
        #expect(
            notes.map { "\($0.location ?? ""): \($0.text)" } == [
                "api.yaml:9: Item.a: an enum without values",
                "api.yaml:10: Item.b is not a schema: a schema is an object",
                "api.yaml:11: Item.c is not a schema: a schema is an object",
            ])
    }

    @Test("A newer version is read as the newest that is known, and reported", arguments: ["3.2.0", "3.10", "3.1.9"])
    func newerVersions(version: String) throws {
        let text = item("").replacing("3.1.0", with: "\"\(version)\"")
        let notes = try importing(text, file: "api.yaml").report.notes.filter { $0.text.hasPrefix("OpenAPI ") }
        let expected = "OpenAPI \(version) is read as 3.1, the newest version that is known"
        #expect(notes.map(\.text) == (version == "3.1.9" ? [] : [expected]))
        #expect(notes.allSatisfy { $0.location == "api.yaml:1" && $0.kind == .decided })
    }

    @Test("Objects that consist of themselves, or contain themselves, end")
    func cycles() throws {
        let text = """
            openapi: 3.0.0
            components:
              schemas:
                A: { allOf: [{ $ref: "#/components/schemas/B" }], properties: { id: { type: string } } }
                B: { allOf: [{ $ref: "#/components/schemas/A" }], properties: { name: { type: string } } }
                C:
                  properties:
                    id: { type: string }
                    a: { $ref: "#/components/schemas/A" }
                    b: { $ref: "#/components/schemas/B" }
                    part: { $ref: "#/components/schemas/Part" }
                Part: { properties: { part: { $ref: "#/components/schemas/Part" }, name: { type: string } } }
            """
        let imported = try importing(text, file: "api.yaml")
        #expect(imported.report.notes.contains { $0.text.hasPrefix("An `allOf` that refers to itself") })
        #expect(imported.text.contains("part: json?"))
    }

    @Test("Required relationships in a cycle, and records that embed each other, become possible")
    func requiredCycle() throws {
        let schemas = (0..<3).map { number in
            """
                E\(number):
                  required: [id, next]
                  properties: { id: { type: string }, next: { $ref: "#/components/schemas/E\((number + 1) % 3)" } }
            """
        }
        let text = "openapi: 3.0.0\ncomponents:\n  schemas:\n" + schemas.joined(separator: "\n")
        let imported = try importing(text, file: "api.yaml")
        #expect(imported.text.contains("next: { to: E1, wire: embedded }"))
        #expect(imported.text.contains("      next: E0?\n"))
    }

    @Test("Ten thousand schemas that refer to each other are read")
    func many() throws {
        let count = 10_000
        let schemas = (0..<count).map { number in
            "    E\(number): { properties: { id: { type: integer }, next: { $ref: \"#/components/schemas/E"
                + "\((number + 1) % count)\" }, "
                + "e\(number * 7 % count)_ids: { type: array, items: { type: integer } } } }"
        }
        let text = "openapi: 3.0.0\ncomponents:\n  schemas:\n" + schemas.joined(separator: "\n")
        #expect(try importing(text, file: "api.yaml").report.counts.entities == count)
    }

    @Test("A chain of references takes a step for each of its links, and is followed as far as the limit")
    func chain() throws {
        let count = 2_000
        let links = (0..<count).map { "    L\($0): { $ref: \"#/components/schemas/L\($0 + 1)\" }\n" }.joined()
        let text = """
            openapi: 3.1.0
            components:
              schemas:
            \(links)    L\(count): { type: string }
                Item: { properties: {
                  id: { type: string }, near: { $ref: "#/components/schemas/L\(count - 20)" },
                  far: { $ref: "#/components/schemas/L0" } } }
            """
        let files = try OpenAPIFiles(ImportInput(standardInput: Data(text.utf8)))
        let document = try OpenAPIDocument(files, rootName: "Api")
        let notes = ImportNotes(file: "api.yaml")
        let sketch = try OpenAPIImport(document, notes: notes, name: "Api").run()
        #expect(sketch.entities.map(\.name) == ["Item"])
        #expect((count...count + 10).contains(document.steps.count))
        let imported = try importing(text, file: "api.yaml")
        #expect(imported.text.contains("near: string?") && imported.text.contains("far: json?"))
        let reason = "what it refers to refers on more than 32 times"
        #expect(imported.report.notes.contains { $0.text == "Item.far: \(reason)" })
        #expect(imported.report.notes.count { $0.text.hasSuffix(reason) } == count - 32 + 1)
    }

    @Test("More properties than the limit are refused")
    func properties() throws {
        let base = (0..<1_500).map { "p\($0): { type: string }" }.joined(separator: ", ")
        let schemas = (0..<200).map {
            "    E\($0): { allOf: [{ $ref: \"#/components/schemas/Base\" }, { $ref: \"#/components/schemas/E0\" }] }"
        }
        let text =
            "openapi: 3.0.0\ncomponents:\n  schemas:\n    Base: { properties: { id: { type: string }, \(base) } }\n"
            + schemas.joined(separator: "\n")
        #expect(try failure(text)?.reason.contains("more than 200000 properties") == true)
    }

    @Test("Characters beyond U+FFFF are read in JSON, and in its escapes")
    func surrogates() throws {
        let text = """
            {"openapi": "3.1.0", "components": {"schemas": {"Item": {"properties": {
              "id": {"type": "string", "description": "\\ud83d\\udce6 \\\\ud83d \\"q\\""}}}}}}
            """
        let imported = try importing(text, file: "api.json")
        #expect(imported.text.contains(#"doc: "📦 \\ud83d \"q\"""#))
        #expect(try failure(text.replacingOccurrences(of: "\\udce6", with: ""), file: "api.json") != nil)
    }

    @Test("Files of other kinds are not taken for a description")
    func others() throws {
        for text in ["{\"id\": 1, \"openapi\": {}}".replacingOccurrences(of: "openapi", with: "api"), "a: 1", "[]", ""]
        {
            #expect(!OpenAPIImporter().recognizes(ImportInput(standardInput: Data(text.utf8))))
        }
    }

    @Test("A description whose version is at the end is recognized")
    func order() throws {
        let padding = String(repeating: "x", count: 10_000)
        let text = """
            {"components": {"schemas": {"Item": {
               "description": "\(padding)", "properties": {"id": {"type": "string"}}}}},
             "openapi": "3.0.0"}
            """
        #expect(try importing(text, file: "api.json").report.counts.entities == 1)
    }
}

import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("Reports of imports")
struct ImportReportTests {
    private func entity(_ name: String, _ members: String) -> String { "<entity name=\"\(name)\">\(members)</entity>" }

    private func attribute(_ name: String, _ rest: String = "") -> String {
        "<attribute name=\"\(name)\" attributeType=\"String\" \(rest)/>"
    }

    private static let end =
        "This report is shortened. Run the command again with `--verbose` and `--output` to print all notes.\n"

    /// A model of 300 entities with several notes for each.
    private func large() throws -> ImportedSchema {
        let entities = (0..<300).map { number in
            entity(
                "Item\(number)",
                attribute("item\(number)ID")
                    + attribute("code\(number)", "regularExpressionString=\"[0-9]{\(number)}\"")
                    + attribute("context") + "<attribute name=\"a\" attributeType=\"Transformable\"/>")
        }
        return try importing(model(entities.joined(separator: "\n")))
    }

    @Test("Notes that say the same are one note with the other subjects")
    func groups() throws {
        let report = try importing(
            model(["A", "B", "C"].map { entity($0, attribute("id")) }.joined(separator: "\n"))
        ).report
        #expect(report.text("").contains(":3: A: its identity is 'id', by its name\n      Also: B, C\n"))
        #expect(report.notes.filter { $0.text.contains("by its name") }.count == 3)
    }

    @Test("A complete report has the place of each subject")
    func places() throws {
        let report = try importing(
            model(["A", "B", "C"].map { entity($0, attribute("id")) }.joined(separator: "\n"))
        ).report
        #expect(report.text("", isComplete: true).contains("      Also: B (Shop.xcdatamodel/contents:4), C ("))
    }

    @Test("A value that is the name of its attribute is a value of that attribute only")
    func values() throws {
        let defaults = [("A", "cargo", "cargo"), ("B", "route", "route"), ("C", "x", "0"), ("D", "y", "0")]
        let text = try importing(
            model(
                defaults.map { owner, name, value in
                    entity(
                        owner,
                        attribute("id")
                            + "<attribute name=\"\(name)\" attributeType=\"Date\" defaultValueString=\"\(value)\"/>")
                }.joined(separator: "\n"))
        ).report.text("x")
        #expect(text.contains("A.cargo: defaultValueString cargo\n"))
        #expect(text.contains("B.route: defaultValueString route\n"))
        #expect(text.contains("C.x: defaultValueString 0\n      Also: D.y\n"))
    }

    @Test("Entities that get names of UpperCamelCase are one note")
    func typeNames() throws {
        let text = try importing(
            model(["coupon", "customer"].map { entity($0, attribute("id")) }.joined(separator: "\n"))
        ).report.text("x")
        let note = "coupon is 'Coupon': type names are unique, and in UpperCamelCase"
        #expect(text.contains("\(note)\n      Also: customer\n"))
    }

    @Test("Notes with other names in them, or with another remedy, are notes of their own")
    func differences() throws {
        let text = try importing(
            model(
                entity("A", attribute("id") + attribute("a", "minValueString=\"x\"")) + entity("B", attribute("uuid")))
        ).report.text("")
        #expect(!text.contains("Also:"))
    }

    @Test("A long report has at most 150 lines, and some notes of each pattern")
    func short() throws {
        let imported = try large()
        let text = imported.report.text("Schemas/Shop.yaml")
        #expect(text.count { $0 == "\n" } <= 150)
        #expect(text.contains("its identity is 'item0ID'"))
        #expect(text.contains("Item0.code0: regularExpressionString"))
        #expect(text.contains("more notes like these\n"))
        #expect(text.hasSuffix("\n\(Self.end)"))
    }

    @Test("Each part of a long report has its share of the lines, also if no two notes are alike")
    func parts() throws {
        let words = (0..<400).map { number in
            String(String(number).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0.wholeNumberValue ?? 0))) })
        }
        let infos = words.map { "<entry key=\"\($0)\" value=\"x\"/>" }.joined()
        let entities = words.map { entity("E\($0)", attribute("id", "regularExpressionString=\"\($0)\"")) }
        let imported = try importing(
            model(entities.joined() + entity("A", attribute("id") + "<userInfo>\(infos)</userInfo>")))
        let text = imported.report.text("x")
        #expect(text.count { $0 == "\n" } <= 150)
        #expect(text.contains("\nDecided for you:\n"))
        #expect(text.contains("\nNot imported:\n"))
        #expect(text.contains(" more notes\n"))
        #expect(text.hasSuffix("\n\(Self.end)"))
    }

    @Test("A complete report has all notes, and so does the end of the schema")
    func complete() throws {
        let imported = try large()
        let text = imported.report.text("", isComplete: true)
        #expect(!text.contains("notes like these"))
        for number in 0..<300 {
            #expect(text.contains("Item\(number): its identity is 'item\(number)ID', by its name"))
        }
        let parts = imported.text.components(separatedBy: "\nlockstep: 1\n")
        #expect(parts[0].split(separator: "\n").count <= 150)
        #expect(parts[0].hasSuffix("# The end of this file lists everything that was decided or not imported."))
        for number in 0..<300 { #expect(parts[1].contains("# - Item\(number): its identity is 'item\(number)ID'")) }
        #expect(readSchemas([SchemaSource(path: "", bytes: Array(imported.text.utf8))]).schemas.count == 1)
    }

    @Test("A list of many names is cut, but not at the end of the schema")
    func names() throws {
        let entities = (0..<70).map { entity("Item\($0)", attribute("id") + attribute("apiKey")) }
        let imported = try importing(model(entities.joined()))
        let text = imported.report.text("x")
        #expect(text.contains(": Item0.apiKey, Item1.apiKey, "))
        #expect(text.contains("Item13.apiKey and 56 more\n"))
        #expect(text.contains("\n      Also: Item1, Item2, "))
        #expect(text.contains("Item31 and 38 more\n"))
        #expect(text.hasSuffix("\n\(Self.end)"))
        #expect(imported.report.text("x", isComplete: true).contains("Item68.apiKey, Item69.apiKey\n"))
        #expect(imported.text.contains("Item68.apiKey, Item69.apiKey\n"))
        let few = try importing(model(entities.prefix(20).joined())).report.text("x")
        #expect(few.contains("Item18, Item19\n"))
        #expect(!few.contains("--verbose"))
    }

    @Test("A list is cut by its length, and not by the number of its names", arguments: [10, 30, 60])
    func longNames(count: Int) throws {
        let name = String(repeating: "x", count: 20)
        let entities = (0..<count).map { entity("Item\(name)\($0)", attribute("id")) }
        let lines = try importing(model(entities.joined())).report.text("x").components(separatedBy: "\n")
        let also = try #require(lines.first { $0.contains("Also: ") })
        #expect(also.count < 500)
        #expect(also.hasSuffix(" more") == (count > 10))
    }

    @Test("A complete report of a description has each request and each keyword")
    func completeDescription() throws {
        let schema = "{ type: object, properties: { id: { type: string }, a: { type: string, pattern: a } } }"
        let text = """
            openapi: 3.1.0
            paths:
            \((0..<60).map { "  /rooms/{id}/book\($0): { put: { responses: {} } }" }.joined(separator: "\n"))
            components:
              schemas:
            \((0..<60).map { "    Item\($0): \(schema)" }.joined(separator: "\n"))
            """
        let report = try importing(text, file: "api.yaml").report
        let (short, complete) = (report.text("x"), report.text("x", isComplete: true))
        #expect(short.count { $0 == "\n" } <= 150)
        #expect(short.contains(", Item22.a and 37 more, in lines 65, 66, "))
        let lines = complete.components(separatedBy: "\n")
        let names = try #require(lines.first { $0.contains(": pattern of Item0.a,") }).components(separatedBy: ", ")
        for number in 0..<60 {
            #expect(complete.contains("PUT /rooms/{id}/book\(number)\n"))
            #expect(number == 0 || names.contains("Item\(number).a"))
            #expect(number == 0 || names.contains("\(65 + number)"))
        }
    }

    @Test("Entities are counted without abstract ones, as by `lockstep check`")
    func counts() throws {
        let text = try importing(
            model(
                "<entity name=\"Base\" isAbstract=\"YES\">\(attribute("id"))</entity>"
                    + "<entity name=\"A\" parentEntity=\"Base\"/>")
        ).report.text("x")
        #expect(text.hasPrefix("x: 1 entity, 1 attribute, "))
    }

    @Test("Of references to files that are not read, the remedy is to bundle them")
    func files() throws {
        let text = """
            openapi: 3.1.0
            paths: {}
            components:
              schemas:
                A:
                  type: object
                  properties: { id: { type: string }, b: { $ref: "b.yaml#/B" }, c: { $ref: "b.yaml#/C" } }
            """
        let remedy = "bundle all files first, for example with 'npx @redocly/cli bundle', and import the result."
        let note = try #require(
            try importing(text, file: "api.yaml").report.notes.first { $0.text.hasPrefix("What is in other files") })
        #expect(note.text == "What is in other files, which do not exist: b.yaml")
        #expect(note.location == "api.yaml:7")
        #expect(note.help == "Correct the paths, or \(remedy)")
    }
}

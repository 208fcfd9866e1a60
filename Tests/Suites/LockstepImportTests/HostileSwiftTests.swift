import Foundation
import LockstepImport
import Testing

@Suite("Files of Swift that are no usable models")
struct HostileSwiftTests {
    private func failure(_ text: String) throws -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try importingSwift(text) }
    }

    /// A model whose property begins with a text that the parser must read.
    private static func model(_ value: String) -> String {
        "@Model class Trip {\n    var id: Int\n    var note: String = \(value)\n}"
    }

    @Test("Brackets that are nested too deep are refused with their line", arguments: ["(", "[", "{", "#if A"])
    func deepBrackets(bracket: String) throws {
        let failure = try #require(try failure(Self.model(String(repeating: "\(bracket)\n", count: 30_000))))
        #expect(failure.path == "App/App.swift")
        #expect(failure.line == 66)
        #expect(failure.reason.hasPrefix("Its brackets are nested more than 64 deep."))
    }

    @Test(
        "What the parser reads by calling itself without brackets does not overflow the stack",
        arguments: ["try ", "- ", "a.", "if a {} else ", "\\"])
    func deepExpressions(part: String) throws {
        let count = (256 << 10) / part.utf8.count - 200
        let imported = try importingSwift(Self.model(String(repeating: part, count: count) + "a\n"))
        #expect(imported.text.contains("  Trip:\n"))
    }

    @Test(
        "Types that are nested deep are read as far as models go", arguments: ["A.", "() -> ", "inout "])
    func deepTypes(part: String) throws {
        let type = String(repeating: part, count: 15_000) + "Int"
        let imported = try importingSwift("@Model class Trip {\n    var id: Int\n    var note: \(type)\n}")
        #expect(imported.text.contains("  Trip:\n"))
    }

    @Test(
        "Generic arguments that are nested too deep are refused with their line, also if they are closed",
        arguments: ["A<", "A <", "A<(B) -> ", "A<B, A::", "A/**/<", "A<[A<"], [false, true])
    func deepGenerics(part: String, isClosed: Bool) throws {
        let count = (200 << 10) / (part.utf8.count + 1)
        let type = String(repeating: part, count: count) + "A" + (isClosed ? String(repeating: ">", count: count) : "")
        let failure = try #require(try failure("@Model class A {\n    var y: \(type)\n}"))
        #expect(failure.line == 2)
        #expect(failure.reason.hasPrefix("Its brackets are nested more than 64 deep."))
    }

    @Test(
        "Comparisons are no generic arguments, and brackets in strings and comments are none",
        arguments: [
            "check(a < b)", "let isLess = a < b", "if a < b { }", "case 0..<count: break", "a.sort { $0 < $1 }",
            "// :(", "/* ( /* [ */ { */", "let face = \":(\"", "let face = #\"\\(\"(\"#",
            "let face = \"\"\"\n(\"(\n\"\"\"", "let face = \"\\(a(\":(\"))(\"", "let face = \"\\\"(\"",
        ])
    func shallow(line: String) throws {
        let lines = Array(repeating: line, count: 200).joined(separator: "\n")
        let imported = try importingSwift("@Model class Trip {\n    var id: Int\n    func f() {\n\(lines)\n}\n}")
        #expect(imported.text.contains("  Trip:\n"))
    }

    @Test("Brackets of interpolations count, and a regular expression hides nothing")
    func hidden() throws {
        let interpolations = String(repeating: "\"\\(", count: 65)
        for text in [interpolations, "/\"\"\"/; let b: " + String(repeating: "A<", count: 60_000)] {
            let failure = try failure(Self.model(text))
            #expect(failure?.reason.hasPrefix("Its brackets are nested more than 64 deep.") == true)
        }
    }

    @Test("A file above the limit, and one that is no text, are refused")
    func unreadable() throws {
        let large = try failure(String(repeating: " ", count: (256 << 10) + 1))
        #expect(large?.reason == "It has 262145 bytes; at most 262144 are read. Import only the files of models.")
        let binary = #expect(throws: ImportFailure.self) {
            try importingSwift(["App.swift": Data([0x40, 0xFF, 0xFE, 0x00])])
        }
        #expect(binary?.reason == "It is not UTF-8 text.")
    }

    @Test("Files without models are refused with what is expected")
    func noModels() throws {
        for text in ["", "struct Trip { var id: Int }", "class Trip {}", "@Model", "}}}}"] {
            #expect(try failure(text)?.reason.hasPrefix("There is no `@Model class` of SwiftData") == true)
        }
    }

    @Test("Two models of one name are refused with both places")
    func names() throws {
        let files = ["A.swift": "@Model class Trip { var id: Int }", "B.swift": "\n@Model class Trip { var id: Int }"]
        let failure = #expect(throws: ImportFailure.self) {
            try importingSwift(files.mapValues { Data($0.utf8) })
        }
        #expect(
            failure?.description
                == "App/B.swift:2: There are two models 'Trip', the first in App/A.swift:1. Import the files of one app, "
                + "or rename one.")
    }

    @Test("What is not Swift is read as far as it is, and names cannot break out of the schema")
    func damaged() throws {
        let imported = try importingSwift(
            """
            @Model class Trip {
                var id: Int
                var `the name`: String = "a\\n: b # \\u{1B}[2J"
                var broken: = 3
                var : String
                @Relationship(deleteRule: .explode, inverse: \\Nowhere.none) var stop: Nowhere?
                @Attribute(
            }
            """)
        #expect(imported.text.contains("  Trip:\n"))
        #expect(imported.notes(.left).contains { $0.hasPrefix("Trip.stop: its destination 'Nowhere'") })
        #expect(!imported.text.contains("\u{1B}"))
    }

    @Test("A file of a folder that cannot be read is reported, and the others are imported")
    func unreadableBesideModels() throws {
        let imported = try importingSwift([
            "Trip.swift": Data("@Model class Trip { var id: Int }".utf8), "Binary.swift": Data([0x40, 0xFF, 0xFE]),
            "Large.swift": Data(repeating: 0x20, count: (256 << 10) + 1),
        ])
        #expect(imported.report.counts.entities == 1)
        #expect(imported.notes(.left) == ["App/Binary.swift was not read", "App/Large.swift was not read"])
        #expect(imported.report.text("").contains("      It is not UTF-8 text.\n"))
    }

    @Test("A folder without models in Swift names the model of Core Data in it")
    func bundle() throws {
        for (model, remedy) in [
            ("Data/Shop.xcdatamodeld/Shop.xcdatamodel", "Data/Shop.xcdatamodeld."), ("Data", "models."),
        ] {
            let failure = #expect(throws: ImportFailure.self) {
                try importingSwift([
                    "App.swift": Data("struct App {}".utf8), "\(model)/contents": Data("<model/>".utf8),
                ])
            }
            #expect(failure?.reason.hasSuffix(remedy) == true)
        }
    }

    @Test("Links in a folder are not followed, and those to files are reported")
    func links() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let model = folder.appendingPathComponent("Trip.swift")
        try Data("@Model class Trip { var id: Int }".utf8).write(to: model)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("Loop"), withDestinationURL: folder)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("Other.swift"), withDestinationURL: model)
        let imported = try importSchema([ImportInput(path: folder.path)], options: ImportOptions(name: "App"))
        #expect(imported.report.counts.entities == 1)
        #expect(imported.notes(.left) == ["\(folder.lastPathComponent)/Other.swift is a link and was not read"])
    }
}

import Foundation
import TestSupport
import Testing

@Suite("Importing a Core Data model")
struct ImportCommandTests {
    static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model>
            <entity name="Item" representedClassName="Item">
                <attribute name="id" attributeType="UUID"/>
                <attribute name="helper" transient="YES"/>
            </entity>
        </model>
        """

    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
        try tool.write(Self.model, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
    }

    /// The blocks of a language on the page.
    private static func blocks(_ language: String, of page: String = "CoreDataModels") throws -> [String] {
        Documentation.files(language, in: try Documentation.page(page))
    }

    @Test("The example on the page is what the command prints and writes, and it generates")
    func page() throws {
        let model = try #require(try Self.blocks("xml").first)
        let schema = try #require(try Self.blocks("yaml").first)
        let console = try #require(try Self.blocks("").first { $0.hasPrefix("$ lockstep import Diary") })
        try tool.write(model, to: "Diary.xcdatamodeld/Diary.xcdatamodel/contents")
        let result = try tool.run("import", "Diary.xcdatamodeld")
        #expect(result.status == 0)
        #expect("$ lockstep import Diary.xcdatamodeld\n" + result.errors == console)
        #expect(result.output.isEmpty)
        #expect(try tool.read("Schemas/Diary.yaml") == schema)
        #expect(try tool.run("generate").status == 0)
        #expect(try tool.run("check").status == 0)
    }

    @Test("The example of SwiftData is what the command prints and writes, and it generates")
    func swiftDataPage() throws {
        let blocks = try Self.blocks("", of: "SwiftDataModels")
        let shown = "$ cat Diary/Models.swift\n"
        let models = try #require(blocks.first { $0.hasPrefix(shown) })
        let console = try #require(blocks.first { $0.hasPrefix("$ lockstep import Diary\n") })
        try tool.write(String(models.dropFirst(shown.count)), to: "Diary/Models.swift")
        let result = try tool.run("import", "Diary")
        #expect(result.status == 0)
        #expect("$ lockstep import Diary\n" + result.errors == console)
        #expect(try tool.read("Schemas/Diary.yaml") == Self.blocks("yaml", of: "SwiftDataModels").first)
        #expect(try tool.run("generate").status == 0)
        #expect(try tool.run("check").status == 0)
    }

    @Test("With --rows, the map on the page about rows is the one that it writes")
    func rowsPage() throws {
        let model = try #require(try Self.blocks("xml").first)
        let map = try #require(try Self.blocks("swift", of: "CopyingRows").first)
        try tool.write(model, to: "Diary.xcdatamodeld/Diary.xcdatamodel/contents")
        #expect(try tool.run("import", "Diary.xcdatamodeld", "--rows").status == 0)
        #expect(try tool.read("Schemas/DiaryRows.swift") == map)
        #expect(try tool.contents(of: "Schemas").keys.sorted() == ["Diary.yaml", "DiaryRows.swift"])
        #expect(try Self.blocks("", of: "CopyingRows").contains("$ lockstep import Diary.xcdatamodeld --rows\n"))
    }

    @Test("Nothing is overwritten; another name and another folder are possible")
    func existing() throws {
        try tool.write("mine", to: "Schemas/Shop.yaml")
        let result = try tool.run("import", "Shop.xcdatamodeld")
        #expect(result.status == 2)
        #expect(
            result.errors == """
                error: 'Schemas/Shop.yaml' already exists. Nothing was written. Choose another name, or remove it.

                """
        )
        #expect(try tool.read("Schemas/Shop.yaml") == "mine")
        #expect(try tool.run("import", "Shop.xcdatamodeld", "--name", "Store", "--output", "Other").status == 0)
        #expect(try tool.read("Other/Store.yaml").contains("\nschema: Store\n"))
    }

    @Test("With --versions, a history that exists stays, and no schema is written")
    func existingHistory() throws {
        try tool.write("mine", to: "Schemas/Shop.history.yaml")
        let result = try tool.run("import", "Shop.xcdatamodeld", "--versions")
        #expect(result.status == 2)
        #expect(result.errors.contains("'Schemas/Shop.history.yaml' already exists. Nothing was written."))
        #expect(try tool.contents(of: "Schemas").keys.sorted() == ["Shop.history.yaml"])
    }

    @Test("With --versions, the schema and the history belong together")
    func versions() throws {
        #expect(try tool.run("import", "Shop.xcdatamodeld/", "--versions").status == 0)
        #expect(try tool.contents(of: "Schemas").keys.sorted() == ["Shop.history.yaml", "Shop.yaml"])
        #expect(try tool.run("check").status == 0)
        #expect(try tool.run("history").output.contains("1 Shop"))
    }

    @Test("--strict exits with 1 if something was left out, and writes the schema nevertheless")
    func strict() throws {
        let result = try tool.run("import", "Shop.xcdatamodeld", "--strict")
        #expect(result.status == 1)
        #expect(result.errors.contains("Shop.xcdatamodel/contents:5: Item.helper has no type"))
        #expect(try tool.read("Schemas/Shop.yaml").contains("schema: Shop"))
    }

    @Test("A damaged model names the file and the line, and writes nothing")
    func damaged() throws {
        try tool.write(String(Self.model.dropLast(20)), to: "Bad.xcdatamodel/contents")
        let result = try tool.run("import", "Bad.xcdatamodel")
        #expect(result.status == 2)
        #expect(
            result.errors == """
                error: Bad.xcdatamodel/contents:6: It is not well-formed XML. Open it in Xcode, or get it from Git \
                again. Nothing was written.

                """)
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("Schemas").path))
    }
}

import Foundation
import GRDB
import Journal
import LockstepGenerator
import LockstepSchema
import LockstepStore
import TestSupport
import Testing

@Suite("The documentation is correct")
struct DocumentationTests {
    @Test(
        "Every whole schema on a page is valid",
        arguments: ["README.md", "SchemaLanguage.md", "GettingStarted.md"].compactMap { name in
            Documentation.pages.first { $0.hasSuffix(name) }
        })
    func schemas(_ path: String) throws {
        let schemas = Documentation.files("yaml", in: try Documentation.text(of: path)).filter {
            $0.contains("lockstep: 1\n")
        }
        #expect(!schemas.isEmpty)
        for schema in schemas {
            let reading = readSchemas([SchemaSource(path: path, bytes: Array(schema.utf8))])
            #expect(reading.diagnostics.isEmpty)
        }
    }

    @Test("The README lists every page")
    func pages() throws {
        let readme = try Documentation.text(of: "README.md")
        for page in Documentation.pages where page != "README.md" {
            let parts = page.split(separator: "/")
            // The page of a module lists those of its catalogue.
            if parts[parts.count - 1] == "\(parts[1]).md" { continue }
            #expect(readme.contains("](\(page))"), "\(page)")
        }
    }

    @Test("The library has one version, in its code, on the pages and in the example")
    func version() throws {
        let version = InputFingerprint.generatorVersion
        for (path, constant) in [
            ("Sources/LockstepTables/Migration/FileMetadata.swift", "static let text = "),
            ("Sources/LockstepHTTP/Client/UserAgent.swift", "static let libraryVersion = "),
        ] {
            #expect(try Documentation.text(of: path).contains("\(constant)\"\(version)\"\n"), "\(path)")
        }
        let places = Documentation.pages + ["Examples/Journal/Package.swift"]
        let named = try places.flatMap { path in
            let dependency = /lockstep\.git",\s+\.upToNextMinor\(from: "([^"]*)"/
            return try Documentation.text(of: path).matches(of: dependency).map { (path, $0.1) }
        }
        #expect(named.count >= 6)
        // Between releases, users depend on the last one.
        let released = version.hasSuffix("-dev") ? named[0].1 : Substring(version)
        for (path, number) in named { #expect(number == released, "\(path)") }
    }

    @Test("The diagnostic on the command line's page is the tool's output for the schema in the README")
    func finding() throws {
        let readme = try Documentation.text(of: "README.md")
        let schema = try #require(Documentation.files("yaml", in: readme).first)
        let blocks = Documentation.files("", in: try Documentation.page("CommandLine"))
        let tool = try CommandLineTool()
        try tool.write(schema.replacing("title: string", with: "title: strng"), to: "Schemas/Journal.yaml")
        let printed = try tool.run("check").errors
        let shown = try #require(blocks.first { $0.contains("[unknown-type]") })
        #expect("$ lockstep check\n\(printed)".hasPrefix(shown), "\(printed)")
    }

    @Test("The schema of “Getting started” is the one that init writes")
    func firstSchema() throws {
        let page = try Documentation.page("GettingStarted")
        let tool = try CommandLineTool()
        try tool.run("init", "Journal")
        #expect(try tool.read("Schemas/Journal.yaml") == Documentation.files("yaml", in: page).first)
    }

    @Test("The commands on the command line's page run")
    func commands() throws {
        let lines = Documentation.files("", in: try Documentation.page("CommandLine"))
            .flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("lockstep ") }
        #expect(lines.count >= 5)
        for line in lines {
            let tool = try CommandLineTool()
            try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
            try tool.write(ImportCommandTests.model, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
            try tool.write("@Model class Item { var id: Int }", to: "Shop/Models/Item.swift")
            try Store(JournalSchema.self, at: .file(tool.folder.appendingPathComponent("journal.sqlite"))).close()
            try tool.run("generate")
            let command = line.split(whereSeparator: { $0 == "|" || $0 == ">" || $0 == "#" })[0]
            let result = try tool.run(command.split(separator: " ").dropFirst().map(String.init))
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
    }

    @Test("Every option and command of the tool is on the page")
    func options() throws {
        let page = try Documentation.page("CommandLine")
        let tool = try CommandLineTool()
        for command in [
            "generate", "emit", "check", "migrate", "diff", "history", "describe", "diagram", "document", "import",
            "init", "grammar", "explain", "conformance", "inspect", "export",
        ] {
            #expect(page.contains("## `lockstep \(command)"))
            let help = try tool.run(command, "--help").output
            for option in help.matches(of: /--[a-z-]+/).map({ String($0.output) })
            where option != "--help" && option != "--version" {
                #expect(page.contains("`\(option)"), "\(command) \(option)")
            }
        }
    }

    @Test(
        "The links to files lead to existing files",
        arguments: [
            "README.md", "CONTRIBUTING.md", "RELEASING.md", "Benchmarks/README.md", "Examples/Journal/README.md",
            "llms.txt",
        ])
    func links(_ page: String) throws {
        // Links that are only shown are code.
        let text = try Documentation.text(of: page).replacing(/`\[[^`\n]*\]\([^`\n]*\)`/, with: "")
        let links = text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.1) }
        #expect(!links.isEmpty)
        let folder = Documentation.root.appendingPathComponent(page).deletingLastPathComponent()
        for link in links {
            let file = folder.appendingPathComponent(link)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
        }
    }

    @Test("The package of “Getting started” is valid, and uses products of this one")
    func manifest() throws {
        let page = try Documentation.page("GettingStarted")
        let manifest = try #require(
            Documentation.files("swift", in: page).first { $0.contains("import PackageDescription") })
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)

        let result = try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["swift", "package", "dump-package"], in: folder)
        #expect(result.status == 0, "\(result.text)")

        let ours = try Documentation.text(of: "Package.swift")
        let used = manifest.matches(of: /(?:product|plugin)\(name: ("\w+"), package: "lockstep"/).map { String($0.1) }
        #expect(used.count == 3)
        for product in used {
            #expect([".library", ".plugin"].contains { ours.contains("\($0)(name: \(product)") }, "\(product)")
        }
    }
}

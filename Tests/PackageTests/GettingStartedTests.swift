import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test(
        "Getting started, followed by the letter: its manifest, its schema and its Swift make a program that does as it says"
    )
    func gettingStarted() throws {
        let page = try Documentation.page("GettingStarted")
        let swift = Documentation.code("swift", in: page)
        let manifest = try #require(swift.first)
        try #require(manifest.contains("\"https://…/lockstep.git\", from: \"0.1.0\""))
        try package.write(
            manifest.replacing("https://…/lockstep.git", with: package.library).replacing("0.1.0", with: "1.0.0"),
            to: "Package.swift")
        defer { try? package.write(Sample.manifest(library: package.library), to: "Package.swift") }
        let schema = try #require(Documentation.code("yaml", in: page).first)
        try package.write(schema + "\n", to: "Sources/Diary/Journal.lockstep.yaml")
        let imports = ["Foundation", "LockstepStore", "LockstepSync"].map { "import \($0)" }
        let folder = "let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)"
        // A store, a query, a list, a file for a server.
        try package.write(
            (imports + [folder] + swift[1...4]).joined(separator: "\n") + "\n", to: "Sources/Diary/main.swift")

        let result = try package.build("--product", "Diary")
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("warning:"), "\(result.text)")
        let work = package.folder.appendingPathComponent(".build/diary")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        let run = try runProcess(package.folder.appendingPathComponent(".build/debug/Diary"), [], in: work)
        #expect(run.output == "1 true\n[\"Monday\"]\n1 created\nEntry: 1 unchanged\n", "\(run.text)")
    }
}

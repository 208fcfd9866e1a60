import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test(
        "Getting started, followed literally: its manifest, schema and Swift result in a working program"
    )
    func gettingStarted() throws {
        let page = try Documentation.page("GettingStarted")
        let swift = Documentation.code("swift", in: page)
        let manifest = try #require(swift.first)
        // Whatever address and version a release has written; the copy is tagged 1.0.0.
        let dependency = /\.package\(url: "[^"]+\/lockstep\.git", \.upToNextMinor\(from: "[^"]+"\)\)/
        try #require(manifest.matches(of: dependency).count == 1)
        try package.write(
            manifest.replacing(dependency, with: ".package(url: \"\(package.library)\", from: \"1.0.0\")"),
            to: "Package.swift")
        defer { try? package.resetManifest() }
        let schema = try #require(Documentation.code("yaml", in: page).first)
        try package.write(schema + "\n", to: "Sources/Diary/Journal.lockstep.yaml")
        // Imports and a folder, a store, a query, a list, a file for a server, another device.
        let program = swift[1...6].joined(separator: "\n")
        try #require(program.hasPrefix("import ") && program.contains("FileRemote("))
        try package.write(program + "\n", to: "Sources/Diary/main.swift")

        let result = try package.build("--product", "Diary")
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("warning:"), "\(result.text)")
        let work = package.folder.appendingPathComponent(".build/diary")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        let run = try runProcess(package.folder.appendingPathComponent(".build/debug/Diary"), [], in: work)
        #expect(
            run.output == "1 true\n[\"Monday\"]\n1 created\nEntry: 1 unchanged\nEntry: 1 inserted\n[\"Monday\"]\n",
            "\(run.text)")
    }
}

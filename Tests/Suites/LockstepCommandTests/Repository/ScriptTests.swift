import Foundation
import TestSupport
import Testing

@Suite("Scripts of the repository")
struct ScriptTests {
    @Test("artifact-bundle replaces no folder that it has not written, and names it from where it is called")
    func foreignFolder() async throws {
        try await withTemporaryFolder { folder in
            let script = Documentation.root.appendingPathComponent("Scripts/artifact-bundle")
            for path in ["Sources/App.swift", "Package.swift", "Plugins/Own/Plugin.swift"] {
                let app = folder.appendingPathComponent("App")
                let file = app.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("let package = 1".utf8).write(to: file)
                // A copy of what the script writes does not make it the script's folder.
                try FileManager.default.createDirectory(
                    at: app.appendingPathComponent("lockstep-emit.artifactbundle"), withIntermediateDirectories: true)
                let result = try runProcess(script, ["App"], in: folder)
                #expect(result.status == 1)
                #expect(result.text.contains("/\(folder.lastPathComponent)/App has other files"), "\(result.text)")
                #expect(FileManager.default.fileExists(atPath: file.path))
                try FileManager.default.removeItem(at: app)
            }
        }
    }

    @Test("Each pipeline reads to its end: `pipefail` fails where `head` closes the pipe of who still writes")
    func pipelines() throws {
        let folders = ["Scripts", ".ci"].map { Documentation.root.appendingPathComponent($0) }
        let scripts = try folders.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: [.isRegularFileKey])
                .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        }
        let names = ["Makefile", "Benchmarks/run"].map { Documentation.root.appendingPathComponent($0) }
        #expect(scripts.count > 8)
        for script in scripts + names {
            let text = try String(contentsOf: script, encoding: .utf8)
            let early = text.split(separator: "\n").filter {
                $0.contains(/[^|]\|\s*(head|grep\s+-\w*[qm]|sed\s.*\bq['; ])/)
            }
            #expect(early == [], "\(script.lastPathComponent)")
        }
    }

    #if os(Linux)
        @Test("setup without apt names each missing program")
        func missingPrograms() async throws {
            try await withTemporaryFolder { folder in
                for program in ["uname", "swift"] {
                    try FileManager.default.createSymbolicLink(
                        atPath: folder.appendingPathComponent(program).path, withDestinationPath: "/usr/bin/uname")
                }
                let result = try runProcess(
                    URL(fileURLWithPath: "/bin/bash"),
                    [Documentation.root.appendingPathComponent("Scripts/setup").path, "--python"],
                    environment: ["PATH": folder.path], in: folder)
                #expect(result.status == 1)
                #expect(result.text.contains("setup: install with your package manager: "), "\(result.text)")
                #expect(result.text.contains("pkg-config, Git, Python 3 with pip"), "\(result.text)")
            }
        }
    #endif
}

import Foundation
import TestSupport
import Testing

/// The Makefile selects tests by name, so a suite that it does not name would silently run elsewhere, or with few seeds.
@Suite("The Makefile")
struct MakefileTests {
    /// The files with tests, and their contents.
    private static let sources: [(name: String, text: String)] = {
        let folder = Documentation.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.compactMap { file in
            guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("@Test") else { return nil }
            return (file.lastPathComponent, text)
        }
    }()

    /// The value of a variable.
    private func variable(_ name: String) throws -> String {
        let makefile = try Documentation.text(of: "Makefile")
        let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("\(name) = ") })
        return String(line.dropFirst("\(name) = ".count))
    }

    /// The suites of those files that contain a text, as the test runner names them, without their modules.
    private func suites(with text: String) -> [String] {
        Self.sources.filter { $0.text.contains(text) && $0.name != "MakefileTests.swift" }.flatMap { file in
            file.text.matches(of: /(?m)^(?:struct|final class) (\w+)/).map { String($0.1) }
                .filter { file.text.contains("@Suite") && $0 == file.name.dropLast(".swift".count) }
        }
    }

    @Test("runs the suites that send requests to sockets before the others")
    func sockets() throws {
        let pattern = try Regex(variable("SOCKET_TESTS"))
        let suites = suites(with: "URLSessionClient(")
        #expect(suites.count > 10)
        for suite in suites {
            let names = ["LockstepSyncTests", "LockstepTestingTests"].map { "\($0).\(suite)/test()" }
            #expect(names.allSatisfy { $0.contains(pattern) }, "SOCKET_TESTS does not name \(suite)")
        }
    }

    @Test("tries all seeds of every property in test-long")
    func properties() throws {
        let pattern = try Regex(variable("PROPERTY_TESTS"))
        // These have numbers of their own.
        let others: Set = ["RandomMergeTests", "RandomMigrationTests"]
        let suites = suites(with: "Seeds.some(") + suites(with: "Seeds.areAll")
        #expect(suites.count > 20)
        for suite in suites where !others.contains(suite) {
            #expect("Module.\(suite)/test()".contains(pattern), "PROPERTY_TESTS does not name \(suite)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The Makefile selects suites by name. One that it does not name would run in another group, or with few seeds only.
@Suite("The Makefile")
struct MakefileTests {
    private let makefile: String

    init() throws { makefile = try Documentation.text(of: "Makefile") }

    /// The contents of a file with tests, and the names by which the test runner selects its suites.
    private struct Source {
        var path: String
        var text: String
        var tests: [String]
    }

    private static let sources: [Source] = {
        let folder = Documentation.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.compactMap { file in
            guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("@Test"),
                file.lastPathComponent != "MakefileTests.swift"
            else { return nil }
            let path = file.pathComponents.dropFirst(folder.pathComponents.count)
            let suites = text.matches(of: /(?m)^(?:@.*[ )])?(?:struct|final class) (\w+)[^\n]*\{$/)
            return Source(
                path: path.joined(separator: "/"), text: text,
                tests: suites.map { "\(path.first ?? "").\($0.1)/test()" })
        }
    }()

    private func sources(with texts: String...) -> [Source] {
        Self.sources.filter { source in texts.contains { source.text.contains($0) } }
    }

    /// The value of a variable.
    private func variable(_ name: String) throws -> String {
        let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("\(name) = ") })
        return String(line.dropFirst("\(name) = ".count))
    }

    /// The commands of a target.
    private func recipe(of target: String) throws -> String {
        let start = try #require(makefile.range(of: "\n\(target): setup\n"))
        return makefile[start.upperBound...].components(separatedBy: "\n\n")[0]
    }

    @Test("runs the suites that send requests to sockets on their own")
    func sockets() throws {
        let pattern = try Regex(variable("SOCKET_TESTS"))
        let sources = sources(with: "URLSessionClient(", "withServer(", "RawServer(")
        #expect(sources.count > 15)
        for source in sources {
            #expect(source.tests.contains { $0.contains(pattern) }, "SOCKET_TESTS names no suite of \(source.path)")
        }
    }

    @Test("runs each group of tests once", arguments: ["SOCKET_TESTS", "BUSY_TESTS"])
    func groups(name: String) throws {
        let recipe = try recipe(of: "test")
        #expect(recipe.components(separatedBy: "--filter '$(\(name))'").count == 2)
        #expect(recipe.components(separatedBy: "--skip '$(\(name))'").count == 2)
    }

    @Test("tries all seeds of every property in test-long")
    func properties() throws {
        let command = "ALL_SEEDS=1 $(TEST) --filter '$(PROPERTY_TESTS)'"
        #expect(try recipe(of: "test-long").contains(command))
        let pattern = try Regex(variable("PROPERTY_TESTS"))
        let sources = sources(with: "Seeds.some(", "Seeds.areAll")
        #expect(sources.count > 20)
        // These have numbers of their own.
        let others = ["RandomMergeTests.swift", "RandomMigrationTests.swift"]
        for source in sources where !others.contains(where: { source.path.hasSuffix("/" + $0) }) {
            #expect(source.tests.contains { $0.contains(pattern) }, "PROPERTY_TESTS names no suite of \(source.path)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The Makefile selects suites by name. One that it does not name would run in another group.
@Suite("The Makefile")
struct MakefileTests {
    private let makefile: String

    init() throws { makefile = try Documentation.text(of: "Makefile") }

    /// A file with tests, and the names by which the test runner selects its suites.
    private struct Source {
        var path: String
        var tests: [String]
    }

    /// The files with tests that contain one of these texts.
    private func sources(with texts: String...) throws -> [Source] {
        let tests = RepositoryFolder("Tests/Suites")
        return try tests.files(below: "").filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/MakefileTests.swift") }
            .compactMap { path in
                let text = try tests.read(path)
                guard text.contains("@Test"), texts.contains(where: text.contains) else { return nil }
                let module = path.prefix { $0 != "/" }
                let suites = text.matches(of: /(?m)^(?:@.*[ )])?(?:struct|final class) (\w+)[^\n]*\{$/)
                return Source(path: path, tests: suites.map { "\(module).\($0.1)/test()" })
            }
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
        let sources = try sources(with: "URLSessionClient(", "withServer(", "RawServer(")
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
}

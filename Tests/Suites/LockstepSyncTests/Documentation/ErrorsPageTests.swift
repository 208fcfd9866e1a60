import Foundation
import TestSupport
import Testing

@Suite("The page on errors")
struct ErrorsPageTests {
    @Test("Every public error of the runtime has a section, and each of its codes a row")
    func everyCode() throws {
        let page = try Documentation.page("WhenSomethingGoesWrong")
        let errors = try Self.publicErrors()
        #expect(errors.keys.contains("StoreError") && errors.keys.contains("SyncError"))
        for (name, codes) in errors {
            #expect(page.contains("# \(name)\n") || page.contains("`\(name)`"), "\(name)")
            let section = Self.section(name, of: page)
            for code in codes {
                #expect(["`\(code)`", "`\(code)("].contains { section.contains($0) }, "\(name).\(code)")
            }
        }
    }

    /// The text under a heading, up to the next one of its level.
    private static func section(_ name: String, of page: String) -> Substring {
        guard let heading = page.range(of: "\n(#+) \(name)\n", options: .regularExpression) else { return "" }
        let level = page[heading].prefix { $0 == "\n" || $0 == "#" }.count - 1
        let rest = page[heading.upperBound...]
        let end = rest.range(of: "\n#{2,\(level)} ", options: .regularExpression)?.lowerBound ?? rest.endIndex
        return rest[..<end]
    }

    /// The errors that the sources of the runtime declare as public, with the names of their cases.
    private static func publicErrors() throws -> [String: [String]] {
        var errors: [String: [String]] = [:]
        for module in [
            "LockstepHTTP", "LockstepJSON", "LockstepMerge", "LockstepMergeEngine", "LockstepRemotes", "LockstepStore",
            "LockstepSync", "LockstepTables", "LockstepTesting",
        ] {
            let root = Documentation.root.appendingPathComponent("Sources/\(module)")
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                for (number, line) in lines.enumerated() {
                    guard let match = line.firstMatch(of: /^public (?:struct|enum) (\w+):.*\bError\b/) else { continue }
                    let body = lines[(number + 1)...].prefix { $0 != "}" }
                    errors[String(match.1)] = body.flatMap(Self.cases)
                }
            }
        }
        return errors
    }

    /// `case network, refused(status: Int)` declares two; `case .network:` belongs to a switch.
    private static func cases(_ line: Substring) -> [String] {
        guard let match = line.firstMatch(of: /^ +case (\w.*)$/), !line.contains(" let "), !line.hasSuffix(":") else {
            return []
        }
        return match.1.replacing(/\([^)]*\)/, with: "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}

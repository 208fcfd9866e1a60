import Foundation
import TestSupport
import Testing

/// The numbers of the page “The rules” and those with which the names of tests begin: `P7.3 P11 …`, `V1–V7: …`.
@Suite("The numbered rules")
struct RuleNamesTests {
    @Test("of the names of tests are on the page")
    func namedRulesExist() throws {
        let rules = try Self.rules()
        for name in try Self.names() {
            for number in name.numbers where !rules.contains(number) {
                Issue.record("There is no rule \(number): “\(name.text)”")
            }
        }
    }

    @Test("have tests, each part of a rule its own")
    func rulesHaveTests() throws {
        let tested = Set(try Self.names().flatMap(\.numbers))
        let rules = try Self.rules()
        for rule in rules where !rules.contains(where: { $0.hasPrefix(rule + ".") }) {
            #expect(tested.contains(rule), "No name of a test begins with \(rule)")
        }
        #expect(rules.count > 100)
    }

    private static func rules() throws -> Set<String> {
        let page = try Documentation.page("Rules")
        return Set(page.matches(of: /(?m)^ *- \*\*([A-Z][0-9]+(?:\.[0-9]+)?)\b/).map { String($0.1) })
    }

    /// The names of tests and suites that begin with numbers of rules.
    private static func names() throws -> [(text: String, numbers: [String])] {
        let tests = Documentation.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        let name = /@(?:Test|Suite)\(\s*"(?:""\s*)?((?:[^"\\]|\\[\s\S])*)"/
        return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: name)
                .map { (text: String($0.1), numbers: numbers(in: $0.1)) }
        }
    }

    private static func numbers(in name: Substring) -> [String] {
        guard let start = name.prefixMatch(of: /(?:[A-Z][0-9]+(?:\.[0-9]+)?(?:–|, | to |:? ))+/) else { return [] }
        return start.0.matches(of: /([A-Z])([0-9]+)(\.[0-9]+)?(?:(?:–| to )[A-Z]([0-9]+))?/).flatMap { match in
            let (letter, first, part) = (match.1, Int(match.2)!, match.3 ?? "")
            return (first...(match.4.flatMap { Int($0) } ?? first)).map { "\(letter)\($0)\(part)" }
        }
    }
}

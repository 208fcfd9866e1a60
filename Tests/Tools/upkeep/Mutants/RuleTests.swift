import Foundation

/// The tests whose names begin with the number of a rule, alone or among others: `P7.3 P8 …`.
struct RuleTests {
    /// The identifiers of tests, `Suite/function`, by the numbers at the beginning of their names.
    private(set) var identifiers: [String: Set<String>] = [:]

    /// Reads the tests in a folder.
    ///
    /// - Throws: An error of Foundation if a file cannot be read.
    init(below folder: URL) throws {
        for file in try FileManager.default.swiftFiles(below: folder) { add(file.text) }
    }

    init(_ text: String) { add(text) }

    private mutating func add(_ text: String) {
        var suite = ""
        var ofSuite: [String] = []
        var ofTest: [String] = []
        var isTest = false
        var pending: [String]?
        for line in text.split(separator: "\n") {
            if line.contains("@Suite") { pending = [] }
            if line.contains("@Test") { (isTest, ofTest) = (true, []) }
            if let name = line.firstMatch(of: #/"((?:[A-Z][0-9]+(?:\.[0-9]+)?[ :,–]+)+)/#) {
                let rules = name.1.split { " :,".contains($0) }.flatMap(Self.rules)
                if pending != nil { pending = rules } else if isTest, ofTest.isEmpty { ofTest = rules }
            }
            if let type = line.firstMatch(of: #/^(?:final )?(?:struct|class|actor|enum|extension) ([A-Za-z]+)/#) {
                if line.hasPrefix("extension") || pending == nil { ofSuite = [] }
                (suite, ofSuite, pending) = (String(type.1), pending ?? ofSuite, nil)
            }
            if isTest, let function = line.firstMatch(of: #/func ([A-Za-z0-9]+)/#) {
                for rule in ofTest + ofSuite {
                    identifiers[rule, default: []].insert("\(suite)/\(function.1)")
                }
                isTest = false
            }
        }
    }

    /// The numbers that a number or a range stands for: `V1–V3`.
    private static func rules(_ text: Substring) -> [String] {
        let ends = text.split(separator: "–")
        guard ends.count == 2, let first = Int(ends[0].dropFirst()), let last = Int(ends[1].dropFirst()), first < last
        else { return ends.map(String.init) }
        return (first...last).map { "\(text.prefix(1))\($0)" }
    }

    /// The argument of `swift test --filter` that runs the tests of a rule, and those of all parts of its group.
    func filter(of rule: String) -> String {
        let group = String(rule.prefix { $0 != "." })
        let names = identifiers[rule, default: []].union(identifiers[group, default: []])
        return names.sorted().map { "\($0)\\(" }.joined(separator: "|")
    }
}

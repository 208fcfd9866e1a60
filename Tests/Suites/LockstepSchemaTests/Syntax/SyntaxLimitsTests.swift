import Testing

@testable import LockstepSchema

@Suite("A malicious file is rejected quickly")
struct SyntaxLimitsTests {
    private func findings(_ text: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        _ = parseYAML(SchemaSource(text), diagnostics: &diagnostics)
        return diagnostics
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("A file of the maximum size is read, one byte more is rejected")
    func size() {
        let schema = "schema: Journal\n"
        let padding = String(repeating: "\n", count: SchemaSource.maximumByteCount - schema.utf8.count)
        #expect(findings(schema + padding).isEmpty)
        #expect(findings(schema + padding + "\n").map(\.code) == [.fileTooLarge])
    }

    @Test("Lists can be nested to the limit and no deeper")
    func depth() {
        #expect(findings(nested(SyntaxLimits.depth)).isEmpty)
        let refused = findings(nested(SyntaxLimits.depth + 1))
        #expect(refused.map(\.code) == [.nestedTooDeep])
        #expect(refused.first?.location.start == SourcePosition(line: 1, column: SyntaxLimits.depth + 1))
    }

    @Test("A million brackets are rejected like sixty-five")
    func manyBrackets() {
        #expect(findings(String(repeating: "[", count: 1_000_000)).map(\.code) == [.nestedTooDeep])
        #expect(findings(String(repeating: "{a: ", count: 100_000)).map(\.code) == [.nestedTooDeep])
        #expect(findings(String(repeating: "- ", count: 100_000)).map(\.code) == [.nestedTooDeep])
    }

    @Test("The depth of an alias's value counts where the alias is")
    func depthThroughAliases() {
        let half = "a: &a " + nested(40) + "\n"
        #expect(findings(half + "b: [[*a]]").isEmpty)
        let refused = findings(half + "b: " + nested(30).replacing("[]", with: "[*a]"))
        #expect(refused.map(\.code) == [.nestedTooDeep])
        #expect(refused.first?.location.start.line == 2)
    }

    @Test("Aliases of aliases cannot expand to billions of nodes")
    func aliasExpansion() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let refused = findings(text)
        #expect(refused.map(\.code) == [.aliasesTooLarge])
        #expect(refused.first?.location.start.line == 6)
    }

    @Test("Thousands of unknown aliases are not compared with thousands of anchors")
    func unknownAliases() {
        func remedies(_ count: Int) -> [String] {
            let anchors = (1...count).map { "- &anchor\($0) x\n" }.joined()
            let aliases = (1...count).map { "- *anchr\($0)\n" }.joined()
            return findings(anchors + aliases).map(\.remedy)
        }
        let few = remedies(10)
        #expect(few.count == 10 && few.allSatisfy { $0.contains("anchor") })
        let many = remedies(20_000)
        #expect(many.count == 20_000 && many.allSatisfy { !$0.contains("anchor") })
    }

    @Test("Nested merges count too")
    func mergeExpansion() {
        let wide = "a: &a {" + (1...1_000).map { "k\($0): x" }.joined(separator: ", ") + "}\n"
        let merges = (1...600).map { "m\($0): { <<: *a }\n" }.joined()
        #expect(findings(wide + merges).map(\.code) == [.aliasesTooLarge])
    }
}

import Testing

@testable import upkeep

struct SwiftLexerTests {
    private func words(_ text: String) -> [String] { SwiftLexer.tokens(of: text).compactMap(\.text) }

    @Test func commentsAndTextAreNoTokens() {
        #expect(words("one // Two\n/* Three /* Four */ Five */ six") == ["one", "six"])
        #expect(words(#"let text = "One \" Two" + three"#) == ["let", "text", "three"])
        #expect(words("let text = \"\"\"\n    One \"Two\"\n    \"\"\" + three") == ["let", "text", "three"])
        #expect(words(##"let text = #"One "Two" \n"# + three"##) == ["let", "text", "three"])
    }

    @Test func whatIsInterpolatedIsCode() {
        #expect(
            words(#"let text = "One \(Two("Three \(Four.five)").six) Seven""#) == [
                "let", "text", "Two", "Four", "five", "six",
            ])
        #expect(words(##"let text = #"One \(Two) \#(Three)"#"##) == ["let", "text", "Three"])
    }

    @Test func backticksAreNoPartOfAName() {
        #expect(words("let `default` = 1") == ["let", "default"])
    }

    @Test func commentsBlanksAndTextAreNoLinesOfCode() {
        #expect(SwiftLexer("// One\n\nlet a = 1 // Two\n/* three\n four */ let b = 2\n").codeLineCount == 2)
        #expect(SwiftLexer("let a = \"\"\"\n    one \\(two)\n    three\n    \"\"\"\nlet b = a").codeLineCount == 2)
    }
}

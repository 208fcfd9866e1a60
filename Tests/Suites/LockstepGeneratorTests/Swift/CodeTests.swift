import Testing

@testable import LockstepGenerator

@Suite("Code: literals that look like their output")
struct CodeTests {
    private func text(_ code: Code) -> String { String(decoding: code.text, as: UTF8.self) }

    @Test("A block gets the indentation of its line; its empty lines stay empty")
    func indentation() {
        let block: Code = "a\n\nb"
        #expect(text("f {\n    \(block)\n}") == "f {\n    a\n\n    b\n}")
    }

    @Test("A line with only an empty block is removed")
    func emptyBlock() {
        #expect(text("a\n    \(Code())\nb") == "a\nb")
        #expect(text("\(Code())\nb") == "b")
        #expect(text("a\n\(Code())") == "a")
    }

    @Test("One of the empty lines around a removed block is kept")
    func emptyLines() {
        #expect(text("a\n\n\(Code())\n\nb") == "a\n\nb")
        #expect(text("a\n\n\(Code())\n\n\(Code())\n\nb") == "a\n\nb")
        #expect(text("{\n    \(Code())\n\n    b\n}") == "{\n\n    b\n}")
    }

    @Test("An empty block in the middle of a line keeps the line")
    func emptyInLine() {
        #expect(text("f(\(Code()))") == "f()")
    }

    @Test("Lists, sections and arrays omit empty elements")
    func joining() {
        #expect(text(.list(["a", Code(), "b"])) == "a,\nb")
        #expect(text(.sections(["a", Code(), "b"])) == "a\n\nb")
        #expect(text(.array([])) == "[]")
        #expect(text(.array(["a"])) == "[\n    a\n]")
        #expect(text(.array(["a", "b"])) == "[\n    a,\n    b,\n]")
    }

    @Test("A line that is too long is split like swift-format does")
    func longLines() {
        let long = String(repeating: "x", count: 70)
        #expect(text(.conditional("a", "b", then: "c")) == "if a, b { c }")
        #expect(text(.conditional(long, then: Code(long))) == "if \(long) {\n    \(long)\n}")
        #expect(text(.conditional(long, long, then: "c")) == "if \(long),\n    \(long)\n{\n    c\n}")
    }

    @Test("Strings are valid literals, whatever they contain")
    func literals() {
        #expect(SwiftLiteral.string("a\"b\\c\n\t\0") == #""a\"b\\c\n\t\0""#)
        #expect(SwiftLiteral.string("\u{200D}\u{2028}\u{1B}") == #""\u{200D}\u{2028}\u{1B}""#)
        #expect(SwiftLiteral.string("é🙂 \\(x)") == #""é🙂 \\(x)""#)
    }

    @Test("A long doc comment is wrapped at 120 columns; its own line breaks are kept")
    func documentation() {
        let word = String(repeating: "word ", count: 40)
        let lines = text(.documentation("First.\n\n" + word)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["/// First.", "///"])
        #expect(lines.allSatisfy { $0.count <= 116 })
        #expect(lines.dropFirst(2).joined(separator: " ").replacing("/// ", with: "").split(separator: " ").count == 40)
        #expect(Code.documentation(" \n").isEmpty)
    }
}

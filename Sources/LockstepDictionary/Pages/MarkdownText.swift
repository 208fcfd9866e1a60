/// Text for GitHub Flavored Markdown (https://github.github.com/gfm/).
enum MarkdownText {
    /// Text in a line, with everything escaped that has a meaning in Markdown or HTML. Control characters become
    /// spaces.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "$", "!": result += "\\" + String(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A code span in a table, in which a vertical bar ends a cell even in a code span.
    static func codeInTable(_ text: String) -> String { code(text).replacing("|", with: "\\|") }

    /// A code span, delimited by more backticks than the text has in a row.
    static func code(_ text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        if text.hasPrefix("`") || text.hasSuffix("`") || text.isEmpty { text = " \(text) " }
        return fence + text + fence
    }

    /// A code block.
    static func block(_ text: String, language: String) -> String {
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
        return "\(fence)\(language)\n\(text)\n\(fence)"
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        var longest = 0
        var current = 0
        for next in text {
            current = next == character ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}

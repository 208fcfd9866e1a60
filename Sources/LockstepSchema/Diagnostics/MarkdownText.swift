import LockstepJSON

/// Text for GitHub Flavored Markdown (https://github.github.com/gfm/).
package enum MarkdownText {
    /// Text in a line, with everything escaped that has a meaning in Markdown or HTML, or that is hidden.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.visible.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "$", "!": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        // At the beginning of a line, two colons are a command for GitHub Actions.
        return result.hasPrefix("::") ? "\\" + result : result
    }

    /// A code span in a table, in which a vertical bar ends a cell even in a code span.
    package static func codeInTable(_ text: String) -> String { code(text).replacing("|", with: "\\|") }

    /// A code span, delimited by more backticks than the text has in a row.
    package static func code(_ text: String) -> String {
        var text = text.visible
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        if text.hasPrefix("`") || text.hasSuffix("`") || text.isEmpty { text = " \(text) " }
        return fence + text + fence
    }

    /// A code block of lines, each of which is made visible.
    package static func block(_ text: String, language: String) -> String {
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
        return "\(fence)\(language)\n\(TerminalText(document: text))\n\(fence)"
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

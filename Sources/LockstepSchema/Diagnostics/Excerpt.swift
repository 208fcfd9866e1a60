/// A line of source text as shown in a terminal, and the caret under a part of it.
struct Excerpt {
    /// The line without tabs and control characters. A long one is truncated at both sides of the caret.
    let text: String
    /// Spaces with the width of the text before the caret.
    let indentation: String
    /// A caret, and a tilde for each further column of the part: `^~~~`.
    let marker: String

    /// Longer lines wrap on most terminals, so that the caret would be in the wrong place.
    private static let maximumWidth = 110
    private static let tabWidth = 4

    /// - Parameters:
    ///   - column: The first Unicode scalar of the part, from 1; one past the last of the line points after it.
    ///   - endColumn: The first one after the part; `nil` if the part continues on the next line.
    init(_ line: String, column: Int, endColumn: Int?) {
        let scalars = Array(line.unicodeScalars)
        let start = min(max(column - 1, 0), scalars.count)
        let end = min(max(endColumn.map { $0 - 1 } ?? scalars.count, start), scalars.count)
        let window = Self.window(scalars, around: start)
        let cutBefore = window.lowerBound > 0 ? "…" : ""
        let cutAfter = window.upperBound < scalars.count ? "…" : ""
        text = cutBefore + scalars[window].map(Self.shown).joined() + cutAfter
        let widthBefore = scalars[window.lowerBound..<start].reduce(cutBefore.isEmpty ? 0 : 1) { $0 + Self.width($1) }
        indentation = String(repeating: " ", count: widthBefore)
        let partEnd = max(start, min(end, window.upperBound))
        let partWidth = scalars[start..<partEnd].reduce(0) { $0 + Self.width($1) }
        marker = "^" + String(repeating: "~", count: max(0, partWidth - 1))
    }

    /// The scalars to show: all of them, or as many as fit, with the caret after a third of them.
    private static func window(_ scalars: [Unicode.Scalar], around start: Int) -> Range<Int> {
        guard scalars.count > maximumWidth else { return 0..<scalars.count }
        let lower = max(0, min(start - maximumWidth / 3, scalars.count - maximumWidth))
        return lower..<(lower + maximumWidth)
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control where scalar == "\t": String(repeating: " ", count: tabWidth)
        case .control, .format: scalar == "\u{200D}" ? "" : "\u{FFFD}"
        default: String(scalar)
        }
    }

    /// The width of a scalar in a terminal, in columns.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return scalar == "\t" ? tabWidth : 1 }
        if scalar == "\u{200D}" { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
        }
    }

    /// Scripts whose letters are two columns wide (UAX #11, wide and fullwidth).
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

/// Text for terminals and logs, in which only literals break lines and command the terminal.
///
/// A literal is in the source code. What is interpolated can come from anywhere, and is therefore made
/// ``Swift/StringProtocol/visible``: it has no escape sequences, and cannot look like a line of its own.
///
/// ```swift
/// Console.report("\(path): unchanged.")
/// ```
package struct TerminalText: ExpressibleByStringInterpolation, CustomStringConvertible, Hashable, Sendable {
    package private(set) var description: String

    package init(stringLiteral literal: StaticString) { description = literal.description }

    package init(stringInterpolation: StringInterpolation) { description = stringInterpolation.text }

    /// Lines, each of which is made visible.
    package init(lines: some Sequence<String>) {
        description = lines.map(\.visible).joined(separator: "\n")
    }

    /// A document whose line breaks are those of its writer, which has escaped what is not its own as its format
    /// requires: code, a page, a table of differences.
    package init(document: String) {
        let lines = document.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self.init(lines: lines.map { String(Substring($0)) })
    }

    /// JSON, whose strings cannot contain line breaks.
    package init(json: String) { description = json.visibleJSON }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Text from anywhere, or the description of a value.
        package mutating func appendInterpolation(_ value: some Any) { text += String(describing: value).visible }

        package mutating func appendInterpolation(_ part: TerminalText) { text += part.description }
    }

    package var isEmpty: Bool { description.isEmpty }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText { "\(left)\(right)" }

    package static func += (left: inout TerminalText, right: TerminalText) { left.description += right.description }
}

extension Sequence<TerminalText> {
    /// Joins texts with a literal between them.
    package func joined(separator: TerminalText) -> TerminalText {
        var result: TerminalText = ""
        for (index, part) in enumerated() { result += index == 0 ? part : separator + part }
        return result
    }
}

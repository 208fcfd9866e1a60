import LockstepJSON

/// Text of a program, written as a literal that looks like the output.
///
/// Only literals of the source code break lines. A text that is interpolated, such as a name of the schema, is one
/// line without control characters, so that it cannot end the comment that it is in.
///
/// A block that is interpolated into a literal is indented like its line. A line that only contains an empty block is
/// removed, with the empty line after it if there is one before it too. It is stored as UTF-8, because generated files
/// are bytes and a large schema produces many.
///
/// A block is only marked where it is interpolated. Otherwise, each line would be indented again at each level of
/// nesting; `text` indents each line once.
struct Code: ExpressibleByStringInterpolation, Sendable {
    /// The text without the indentation of blocks, and with ``IndentationMark``s around them. A single line has none.
    private(set) var bytes: [UInt8]

    var isEmpty: Bool { bytes.isEmpty }

    init() {
        bytes = []
    }

    /// A line of code.
    init(_ line: String) {
        bytes = Array(line.visible.utf8)
    }

    /// The lines between the delimiters of a literal that nothing in them ends.
    init(linesInLiteral lines: String) {
        bytes = Array(lines.utf8)
    }

    init(stringLiteral literal: StaticString) {
        bytes = literal.withUTF8Buffer { Array($0) }
    }

    init(stringInterpolation interpolation: Interpolation) {
        bytes = interpolation.finished()
    }

    /// Joins blocks by line breaks. Empty ones are left out.
    static func lines(_ blocks: [Code]) -> Code {
        joined(blocks, separator: "\n")
    }

    /// Joins blocks by empty lines. Empty ones are left out.
    static func sections(_ blocks: [Code]) -> Code {
        joined(blocks, separator: "\n\n")
    }

    /// Joins lines by commas.
    static func list(_ items: [Code]) -> Code {
        joined(items, separator: ",\n")
    }

    /// The elements of an array literal, one on each line. As the formatter requires, the last of several has a comma,
    /// and a single one has none.
    static func elements(_ items: [Code]) -> Code {
        var result = list(items)
        if items.count > 1 { result.bytes.append(UInt8(ascii: ",")) }
        return result
    }

    /// The elements of an array literal in brackets; `[]` if there are none.
    static func array(_ items: [Code]) -> Code {
        guard !items.isEmpty else { return "[]" }
        return """
            [
                \(elements(items))
            ]
            """
    }

    /// `if condition { statement }`; three lines if one would be too long at two levels of indentation, or more if the
    /// conditions alone would be.
    static func conditional(_ conditions: String..., then statement: Code) -> Code {
        conditional(conditions, then: statement)
    }

    static func conditional(_ conditions: [String], then statement: Code) -> Code {
        let condition = "if " + conditions.joined(separator: ", ")
        let isLong = condition.utf8.count + statement.bytes.count > maximumLineBytes - 5
        guard isLong || statement.bytes.contains(.newline) else { return "\(condition) { \(statement) }" }
        guard condition.utf8.count + 2 > maximumLineBytes else {
            return """
                \(condition) {
                    \(statement)
                }
                """
        }
        return """
            if \(conditions[0])\(conditions.count > 1 ? "," : "")
                \(list(conditions.dropFirst().map { Code($0) }))
            {
                \(statement)
            }
            """
    }

    /// `name(argument, argument)`, or a line for each argument if one would be too long at two levels of indentation.
    static func call(_ name: String, arguments: [String]) -> Code {
        let line = "\(name)(\(arguments.joined(separator: ", ")))"
        guard line.utf8.count > maximumLineBytes else { return Code(line) }
        return """
            \(name)(
                \(list(arguments.map { Code($0) }))
            )
            """
    }

    /// 120 columns at two levels of indentation.
    static let maximumLineBytes = 112

    static func joined(_ blocks: [Code], separator: StaticString) -> Code {
        var result = Code()
        result.bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.bytes.count + separator.utf8CodeUnitCount })
        for block in blocks where !block.isEmpty {
            if !result.isEmpty { separator.withUTF8Buffer { result.bytes.append(contentsOf: $0) } }
            result.bytes.append(contentsOf: block.bytes)
        }
        return result
    }
}

/// Bytes that UTF-8 never contains.
enum IndentationMark {
    /// The lines that begin after it are indented by one more space.
    static let deeper: UInt8 = 0xFE
    /// It takes back one `deeper`.
    static let back: UInt8 = 0xFF
}

extension Code {
    /// The text, in UTF-8. Empty lines are not indented.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 5 / 4)
        bytes.withUnsafeBufferPointer { bytes in
            var indentation = 0
            var isAtLineStart = false
            var start = 0
            while start < bytes.count {
                switch bytes[start] {
                case IndentationMark.deeper: indentation += 1
                case IndentationMark.back: indentation -= 1
                default:
                    if isAtLineStart, bytes[start] != .newline {
                        for _ in 0..<indentation { text.append(.space) }
                    }
                    let end = Self.endOfRun(from: start, in: bytes)
                    text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
                    isAtLineStart = bytes[end - 1] == .newline
                    start = end
                    continue
                }
                start += 1
            }
        }
        return text
    }

    /// The end of the line that contains `start`, after its line feed, or the next mark if that is nearer.
    private static func endOfRun(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while end < bytes.count, bytes[end] < IndentationMark.deeper {
            end += 1
            if bytes[end - 1] == .newline { break }
        }
        return end
    }

    struct Interpolation: StringInterpolationProtocol {
        private var bytes: [UInt8] = []
        /// Whether an empty block on its own line was written last.
        private var lineVanishes = false

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { append($0) }
        }

        private mutating func append(_ literal: UnsafeBufferPointer<UInt8>) {
            guard lineVanishes else { return bytes.append(contentsOf: literal) }
            guard !literal.isEmpty else { return }
            var rest = literal[...]
            if rest.first == .newline {
                rest = rest.dropFirst()
                if isAfterEmptyLine, rest.first == .newline { rest = rest.dropFirst() }
            }
            lineVanishes = false
            bytes.append(contentsOf: rest)
        }

        mutating func appendInterpolation(_ text: String) {
            bytes.append(contentsOf: text.visible.utf8)
        }

        mutating func appendInterpolation(_ number: Int) {
            bytes.append(contentsOf: String(number).utf8)
        }

        mutating func appendInterpolation(_ block: Code) {
            guard let indentation = blankPrefixOfLine else { return bytes.append(contentsOf: block.bytes) }
            guard !block.isEmpty else {
                bytes.removeLast(indentation)
                lineVanishes = true
                return
            }
            guard indentation > 0, block.bytes.contains(.newline) else {
                return bytes.append(contentsOf: block.bytes)
            }
            for _ in 0..<indentation { bytes.append(IndentationMark.deeper) }
            bytes.append(contentsOf: block.bytes)
            for _ in 0..<indentation { bytes.append(IndentationMark.back) }
        }

        func finished() -> [UInt8] {
            guard lineVanishes, bytes.last == .newline else { return bytes }
            return Array(bytes.dropLast())
        }

        /// Without the removed line, the empty lines before and after it would be two.
        private var isAfterEmptyLine: Bool {
            bytes.count > 1 && bytes[bytes.count - 1] == .newline && bytes[bytes.count - 2] == .newline
        }

        /// The number of spaces on the current line so far; `nil` if it contains anything else.
        private var blankPrefixOfLine: Int? {
            var start = bytes.count
            while start > 0, bytes[start - 1] == .space { start -= 1 }
            return start == 0 || bytes[start - 1] == .newline ? bytes.count - start : nil
        }
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
}

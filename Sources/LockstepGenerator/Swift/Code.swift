/// Text of a program, written as a literal that looks like the output.
///
/// A block that is interpolated into a literal is indented like its line. A line that only contains an empty block is
/// removed, with the empty line after it if there is one before it too. It is stored as UTF-8, because generated files
/// are bytes and a large schema produces many.
struct Code: ExpressibleByStringInterpolation, Sendable {
    var bytes: [UInt8]

    var isEmpty: Bool { bytes.isEmpty }

    init() {
        bytes = []
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    init(stringLiteral value: String) {
        self.init(value)
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
    static func call(_ name: String, _ arguments: [String]) -> Code {
        let line = "\(name)(\(arguments.joined(separator: ", ")))"
        guard line.utf8.count > maximumLineBytes else { return Code(line) }
        return """
            \(name)(
                \(list(arguments.map { Code($0) }))
            )
            """
    }

    /// `left || right`, or two lines if one would be too long at three levels of indentation with a comma after it.
    static func either(_ left: String, _ right: String) -> Code {
        let line = "\(left) || \(right)"
        return line.utf8.count > maximumLineBytes - 5 ? "\(left)\n    || \(right)" : Code(line)
    }

    /// 120 columns at two levels of indentation.
    static let maximumLineBytes = 112

    static func joined(_ blocks: [Code], separator: String) -> Code {
        var result = Code()
        result.bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.bytes.count + separator.utf8.count })
        for block in blocks where !block.isEmpty {
            if !result.isEmpty { result.bytes.append(contentsOf: separator.utf8) }
            result.bytes.append(contentsOf: block.bytes)
        }
        return result
    }
}

extension Code {
    struct Interpolation: StringInterpolationProtocol {
        private var bytes: [UInt8] = []
        /// Whether an empty block on its own line was written last.
        private var lineVanishes = false

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        mutating func appendLiteral(_ literal: String) {
            guard !literal.isEmpty else { return }
            var rest = Substring(literal).utf8
            if lineVanishes, rest.first == .newline {
                rest = rest.dropFirst()
                if isAfterEmptyLine, rest.first == .newline { rest = rest.dropFirst() }
            }
            lineVanishes = false
            bytes.append(contentsOf: rest)
        }

        mutating func appendInterpolation(_ text: String) {
            bytes.append(contentsOf: text.utf8)
        }

        mutating func appendInterpolation(_ number: Int) {
            bytes.append(contentsOf: String(number).utf8)
        }

        mutating func appendInterpolation(_ block: Code) {
            let indentation = blankPrefixOfLine
            guard !block.isEmpty else {
                guard let indentation else { return }
                bytes.removeLast(indentation)
                lineVanishes = true
                return
            }
            guard let indentation, indentation > 0 else {
                bytes.append(contentsOf: block.bytes)
                return
            }
            appendIndented(block.bytes, by: indentation)
        }

        func finished() -> [UInt8] {
            var result = bytes
            if lineVanishes, result.last == .newline { result.removeLast() }
            return result
        }

        /// Without the removed line, the empty lines before and after it would be two.
        private var isAfterEmptyLine: Bool {
            bytes.count > 1 && bytes[bytes.count - 1] == .newline && bytes[bytes.count - 2] == .newline
        }

        /// The number of spaces on the current line so far; `nil` if it contains anything else.
        private var blankPrefixOfLine: Int? {
            var count = 0
            for byte in bytes.reversed() {
                if byte == .newline { return count }
                guard byte == .space else { return nil }
                count += 1
            }
            return count
        }

        private mutating func appendIndented(_ block: [UInt8], by indentation: Int) {
            bytes.reserveCapacity(bytes.count + block.count * 5 / 4)
            block.withUnsafeBufferPointer { block in
                var lineStart = 0
                for place in block.indices where block[place] == .newline {
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: block[lineStart...place]))
                    lineStart = place + 1
                    if lineStart < block.count, block[lineStart] != .newline {
                        for _ in 0..<indentation { bytes.append(.space) }
                    }
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: block[lineStart...]))
            }
        }
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
}

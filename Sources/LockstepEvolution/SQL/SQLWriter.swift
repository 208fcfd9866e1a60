/// Writes the text of SQL as UTF-8.
package struct SQLWriter {
    package private(set) var bytes: [UInt8] = []
    /// The spaces of the current statement at which a long line may be broken.
    private var breaks: [Int] = []
    let dialect: SQLDialect

    package init(dialect: SQLDialect, capacity: Int = 0) {
        self.dialect = dialect
        bytes.reserveCapacity(capacity)
    }

    /// Writes words of SQL.
    mutating func write(_ words: StaticString) {
        words.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a space at which the line is broken if it becomes too long.
    mutating func space() {
        breaks.append(bytes.count)
        bytes.append(UInt8(ascii: " "))
    }

    /// Ends a statement, and breaks lines that are too long to read at their breakable spaces.
    package mutating func endStatement() {
        defer { breaks = [] }
        guard let first = breaks.first else { return }
        let newline = UInt8(ascii: "\n")
        var lineStart = bytes[..<first].lastIndex(of: newline).map { $0 + 1 } ?? 0
        var tail = Array(bytes[lineStart...])
        bytes.removeLast(bytes.count - lineStart)
        while !tail.isEmpty {
            let lineEnd = tail.firstIndex(of: newline).map { $0 + 1 } ?? tail.count
            let inLine = breaks.filter { (lineStart..<lineStart + lineEnd).contains($0) }.map { $0 - lineStart }
            append(tail[..<lineEnd], breakingAt: lineEnd > Self.longLineBytes ? inLine : [])
            tail.removeFirst(lineEnd)
            lineStart += lineEnd
        }
    }

    private mutating func append(_ line: ArraySlice<UInt8>, breakingAt positions: [Int]) {
        let indentation = line.prefix { $0 == UInt8(ascii: " ") }.count + 4
        var start = line.startIndex
        for position in positions {
            bytes.append(contentsOf: line[start..<position])
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
            start = position + 1
        }
        bytes.append(contentsOf: line[start...])
    }

    /// Statements are also written to Swift, in literals that are indented by two levels.
    private static let longLineBytes = 108

    /// Writes text that is valid SQL, such as digits.
    mutating func write(text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the elements, separated by `, ` or `separator`.
    mutating func joined<Element>(
        _ elements: [Element], separator: StaticString = ", ", write: (inout SQLWriter, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { self.write(separator) }
            write(&self, element)
        }
    }

    /// Writes `text` with each `quote` in it doubled.
    mutating func escaping(quote: UInt8, in text: String) {
        guard text.utf8.contains(quote) else { return write(text: text) }
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == quote { bytes.append(byte) }
        }
    }

    /// Writes a string literal: `'it''s'`.
    mutating func string(_ text: String) {
        write("'")
        escaping(quote: UInt8(ascii: "'"), in: text)
        write("'")
    }

    /// Writes bytes as uppercase hexadecimal digits.
    mutating func hexadecimal(_ data: some Sequence<UInt8>) {
        for byte in data {
            bytes.append(Self.hexadecimalDigit(byte >> 4))
            bytes.append(Self.hexadecimalDigit(byte & 15))
        }
    }

    private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}

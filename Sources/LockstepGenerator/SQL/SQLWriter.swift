/// The text of SQL under way, as UTF-8.
struct SQLWriter {
    private(set) var bytes: [UInt8] = []
    let dialect: SQLDialect

    init(dialect: SQLDialect, capacity: Int = 0) {
        self.dialect = dialect
        bytes.reserveCapacity(capacity)
    }

    /// Writes words of SQL.
    mutating func write(_ words: StaticString) {
        words.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes text that is SQL already, such as digits.
    mutating func write(text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the elements with `, ` or `separator` between them.
    mutating func joined<Element>(
        _ elements: [Element], separator: StaticString = ", ", _ write: (inout SQLWriter, Element) -> Void
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

    /// Writes bytes as hexadecimal digits in upper case.
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

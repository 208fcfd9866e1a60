/// A value in SQL text.
package enum SQLLiteral: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// Exact digits, in a form that SQL accepts.
    case number(String)
    /// An exact decimal: text in SQLite, a number in PostgreSQL.
    case decimal(String)
    /// Seconds since 1970.
    case timestamp(Double)
    case text(String)
    case bytes([UInt8])

    /// Whether the dialect can store the value: PostgreSQL has no text with a NUL in it, SQLite no “not a number”.
    func isStorable(in dialect: SQLDialect) -> Bool {
        switch (self, dialect) {
        case (.text(let text), .postgresql): !text.utf8.contains(0)
        case (.double(let number), .sqlite): !number.isNaN
        case (.timestamp(let seconds), _): seconds.isFinite
        default: true
        }
    }
}

extension SQLWriter {
    /// Writes a literal, which the dialect must be able to store.
    package mutating func literal(_ literal: SQLLiteral) {
        switch literal {
        case .boolean(let flag): boolean(flag)
        case .integer(let number): write(text: String(number))
        case .double(let number): double(number)
        case .number(let digits): write(text: digits)
        case .decimal(let digits): dialect == .sqlite ? string(digits) : write(text: digits)
        case .timestamp(let seconds): timestamp(seconds)
        case .text(let text): self.text(text)
        case .bytes(let data): bytes(data)
        }
    }

    /// SQLite stores bools as numbers, and versions before 3.23 support no other literals.
    private mutating func boolean(_ flag: Bool) {
        switch dialect {
        case .sqlite: write(flag ? "1" : "0")
        case .postgresql: write(flag ? "TRUE" : "FALSE")
        }
    }

    private mutating func double(_ number: Double) {
        if number.isFinite { return write(text: number.description) }
        switch dialect {
        // "9e999" is what SQLite recommends for infinity, because it has no literal for it.
        case .sqlite: write(number < 0 ? "-9e999" : "9e999")
        case .postgresql: write(text: number.isNaN ? "'NaN'" : number < 0 ? "'-Infinity'" : "'Infinity'")
        }
    }

    private mutating func timestamp(_ seconds: Double) {
        guard dialect == .postgresql else { return double(seconds) }
        write("to_timestamp(")
        double(seconds)
        write(")")
    }

    /// SQLite reads a statement only up to its first NUL, so text with one is written by its bytes.
    private mutating func text(_ text: String) {
        guard dialect == .sqlite, text.utf8.contains(0) else { return string(text) }
        write("CAST(X'")
        hexadecimal(text.utf8)
        write("' AS TEXT)")
    }

    private mutating func bytes(_ data: [UInt8]) {
        write(dialect == .sqlite ? "X'" : "'\\x")
        hexadecimal(data)
        write("'")
    }
}

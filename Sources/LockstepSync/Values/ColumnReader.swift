import LockstepStore

/// Reads one column's values from JSON, and holds them against the column's type and limits.
///
/// It means what the typed road means, which reads the same values with `WireSource` (SYNC.md, N1 to N7).
struct ColumnReader {
    let column: ColumnDescription
    private let limits: Limits?

    init(_ column: ColumnDescription) {
        self.column = column
        limits = column.limits.isEmpty ? nil : column.limits
    }

    /// Takes the value that is next, which is not null.
    ///
    /// - Returns: The cell; where the value is JSON, but none that the column may have, `.absent` and why in `problem`.
    /// - Throws: `JSONSyntaxError` where it is not JSON.
    func read(
        _ scanner: inout JSONScanner, _ arena: TextArena, _ problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        switch column.type {
        case .int where scanner.peek() != UInt8(ascii: "\""):
            if let integer = try scanner.number().integer { return Cell(integer: integer) }
        case .string where scanner.peek() == UInt8(ascii: "\""):
            let text = try scanner.text()
            if !text.hasEscapes { return Cell(text: text.bytes) }
        default: try scanner.skipValue()
        }
        problem = ValueProblem("is not what the schema asks for")
        return .absent
    }
}

/// Why a value that is JSON cannot be taken: `is not a date`.
struct ValueProblem: Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

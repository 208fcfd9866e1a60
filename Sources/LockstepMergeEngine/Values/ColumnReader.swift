import LockstepTables

/// Reads one column's values from JSON, and checks them against the column's type and limits.
///
/// The results are the same as for typed values, which `WireSource` reads (Rules.md, N1 to N7). How values are read is
/// determined once for the column. A value with the same encoding as in the store is not copied. This is a class, so
/// that reading a value does not copy the description of its column.
final class ColumnReader {
    let column: ColumnDescription
    /// Whether null is a value like any other if the column is required, as for JSON of any kind.
    let takesNull: Bool

    /// Whether a number or a Bool was read as a string.
    var hasConverted = false

    /// Notes how UUIDs of an identity are spelled; `nil` for other columns.
    var spelling: SpellingNotes?

    let limits: CellLimits?
    private let kind: Kind
    /// The range of integers of the type.
    let wholeRange: ClosedRange<Int64>
    let dates: DateReading
    /// The values of a closed enum.
    let closed: ClosedValues?
    let custom: CustomDescription?
    /// Reads the elements of a list, or the stored type of an app's own type.
    let inner: ColumnReader?

    /// How values are read.
    private enum Kind {
        case string, bool, whole, float, double, decimal, date, day, uuid, url, data, json, custom, list, attachment
    }

    init(_ column: ColumnDescription) {
        self.column = column
        limits = CellLimits(column.limits)
        takesNull = column.type == .json && !column.isOptional
        if case .date(let format) = column.wire?.format {
            dates = DateReading(format)
        } else {
            dates = DateReading(.iso8601)
        }
        wholeRange = Self.wholeRange(of: column.type)
        if case .enumeration(_, closed: let values?) = column.type {
            closed = ClosedValues(values)
        } else {
            closed = nil
        }
        switch column.type {
        case .list(of: let element):
            custom = nil
            inner = ColumnReader(column.with(type: element, limits: .none))
        case .custom(let description):
            custom = description
            inner = ColumnReader(column.with(type: description.stored, limits: .none))
        default: (custom, inner) = (nil, nil)
        }
        kind = Self.kind(of: column.type)
    }

    /// The whole numbers that the Swift type of a column can have.
    ///
    /// - Parameter intBits: How many bits `Int` has: 32 on a watch.
    static func wholeRange(of type: StoredType, intBits: Int = Int.bitWidth) -> ClosedRange<Int64> {
        switch type {
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int, .enumeration(.int, closed: _):
            intBits == 32 ? wholeRange(of: .int32) : wholeRange(of: .int64)
        default: .min ... .max
        }
    }

    private static func kind(of type: StoredType) -> Kind {
        switch type {
        case .string, .enumeration(.string, closed: _): .string
        case .bool: .bool
        case .int, .int16, .int32, .int64, .enumeration(.int, closed: _): .whole
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .day: .day
        case .uuid: .uuid
        case .url: .url
        case .data: .data
        case .attachment: .attachment
        case .json: .json
        case .custom: .custom
        case .list: .list
        }
    }

    /// Reads the next value, which is not null unless the column `takesNull`.
    ///
    /// - Returns: The cell. If the value is JSON but not valid for the column, `.absent` with the reason in `problem`.
    /// - Throws: `JSONSyntaxError` if it is not JSON.
    func read(
        _ scanner: inout JSONScanner, in arena: TextArena, problem: inout ValueProblem?
    ) throws(JSONSyntaxError) -> Cell {
        switch kind {
        case .string: try string(&scanner, in: arena, problem: &problem)
        case .bool: try bool(&scanner, in: arena, problem: &problem)
        case .whole: try whole(&scanner, in: arena, problem: &problem)
        case .float: try float(&scanner, in: arena, problem: &problem)
        case .double: try double(&scanner, in: arena, problem: &problem)
        case .decimal: try decimal(&scanner, in: arena, problem: &problem)
        case .date: try date(&scanner, in: arena, problem: &problem)
        case .day: try day(&scanner, in: arena, problem: &problem)
        case .uuid: try uuid(&scanner, in: arena, problem: &problem)
        case .url: try url(&scanner, in: arena, problem: &problem)
        case .data: try data(&scanner, in: arena, problem: &problem)
        case .attachment: try attachment(&scanner, in: arena, problem: &problem)
        case .json: try json(&scanner, in: arena, problem: &problem)
        case .custom: try custom(&scanner, in: arena, problem: &problem)
        case .list: try list(&scanner, in: arena, problem: &problem)
        }
    }

    // MARK: Shared by the readers of types

    /// The next value if it is a text or a number. Any other value is skipped, and is a problem.
    enum Token {
        case text(UnsafeBufferPointer<UInt8>)
        case number(JSONScanner.Number)
        case other
    }

    @inline(__always)
    func token(_ scanner: inout JSONScanner, in arena: TextArena) throws(JSONSyntaxError) -> Token {
        switch scanner.peek() {
        case UInt8(ascii: "\""):
            return .text(try scanner.text().unescaped(into: arena))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try scanner.number())
        default:
            try scanner.skipValue()
            return .other
        }
    }

    /// The content of the next value if it is a text; `nil` for any other value, which is skipped.
    @inline(__always)
    func text(_ scanner: inout JSONScanner, in arena: TextArena) throws(JSONSyntaxError) -> UnsafeBufferPointer<UInt8>?
    {
        guard scanner.peek() == UInt8(ascii: "\"") else {
            try scanner.skipValue()
            return nil
        }
        return try scanner.text().unescaped(into: arena)
    }

    /// Whether a number or a Bool was read as a string, or as one of a list.
    var isConverting: Bool { hasConverted || inner?.isConverting ?? false }

    func refuse(_ reason: String, problem: inout ValueProblem?) -> Cell {
        problem = ValueProblem(reason)
        return .absent
    }

    func refuse(_ violation: LimitViolation, problem: inout ValueProblem?) -> Cell {
        refuse(violation.description, problem: &problem)
    }
}

extension ColumnDescription {
    /// A column of another type with the same encoding, for the elements of a list.
    fileprivate func with(type: StoredType, limits: Limits) -> ColumnDescription {
        ColumnDescription(name, content: content, type: type, wire: wire, limits: limits)
    }
}

/// Why a value that is JSON cannot be stored: `is not a date`.
struct ValueProblem: Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

import GRDB
import LockstepTables

/// Compares the number of a table's rows with others, and reads no more rows than necessary.
struct TableSizeProbe {
    /// A table is scanned instead of looking up some of its rows if it has at most this many times as many.
    private static let scanShare = 4

    private let offset: RawStatement

    init(of table: String, in database: Database) throws {
        offset = try RawStatement("SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1 OFFSET ?", in: database)
    }

    var isEmpty: Bool { get throws { try !exceeds(0) } }

    /// Whether it is faster to scan the table than to look up so many of its rows.
    func favorsScan(overLookups lookups: Int) throws -> Bool { try !exceeds(lookups * Self.scanShare) }

    private func exceeds(_ count: Int) throws -> Bool {
        defer { offset.reset() }
        Cell(integer: Int64(count)).bind(to: offset.pointer, parameter: 1)
        return try offset.step()
    }
}

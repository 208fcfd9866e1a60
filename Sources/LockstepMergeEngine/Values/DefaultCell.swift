import Foundation
internal import GRDB
import LockstepEvolution
import LockstepTables

/// The value of a new record's column if the payload lacks it.
///
/// Fixed values are created once, in an arena that lives as long as the reader of the records.
struct DefaultCell {
    private enum Kind { case fixed(Cell), now, newUUID }

    private let kind: Kind
    private let type: StoredType

    /// Whether the value differs for each record.
    var isVolatile: Bool { fixed == nil }

    /// The value, if it is the same for all records.
    var fixed: Cell? { if case .fixed(let cell) = kind { cell } else { nil } }

    /// Returns `nil` if the column has no default.
    init?(_ column: ColumnDescription, arena: TextArena) {
        guard let value = column.defaultValue else { return nil }
        type = column.type
        switch value {
        case .now: kind = .now
        case .newUUID: kind = .newUUID
        default: kind = .fixed(Cell(column.type.storedValue(of: value), arena: arena))
        }
    }

    /// The value for a new record.
    func cell(_ arena: TextArena, now: () -> Date, newIdentity: () -> UUID) -> Cell {
        let value: DatabaseValue
        switch kind {
        case .fixed(let cell): return cell
        case .now: value = now().storedValue
        case .newUUID: value = newIdentity().storedValue
        }
        return Cell(type.normalized(value), arena: arena)
    }
}

import Foundation
internal import GRDB
import LockstepStore

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

extension StoredType {
    /// A default as a column of this type stores it.
    fileprivate func storedValue(of value: DefaultDescription) -> DatabaseValue {
        guard case .list(let elements) = value, case .list(of: let type) = self else {
            return normalized(Self.plainValue(of: value))
        }
        let texts = elements.map { StoredJSON.text(of: type.storedJSON(of: $0)) }
        return normalized("[\(texts.joined(separator: ","))]".databaseValue)
    }

    private func storedJSON(of value: DefaultDescription) -> JSONValue {
        let stored = storedValue(of: value)
        if case .bool(let value) = value { return .bool(value) }
        if case .string(let text) = stored.storage, self == .json { return StoredJSON.value(from: text) ?? .null }
        return JSONValue(storedScalar: stored)
    }

    private static func plainValue(of value: DefaultDescription) -> DatabaseValue {
        switch value {
        case .string(let text), .decimal(let text), .uuid(let text), .url(let text), .json(let text): text.databaseValue
        case .bool(let value): value.databaseValue
        case .integer(let number): number.databaseValue
        case .double(let number): number.databaseValue
        case .date(let seconds): Date.roundedToStore(seconds).databaseValue
        case .data(let bytes): Data(bytes).databaseValue
        case .now, .newUUID, .list: .null
        }
    }

    /// The value as this type's values are stored: digits without trailing zeros, or the encoding of an app's own type.
    fileprivate func normalized(_ value: DatabaseValue) -> DatabaseValue { Self.normalized(value, as: valueType) }

    private static func normalized<Value: AttributeValue>(_ value: DatabaseValue, as type: Value.Type) -> DatabaseValue
    {
        Value(storedValue: value)?.storedValue ?? value
    }
}

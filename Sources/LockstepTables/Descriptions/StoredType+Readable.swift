import Foundation
package import GRDB
package import LockstepJSON
import LockstepValues

extension StoredType {
    /// A stored value in readable form: dates as text, bytes as base64.
    package func readable(_ value: DatabaseValue) -> JSONValue {
        switch (self, value.storage) {
        case (.bool, .int64(let number)): return .bool(number != 0)
        case (.date, .double), (.date, .int64):
            let date = Date(timeIntervalSince1970: Double.fromDatabaseValue(value) ?? 0)
            return ISO8601.text(of: date).map(JSONValue.string) ?? JSONValue(storedScalar: value)
        case (.list(of: .date), .string(let text)):
            guard case .array(let dates)? = try? JSONValue(parsing: text) else { return .string(text) }
            return .array(dates.map { date in date.seconds.map { StoredType.date.readable($0.databaseValue) } ?? date })
        case (.json, .string(let text)), (.list, .string(let text)):
            return (try? JSONValue(parsing: text)) ?? .string(text)
        case (.custom(let custom), _): return custom.stored.readable(value)
        case (_, .double(let number)) where !number.isFinite: return .string(String(number))
        default: return JSONValue(storedScalar: value)
        }
    }
}

extension EntityPlan {
    /// A key in readable form: its value, or an array of its parts; null if a part is missing.
    package func readable(key: [DatabaseValue]) -> JSONValue {
        if key.contains(where: \.isNull) { return .null }
        let parts = zip(keyColumns, key).map { columns[$0].type.readable($1) }
        return parts.count == 1 ? parts[0] : .array(parts)
    }
}

extension JSONValue {
    /// A number as that of seconds.
    fileprivate var seconds: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        default: nil
        }
    }
}

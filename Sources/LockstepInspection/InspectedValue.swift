import Foundation
import GRDB
import LockstepJSON
import LockstepStore
import LockstepValues

/// Formats identities and values as text, without their contents unless these were requested.
struct InspectedValue {
    let includesValues: Bool
    /// Makes the stand-ins of equal texts different in different stores.
    let salt: String

    /// An identity as text. UUIDs and integers are shown; any other identity is replaced by a stand-in, unless values
    /// were requested.
    func identity(_ key: RecordKey?, of plan: EntityPlan?) -> String {
        guard let key else { return "unreadable" }
        let types = plan?.keyColumns.map { plan?.columns[$0].type }
        return key.values.enumerated().map { index, value in
            let type = types.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return identity(value, as: type)
        }.joined(separator: ", ")
    }

    private func identity(_ value: DatabaseValue, as type: StoredType?) -> String {
        let text = RecordKey(value).text
        if includesValues { return type.flatMap { Self.text(of: value, type: $0) } ?? text }
        switch value.storage {
        case .null: return text
        case .int64 where type.map(\.isInteger) ?? true: return text
        case .string(let text) where UUID(uuidString: text) != nil: return text
        default: return standIn(text)
        }
    }

    /// A stored value as readable text; `nil` if there is none.
    private static func text(of value: DatabaseValue, type: StoredType) -> String? {
        switch json(value, as: type) {
        case .null: nil
        case .string(let text): text
        case let other: (try? other.json()).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A text that is the same for equal texts within a store, and does not contain them.
    func standIn(_ text: String) -> String { DisclosedIdentities.standIn(text, salt: salt) }

    /// A stored value in readable form: dates as text, bytes as base64.
    static func json(_ value: DatabaseValue, as type: StoredType) -> JSONValue {
        switch (type, value.storage) {
        case (.bool, .int64(let number)): return .bool(number != 0)
        case (.date, .double), (.date, .int64):
            let date = Date(timeIntervalSince1970: Double.fromDatabaseValue(value) ?? 0)
            return ISO8601.text(of: date).map(JSONValue.string) ?? JSONValue(storedScalar: value)
        case (.list(of: .date), .string(let text)):
            guard case .array(let dates)? = try? JSONValue(parsing: text) else { return .string(text) }
            return .array(dates.map { date in date.seconds.map { json($0.databaseValue, as: .date) } ?? date })
        case (.json, .string(let text)), (.list, .string(let text)):
            return (try? JSONValue(parsing: text)) ?? .string(text)
        case (.custom(let custom), _): return json(value, as: custom.stored)
        case (_, .double(let number)) where !number.isFinite: return .string(String(number))
        default: return JSONValue(storedScalar: value)
        }
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

import Foundation
package import GRDB
package import LockstepJSON
import LockstepValues

extension ColumnDescription {
    /// A value of the column as a record's JSON has it; `nil` if it is not a value of the type.
    ///
    /// - Parameter format: How it is written; `nil` for the format of the attribute.
    /// - Throws: `EncodingError` if JSON cannot represent it.
    package func json(of stored: DatabaseValue, as format: WireDescription.Format? = nil) throws -> JSONValue? {
        let format = format ?? wire?.format ?? .plain
        // Most values are these, and are what they are stored as.
        switch (type, format, stored.storage) {
        case (.string, _, .string(let text)): return .string(text)
        case (.int, .plain, .int64(let number)), (.int64, .plain, .int64(let number)): return .integer(number)
        default:
            let type: any AttributeValue.Type = type.valueType
            return try format.json(of: stored, as: type)
        }
    }

    /// How the column's dates are written in JSON.
    var dateFormat: DateFormat { if case .date(let format) = wire?.format { format } else { .iso8601 } }

    /// A value of a record's JSON as the column stores it; `nil` if it is not a value of the type, or its limits do not
    /// allow it (Rules.md, N1 to N7).
    package func stored(json: JSONValue) -> DatabaseValue? {
        // Most identities are these, and need no decoder.
        switch (type, json) {
        case (.string, .string(let text)): return text.violation(of: limits) == nil ? text.storedValue : nil
        case (.int64, .integer(let number)): return number.violation(of: limits) == nil ? number.storedValue : nil
        case (.uuid, .string(let text)): return UUID(uuidString: text)?.storedValue
        default:
            let type: any AttributeValue.Type = type.valueType
            return stored(json, as: type)
        }
    }

    private func stored<Value: AttributeValue>(_ json: JSONValue, as type: Value.Type) -> DatabaseValue? {
        let decoder = JSONDecoder()
        decoder.userInfo[.dateFormat] = dateFormat
        guard let array = try? JSONValue.array([json]).json(),
            let value = try? decoder.decode([WireValue<Value>].self, from: array).first?.value,
            value.violation(of: limits) == nil
        else { return nil }
        return value.storedValue
    }
}

extension CodingUserInfoKey {
    fileprivate static let dateFormat = CodingUserInfoKey(rawValue: "lockstep.dateFormat")!
}

/// A value by itself.
private struct WireValue<Value: AttributeValue>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Value(wire: WireSource(decoder, format: decoder.userInfo[.dateFormat] as? DateFormat ?? .iso8601))
    }
}

extension WireDescription.Format {
    /// The JSON of a stored value; `nil` if it is not a value of the type.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent it.
    func json<Value: AttributeValue>(of stored: DatabaseValue, as type: Value.Type) throws -> JSONValue? {
        guard let value = Value(storedValue: stored) else { return nil }
        let encoder = JSONValueEncoder()
        switch self {
        // ``IdentitySpellings`` says how a UUID of an identity is spelled.
        case .plain, .uppercase: try value.write(to: WireTarget(encoder))
        case .text: try value.write(to: WireTarget(encoder, asText: true))
        case .date(let date): try value.write(to: WireTarget(encoder, format: date))
        }
        return encoder.value
    }
}

import Foundation
package import GRDB
package import LockstepJSON
import LockstepValues

extension ColumnDescription {
    /// A value of the column as a record's JSON has it; `nil` if it is not a value of the type.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent it.
    package func json(of stored: DatabaseValue) throws -> JSONValue? {
        let type: any AttributeValue.Type = type.valueType
        return try (wire?.format ?? .plain).json(of: stored, as: type)
    }

    /// How the column's dates are written in JSON.
    var dateFormat: DateFormat { if case .date(let format) = wire?.format { format } else { .iso8601 } }

    /// A value of a record's JSON as the column stores it; `nil` if it is not a value of the type, or its limits do not
    /// allow it (Rules.md, N1 to N7).
    package func stored(json: JSONValue) -> DatabaseValue? {
        let type: any AttributeValue.Type = type.valueType
        return stored(json, as: type)
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
    package func json<Value: AttributeValue>(of stored: DatabaseValue, as type: Value.Type) throws -> JSONValue? {
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

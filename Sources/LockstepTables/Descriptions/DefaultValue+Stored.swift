import Foundation
package import GRDB
package import LockstepEvolution
import LockstepJSON

extension StoredType {
    /// A default as a column of this type stores it.
    package func storedValue(of value: DefaultValue) -> DatabaseValue {
        guard case .list(let elements) = value, case .list(of: let type) = self else {
            return normalized(Self.plainValue(of: value))
        }
        let texts = elements.map { StoredJSON.text(of: type.storedJSON(of: $0)) }
        return normalized("[\(texts.joined(separator: ","))]".databaseValue)
    }

    private func storedJSON(of value: DefaultValue) -> JSONValue {
        let stored = storedValue(of: value)
        if case .bool(let value) = value { return .bool(value) }
        if case .string(let text) = stored.storage, self == .json { return StoredJSON.value(from: text) ?? .null }
        return JSONValue(storedScalar: stored)
    }

    private static func plainValue(of value: DefaultValue) -> DatabaseValue {
        switch value {
        case .string(let text), .decimal(let text), .day(let text), .uuid(let text), .url(let text), .json(let text):
            text.databaseValue
        case .bool(let value): value.databaseValue
        case .integer(let number): number.databaseValue
        case .double(let number): number.databaseValue
        case .date(let seconds): Date.roundedToStore(seconds).databaseValue
        case .data(let bytes): Data(bytes).databaseValue
        case .now, .newUUID, .list, .enumerationCase: .null
        }
    }

    /// The value as this type's values are stored: digits without trailing zeros, or the encoding of an app's own type.
    package func normalized(_ value: DatabaseValue) -> DatabaseValue { Self.normalized(value, as: valueType) }

    private static func normalized<Value: AttributeValue>(_ value: DatabaseValue, as type: Value.Type) -> DatabaseValue
    {
        Value(storedValue: value)?.storedValue ?? value
    }
}

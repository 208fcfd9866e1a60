import Foundation
package import GRDB

extension EntityPlan {
    /// The identity that a record's JSON gives it, as the store keeps it, though the rest of the record may be invalid;
    /// `nil` where it cannot be read, and where the entity has none.
    package func wireIdentity(from decoder: any Decoder) -> [DatabaseValue]? {
        if case .none = identity { return nil }
        guard let wire = try? WireReader<WireKey>(decoder) else { return nil }
        var values: [DatabaseValue] = []
        for column in remoteColumn.map({ [$0] }) ?? keyColumns {
            guard let path = columns[column].wire?.path, let type = columns[column].type.valueType,
                let value = try? read(type, from: wire, at: path)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private func read<Value: AttributeValue>(
        _ type: Value.Type, from wire: borrowing WireReader<WireKey>, at path: [String]
    ) throws -> DatabaseValue? {
        try wire.value(WireKey(path[0]), at: path, orAt: nil, as: .iso8601, type)?.storedValue
    }
}

extension StoredType {
    /// What an identity's values are in Swift, as far as the store tells them apart; `nil` for what no identity is.
    fileprivate var valueType: (any AttributeValue.Type)? {
        switch self {
        case .string, .enumeration(.string, closed: _): String.self
        case .int, .int64, .enumeration(.int, closed: _): Int64.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .uuid: UUID.self
        case .url: URL.self
        case .bool: Bool.self
        case .decimal: Decimal.self
        case .date: Date.self
        case .custom(of: let type): type.valueType
        case .float, .double, .data, .json, .list, .attachment: nil
        }
    }
}

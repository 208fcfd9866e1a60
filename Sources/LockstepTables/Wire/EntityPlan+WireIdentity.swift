package import GRDB
import LockstepJSON

extension EntityPlan {
    /// The identity in a record's JSON, in the store's encoding, even if the rest of the record is invalid; `nil` if it
    /// cannot be read, or the entity has none.
    package func wireIdentity(from decoder: any Decoder) -> [DatabaseValue]? {
        guard hasIdentity, let wire = try? WireReader<JSONKey>(decoder) else { return nil }
        var values: [DatabaseValue] = []
        for column in serverKeyColumns {
            guard let path = columns[column].wire?.path,
                let value = try? read(
                    columns[column].type.valueType, from: wire, at: path, format: columns[column].dateFormat)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private func read<Value: AttributeValue>(
        _ type: Value.Type, from wire: borrowing WireReader<JSONKey>, at path: [String], format: DateFormat
    ) throws -> DatabaseValue? {
        try wire.value(JSONKey(path[0]), at: path, orAt: nil, as: format, type: type)?.storedValue
    }
}

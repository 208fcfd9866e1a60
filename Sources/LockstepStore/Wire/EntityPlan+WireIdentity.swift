package import GRDB

extension EntityPlan {
    /// The identity that a record's JSON gives it, as the store keeps it, though the rest of the record may be invalid;
    /// `nil` if it cannot be read, and where the entity has none.
    package func wireIdentity(from decoder: any Decoder) -> [DatabaseValue]? {
        if case .none = identity { return nil }
        guard let wire = try? WireReader<WireKey>(decoder) else { return nil }
        var values: [DatabaseValue] = []
        for column in remoteColumn.map({ [$0] }) ?? keyColumns {
            guard let path = columns[column].wire?.path,
                let value = try? read(columns[column].type.valueType, from: wire, at: path)
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

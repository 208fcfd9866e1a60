import GRDB

extension RowWriter {
    /// Copies the value of a column from an object.
    mutating func take(_ column: Int, of object: ManagedObject) { take(column) { object.bind(column, to: &$0) } }

    /// The reason why the value of a column of an object cannot be stored; `nil` if it can.
    mutating func problem(of column: Int, of object: ManagedObject) -> LimitViolation? {
        violation(of: column) { object.bind(column, to: &$0) }
    }
}

extension ValueRow {
    /// Creates a row from the values of an object in some columns.
    init(of object: ManagedObject, columns: some Sequence<Int>) {
        var values: [Int: DatabaseValue] = [:]
        for column in columns { values[column] = object.storedValue(column) }
        self.init(values, files: object.context.base.files)
    }

    /// Creates a row from all values of an object.
    init(of object: ManagedObject) { self.init(of: object, columns: object.plan.columns.indices) }
}

/// Untyped access to values.
extension ManagedObject {
    /// The value of a column as it would be stored.
    final func storedValue(_ column: Int) -> DatabaseValue {
        var writer = RowWriter(capturing: plan)
        writer.take(column, of: self)
        return writer.captured
    }

    /// The attachment of a column, with the bytes that it may have in memory.
    final func attachment(_ column: Int) -> FileAttachment? {
        var writer = RowWriter(capturing: plan)
        writer.take(column, of: self)
        return writer.capturedAttachment
    }

    final var plan: EntityPlan { records?.plan ?? Self.plan(of: self) }

    /// The entity's plan for an object that no context knows.
    private static func plan(of object: ManagedObject) -> EntityPlan {
        guard let type = type(of: object) as? any Model.Type else {
            preconditionFailure("\(type(of: object)) is a ManagedObject but not a Model")
        }
        return type.entity.plan
    }

    /// The values of the key columns.
    package final var recordKey: RecordKey {
        let plan = plan
        return key(plan.keyColumns, of: plan) ?? RecordKey(plan.keyColumns.map(storedValue))
    }

    /// The key that a to-one points at; `nil` if it points at none.
    final func foreignKey(_ relationship: Int) -> RecordKey? {
        let plan = plan
        return key(plan.foreignKeys[relationship], of: plan)
    }

    /// The key in some columns; `nil` if one of them is NULL, or there are no columns.
    private func key(_ columns: [Int], of plan: EntityPlan) -> RecordKey? {
        if columns.count == 1 {
            var writer = RowWriter(capturingKeyOf: plan)
            writer.take(columns[0], of: self)
            return writer.capturedKey
        }
        let values = columns.map(storedValue)
        return values.isEmpty || values.contains(.null) ? nil : RecordKey(values)
    }
}

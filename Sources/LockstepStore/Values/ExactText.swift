import GRDB

extension RecordKey {
    /// As SQLite compares keys. Hashing may go by what Swift takes for equal: that is never less.
    static func == (left: RecordKey, right: RecordKey) -> Bool {
        left.values.elementsEqual(right.values) { left, right in
            if case (.string(let left), .string(let right)) = (left.storage, right.storage) {
                return String.isIdentical(left, right)
            }
            return left == right
        }
    }
}

/// A property's value, equal to another where storing either gives the same.
private struct ExactValue<Value: AttributeValue>: Equatable {
    let value: Value?

    static func == (left: Self, right: Self) -> Bool { Value.isIdentical(left.value, right.value) }
}

extension ManagedObject {
    /// Tells that a property has changed. Values that are stored alike mark nothing.
    public final func didChange<Value: AttributeValue>(_ column: Int, from old: Value, to new: Value) {
        didChange(column, from: ExactValue(value: old), to: ExactValue(value: new))
    }

    /// Tells that an optional property has changed. Values that are stored alike mark nothing.
    public final func didChange<Value: AttributeValue>(_ column: Int, from old: Value?, to new: Value?) {
        didChange(column, from: ExactValue(value: old), to: ExactValue(value: new))
    }
}

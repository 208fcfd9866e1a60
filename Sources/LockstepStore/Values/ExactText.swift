import GRDB

extension RecordKey {
    /// As SQLite compares keys. Hashing may go by what Swift takes for equal: that is never less.
    package static func == (left: RecordKey, right: RecordKey) -> Bool {
        // Most keys are one number or one UUID, and are compared by the million.
        if let left = left.integer, let right = right.integer { return left == right }
        if let left = left.uuidWords, let right = right.uuidWords { return left == right }
        return left.values.elementsEqual(right.values, by: isIdentical)
    }

    /// Whether SQLite takes two values for the same one.
    static func isIdentical(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
        if case (.string(let left), .string(let right)) = (left.storage, right.storage) {
            return String.isIdentical(left, right)
        }
        return left == right
    }
}

extension ManagedObject {
    // Two names, not two overloads: every property of every model calls one of them, and Swift would try both.

    /// Tells that a property has changed. Values that are stored alike mark nothing.
    public final func didChange<Value: AttributeValue>(_ column: Int, from old: Value, to new: Value) {
        if !Value.isIdentical(old, new) { didChange(column, from: old.storedValue) }
    }

    /// Tells that an optional property has changed. Values that are stored alike mark nothing.
    public final func didChangeOptional<Value: AttributeValue>(_ column: Int, from old: Value?, to new: Value?) {
        if !Value.isIdentical(old, new) { didChange(column, from: old?.storedValue ?? .null) }
    }

    /// Tells that an optional attachment has changed. One that the store knows and does not have here counts as changed
    /// by getting its bytes.
    public final func didChangeOptional(_ column: Int, from old: Attachment?, to new: Attachment?) {
        context.willReplace(old, by: new)
        guard old != new || new?.content.hasOwnBytes == true else { return }
        didChange(column, from: old?.storedValue ?? .null)
    }
}

extension ManagedObject {
    /// Whether the record exists in the context: it is neither deleted nor a placeholder.
    final var isThere: Bool { state != .deleted && state != .missing }
}

extension RecordMap {
    /// Copies the values of a parent's object. Whether the context's own unsaved values stay depends on the policy.
    func follow(_ other: ManagedObject, of object: ManagedObject) {
        merge(ValueRow(of: other).reader, into: object, policy: context.mergePolicy)
    }
}

extension TypedRecordMap {
    /// Whether this context or one above has an object with this identity.
    func isKnown(_ identity: Object.Identity) -> Bool {
        registered(identity) != nil || parentRecords?.isKnown(identity) ?? false
    }

    /// This context's object for the record of a parent's object.
    func typedObject(like other: Object) -> Object {
        if let known = registered(other.identity) {
            if known.state != .inserted {
                guard other.state != .deleted || known.state == .deleted else { return copy(of: other) }
                let isBehind = context.parent.map { $0.unsaved.revision != context.family.followedChanges } ?? false
                if isBehind, known.isThere { follow(other, of: known) }
                return known
            }
            // As in `typedObject(at:)`: the parent's record is about to be deleted, or the new one is a duplicate.
            if let replaced = deletedObjects[known.recordKey] as? Object { return replaced }
        }
        let object = copy(of: other)
        if object.isThere { register(object) }
        return object
    }

    private func copy(of other: Object) -> Object {
        let object = Object(row: ValueRow(of: other).reader, context: context)
        object.records = self
        if other.state == .deleted { object.state = .deleted }
        return object
    }
}

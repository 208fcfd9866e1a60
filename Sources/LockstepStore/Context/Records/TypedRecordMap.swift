import GRDB

/// A context's records of one model.
///
/// Objects that are not in use are removed when the table decides to, instead of in `deinit`, because the app's last
/// reference may be dropped on any thread.
final class TypedRecordMap<Object: Model>: RecordMap {
    private let objects = ObjectTable()
    private let keyForm = KeyForm(Object.Identity.self)
    /// New and changed objects by their identity on the server, for `{ local, remote }`.
    private var unsavedObjectsByWireIdentity: [IdentityKey<Object.WireIdentity>: Object] = [:]
    /// The parent's records; `nil` in a context without a parent.
    let parentRecords: TypedRecordMap?

    override init(context: ManagedObjectContext, plan: EntityPlan) {
        parentRecords = context.parent?.records(Object.self)
        super.init(context: context, plan: plan)
    }

    private let ownRule: ((ManagedObject) throws -> Void)? = (Object.self as? any Validatable.Type)?.rule

    override var rule: ((ManagedObject) throws -> Void)? { ownRule }

    func registered(_ identity: Object.Identity) -> Object? {
        let words = keyForm.words(of: identity)
        // Not `map`: it would copy the reference by its type's witness table, because this code is generic.
        if keyForm.isExact {
            guard let object = objects.object(at: words) else { return nil }
            return unsafeDowncast(object, to: Object.self)
        }
        let found = objects.object(at: words) { object in
            Object.Identity.isIdentical(unsafeDowncast(object, to: Object.self).identity, identity)
        }
        guard let found else { return nil }
        return unsafeDowncast(found, to: Object.self)
    }

    /// The record with this identity that is in the map and not deleted.
    func live(_ identity: Object.Identity) -> Object? {
        registered(identity).flatMap { $0.state == .deleted ? nil : $0 }
    }

    // MARK: Finding

    /// The record with this identity, from the map or from the store.
    func find(_ identity: Object.Identity) throws -> Object? {
        // One that could not be read again is reported again.
        if let known = registered(identity), known.state != .stored || !context.commits.isUnread(known) {
            return known.state == .deleted ? nil : known
        }
        if let parentRecords {
            return try parentRecords.find(identity).map(typedObject(like:)).flatMap { $0.isThere ? $0 : nil }
        }
        return try objects(sql: plan.findSQL, arguments: identity.keyValues).first as? Object
    }

    func find(wireIdentity: Object.WireIdentity) throws -> Object? {
        guard let column = plan.remoteColumn else {
            guard plan.hasIdentity else { return nil }
            return try (wireIdentity as? Object.Identity).flatMap(find)
        }
        if let object = unsavedObjectsByWireIdentity[IdentityKey(wireIdentity)], object.state.isUnsaved,
            Object.WireIdentity.isIdentical(object.wireIdentity, wireIdentity)
        {
            return object
        }
        let found: [ManagedObject]
        if let parentRecords {
            found = try parentRecords.find(wireIdentity: wireIdentity).map { [typedObject(like: $0)] } ?? []
        } else {
            let condition = SQLName.condition([plan.columns[column].name], in: plan.table)
            found = try objects(sql: "\(plan.selectSQL) WHERE \(condition)", arguments: wireIdentity.keyValues)
        }
        // A record with an unsaved new identity is still found by its old identity in the store.
        return found.lazy.compactMap { $0 as? Object }.first {
            Object.WireIdentity.isIdentical($0.wireIdentity, wireIdentity) && $0.state != .deleted
        }
    }

    // MARK: The map

    override func object(at row: RowReader) -> ManagedObject { typedObject(at: row) }

    override func unregisteredObject(at row: RowReader) -> ManagedObject { Object(row: row, context: context) }

    func typedObject(at row: RowReader) -> Object {
        if let parentRecords, parentRecords.isKnown(Object.identity(in: row)) {
            return typedObject(like: parentRecords.typedObject(at: row))
        }
        // Most keys are found by what is in the row, without creating a value.
        let words = keyForm.words(of: row, column: plan.keyColumns[0])
        let found: ManagedObject? =
            if let words { objects.object(at: words) } else { registered(Object.identity(in: row)) }
        if let found {
            let known = unsafeDowncast(found, to: Object.self)
            switch known.state {
            case .stored, .changed:
                // What the context knows is what the store has, if it has seen all commits.
                if context.commits.mayBeBehind || context.commits.isUnread(known) {
                    merge(row, into: known, policy: context.mergePolicy)
                }
                return known
            case .deleted, .missing: return known
            case .inserted: break
            }
            // The row is not that of the new object: either it belongs to a record that is about to be deleted, or the
            // new object is a duplicate, which the save will report.
            if let replaced = deletedObjects[known.recordKey] as? Object { return replaced }
        }
        let object = Object(row: row, context: context)
        object.records = self
        // Reading it throws, now and each time.
        if row.hasProblems { return object }
        if let words, found == nil, plan.remoteColumn == nil {
            put(object, at: words)
        } else {
            register(object)
        }
        return object
    }

    override func register(_ object: ManagedObject) {
        let object = unsafeDowncast(object, to: Object.self)
        if !object.isRegistered {
            let identity = object.identity
            let known = registered(identity)
            // Of two new records with the same identity the first stays. Saving them reports the duplicate.
            if let known, known.state != .deleted {
                guard known.state == .inserted, object.state == .stored else { return }
            }
            put(object, at: keyForm.words(of: identity), replacing: known)
        }
        if plan.remoteColumn != nil { didChangeRemoteIdentity(of: object) }
    }

    override func unregister(_ object: ManagedObject) {
        guard object.isRegistered else { return }
        objects.remove(object, at: keyForm.words(of: unsafeDowncast(object, to: Object.self).identity))
        object.isRegistered = false
    }

    private func put(_ object: ManagedObject, at words: ObjectTable.KeyWords, replacing other: ManagedObject? = nil) {
        objects.insert(object, at: words, replacing: other)
        other?.isRegistered = false
        object.isRegistered = true
    }

    override func isRegisteredElsewhere(_ object: ManagedObject) -> Bool {
        guard let object = object as? Object, let known = registered(object.identity) else { return false }
        return known !== object && known.state != .deleted
    }

    override func didChangeRemoteIdentity(of object: ManagedObject) {
        // Stored ones are found by a query.
        guard object.state != .stored, let object = object as? Object, let wireIdentity = object.wireIdentity else {
            return
        }
        unsavedObjectsByWireIdentity[IdentityKey(wireIdentity)] = object
    }

    override func clearUnsaved() {
        super.clearUnsaved()
        unsavedObjectsByWireIdentity.removeAll()
    }

    override var model: any Model.Type { Object.self }

    override var recordsAbove: RecordMap? { parentRecords }

    override func objectAbove(_ object: ManagedObject) throws -> ManagedObject? {
        guard let object = object as? Object else { return nil }
        return try parentRecords?.find(object.identity)
    }

    override func registered(like other: ManagedObject) -> ManagedObject? {
        (other as? Object).flatMap { registered($0.identity) }
    }

    override func object(like other: ManagedObject) -> ManagedObject {
        typedObject(like: unsafeDowncast(other, to: Object.self))
    }

    override func insertCopy(of other: ManagedObject) -> ManagedObject {
        let copy = Object(row: ValueRow(of: other).reader, context: context)
        copy.state = .inserted
        context.insert(copy)
        return copy
    }

    override func registeredObject(at row: RowReader) -> ManagedObject? { registered(Object.identity(in: row)) }

    override func registeredObject(of key: RecordKey) -> ManagedObject? {
        guard let words = keyForm.words(of: key) else { return super.registeredObject(of: key) }
        return objects.object(at: words)
    }

    override func usedObject(of key: RecordKey) -> ManagedObject? {
        guard keyForm.isExact, let words = keyForm.words(of: key) else { return registeredObject(of: key) }
        return objects.usedObject(at: words)
    }

    override var isEmpty: Bool { objects.isEmpty }

    override var objectsInMap: [ManagedObject] { objects.objects }

    override func removeUnused(keepsObserved: Bool) { objects.removeUnused(keepsObserved: keepsObserved) }

    override func removeAll() {
        clearUnsaved()
        objects.removeAll()
    }

    override func keepNone() {
        unsavedObjectsByWireIdentity = unsavedObjectsByWireIdentity.filter { $0.value.state.isUnsaved }
        objects.keepNone()
    }
}

import GRDB

extension Context {
    /// Tells `observer`, which is held weakly, of everything that the context takes over from commits.
    func addObserver(_ observer: any ContextObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    /// Lets another context of the same isolation domain, held weakly, take over commits whenever this one is woken to.
    func addCompanion(_ context: Context) {
        companions.removeAll { $0.context == nil }
        companions.append(WeakContext(context: context))
    }

    /// Takes over what was committed, because the store says that there is something.
    func wake() {
        inbox.didWake()
        remembering { try showCommits() }
        for companion in companions { companion.context?.wake() }
    }

    /// Takes over what was committed since, and tells observers.
    func showCommits() throws {
        defer { tellObservers() }
        try takeOverCommits()
    }

    /// Takes over what was committed since; observers are told later.
    func takeOverCommits() throws {
        try followParent()
        guard let waiting = inbox.take() else { return }
        var unreadable: StoreError?
        do { try takeOver(waiting.unknown) } catch let error as StoreError where error.code == .unreadableValue {
            // It will not be readable next time either. It is told once; a fetch of that record will tell again.
            unreadable = error
        } catch {
            inbox.putBack(waiting)
            throw error
        }
        seenCommit = waiting.number
        untold.merge(waiting.change)
        if let unreadable { throw unreadable }
    }

    /// Tells observers of what was taken over. One that reads may let more be taken over: that is told after.
    func tellObservers() {
        guard !isTellingObservers else { return }
        isTellingObservers = true
        defer { isTellingObservers = false }
        while !untold.isEmpty {
            let change = untold
            untold = StoreChange()
            for observer in observers { observer.observer?.contextDidRefresh(change) }
        }
    }

    private func takeOver(_ change: StoreChange) throws {
        let touched = allRecords.compactMap { records in
            change.tables[records.plan.table].map { (records: records, change: $0) }
        }
        changeCount &+= 1
        // Before the records are read: what is linked anew then is linked in the new epoch.
        if change.tables.keys.contains(where: base.tracker.isLinked) {
            unloadLinks()
            for join in joins.values { join.keepsUndone = true }
        }
        var failure: (any Error)?
        for (records, change) in touched {
            family.letChildrenFollow(records.objects(in: change))
            do { try records.refresh(change) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    func isUnread(_ object: ManagedObject) -> Bool {
        !unreadObjects.isEmpty && unreadObjects.contains(ObjectIdentifier(object))
    }

    // MARK: For the app

    /// Reads a record again now.
    ///
    /// A context takes over commits made through its store by itself; this is for what another process has written, and to
    /// accept or drop changes after a save has thrown a conflict. A record that is gone from the store becomes deleted,
    /// unless it has changes that are kept and the merge policy is not ``MergePolicy/storeWins``. A child reads what its
    /// parent has, once that has read the record again and kept its changes.
    ///
    /// - Parameters:
    ///   - object: A record of this context. Nothing happens to new and deleted ones.
    ///   - keepingChanges: Whether its unsaved changes stay; they count as made to what the store has now, and the next
    ///     save writes them. If not, every value is the store's, and so are its links of many to many. Links that other
    ///     records hold, as the members of a to-many do, are changes of those.
    /// - Throws: `StoreError` where the store cannot be read.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = true) throws {
        guard object.context === self, let records = object.records else { return }
        try showCommits()
        guard object.recordState == .stored || object.recordState == .changed else { return }
        if let parent, let above = try records.objectAbove(object) { try parent.refresh(above) }
        if !keepingChanges {
            dropChanges(of: object)
            dropLinks(of: object)
        }
        try keepOrDropOrders(of: object, keepingChanges: keepingChanges)
        try records.readAgain([(key: object.recordKey, object: object)], policy: .contextWins)
        unloadLinks()
    }

    /// Reads every record and relationship that the context shows again: what another process has written too.
    ///
    /// Unsaved changes stay, as the context's ``mergePolicy`` says.
    ///
    /// - Throws: `StoreError` where the store cannot be read.
    public func refreshAll() throws {
        var change = StoreChange()
        for plan in base.tracker.entities {
            change.tables[plan.table] = TableChange(hasInserts: true, isUnbounded: true)
        }
        defer { tellObservers() }
        try parent?.refreshAll()
        try takeOverCommits()
        try takeOver(change)
        untold.merge(change)
    }

    private func dropChanges(of object: ManagedObject) {
        guard object.recordState == .changed else { return }
        noteChangedUnderneath(object)
        conflicts[ObjectIdentifier(object)] = nil
        object.clearChanges()
        object.recordState = .stored
        changed.removeAll { $0 === object }
    }

    /// Forgets the unsaved links of many to many of a record.
    private func dropLinks(of object: ManagedObject) {
        guard !joins.isEmpty, let records = object.records else { return }
        noteChangedUnderneath(object)
        let key = object.recordKey
        for (relationship, description) in records.plan.relationships.enumerated() {
            guard case .manyToMany(let join) = description.kind, let changes = joins[join.table] else { continue }
            changes.forget(of: key, join)
            // Its own inverse: both directions are rows.
            if let inverse = records.inverse(relationship), records.destination(relationship) === records,
                case .manyToMany(let back) = records.plan.relationships[inverse].kind
            {
                changes.forget(of: key, back)
            }
            if changes.changes.isEmpty { joins[join.table] = nil }
        }
        unloadLinks()
    }

    /// Records whose rows are gone. What was changed here is for the save to store, or to refuse, as the policy says.
    func markGoneElsewhere(_ objects: [ManagedObject]) {
        markGone(
            objects.filter { object in
                noteChangedUnderneath(object)
                if object.recordState == .changed, mergePolicy != .storeWins {
                    unreadObjects.insert(ObjectIdentifier(object))
                    return false
                }
                dropChanges(of: object)
                return true
            })
    }
}

extension RecordMap {
    /// Takes over what was changed of the records that the context has.
    func refresh(_ change: TableChange) throws {
        let targets = objects(in: change).filter { $0.recordState == .stored || $0.recordState == .changed }
        try readAgain(targets.map { ($0.recordKey, $0) }, policy: context.mergePolicy)
    }

    /// The records that the context has of those that were changed.
    func objects(in change: TableChange) -> [ManagedObject] {
        if isEmpty { return [] }
        if change.isUnbounded { return liveObjects }
        var objects = change.keys.compactMap(registeredObject(of:))
        // One that was gone may be there again.
        if change.hasInserts, !context.unreadObjects.isEmpty { objects += liveObjects.filter(context.isUnread) }
        return objects
    }

    /// Reads the rows of records again; those that are gone are marked so.
    func readAgain(_ targets: [(key: RecordKey, object: ManagedObject)], policy: MergePolicy) throws {
        if recordsAbove != nil { return try readParentAgain(targets.map(\.object), policy: policy) }
        var gone: [ManagedObject] = []
        var failure: (any Error)?
        let size = plan.keyColumns.count == 1 ? Self.batchSize : 1
        for start in stride(from: 0, to: targets.count, by: size) {
            let batch = targets[start..<min(start + size, targets.count)]
            let objects = batch.lazy.map { ObjectIdentifier($0.object) }
            do {
                gone += try readBatch(batch, policy: policy)
                if !context.unreadObjects.isEmpty { context.unreadObjects.subtract(objects) }
            } catch let error as StoreError {
                guard error.code == .unreadableValue else { throw error }
                failure = failure ?? error
                context.unreadObjects.formUnion(objects)
            }
        }
        context.markGoneElsewhere(gone)
        if let failure { throw failure }
    }

    /// How many rows are asked for at once: enough that asking costs little for each.
    private static let batchSize = 64

    /// - Returns: Those whose rows are not there.
    private func readBatch(
        _ targets: ArraySlice<(key: RecordKey, object: ManagedObject)>, policy: MergePolicy
    ) throws -> [ManagedObject] {
        var keys = targets.flatMap(\.key.values)
        var sql = plan.findSQL
        if targets.count > 1 {
            // Always as many parameters, so that the statement is prepared once.
            keys += Array(repeating: keys[0], count: Self.batchSize - targets.count)
            let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
            let places = Array(repeating: "?", count: Self.batchSize).joined(separator: ", ")
            sql = "\(plan.selectSQL) WHERE \(SQLName.quoted(plan.table)).\(key) IN (\(places))"
        }
        var found: Set<ObjectIdentifier> = []
        func goneObjects() -> [ManagedObject] {
            targets.lazy.map(\.object).filter { !found.contains(ObjectIdentifier($0)) }
        }
        try context.read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(keys, to: statement.sqliteStatement)
            try context.forEachRow(of: statement, database, plan) { row in
                guard let object = registeredObject(at: row) else { return }
                found.insert(ObjectIdentifier(object))
                merge(row, into: object, policy: policy)
            }
        }
        return goneObjects()
    }
}

/// Someone who follows what a context shows.
struct WeakObserver {
    weak var observer: (any ContextObserver)?
}

/// A context that takes over commits along with another.
struct WeakContext {
    weak var context: Context?
}

import GRDB

/// The query of live results: a request, the sections of its rows, and the tables that it depends on.
struct ResultsQuery<Object: Model, Key: Hashable> {
    typealias Section = ResultsSection<Key, Object>

    let request: QueryInterfaceRequest<Object>
    let prefetches: [PrefetchPath]
    let key: (Object) -> Key
    let isOrdered: ((Key, Key) -> Bool)?
    /// The section that exists even if it has no rows.
    let permanentKey: Key?

    init(
        _ request: some ModelRequest<Object>, permanentKey: Key? = nil, isOrdered: ((Key, Key) -> Bool)? = nil,
        key: @escaping (Object) -> Key
    ) {
        self.request = request.request
        prefetches = request.prefetches
        self.permanentKey = permanentKey
        self.isOrdered = isOrdered
        self.key = key
    }

    private init(_ request: some ModelRequest<Object>, like other: Self) {
        self.init(request, permanentKey: other.permanentKey, isOrdered: other.isOrdered, key: other.key)
    }

    /// A query with the same sections, and another request.
    func changed(to request: some ModelRequest<Object>) -> Self { Self(request, like: self) }

    /// The sections with the stored rows.
    ///
    /// - Parameter knowsRows: Whether the context is likely to know most of them.
    func sections(in context: ManagedObjectContext, knowsRows: Bool = false) throws -> [Section] {
        let known = knowsRows ? try context.knownRows(of: request) : nil
        let rows = try known ?? context.savedRows(of: request)
        if !prefetches.isEmpty {
            try context.prefetch(prefetches, of: rows.map { unsafeDowncast($0, to: Object.self) })
        }
        return try sections(of: rows, in: context)
    }

    private func sections(of rows: [ManagedObject], in context: ManagedObjectContext) throws -> [Section] {
        if let permanentKey { return [Section(key: permanentKey, rows: rows)] }
        var keys: [Key] = []
        var groups: [[ManagedObject]] = []
        var positions: [Key: Int] = [:]
        var last = -1
        for row in rows {
            let key = key(unsafeDowncast(try context.asSaved(row), to: Object.self))
            // If the request orders by the key, the next row mostly belongs to the same section.
            if last < 0 || keys[last] != key {
                last = positions[key] ?? keys.count
                if last == keys.count {
                    positions[key] = last
                    keys.append(key)
                    groups.append([])
                }
            }
            groups[last].append(row)
        }
        let sections = zip(keys, groups).map { Section(key: $0, rows: $1) }
        guard let isOrdered else { return sections }
        return sections.sorted { isOrdered($0.key, $1.key) }
    }

    // MARK: Dependencies

    /// The parts of the database that determine which rows are selected, and in which order.
    func region(in context: ManagedObjectContext) throws -> DatabaseRegion {
        try context.read { try request.databaseRegion($0) }
    }

    /// Whether a change can affect the selected rows, their order, or what was prefetched.
    func isTouched(by change: StoreChange, region: DatabaseRegion) -> Bool {
        change.tables.contains { table, change in
            guard !change.isEmpty else { return false }
            // A delete affects every column, because it is not recorded which columns an update has written.
            return region.isModified(byEventsOfKind: .delete(tableName: table)) || prefetchedTables.contains(table)
        }
    }

    private var prefetchedTables: Set<String> { Set(prefetches.flatMap { Self.tables(along: $0) }) }

    private static func tables(along path: PrefetchPath) -> [String] {
        var tables: [String] = []
        var plan = Object.entity.plan
        for name in path.names {
            guard let relationship = plan.relationship(named: name) else { break }
            let description = plan.relationships[relationship]
            if case .manyToMany(let join) = description.kind { tables.append(join.table) }
            plan = description.destination
            tables.append(plan.table)
        }
        return tables
    }

    /// The rows that a change has updated, directly or in what was prefetched with them.
    ///
    /// For a prefetched to-one, its key identifies the affected rows. For any other prefetched table, every row is
    /// affected.
    func updatedRows(_ change: StoreChange, sections: [Section], in context: ManagedObjectContext) -> UpdatedRows {
        var updated = UpdatedRows()
        let plan = Object.entity.plan
        if let own = change.tables[plan.table] {
            let records = context.records(Object.self)
            if own.isUnbounded { updated.insertEveryRow() }
            for key in own.keys {
                if let row = records.registeredObject(of: key) { updated.insert(row) }
            }
        }
        for path in prefetches {
            let touched = touchedTables(along: path, change: change)
            guard let table = touched.first, let tableChange = change.tables[table] else { continue }
            if let relationship = toOne(path) {
                let keys = tableChange.isUnbounded ? nil : tableChange.keys
                collect(keys, sections: sections, into: &updated) { $0.foreignKey(relationship) }
            } else {
                updated.insertEveryRow()
            }
        }
        return updated
    }

    /// The rows whose prefetched to-one had no destination so far, if a change may have inserted it.
    ///
    /// Call it before the request runs again and loads the destination.
    func unlinkedRows(_ change: StoreChange, sections: [Section]) -> UpdatedRows {
        var unlinked = UpdatedRows()
        for path in prefetches {
            guard let relationship = toOne(path), let table = touchedTables(along: path, change: change).first,
                change.tables[table]?.hasInserts ?? false
            else { continue }
            for section in sections {
                for row in section.rows
                where !row.hasKeptDestination(relationship) && row.foreignKey(relationship) != nil {
                    unlinked.insert(row)
                }
            }
        }
        return unlinked
    }

    private func touchedTables(along path: PrefetchPath, change: StoreChange) -> [String] {
        Self.tables(along: path).filter { change.tables[$0].map { !$0.isEmpty } ?? false }
    }

    /// The relationship of a path if the path is a single to-one that holds the key.
    private func toOne(_ path: PrefetchPath) -> Int? {
        let plan = Object.entity.plan
        guard path.names.count == 1, let relationship = path.names.first.flatMap(plan.relationship(named:)),
            case .toOne = plan.relationships[relationship].kind
        else { return nil }
        return relationship
    }

    /// Adds the rows with one of these keys; with `nil`, every row.
    private func collect(
        _ keys: Set<RecordKey>?, sections: [Section], into updated: inout UpdatedRows,
        key: (ManagedObject) -> RecordKey?
    ) {
        guard let keys else { return updated.insertEveryRow() }
        guard !keys.isEmpty else { return }
        for section in sections {
            for row in section.rows {
                if let key = key(row), keys.contains(key) { updated.insert(row) }
            }
        }
    }
}

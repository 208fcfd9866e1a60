import LockstepEvolution

/// Plans the steps of all tables.
struct PostgreSQLPlanner {
    private(set) var steps = PostgreSQLSteps()
    private let former: PostgreSQLDefinitions
    private let new: PostgreSQLDefinitions
    /// The tables of both structures, by their new names.
    private(set) var kept: [String: PostgreSQLTable] = [:]
    /// The new names of kept tables, by their former names.
    private let names: [String: String]
    /// New tables that are created when a former table of the same name is gone.
    let late: Set<String>

    init(_ evolution: SchemaEvolution) {
        former = PostgreSQLDefinitions(evolution.former)
        new = PostgreSQLDefinitions(evolution.new)
        let mappings = TableMappings(
            evolution, former: SchemaLookup(evolution.former), new: SchemaLookup(evolution.new),
            values: ValueSQL(dialect: .postgresql, now: 0))
        names = mappings.names.tables
        let formerNames = Set(former.tables.keys)
        let keptNames = Set(mappings.all.map(\.new))
        late = Set(new.tables.keys).subtracting(keptNames).intersection(formerNames)
        for mapping in mappings.all {
            guard let old = former.tables[mapping.former], let table = new.tables[mapping.new] else { continue }
            kept[mapping.new] = PostgreSQLTable(
                former: old, new: table,
                isRenamedLate: mapping.former != mapping.new && formerNames.contains(mapping.new),
                sources: mapping.sources)
        }
    }

    mutating func plan() {
        for table in kept.values.sorted(by: { $0.new.name < $1.new.name }) {
            planName(table)
            table.plan(&steps)
            planIndexes(table)
        }
        planNewTables()
        planRemovedTables()
        planForeignKeys()
        planTriggers()
    }

    // MARK: Tables

    /// A former server finds the table under a view of its former name.
    private mutating func planName(_ table: PostgreSQLTable) {
        let (old, name) = (PostgreSQLText.name(table.former.name), PostgreSQLText.name(table.new.name))
        guard old != name else { return }
        guard table.name == table.new.name else {
            // The name is free when other tables are gone or have their new names.
            let temporary = PostgreSQLText.name("lockstep_table_\(table.new.name)")
            steps.add(.dropTables, statement: "ALTER TABLE \(old) RENAME TO \(temporary)")
            steps.add(.renameTablesLate, statement: "ALTER TABLE \(temporary) RENAME TO \(name)")
            return
        }
        steps.add(.renameTables, statement: "ALTER TABLE \(old) RENAME TO \(name)")
        let columns = PostgreSQLText.names(table.former.columns.map(\.name))
        steps.add(.createViews, statement: "CREATE VIEW \(old) AS SELECT \(columns) FROM \(name)")
        steps.add(.dropViews, statement: "DROP VIEW \(old)")
    }

    private mutating func planNewTables() {
        for (name, table) in new.tables.sorted(by: { $0.key < $1.key }) where kept[name] == nil {
            steps.add(late.contains(name) ? .createTablesLate : .createTables, statement: .createTable(table))
            for index in new.indexes[name] ?? [] { addIndex(index, isLate: late.contains(name)) }
        }
    }

    private mutating func planRemovedTables() {
        for name in former.tables.keys.sorted() where names[name] == nil {
            steps.add(.dropTables, statement: "DROP TABLE \(PostgreSQLText.name(name))")
        }
    }

    // MARK: Indexes

    private var formerRelations: Set<String> {
        Set(former.tables.keys).union(former.indexes.values.joined().map(\.name))
    }

    private mutating func addIndex(_ index: CreateIndex, isLate: Bool) {
        let isTaken = formerRelations.contains(index.name)
        steps.add(isLate || isTaken ? .changeIndexes : .addIndexes, statement: .createIndex(index))
    }

    private mutating func planIndexes(_ table: PostgreSQLTable) {
        var remaining = new.indexes[table.new.name] ?? []
        for old in former.indexes[table.former.name] ?? [] {
            let columns = old.columns.map(table.unchanged)
            let isSame = { (index: CreateIndex) in
                index.columns.map(Optional.some) == columns && index.isUnique == old.isUnique
            }
            guard let index = remaining.firstIndex(where: isSame) else {
                // With a dropped column, its indexes are gone.
                steps.add(.dropKeys, statement: "DROP INDEX IF EXISTS \(PostgreSQLText.name(old.name))")
                continue
            }
            let same = remaining.remove(at: index)
            guard same.name != old.name else { continue }
            let (from, to) = (PostgreSQLText.name(old.name), PostgreSQLText.name(same.name))
            let temporary = PostgreSQLText.name("lockstep_index_\(same.name)")
            // Names may change places.
            steps.add(.dropColumns, statement: "ALTER INDEX \(from) RENAME TO \(temporary)")
            steps.add(.createTablesLate, statement: "ALTER INDEX \(temporary) RENAME TO \(to)")
        }
        for index in remaining {
            let isReady = index.columns.allSatisfy { table.column($0)?.isSettled ?? false }
            addIndex(index, isLate: !isReady || index.isUnique || table.name != table.new.name)
        }
    }

    // MARK: Foreign keys

    private mutating func planForeignKeys() {
        var remaining = new.foreignKeys
        for (name, keys) in former.foreignKeys.sorted(by: { $0.key < $1.key }) {
            let table = names[name].flatMap { kept[$0] }
            for (_, key) in keys {
                if let table, let same = unchanged(key, of: table),
                    let index = remaining[table.new.name]?.firstIndex(where: { $0.key == same })
                {
                    remaining[table.new.name]?.remove(at: index)
                } else {
                    let current = table?.name ?? name
                    steps.dropConstraints(.foreignKey, of: current, over: key.columns, in: .dropForeignKeys)
                }
            }
        }
        for (name, keys) in remaining.sorted(by: { $0.key < $1.key }) {
            for (constraint, key) in keys {
                let isReady = isReady(key, of: name) && !hasForeignKey(constraint, name: name)
                steps.add(
                    isReady ? .addForeignKeys : .changeForeignKeys,
                    statement: .addForeignKey(name: constraint, table: name, key))
            }
        }
    }

    /// The constraint with new names, if all its columns are the former ones; otherwise, `nil`.
    private func unchanged(_ key: ForeignKeyConstraint, of table: PostgreSQLTable) -> ForeignKeyConstraint? {
        guard let referenced = names[key.table].flatMap({ kept[$0] }) else { return nil }
        let columns = key.columns.compactMap(table.unchanged)
        let others = key.referencedColumns.compactMap(referenced.unchanged)
        guard columns.count == key.columns.count, others.count == key.referencedColumns.count else { return nil }
        var renamed = key
        renamed.columns = columns
        renamed.table = referenced.new.name
        renamed.referencedColumns = others
        return renamed
    }

    /// Whether a constraint can be added before the former shape is gone: its columns are new, and what they refer to
    /// has a key already.
    private func isReady(_ key: ForeignKeyConstraint, of name: String) -> Bool {
        guard isPresent(name), isPresent(key.table) else { return false }
        let isNew = key.columns.allSatisfy { column in
            kept[name].map { $0.column(column).map { $0.isAdded && $0.isSettled } ?? false } ?? true
        }
        let isReferable = key.referencedColumns.allSatisfy { column in
            kept[key.table].map { $0.column(column)?.isSame ?? false } ?? true
        }
        return isNew && isReferable
    }

    /// Whether a table has its new name before the former shape is gone.
    private func isPresent(_ name: String) -> Bool {
        kept[name].map { $0.name == name } ?? !late.contains(name)
    }

    private func hasForeignKey(_ constraint: String, name: String) -> Bool {
        guard let table = kept[name] else { return false }
        return former.foreignKeys[table.former.name]?.contains { $0.name == constraint } ?? false
    }

    // MARK: Delete rules

    /// The rules of new tables apply at once; those that change, in the end.
    private mutating func planTriggers() {
        let same = former.triggers.filter { trigger in
            new.triggers.contains(trigger) && names[trigger.table] == trigger.table
        }
        for trigger in former.triggers where !same.contains(trigger) {
            let table = names[trigger.table].flatMap { kept[$0]?.name } ?? trigger.table
            let name = PostgreSQLText.name(trigger.name)
            steps.add(.dropTriggers, statement: "DROP TRIGGER \(name) ON \(PostgreSQLText.name(table))")
            steps.add(.dropTriggers, statement: "DROP FUNCTION \(name)()")
        }
        let formerNames = Set(former.triggers.map(\.name))
        for trigger in new.triggers where !same.contains(trigger) {
            let isReady = isPresent(trigger.table) && !formerNames.contains(trigger.name)
            let phase: PostgreSQLSteps.Phase = isReady ? .addTriggers : .changeTriggers
            steps.add(phase, statement: .createFunction(trigger))
            steps.add(phase, statement: .createTrigger(trigger))
        }
    }
}

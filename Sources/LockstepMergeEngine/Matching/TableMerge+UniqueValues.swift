import LockstepTables

// Unique values: which records may conflict, and which are deferred.
extension TableMerge {
    /// The columns of each unique index, except for the identity's.
    var uniqueIndexes: [[Int]] { get throws { try statements.uniqueIndexes.get() } }

    /// Whether something is written that may conflict with a unique value of another record, or that a trigger may
    /// refuse.
    func mayConflict() throws -> Bool {
        let mayRefuse = try statements.mayRefuse.get()
        if mayRefuse, !(inserts.isEmpty && updates.isEmpty) { return true }
        let indexes = try uniqueIndexes
        guard !indexes.isEmpty else { return false }
        return !inserts.isEmpty
            || updates.contains { update in indexes.joined().contains(where: update.columns.contains) }
    }

    /// The write of the record with a key that includes any of these columns; `nil` if there is none.
    func write(of key: [Cell], in columns: [Int]) -> Write? {
        let head = head(of: key)
        guard head >= 0, !isSkipped(Int32(head)) else { return nil }
        guard let set = writtenColumns[Int32(head)] else { return nil }
        guard let set else { return Write(row: head, columns: nil) }
        return columns.contains(where: set.contains) ? Write(row: head, columns: set) : nil
    }

    private func head(of key: [Cell]) -> Int {
        let index = registry.index(of: key.fingerprint)
        return index < 0 ? -1 : registry.head(index)
    }

    // MARK: Deferring values

    /// Defers the unique values of a record until the end of the merge: an update keeps the stored ones, a new record
    /// has placeholders.
    func deferValues(of write: Write) throws {
        guard deferred[write.row] == nil else { return }
        let columns = try uniqueColumns(write)
        var stored: [Int: Cell] = [:]
        if write.columns != nil {
            let find = try statements.find.get()
            find.bind(table.key(write.row))
            defer { find.reset() }
            let exists = try find.step()
            precondition(exists, "The record existed when it was compared.")
            for column in columns { stored[column] = find.cell(column).copied(to: transaction.staging.arena) }
        }
        deferred[write.row] = Deferred(write: write, columns: columns, stored: stored)
    }

    /// Defers the records that would be written with unique values.
    func deferRecords(_ shouldDefer: (Int) -> Bool) throws {
        for row in inserts where !isSkipped(row) && shouldDefer(Int(row)) {
            try deferValues(of: Write(row: Int(row), columns: nil))
        }
        for update in updates where !isSkipped(update.row) && shouldDefer(Int(update.row)) {
            let write = Write(row: Int(update.row), columns: update.columns)
            if try !uniqueColumns(write).isEmpty { try deferValues(of: write) }
        }
    }

    /// The columns of a write whose values must be deferred.
    func uniqueColumns(_ write: Write) throws -> [Int] {
        let indexed = Set(try uniqueIndexes.joined())
        return entity.plan.columns.indices.filter { indexed.contains($0) && (write.columns?.contains($0) ?? true) }
    }

    func writeDeferred(_ write: Write) throws {
        let columns = try uniqueColumns(write)
        if let all = write.columns {
            var others = ColumnSet()
            for column in entity.plan.columns.indices where all.contains(column) && !columns.contains(column) {
                others.insert(column)
            }
            if !others.isEmpty { _ = try attempt(Write(row: write.row, columns: others)) }
            return
        }
        let cells = table.row(write.row)
        let wanted = columns.map { cells[$0] }
        for column in columns {
            cells[column] = entity.plan.isOptional[column] ? .null : Cell(blob: transaction.placeholder())
        }
        defer { for (column, cell) in zip(columns, wanted) { cells[column] = cell } }
        try transaction.withoutChecks { _ = try attempt(write) }
    }

    /// A deferred record: the columns whose values wait, and their stored values.
    struct Deferred {
        let write: Write
        let columns: [Int]
        let stored: [Int: Cell]
    }
}

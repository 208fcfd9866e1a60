import LockstepStore

// Values that are there once: who may meet them, and who waits for them.
extension TableMerge {
    /// The columns of each index whose values are there once, but for the identity.
    var uniqueIndexes: [[Int]] { get throws { try statements.uniqueIndexes.get() } }

    /// Whether something is written that may meet the same value of another record, or a trigger that refuses it.
    func mayConflict() throws -> Bool {
        let mayRefuse = try statements.mayRefuse.get()
        if mayRefuse, !(inserts.isEmpty && updates.isEmpty) { return true }
        let indexes = try uniqueIndexes
        guard !indexes.isEmpty else { return false }
        return !inserts.isEmpty
            || updates.contains { update in indexes.joined().contains(where: update.columns.contains) }
    }

    /// What is written of the record with a key, in these columns among others; `nil` where nothing is.
    func write(of key: [Cell], in columns: [Int]) -> Write? {
        let head = head(of: key)
        guard head >= 0, !isSkipped(Int32(head)) else { return nil }
        guard let set = writtenColumns[Int32(head)] else { return nil }
        guard let set else { return Write(row: head, columns: nil) }
        return columns.contains(where: set.contains) ? Write(row: head, columns: set) : nil
    }

    /// Whether the batch has the record with a key.
    func has(_ key: [Cell]) -> Bool { head(of: key) >= 0 }

    private func head(of key: [Cell]) -> Int {
        let place = registry.place(of: key.fingerprint)
        return place < 0 ? -1 : registry.head(place)
    }

    /// Leaves out a record, all that the batch has of it.
    func leaveOut(_ head: Int, _ columns: [Int], _ reason: String) throws {
        try run.skip(head, of: entity, columns.first { entity.plan.columns[$0].wire != nil } ?? columns.first, reason)
        skipGroup(head)
    }

    // MARK: Waiting for values

    /// Lets a record wait for its unique values until the end of the merge: an update keeps the old ones, a new record
    /// is without.
    func wait(_ refusal: Refusal) throws {
        let row = refusal.write.row
        guard waiting[row] == nil else { return }
        var stored: [(column: Int, value: Cell)] = []
        if let columns = refusal.write.columns {
            let find = try statements.find.get()
            find.bind(table.key(row))
            defer { find.reset() }
            let isThere = try find.step()
            precondition(isThere, "The record was there when it was compared.")
            stored = entity.plan.columns.indices.filter(columns.contains).map {
                ($0, find.cell($0).copied(to: run.staging.arena))
            }
        }
        waiting[row] = Waiting(refusal: refusal, stored: stored)
    }

    func isWaiting(_ key: [Cell]) -> Bool { waiting[head(of: key)] != nil }

    /// The columns of a write whose values must wait.
    func uniqueColumns(_ write: Write) throws -> [Int] {
        let indexed = Set(try uniqueIndexes.joined())
        return entity.plan.columns.indices.filter { indexed.contains($0) && (write.columns?.contains($0) ?? true) }
    }

    func writeWaiting(_ write: Write) throws {
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
            cells[column] = entity.plan.isOptional[column] ? .null : Cell(blob: run.noOnesValue())
        }
        defer { for (column, cell) in zip(columns, wanted) { cells[column] = cell } }
        try run.withoutChecks { _ = try attempt(write) }
    }

    /// A record that waits, why, and what it has in the columns that are written.
    struct Waiting {
        let refusal: Refusal
        let stored: [(column: Int, value: Cell)]
    }
}

import GRDB
import LockstepStore

/// Records that want a value which is there once and which a record has that the payload may still list with another, or
/// that is deleted at the end.
///
/// They are in the store without that value until all others are written. What cannot have it then is put back as it
/// was.
final class ParkedRecords {
    private unowned let run: MergeRun
    private var records: [Record] = []
    /// How many there were before the batch that is being written.
    private var kept = 0
    /// Keeps texts until the end of the merge.
    private let arena = TextArena()

    private struct Record {
        let entity: MergeEntity
        let key: [Cell]
        /// The identity, which decides between two.
        let order: [Cell]
        let columns: [Int]
        let values: [Cell]
        /// What an updated record had in the columns that were written; `nil` for a new one.
        let before: [(column: Int, value: Cell)]?
        let skipped: SkippedRecord
        let conflict: [Int]
    }

    init(_ run: MergeRun) { self.run = run }

    /// Writes a record that was refused, but for the values that it cannot have yet.
    func add(_ refusal: TableMerge.Refusal, _ merge: TableMerge) throws {
        let (entity, table, row) = (merge.entity, merge.table, refusal.write.row)
        let cells = table.row(row)
        let plan = entity.plan
        let indexed = Set(try merge.uniqueIndexes.joined())
        let columns = plan.columns.indices.filter { column in
            indexed.contains(column) && (refusal.write.columns?.contains(column) ?? true)
        }
        let record = Record(
            entity: entity, key: copied(table.key(row)), order: copied(entity.wireKeyColumns.map { cells[$0] }),
            columns: columns, values: copied(columns.map { cells[$0] }),
            before: refusal.write.columns.map { _ in
                merge.before(row).map { ($0.column, $0.value.copied(to: arena)) }
            },
            skipped: run.skippedRecord(
                row, of: entity, column: refusal.columns.first { plan.columns[$0].wire != nil },
                UniqueConflicts.reason(refusal.columns, entity)),
            conflict: refusal.columns)
        try writeParked(refusal.write, columns, merge)
        records.append(record)
    }

    private func copied(_ cells: [Cell]) -> [Cell] { cells.map { $0.copied(to: arena) } }

    /// Writes a row with other values in some columns.
    private func writeParked(_ write: TableMerge.Write, _ columns: [Int], _ merge: TableMerge) throws {
        let cells = merge.table.row(write.row)
        let wanted = columns.map { cells[$0] }
        for column in columns {
            cells[column] = merge.entity.plan.columns[column].isOptional ? .null : Cell(blob: noOnesValue())
        }
        defer { for (column, cell) in zip(columns, wanted) { cells[column] = cell } }
        try run.withoutChecks {
            if try merge.attempt(write) != nil { preconditionFailure("A value that no other record has was refused.") }
        }
    }

    private func noOnesValue() -> UnsafeBufferPointer<UInt8> {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return bytes.withUnsafeBufferPointer { arena.copy($0) }
    }

    /// The batch is written.
    func batchIsWritten() { kept = records.count }

    /// The batch was rolled back, and is written again.
    func rollBack() { records.removeSubrange(kept...) }

    // MARK: The end of the merge

    /// Gives the records what they wait for, or puts them back.
    func settle() throws {
        guard !records.isEmpty else { return }
        // The smallest first, whatever batch it came with.
        var open = records.enumerated().sorted { left, right in
            for (one, other) in zip(left.element.order, right.element.order) {
                let order = one.order(against: other)
                if order != 0 { return order < 0 }
            }
            return left.offset < right.offset
        }.map(\.element)
        var failed: [SkippedRecord] = []
        while true {
            let left = try open.filter { try !write($0, $0.columns, $0.values) }
            if left.isEmpty { break }
            if left.count == open.count {
                // One that is put back may give way to another.
                try putBack(left[left.count - 1])
                failed.append(left[left.count - 1].skipped)
                open = left.dropLast()
            } else {
                open = left
            }
        }
        failed.sorted { $0.index < $1.index }.forEach(run.recorder.skip)
        records = []
        kept = 0
    }

    /// - Returns: Whether no other record has such values.
    private func write(_ record: Record, _ columns: [Int], _ values: [Cell]) throws -> Bool {
        guard !columns.isEmpty else { return true }
        let statement = try RawStatement(record.entity.plan.updateSQL(columns), run.database)
        statement.bind(values + record.key)
        try run.changes.note(.update, in: record.entity.plan.table, run.database)
        do {
            try statement.run()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT { return false }
    }

    private func putBack(_ record: Record) throws {
        let fingerprint = record.key.fingerprint
        let key = RecordKey(record.key.map(\.databaseValue))
        if run.options.invalidRecords == .abort { throw MergeError(record.skipped) }
        if let before = record.before {
            guard try write(record, before.map(\.column), before.map(\.value)) else { throw MergeError(record.skipped) }
        } else {
            let delete = try run.statements(of: record.entity).delete.get()
            delete.bind(record.key)
            try run.changes.note(.delete, in: record.entity.plan.table, run.database)
            try delete.run()
        }
        run.retract(fingerprint, of: record.entity)
        run.noteConflict(record.entity, key, record.skipped.reason)
    }
}

import GRDB
import LockstepStore

/// Records that want a value which is there once and which a record has that the payload may still list with another, or
/// that is deleted at the end.
///
/// Until all others are written they are in the store with the values that they had, new ones without. What cannot have
/// its values then is put back as it was.
final class ParkedRecords {
    private unowned let run: MergeRun
    private var records: [Record] = []
    private var fingerprints: [Int: Set<KeyFingerprint>] = [:]
    /// Keeps texts until the end of the merge.
    private let arena = TextArena()

    private struct Record {
        let entity: MergeEntity
        let key: [Cell]
        /// The identity, which decides between two.
        let order: [Cell]
        let columns: [Int]
        let values: [Cell]
        let isNew: Bool
        /// What an updated record had in the columns that were written.
        let before: [(column: Int, value: Cell)]
        let skipped: SkippedRecord
    }

    init(_ run: MergeRun) { self.run = run }

    /// Takes over the records of a batch that wait.
    func add(_ merge: TableMerge) throws {
        for row in merge.waiting.keys.sorted() {
            guard let waiting = merge.waiting[row], !run.staging.isSkipped(row, of: merge.entity.place) else {
                continue
            }
            try add(waiting, merge)
        }
    }

    private func add(_ waiting: TableMerge.Waiting, _ merge: TableMerge) throws {
        let (entity, table, write) = (merge.entity, merge.table, waiting.refusal.write)
        let cells = table.row(write.row)
        let columns = try merge.uniqueColumns(write)
        let record = Record(
            entity: entity, key: copied(table.key(write.row)), order: copied(entity.wireKeyColumns.map { cells[$0] }),
            columns: columns, values: copied(columns.map { cells[$0] }), isNew: write.columns == nil,
            before: waiting.stored.map { ($0.column, $0.value.copied(to: arena)) },
            skipped: run.skippedRecord(
                write.row, of: entity, column: waiting.refusal.columns.first { entity.plan.columns[$0].wire != nil },
                UniqueConflicts.reason(waiting.refusal.columns, entity)))
        records.append(record)
        fingerprints[entity.place, default: []].insert(record.key.fingerprint)
    }

    private func copied(_ cells: [Cell]) -> [Cell] { cells.map { $0.copied(to: arena) } }

    /// Whether the record with a key waits.
    func has(_ key: [Cell], _ entity: MergeEntity) -> Bool {
        fingerprints[entity.place]?.contains(key.fingerprint) ?? false
    }

    // MARK: The end of the merge

    /// Gives the records what they wait for, the smallest first, whatever batch they came with, and puts the others back.
    func settle() throws {
        guard !records.isEmpty else { return }
        var open = records.enumerated().sorted { left, right in
            for (one, other) in zip(left.element.order, right.element.order) {
                let order = one.order(against: other)
                if order != 0 { return order < 0 }
            }
            return left.offset < right.offset
        }.map(\.element)
        var failed: [SkippedRecord] = []
        // Not in the savepoint, which may be rolled back.
        try run.changes.beginQuiet(run.database)
        while !open.isEmpty {
            try run.database.execute(sql: "SAVEPOINT lockstep_parked")
            let left = Set(try write(open))
            // What fails keeps its old values, which others have counted on: those are tried anew.
            if !left.isEmpty { try run.database.execute(sql: "ROLLBACK TO lockstep_parked") }
            try run.database.execute(sql: "RELEASE lockstep_parked")
            if left.isEmpty { break }
            for place in left.sorted() {
                try putBack(open[place])
                failed.append(open[place].skipped)
            }
            open = open.indices.filter { !left.contains($0) }.map { open[$0] }
        }
        failed.sorted { $0.index < $1.index }.forEach(run.recorder.skip)
        records = []
    }

    /// - Returns: The places of those that another record is in the way of.
    private func write(_ records: [Record]) throws -> [Int] {
        try run.withoutChecks {
            for record in records { try run.park(record.columns, of: record.key, record.entity) }
        }
        // Nothing that one of them gets frees what another waits for: all that they had is free already.
        return try records.indices.filter { try !write(records[$0], records[$0].columns, records[$0].values) }
    }

    /// - Returns: Whether no other record has such values.
    private func write(_ record: Record, _ columns: [Int], _ values: [Cell]) throws -> Bool {
        guard !columns.isEmpty else { return true }
        var set = ColumnSet()
        columns.forEach { set.insert($0) }
        let statement = try run.statements(of: record.entity).update(set).statement
        statement.bind(values + record.key)
        try run.changes.note(.update, in: record.entity.plan.table, run.database)
        do {
            try statement.execute()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT { return false }
    }

    private func putBack(_ record: Record) throws {
        if run.options.invalidRecords == .abort { throw MergeError(record.skipped) }
        if record.isNew {
            try run.delete(record.key, record.entity)
        } else {
            guard try write(record, record.before.map(\.column), record.before.map(\.value)) else {
                throw MergeError(record.skipped)
            }
        }
        run.retract(record.key.fingerprint, of: record.entity)
        run.noteConflict(record.entity, RecordKey(record.key.map(\.databaseValue)), record.skipped.reason)
    }
}

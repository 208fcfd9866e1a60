import GRDB
internal import GRDBSQLite
import LockstepStore

extension MergeRun {
    /// Writes the records of a batch. Where one cannot have a value that is there once, it waits for it; where a
    /// trigger of the app refuses it, it is left out with all that is nested in it. Then the batch is written again:
    /// nothing of it is half there.
    func write(_ merges: [TableMerge]) throws {
        guard try !parked.isEmpty || merges.contains(where: { try $0.mayConflict() }) else {
            for merge in merges { try merge.write(changes) }
            return
        }
        for merge in merges { try letWait(merge) }
        // Not in the savepoint, which may be rolled back.
        try changes.beginQuiet(database)
        while true {
            try database.execute(sql: "SAVEPOINT lockstep_batch")
            let skipCount = staging.skipCount
            for merge in merges { try merge.write(changes) }
            let waiting = try merges.map { ($0, try UniqueConflicts($0, self).settle()) }
            let isSettled = staging.skipCount == skipCount && waiting.allSatisfy { $0.1.isEmpty }
            if !isSettled { try database.execute(sql: "ROLLBACK TO lockstep_batch") }
            try database.execute(sql: "RELEASE lockstep_batch")
            if isSettled { break }
            for (merge, refused) in waiting {
                for refusal in refused { try merge.wait(refusal.write) }
            }
        }
        for merge in merges { parked.add(merge) }
    }

    /// Gives columns of a record values that no other has, until the right ones can be written. These keep to no limit:
    /// it is called where no check is looked at.
    func park(_ columns: [Int], of key: [Cell], _ entity: MergeEntity) throws {
        let statement = try statements(of: entity).parking(columns)
        statement.bind(key)
        try changes.note(.update, in: entity.plan.table, database)
        try statement.execute()
    }

    /// A value that no other record has.
    func noOnesValue() -> UnsafeBufferPointer<UInt8> {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
    }

    /// Does something while the checks of the tables are not looked at.
    func withoutChecks(_ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
        defer { lookAtChecks() }
        try body()
    }

    /// How often it is tried: an interruption ends one try, and is over with it.
    private static let mostTries = 8

    /// The pragma outlives a rollback. GRDB would not run it once the task is cancelled.
    private func lookAtChecks() {
        for _ in 0..<Self.mostTries {
            let code = sqlite3_exec(
                database.sqliteConnection, "PRAGMA ignore_check_constraints = 0", nil, nil, nil)
            if code == SQLITE_OK { return }
        }
    }
}

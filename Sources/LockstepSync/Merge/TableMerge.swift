import GRDB
import LockstepStore

/// Holds the staged records of one entity against the store, then writes what differs.
///
/// First everything is decided, for all entities, then it is written: nothing is read and written at once, and a record
/// that turns out to be wrong takes those along that are embedded in it.
final class TableMerge {
    let table: StagedTable
    let entity: MergeEntity
    private let statements: EntityStatements
    private let run: MergeRun
    private let registry: KeyRegistry
    private let groups: RecordGroups
    private var updates: [Update] = []
    private var inserts: [Int32] = []

    /// The row of a record that differs from the store's, and in what.
    private struct Update {
        let row: Int32
        let columns: ColumnSet
    }

    /// A payload that may cover this part of a table, or more, is matched by reading all of it.
    private static let scanShare = 4
    /// Fewer records than this are always looked up by key.
    private static let leastScanned = 32

    init(_ table: StagedTable, _ statements: EntityStatements, _ run: MergeRun) {
        self.table = table
        self.statements = statements
        self.run = run
        entity = table.entity
        registry = run.registry(of: table.entity)
        let staging = run.staging
        groups = RecordGroups(table, registry) { staging.isSkipped($0, of: table.entity.place) }
    }

    /// Lets the rows go, which are written.
    func leave() { groups.leave(registry) }

    // MARK: Deciding

    /// Finds out which records are there and which columns differ.
    func decide() throws {
        guard try statements.hasRows(beyond: 0) else { return try decideToInsert(groups.heads) }
        let isScanned =
            try groups.heads.count >= Self.leastScanned
            && !statements.hasRows(beyond: groups.heads.count * Self.scanShare)
        try isScanned ? scan() : lookUp()
    }

    private func scan() throws {
        let statement = try statements.scan.get()
        defer { statement.reset() }
        let keyColumns = entity.plan.keyColumns
        let isFound = UnsafeMutablePointer<Bool>.allocate(capacity: table.count)
        isFound.initialize(repeating: false, count: table.count)
        defer { isFound.deallocate() }
        // The table is often in the order in which the records came.
        var place = -1
        while try statement.step() {
            let found = registry.place(of: statement.fingerprint(keyColumns), guess: place + 1)
            if found < 0 { continue }
            place = found
            let head = registry.head(found)
            if head < 0 { continue }
            isFound[head] = true
            compare(head, with: statement)
        }
        try decideToInsert(groups.heads.filter { !isFound[Int($0)] })
    }

    private func lookUp() throws {
        let statement = try statements.find.get()
        var missing: [Int32] = []
        for head in groups.heads {
            let cells = table.row(Int(head))
            statement.bind(entity.plan.keyColumns.lazy.map { cells[$0] })
            if try statement.step() { compare(Int(head), with: statement) } else { missing.append(head) }
            statement.reset()
        }
        try decideToInsert(missing)
    }

    private func compare(_ head: Int, with statement: RawStatement) {
        guard fold(head, isThere: true) else { return note(.unchanged, head) }
        let cells = table.row(head)
        var changed: ColumnSet?
        for column in 0..<table.width {
            let cell = cells[column]
            if cell.kind == .absent || statement.hasSame(cell, column) { continue }
            // The same may be spelt in another way.
            if entity.isStored(cell, in: statement, column) { continue }
            var set = changed ?? ColumnSet()
            set.insert(column)
            changed = set
        }
        if let changed {
            updates.append(Update(row: Int32(head), columns: changed))
        } else {
            note(.unchanged, head)
        }
    }

    /// Puts the rows of one record into the first of them, as if they came one after the other (SYNC.md, M3).
    ///
    /// - Returns: Whether anything may be written of it, by the switches (SYNC.md, M9).
    private func fold(_ head: Int, isThere: Bool) -> Bool {
        var isThere = isThere
        var isAllowed = false
        var row = head
        let next = groups.next(head)
        if next < 0, run.switches(of: table.origins[head]).contains(isThere ? .update : .insert) { return true }
        let cells = table.row(head)
        while row >= 0 {
            let switches = run.switches(of: table.origins[row])
            let counts = switches.contains(isThere ? .update : .insert)
            if counts {
                isAllowed = true
                isThere = true
                if row != head { take(table.row(row), over: cells) }
            } else if row == head {
                for column in 0..<table.width where !entity.plan.keyColumns.contains(column) { cells[column] = .absent }
            }
            row = groups.next(row)
        }
        return isAllowed
    }

    private func take(_ later: UnsafeMutablePointer<Cell>, over cells: UnsafeMutablePointer<Cell>) {
        for column in 0..<table.width where later[column].kind != .absent { cells[column] = later[column] }
    }

    private func decideToInsert(_ heads: [Int32]) throws {
        inserts.reserveCapacity(heads.count)
        for head in heads where fold(Int(head), isThere: false) {
            if try complete(Int(head)) { inserts.append(head) }
        }
    }

    /// Gives a new record the defaults of what the payload does not say.
    ///
    /// - Returns: Whether it has everything that is required; else it is skipped (SYNC.md, M12).
    private func complete(_ row: Int) throws -> Bool {
        let cells = table.row(row)
        for column in 0..<table.width where cells[column].kind == .absent {
            if let cell = run.defaultCell(entity, column) {
                cells[column] = cell
            } else if !entity.plan.isOptional[column] {
                try run.skip(row, of: entity, column, "is required; it is missing")
                return false
            }
        }
        return true
    }

    // MARK: Writing

    /// Writes what was decided.
    func write(_ changes: RawChanges) throws {
        if !updates.isEmpty { try changes.note(.update, in: entity.plan.table, run.database) }
        for update in updates where !isSkipped(update.row) {
            try run.checkCancellation()
            try write(update)
        }
        if !inserts.isEmpty { try changes.note(.insert, in: entity.plan.table, run.database) }
        guard !inserts.isEmpty else { return }
        let statement = try statements.insert.get()
        for row in inserts where !isSkipped(row) {
            try run.checkCancellation()
            try insert(Int(row), statement)
        }
    }

    private func isSkipped(_ row: Int32) -> Bool { run.staging.isSkipped(Int(row), of: entity.place) }

    private func write(_ update: Update) throws {
        let cells = table.row(Int(update.row))
        let (statement, columns) = try statements.update(update.columns)
        var parameter: Int32 = 1
        for column in columns {
            cells[column].bind(to: statement.pointer, parameter)
            parameter += 1
        }
        for column in entity.plan.keyColumns {
            cells[column].bind(to: statement.pointer, parameter)
            parameter += 1
        }
        do {
            try statement.execute()
            note(.updated, Int(update.row))
        } catch let error as DatabaseError { try refused(error, Int(update.row)) }
    }

    private func insert(_ row: Int, _ statement: RawStatement) throws {
        let cells = table.row(row)
        for column in 0..<table.width { cells[column].bind(to: statement.pointer, Int32(column + 1)) }
        do {
            try statement.execute()
            note(.inserted, row)
        } catch let error as DatabaseError { try refused(error, row) }
    }

    /// A row that the table refuses is an invalid record.
    private func refused(_ error: DatabaseError, _ row: Int) throws {
        guard error.resultCode == .SQLITE_CONSTRAINT else { throw error }
        let problem = StoreError(error, doing: "merging", plan: entity.plan, record: key(of: row))
        let column = problem.columns(of: entity.plan).first
        try run.skip(row, of: entity, column, problem.reason)
    }

    @inline(__always)
    private func note(_ outcome: KeyRegistry.Outcome, _ row: Int) {
        registry.note(outcome, at: Int(groups.places[row]))
    }

    private func key(of row: Int) -> RecordKey { table.key(of: row) }
}

import GRDB
import LockstepTables

/// Compares the staged records of one entity with the store, then writes the differences.
///
/// Everything is decided for all entities before anything is written: rows are not read and written at the same time,
/// and a record that turns out to be invalid is left out with the records embedded in it.
final class TableMerge {
    let table: StagedTable
    let entity: MergeEntity
    let statements: EntityStatements
    let state: MergeState
    let transaction: MergeTransaction
    let registry: KeyRegistry
    let groups: RecordGroups
    /// Whether all existing records may be updated, wherever they are in the payload.
    private let isAlwaysUpdated: Bool
    private(set) var updates: [Update] = []
    private(set) var inserts: [Int32] = []
    /// Whether copies of a record were left out, so that the remaining ones must be decided again.
    private(set) var hasLeftOut = false
    /// The original cells of rows that others were folded into.
    private var foldedRows: [Int: [Cell]] = [:]
    /// The pending changes of the records; `nil` if there are none.
    private(set) var edits: EntityEdits?
    /// How pending changes are updated once their records are written.
    var pendingUpdates: [PendingUpdate] = []
    /// What the server has changed in records that stay deleted, by row.
    var lostToDeletes: [Int: [ConflictTable.Loss]] = [:]
    /// Whether the store has no pending changes at all.
    private let isUntouched: Bool
    /// Whether rows of the batch are embedded in others.
    private let hasNested: Bool
    /// The records to be deleted because these records no longer refer to them, by row.
    private(set) var replaced: [Int: [(MergeRelationship, [Cell])]] = [:]
    /// The indexes of records that are unchanged, as long as it is not decided again without what they are nested in.
    private var newlyUnchanged: [Int32] = []
    /// The rows that could not be written in the last attempt because of unique values.
    var refused: [Refusal] = []
    /// The deferred records, by row.
    var deferred: [Int: Deferred] = [:]

    /// The row of a record that differs from the store's, with the columns that differ.
    struct Update {
        let row: Int32
        let columns: ColumnSet
    }

    /// Fewer records than this are always looked up by key.
    private static let minimumScanned = 32

    init(_ table: StagedTable, state: MergeState, hasNested: Bool) {
        self.table = table
        statements = state.transaction.statements(of: table.entity)
        self.state = state
        transaction = state.transaction
        entity = table.entity
        registry = transaction.registry(of: table.entity)
        let staging = transaction.staging
        let mayBeLeftOut = staging.skipCount > 0 || !staging.replacements.isEmpty
        groups = RecordGroups(table, registry: registry) { row in
            mayBeLeftOut && (staging.isSkipped(row, of: table.entity.index) || table.origins[row].isReplaced)
        }
        table.isEachOnce = groups.isEachOnce && !mayBeLeftOut
        table.otherOwners = nil
        isUntouched = state.local == nil
        self.hasNested = hasNested
        isAlwaysUpdated = transaction.options.records.contains(.update) && transaction.options.nested.contains(.update)
    }

    /// Whether all rows that are merged are of different records.
    var isEachOnce: Bool { groups.isEachOnce }

    /// The rows of a record, in order.
    func rows(of fingerprint: KeyFingerprint) -> [Int] {
        let index = registry.index(of: fingerprint)
        var row = index < 0 ? -1 : registry.head(index)
        var rows: [Int] = []
        while row >= 0 {
            rows.append(row)
            row = groups.next(row)
        }
        return rows
    }

    /// Releases the rows, which are written.
    func release() { groups.release(registry) }

    /// Releases the rows with their original cells, so that they can be decided again.
    func restoreRows() {
        for index in newlyUnchanged { registry.withdrawUnchanged(at: Int(index)) }
        for (row, cells) in foldedRows { table.row(row).update(from: cells, count: cells.count) }
        release()
    }

    // MARK: Deciding

    /// Determines which records exist and which columns differ.
    func decide() throws {
        if let local = state.local {
            edits = try local.edits(of: entity)
            try edits?.prepare(for: groups.heads.count)
        }
        let size = try statements.size.get()
        if try size.isEmpty { return try decideToInsert(groups.heads) }
        let isScanned =
            try groups.heads.count >= Self.minimumScanned && size.favorsScan(overLookups: groups.heads.count)
        try isScanned ? scan() : lookUp()
    }

    private func scan() throws {
        let statement = try statements.scan.get()
        defer { statement.reset() }
        let isFound = UnsafeMutablePointer<Bool>.allocate(capacity: table.count)
        isFound.initialize(repeating: false, count: table.count)
        defer { isFound.deallocate() }
        var others = hasNested && isUntouched && isAlwaysUpdated && table.isEachOnce ? OtherOwners(entity) : nil
        func addOther() { if others?.add(statement) == false { others = nil } }
        // The table is often in the same order as the payload.
        var index = -1
        while try statement.step() {
            let found = registry.index(of: statement.fingerprint(entity), guess: index + 1)
            if found < 0 {
                addOther()
                continue
            }
            index = found
            let head = registry.head(found)
            if head < 0 {
                addOther()
                continue
            }
            isFound[head] = true
            try compare(head, at: found, with: statement)
        }
        try decideToInsert(groups.heads.filter { !isFound[Int($0)] })
        if updates.isEmpty, inserts.isEmpty { table.otherOwners = others }
    }

    private func lookUp() throws {
        let statement = try statements.find.get()
        try transaction.pageCache.enlarge(for: groups.heads.count, of: entity)
        var missing: [Int32] = []
        for head in groups.heads {
            let cells = table.row(Int(head))
            statement.bind(entity.plan.keyColumns.lazy.map { cells[$0] })
            if try statement.step() {
                try compare(Int(head), at: Int(groups.indexes[Int(head)]), with: statement)
            } else {
                missing.append(head)
            }
            statement.reset()
        }
        try decideToInsert(missing)
    }

    /// - Parameter index: The index of the record in the registry.
    private func compare(_ head: Int, at index: Int, with statement: RawStatement) throws {
        let mayUpdate = (isAlwaysUpdated && groups.isEachOnce) || fold(head, exists: true)
        var changes = mayUpdate ? changedColumns(table.row(head), statement: statement) : nil
        if mayUpdate, !isUntouched {
            if let edits { changes = try resolveEdits(head, changed: changes, statement: statement, edits: edits) }
            changes = try keepLinks(head, changed: changes, statement: statement)
        }
        if var changed = changes {
            if !entity.orderedLinks.isEmpty { clearPositions(head, changed: &changed, statement: statement) }
            updates.append(Update(row: Int32(head), columns: changed))
            if !entity.replacingLinks.isEmpty { recordReplaced(head, changed: changed, statement: statement) }
        } else if hasNested {
            if registry.recordUnchanged(at: index) { newlyUnchanged.append(Int32(index)) }
        } else {
            registry.record(.unchanged, at: index)
        }
    }

    @inline(__always)
    private func changedColumns(_ cells: UnsafeMutablePointer<Cell>, statement: RawStatement) -> ColumnSet? {
        var changed: ColumnSet?
        // The key is equal, since the row was found by it.
        for column in 0..<table.width
        where column != entity.keyColumn && !statement.hasSame(cells[column], column: column) {
            // The same value may be encoded differently.
            if entity.isStored(cells[column], in: statement, column: column) { continue }
            var set = changed ?? ColumnSet()
            set.insert(column)
            changed = set
        }
        return changed
    }

    /// A position is valid for one owner: a record that is moved to another owner without a position there has none
    /// (Rules.md, M11).
    private func clearPositions(_ head: Int, changed: inout ColumnSet, statement: RawStatement) {
        let cells = table.row(head)
        for link in entity.orderedLinks where cells[link.position].kind == .absent {
            guard link.foreignKey.contains(where: changed.contains) else { continue }
            cells[link.position] = .null
            if !statement.hasSame(.null, column: link.position) { changed.insert(link.position) }
        }
    }

    /// Remembers the record that an updated one refers to and that would be deleted with the link.
    private func recordReplaced(_ head: Int, changed: ColumnSet, statement: RawStatement) {
        for relationship in entity.replacingLinks {
            guard let columns = relationship.foreignKey, columns.contains(where: changed.contains) else { continue }
            let key = columns.map { statement.cell($0) }
            if key.contains(where: { $0.kind == .null }) { continue }
            replaced[head, default: []].append((relationship, key.map { $0.copied(to: transaction.staging.arena) }))
        }
    }

    /// Remembers the record that an earlier copy refers to and a later one does not, as if that had been stored.
    private func recordReplaced(_ head: Int, by later: UnsafeMutablePointer<Cell>) {
        let cells = table.row(head)
        for relationship in entity.replacingLinks {
            guard let columns = relationship.foreignKey, columns.contains(where: { later[$0].kind != .absent }),
                columns.allSatisfy({ cells[$0].isValue })
            else { continue }
            replaced[head, default: []].append((relationship, columns.map { cells[$0] }))
        }
    }

    /// Folds the rows of one record into the first of them, as if they were received one after the other (Rules.md,
    /// M3).
    ///
    /// - Returns: Whether the options allow writing the record (Rules.md, M9).
    func fold(_ head: Int, exists: Bool) -> Bool {
        var exists = exists
        var isAllowed = false
        var row = head
        let next = groups.next(head)
        if next < 0, transaction.operations(of: table.origins[head]).contains(exists ? .update : .insert) {
            return true
        }
        let cells = table.row(head)
        rememberRow(head)
        while row >= 0 {
            let operations = transaction.operations(of: table.origins[row])
            let counts = operations.contains(exists ? .update : .insert)
            if counts {
                isAllowed = true
                exists = true
                if row != head {
                    if !entity.replacingLinks.isEmpty { recordReplaced(head, by: table.row(row)) }
                    take(table.row(row), over: cells)
                }
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
        for head in heads {
            if let edits, try resolveLocalDelete(Int(head), edits: edits) {
                skipGroup(Int(head), isDeletedLocally: true)
                continue
            }
            if try leaveOutIncomplete(Int(head)) { continue }
            guard fold(Int(head), exists: false) else {
                skipGroup(Int(head))
                continue
            }
            if try complete(Int(head)) { inserts.append(head) }
        }
    }

    /// Leaves out copies of a new record that precede the first complete one: a later top-level record does not
    /// complete an earlier one (Rules.md, M16).
    ///
    /// - Returns: Whether there were any. In this case, everything is decided again without them.
    private func leaveOutIncomplete(_ head: Int) throws -> Bool {
        guard groups.next(head) >= 0,
            missingColumn(UnsafeBufferPointer(start: table.row(head), count: table.width)) != nil
        else { return false }
        let count = transaction.staging.skipCount
        var row = head
        while row >= 0 {
            let record = table.origins[row].record
            var cells = [Cell](repeating: .absent, count: table.width)
            var copies: [Int] = []
            while row >= 0, table.origins[row].record == record {
                if transaction.operations(of: table.origins[row]).contains(.insert) {
                    copies.append(row)
                    cells.withUnsafeMutableBufferPointer { cells in
                        if let cells = cells.baseAddress { take(table.row(row), over: cells) }
                    }
                }
                row = groups.next(row)
            }
            guard let column = cells.withUnsafeBufferPointer({ missingColumn($0) }) else { break }
            for copy in copies {
                try transaction.skip(copy, of: entity, column: column, reason: "is required; it is missing")
            }
        }
        guard transaction.staging.skipCount > count else { return false }
        hasLeftOut = true
        return true
    }

    /// The first required column that has neither a value nor a default.
    private func missingColumn(_ cells: UnsafeBufferPointer<Cell>) -> Int? {
        cells.indices.first { column in
            cells[column].kind == .absent && !entity.plan.isOptional[column] && entity.defaults[column] == nil
        }
    }

    /// Leaves out a record that may not be inserted, since the records nested in it would have no owner.
    private func skipGroup(_ head: Int, isDeletedLocally: Bool = false) {
        var row = head
        while row >= 0 {
            if isDeletedLocally {
                transaction.staging.skipDeletedLocally(row, of: entity.index)
            } else {
                transaction.staging.skip(row, of: entity.index)
            }
            row = groups.next(row)
        }
    }

    /// Saves the cells of a row, to restore them if it is decided again.
    func rememberRow(_ head: Int) {
        if foldedRows[head] == nil {
            foldedRows[head] = Array(UnsafeBufferPointer(start: table.row(head), count: table.width))
        }
    }

    /// Gives a new record the defaults of the columns that the payload lacks, or the values that it had when a merge
    /// deleted it (Rules.md, M7).
    ///
    /// - Returns: Whether it has all required values. Otherwise it is skipped (Rules.md, M12).
    private func complete(_ row: Int) throws -> Bool {
        let cells = table.row(row)
        let local = try formerValues(of: row)
        for column in 0..<table.width where cells[column].kind == .absent {
            if let cell = local[column] ?? transaction.defaultCell(entity, column: column) {
                cells[column] = cell
            } else if !entity.plan.isOptional[column] {
                try transaction.skip(row, of: entity, column: column, reason: "is required; it is missing")
                return false
            }
        }
        return true
    }

    // MARK: Writing

    /// The columns that are written of each row, `nil` for all of them. This is created only if there are conflicts.
    private(set) lazy var writtenColumns: [Int32: ColumnSet?] = {
        var written: [Int32: ColumnSet?] = [:]
        for row in inserts { written.updateValue(nil, forKey: row) }
        for update in updates { written.updateValue(update.columns, forKey: update.row) }
        return written
    }()

    /// A row to write.
    struct Write {
        let row: Int
        /// The columns to update; `nil` for a new row.
        let columns: ColumnSet?
    }

    /// A row that cannot be written because another record has the same values in these columns.
    struct Refusal {
        let write: Write
        let columns: [Int]
    }
}

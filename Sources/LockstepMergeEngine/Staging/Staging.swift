import LockstepEvolution
import LockstepTables

/// The part of a payload that was read and is not in the store yet.
final class Staging {
    let plan: MergePlan
    /// One for each entity of the schema.
    let tables: [StagedTable]
    /// Stores texts that are encoded differently in the payload than in the store.
    let arena = TextArena()
    /// Records of entities with hooks that have not been processed yet. They belong to the last record.
    var raws: [RawRecord] = []
    /// The versions of records, as they were received.
    var versions: [StagedVersion] = []
    /// Records that the app merges itself.
    var replacements: [RawRecord] = []
    /// For each entity with hooks, the identities of the records that the hooks were called for.
    var hooked: [Int: Set<KeyFingerprint>] = [:]
    /// The number of skipped rows, not including those nested in them.
    private(set) var skipCount = 0
    /// Whether some rows are of records that were deleted locally.
    private(set) var hasDeletedLocally = false

    init(_ plan: MergePlan) {
        self.plan = plan
        tables = plan.entities.map { StagedTable($0) }
    }

    /// The number of bytes that the rows, their links and their texts use.
    var size: Int {
        tables.reduce(arena.size + versions.count * MemoryLayout<StagedVersion>.stride) { $0 + $1.size }
    }

    /// Skips a row, and the rows embedded in it.
    func skip(_ row: Int, of table: Int) {
        tables[table].origins[row].isSkipped = true
        skipCount += 1
    }

    /// Skips a row, and the rows embedded in it, because its record was deleted locally and stays deleted (Rules.md,
    /// C3).
    func skipDeletedLocally(_ row: Int, of table: Int) {
        tables[table].origins[row].isDeletedLocally = true
        hasDeletedLocally = true
        skip(row, of: table)
    }

    /// Whether some row is embedded in another. Finding that out takes a pass over all rows.
    var hasNested: Bool {
        tables.contains { table in (0..<table.count).contains { table.origins[$0].isNested } }
    }

    /// Whether a row, or one that it is embedded in, is skipped.
    func isSkipped(_ row: Int, of table: Int) -> Bool {
        guard skipCount > 0 else { return false }
        let origin = tables[table].origins[row]
        if origin.isSkipped { return true }
        guard origin.isNested, isSkipped(Int(origin.ownerRow), of: Int(origin.ownerTable)) else { return false }
        tables[table].origins[row].isSkipped = true
        return true
    }

    /// Whether a to-one of a row is the link to the owner that it is embedded in.
    func isLinkToOwner(_ relationship: Int, of row: Int, in table: StagedTable) -> Bool {
        let origin = table.origins[row]
        guard origin.isNested, !origin.isNoMember else { return false }
        let link = plan.entities[Int(origin.ownerTable)].relationships[Int(origin.relationship)]
        return link.destination == table.entity.index && link.inverse == relationship
    }

    /// Removes the last top-level record, and the records embedded in it.
    func removeLast(_ record: Int) {
        tables.forEach { $0.removeLast(record) }
        raws.removeAll()
        versions.removeAll { $0.row >= tables[$0.table].count }
    }

    func removeAll() {
        tables.forEach { $0.removeAll() }
        arena.reset()
        replacements.removeAll()
        versions.removeAll()
        hooked.removeAll()
        skipCount = 0
        hasDeletedLocally = false
    }

    /// The keys that lead from the top-level record to a row: `reviews[2]`; empty for a top-level record.
    func path(to row: Int, of table: Int) -> [String] {
        let origin = tables[table].origins[row]
        guard origin.isNested else { return [] }
        let owner = tables[Int(origin.ownerTable)]
        let relationship = owner.entity.plan.relationships[Int(origin.relationship)]
        var keys = path(to: Int(origin.ownerRow), of: Int(origin.ownerTable)) + relationship.wire.path
        if origin.index >= 0, let last = keys.popLast() { keys.append("\(last)[\(origin.index)]") }
        return keys
    }
}

/// The JSON of a record's version attribute.
struct StagedVersion {
    let table: Int
    let row: Int
    /// In the memory of the payload.
    let json: UnsafeBufferPointer<UInt8>
}

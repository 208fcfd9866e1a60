import LockstepTables

/// Records that need a unique value of another record: of one that the payload may still list with another value, that
/// is deleted at the end, or that is deferred itself.
///
/// Until all others are written they keep their previous values; new ones have placeholders. At the end of the payload
/// each gets its value, or is refused (see ``AssignDeferredUniqueValues``).
struct DeferredUniqueValues {
    struct Record {
        let entity: MergeEntity
        let key: [Cell]
        /// Identifies the record in each attempt of the merge.
        let identity: KeyFingerprint
        /// The identity, which decides between two records.
        let order: [Cell]
        let isNew: Bool
        /// The values that it needs, by column.
        var values: [Int: Cell] = [:]
        /// The previous values of these columns; empty for a new record.
        var before: [Int: Cell] = [:]

        var columns: [Int] { values.keys.sorted() }

        func isBefore(_ other: Record) -> Bool {
            for (one, other) in zip(order, other.order) {
                let order = one.order(against: other)
                if order != 0 { return order < 0 }
            }
            return false
        }
    }

    private(set) var records: [Record] = []
    /// Indexes of records, by entity and key.
    private var indexes: [Int: [KeyFingerprint: Int]] = [:]
    /// Stores texts until the end of the merge.
    private let arena = TextArena()

    var isEmpty: Bool { records.isEmpty }

    func hasRecords(of entity: MergeEntity) -> Bool { indexes[entity.index] != nil }

    /// Whether the record with a key is deferred.
    func has(_ key: KeyFingerprint, of entity: MergeEntity) -> Bool { index(of: key, entity: entity) != nil }

    func index(of key: KeyFingerprint, entity: MergeEntity) -> Int? { indexes[entity.index]?[key] }

    /// Adds values of a staged row that cannot be written yet.
    ///
    /// - Parameters:
    ///   - columns: The columns to assign later.
    ///   - stored: The stored values of these columns; empty for a new record.
    mutating func add(_ row: Int, of table: StagedTable, columns: [Int], stored: [Int: Cell], isNew: Bool) {
        let cells = table.row(row)
        let index = index(of: row, in: table, isNew: isNew)
        for column in columns {
            records[index].values[column] = cells[column].copied(to: arena)
            guard !records[index].isNew, records[index].before[column] == nil else { continue }
            records[index].before[column] = stored[column]?.copied(to: arena)
        }
    }

    /// Restores previous values: a later record of the payload may state that a value is unchanged.
    mutating func restore(_ row: Int, of table: StagedTable) {
        let cells = table.row(row)
        guard let index = index(of: cells.fingerprint(table.entity), entity: table.entity) else { return }
        for (column, value) in records[index].before where cells[column].isIdentical(to: value) {
            records[index].values[column] = value
        }
    }

    private mutating func index(of row: Int, in table: StagedTable, isNew: Bool) -> Int {
        let (entity, cells) = (table.entity, table.row(row))
        let fingerprint = cells.fingerprint(entity)
        if let known = index(of: fingerprint, entity: entity) { return known }
        let record = Record(
            entity: entity, key: copied(table.key(row)), identity: cells.identityFingerprint(entity),
            order: copied((entity.wireKeyColumns + entity.plan.keyColumns).map { cells[$0] }), isNew: isNew)
        indexes[entity.index, default: [:]][fingerprint] = records.count
        records.append(record)
        return records.count - 1
    }

    private func copied(_ cells: [Cell]) -> [Cell] { cells.map { $0.copied(to: arena) } }
}

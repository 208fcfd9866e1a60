import LockstepStore

/// Records that the payload has inside of records which were deleted here and stay deleted: they go with these
/// (Rules.md, C3).
struct RecordsInsideDeleted {
    private var inside: Set<Record> = []
    /// Those that the payload has elsewhere, too, where they are not merged.
    private var elsewhere: Set<Record> = []

    private struct Record: Hashable {
        let entity: Int
        let key: KeyFingerprint
    }

    private struct Row: Hashable {
        let table: Int
        let row: Int
    }

    /// Whether the payload has a record that is not merged nowhere else.
    func hasOnly(_ key: KeyFingerprint, _ entity: MergeEntity) -> Bool {
        guard !inside.isEmpty else { return false }
        let record = Record(entity: entity.place, key: key)
        return inside.contains(record) && !elsewhere.contains(record)
    }

    /// Takes note of what is staged, when it is known which records are not merged.
    mutating func note(_ staging: Staging) {
        guard staging.hasDeletedHere else { return }
        let deleted = Self.deletedRows(staging)
        for table in staging.tables where !table.entity.isOwned {
            for row in 0..<table.count
            where table.hasKey(row) && table.origins[row].isNested && staging.isSkipped(row, of: table.entity.place) {
                let record = Record(entity: table.entity.place, key: table.row(row).fingerprint(table.entity))
                if Self.isInside(table.origins[row], deleted, staging) {
                    inside.insert(record)
                } else {
                    elsewhere.insert(record)
                }
            }
        }
    }

    private static func deletedRows(_ staging: Staging) -> Set<Row> {
        var rows: Set<Row> = []
        for table in staging.tables {
            for row in 0..<table.count where table.origins[row].isDeletedHere {
                rows.insert(Row(table: table.entity.place, row: row))
            }
        }
        return rows
    }

    private static func isInside(_ origin: Origin, _ deleted: Set<Row>, _ staging: Staging) -> Bool {
        var origin = origin
        while origin.isNested {
            let owner = Row(table: Int(origin.ownerTable), row: Int(origin.ownerRow))
            if deleted.contains(owner) { return true }
            origin = staging.tables[owner.table].origins[owner.row]
        }
        return false
    }
}

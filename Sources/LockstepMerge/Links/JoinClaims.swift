import LockstepStore

/// What the lists of a batch state about links of a many to many that is sent from both ends: for each link, the later
/// list counts (Rules.md, M16).
struct JoinClaims {
    /// One end of a many to many.
    private struct End: Hashable {
        let table: String
        let source: [String]
    }

    /// The order in which lists are applied.
    private struct Time: Comparable {
        let record: Int32
        let table: Int
        let row: Int32

        static func < (left: Time, right: Time) -> Bool {
            (left.record, left.table, left.row) < (right.record, right.table, right.row)
        }
    }

    private struct List {
        let time: Time
        let members: Set<KeyFingerprint>
        let isWhole: Bool
    }

    private var lists: [End: [KeyFingerprint: List]] = [:]

    /// Returns `nil` if no link is listed from both ends.
    ///
    /// - Parameter latest: The lists of a table that count.
    init?(_ transaction: MergeTransaction, latest: (StagedTable) -> [Int]) throws {
        let tables = transaction.staging.tables.filter { !$0.memberships.isEmpty }
        guard Self.hasBothEnds(tables) else { return nil }
        for table in tables {
            for index in latest(table) {
                let membership = table.memberships[index]
                let relationship = table.entity.relationships[Int(membership.relationship)]
                guard case .manyToMany(let join) = relationship.description.kind else { continue }
                let destination = transaction.staging.tables[relationship.destination]
                let members = try transaction.placedMembers(of: membership, table, destination)
                let end = End(table: join.table, source: join.sourceColumns)
                let owner = table.row(Int(membership.row)).fingerprint(table.entity)
                lists[end, default: [:]][owner] = List(
                    time: Self.time(of: membership, table), members: Set(members.compactMap { $0?.fingerprint }),
                    isWhole: transaction.isWhole(membership, table, destination))
            }
        }
    }

    private static func time(of membership: StagedMembership, _ table: StagedTable) -> Time {
        Time(record: table.origins[Int(membership.row)].record, table: table.entity.index, row: membership.row)
    }

    private static func hasBothEnds(_ tables: [StagedTable]) -> Bool {
        var ends: [String: [String]] = [:]
        for table in tables {
            var indexes: Set<Int16> = []
            for membership in table.memberships { indexes.insert(membership.relationship) }
            for index in indexes {
                let kind = table.entity.relationships[Int(index)].description.kind
                guard case .manyToMany(let join) = kind else { continue }
                if join.isSymmetric { return true }
                if let known = ends[join.table], known != join.sourceColumns { return true }
                ends[join.table] = join.sourceColumns
            }
        }
        return false
    }

    /// What later lists at the other end state about the members of an owner: whether they have it, or `nil` for
    /// nothing.
    func laterStatements(
        about membership: StagedMembership, of table: StagedTable, _ join: JoinDescription
    ) -> (KeyFingerprint) -> Bool? {
        // The other end of a symmetric relationship is the same one.
        let source = join.isSymmetric ? join.sourceColumns : join.destinationColumns
        let others = lists[End(table: join.table, source: source)] ?? [:]
        let time = Self.time(of: membership, table)
        let owner = table.row(Int(membership.row)).fingerprint(table.entity)
        return { member in
            guard let list = others[member], list.time > time else { return nil }
            if list.members.contains(owner) { return true }
            return list.isWhole ? false : nil
        }
    }
}

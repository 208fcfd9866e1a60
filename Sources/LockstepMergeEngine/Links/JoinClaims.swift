import LockstepTables

/// The statements of a batch's lists about links of a many to many that is sent from both ends: for each link, the
/// later list counts (Rules.md, M16). A symmetric relationship is sent from both ends too.
struct JoinClaims {
    /// One end of a many to many.
    private struct End: Hashable {
        let table: String
        let source: [String]
    }

    /// The order in which lists are applied.
    fileprivate struct Time: Comparable {
        let record: Int32
        let table: Int
        let row: Int32

        static func < (left: Time, right: Time) -> Bool {
            (left.record, left.table, left.row) < (right.record, right.table, right.row)
        }
    }

    fileprivate struct List {
        let time: Time
        let members: Set<KeyFingerprint>
        let isWhole: Bool
        /// The keys of the members of a symmetric to-one.
        let keys: [[Cell]]

        /// Whether it says that a record is not linked.
        func lacks(_ member: KeyFingerprint) -> Bool { isWhole && !members.contains(member) }
    }

    /// The lists of each record in their order: the one that counts, and before it, in a symmetric relationship, those
    /// of earlier top-level records, which it reverses.
    private var lists: [End: [KeyFingerprint: [List]]] = [:]
    /// For a symmetric to-one, by table: the last record that a list links each record to; `nil` if it is linked to
    /// none.
    private var partners: [String: [KeyFingerprint: KeyFingerprint?]] = [:]
    /// Returns `nil` if no link is listed from both ends.
    ///
    /// - Parameter latest: The lists of a table that count.
    init?(_ transaction: MergeTransaction, latest: (StagedTable) -> [Int]) throws {
        let tables = transaction.staging.tables.filter { !$0.memberships.isEmpty }
        guard Self.hasBothEnds(tables) else { return nil }
        var toOnes: Set<String> = []
        for table in tables {
            let latest = Set(latest(table))
            for (index, membership) in table.memberships.enumerated() {
                let relationship = table.entity.relationships[Int(membership.relationship)]
                guard case .manyToMany(let join) = relationship.description.kind,
                    latest.contains(index) || join.isSymmetric,
                    !transaction.staging.isSkipped(Int(membership.row), of: table.entity.index)
                else { continue }
                let destination = transaction.staging.tables[relationship.destination]
                let members = try transaction.placedMembers(of: membership, in: table, to: destination)
                let end = End(table: join.table, source: join.sourceColumns)
                let owner = table.row(Int(membership.row)).fingerprint(table.entity)
                let stated = members.compactMap { $0 }
                if join.isToOne { toOnes.insert(join.table) }
                lists[end, default: [:]][owner, default: []].append(
                    List(
                        time: Self.time(of: membership, in: table), members: Set(stated.map(\.fingerprint)),
                        isWhole: transaction.isWhole(membership, in: table, to: destination),
                        keys: join.isToOne ? stated.map(\.key) : []))
            }
        }
        for (end, owners) in lists {
            lists[end] = owners.mapValues(Self.inOrder)
            if toOnes.contains(end.table) { partners[end.table] = Self.partners(lists[end] ?? [:]) }
        }
    }

    /// The lists of a record in their order. Of several within one top-level record, the last counts (Rules.md, M3).
    private static func inOrder(_ lists: [List]) -> [List] {
        guard lists.count > 1 else { return lists }
        let sorted = lists.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return sorted.map(\.element).reduce(into: []) { ordered, list in
            if ordered.last?.time.record == list.time.record { ordered.removeLast() }
            ordered.append(list)
        }
    }

    /// Returns the partner of each record that the lists of a symmetric to-one, in their order, state.
    private static func partners(_ lists: [KeyFingerprint: [List]]) -> [KeyFingerprint: KeyFingerprint?] {
        let stated = lists.flatMap { owner, lists in lists.map { (owner: owner, list: $0) } }
        var partners: [KeyFingerprint: KeyFingerprint?] = [:]
        for (owner, list) in stated.sorted(by: { $0.list.time < $1.list.time }) {
            if let member = list.members.first {
                partners[owner] = member
                partners[member] = owner
            } else if list.isWhole {
                partners[owner] = .some(nil)
            }
        }
        return partners
    }

    private static func time(of membership: StagedMembership, in table: StagedTable) -> Time {
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

    /// Returns the statements of the other lists of the batch about the links in a list.
    func statements(about membership: StagedMembership, of table: StagedTable, in join: JoinDescription) -> Statements {
        // The other end of a symmetric relationship is the same one.
        let source = join.isSymmetric ? join.sourceColumns : join.destinationColumns
        return Statements(
            owner: table.row(Int(membership.row)).fingerprint(table.entity), time: Self.time(of: membership, in: table),
            others: lists[End(table: join.table, source: source)] ?? [:], partners: partners[join.table] ?? [:])
    }

    /// The statements of other lists about the links in one list.
    struct Statements {
        fileprivate let owner: KeyFingerprint
        fileprivate let time: Time
        fileprivate let others: [KeyFingerprint: [List]]
        fileprivate let partners: [KeyFingerprint: KeyFingerprint?]

        /// Whether the batch links two records of a symmetric to-one: no later list links one of them to another
        /// record, or to none.
        func isLinked(_ one: KeyFingerprint, _ other: KeyFingerprint) -> Bool {
            partners[one] == .some(other) && partners[other] == .some(one)
        }

        /// The keys of the records that the owner of a symmetric to-one is linked to by one top-level record after the
        /// other. Each takes the place of what the record was linked to before, even if a later one reverses it.
        var namedRecords: [[Cell]] { others[owner]?.flatMap(\.keys) ?? [] }

        /// Whether a later list of a member has the owner; `nil` if there is none, or if it states nothing.
        func later(about member: KeyFingerprint) -> Bool? {
            guard let list = others[member]?.last, list.time > time else { return nil }
            if list.members.contains(owner) { return true }
            return list.isWhole ? false : nil
        }

        /// Whether a member has left an ordered symmetric list since, and has come back: it has no position there any
        /// more.
        func hasLeft(_ member: KeyFingerprint) -> Bool {
            others[member]?.contains { $0.time > time && $0.lacks(owner) } ?? false
        }

        /// Whether any of these left its place to this list's other ends.
        func reorders(_ members: [LinkMember]) -> Bool {
            members.contains { hasLeft($0.fingerprint) || hasLeftOrder(of: $0.fingerprint) }
        }

        /// The same for the owner, in the order of a member without a list: an earlier list of the owner lacks it.
        func hasLeftOrder(of member: KeyFingerprint) -> Bool {
            others[member] == nil && others[owner]?.contains { $0.time < time && $0.lacks(member) } ?? false
        }
    }
}

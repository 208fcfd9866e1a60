import GRDB
import LockstepTables

/// Gives records that were sent inside others without an identity the one that the server has assigned to them
/// (Rules.md, R10).
///
/// This is done before everything else, while the payload's rows have no keys: the members are then found by their
/// identities, and are merged like any other existing record.
final class SentMemberMatch {
    private let transaction: MergeTransaction
    private let members: SentMembers
    /// The members whose identity is unknown, by the list that they are in.
    private var open: [List: [SentMember]] = [:]
    private var deleted: [SentMember] = []
    /// The members that were deleted locally after their identity became known.
    private var deletedMembers: [DeletedMember] = []
    private var gone: Set<GoneMember> = []
    /// The records embedded in staged rows, by entity and row.
    private var nested: [Int: [Int: [StagedList]]] = [:]

    private struct List: Hashable {
        let owner: RecordID
        let relationship: String
    }

    private struct GoneMember: Hashable {
        let entity: Int
        let key: KeyFingerprint
    }

    /// Returns `nil` if no member lacks its identity.
    static func find(_ transaction: MergeTransaction) throws -> SentMemberMatch? {
        let plans = transaction.plan.schema
        guard
            try SentMembers.areThere(transaction.database) || DeletedMember.areThere(transaction.database, plans: plans)
        else { return nil }
        return try SentMemberMatch(transaction)
    }

    private init(_ transaction: MergeTransaction) throws {
        self.transaction = transaction
        members = SentMembers(database: transaction.database, plans: transaction.plan.schema)
        deletedMembers = try DeletedMember.all(transaction.database, plans: members.plans)
        for member in try members.all() {
            if member.state == .deleted {
                deleted.append(member)
            } else {
                open[List(owner: member.owner, relationship: member.relationship), default: []].append(member)
            }
        }
    }

    /// Whether the server had a record, and its owner's list no longer has it.
    func isGone(_ key: [Cell], of entity: MergeEntity) -> Bool {
        !gone.isEmpty && gone.contains(GoneMember(entity: entity.index, key: key.fingerprint))
    }

    /// Matches the members in the staged rows. Lists in members that were matched are handled after those members.
    func match() throws {
        nested = [:]
        try skipDeleted()
        var hasFound = true
        while hasFound, !open.isEmpty {
            hasFound = false
            for table in transaction.staging.tables where table.count > 0 {
                for list in lists(of: table) where try match(list, in: table) { hasFound = true }
            }
        }
    }

    // MARK: Lists

    /// The records embedded under a relationship of a row.
    private struct StagedList {
        let row: Int
        let relationship: MergeRelationship
        let members: [Int]
    }

    /// The last list of a record counts, so it comes first (Rules.md, M3).
    private func lists(of table: StagedTable) -> [StagedList] {
        let owners = Set(open.keys.lazy.map(\.owner.entity))
        guard owners.contains(table.entity.plan.name) else { return [] }
        let many = table.memberships.filter { isEmbedded($0, in: table) }.map { membership in
            StagedList(
                row: Int(membership.row), relationship: table.entity.relationships[Int(membership.relationship)],
                members: table.members(of: membership).map { Int($0.row) })
        }
        let one = table.links.filter { !$0.isOwner && $0.targetRow >= 0 }.map { link in
            StagedList(
                row: Int(link.row), relationship: table.entity.relationships[Int(link.relationship)],
                members: [Int(link.targetRow)])
        }
        return (many + one).reversed()
    }

    /// Whether a list consists of the records of an embedded relationship. One of identities says nothing about a
    /// record whose identity is unknown.
    private func isEmbedded(_ membership: StagedMembership, in table: StagedTable) -> Bool {
        table.entity.relationships[Int(membership.relationship)].isEmbedded
            && table.members(of: membership).allSatisfy { $0.row >= 0 }
    }

    /// The lists by row, determined once.
    private func nestedLists(of table: StagedTable) -> [Int: [StagedList]] {
        if let known = nested[table.entity.index] { return known }
        let found = Dictionary(grouping: lists(of: table), by: \.row)
        nested[table.entity.index] = found
        return found
    }

    private func match(_ list: StagedList, in table: StagedTable) throws -> Bool {
        guard let key = try key(of: list.row, in: table),
            let sent = open.removeValue(
                forKey: List(
                    owner: RecordID(table.entity.plan, key: key), relationship: list.relationship.description.name))
        else { return false }
        let destination = transaction.staging.tables[list.relationship.destination]
        guard let remote = destination.entity.plan.remoteColumn else { return false }
        // A server that assigns no identities keeps what it was sent, so there is nothing to match.
        guard list.members.allSatisfy({ $0 >= 0 && destination.row($0)[remote].isValue }) else {
            try sent.forEach(members.forget)
            return false
        }
        let received = try list.members.filter { try isOpen(destination.row($0)[remote], of: destination.entity) }
        guard let pairs = pairs(sent, received, in: destination) else { return false }
        for pair in pairs { try adopt(sent[pair.sent], row: received[pair.received], of: destination, column: remote) }
        let found = Set(pairs.map(\.sent))
        for index in sent.indices where !found.contains(index) { try miss(sent[index], of: destination.entity) }
        return !pairs.isEmpty
    }

    /// The received rows that are sent members; `nil` if all that one request contained has to be found, and is not.
    private func pairs(
        _ sent: [SentMember], _ received: [Int], in table: StagedTable
    ) -> [(sent: Int, received: Int)]? {
        func pairs(of indices: [Int], attempt: Int?) -> [(sent: Int, received: Int)] {
            MemberMatching(
                sent: indices.count, received: received.count, isTaken: { !sent[indices[$0]].mayArrive },
                likeness: { [self] in likeness(of: sent[indices[$0]], row: received[$1], in: table, attempt: attempt) }
            ).pairs().map { (indices[$0.sent], $0.received) }
        }
        guard transaction.options.findsWholeLists else {
            // A response is to the latest request.
            return pairs(of: Array(sent.indices), attempt: transaction.options.sentRecord == nil ? nil : 0)
        }
        for attempt in 0..<(sent.map(\.forms.count).max() ?? 0) {
            let indices = sent.indices.filter { sent[$0].forms.count > attempt }
            let found = pairs(of: indices, attempt: attempt)
            let isWhole = found.count { sent[$0.sent].mayArrive } == indices.count { sent[$0].mayArrive }
            if isWhole { return found }
        }
        return nil
    }

    /// The local key of a staged record; `nil` if it is not in the store.
    private func key(of row: Int, in table: StagedTable) throws -> RecordKey? {
        if transaction.staging.isSkipped(row, of: table.entity.index) { return nil }
        guard let column = table.entity.plan.remoteColumn else {
            return table.hasKey(row) ? table.key(of: row) : nil
        }
        let remote = table.row(row)[column]
        guard remote.isValue else { return nil }
        return try transaction.identities.storedKey(of: remote, in: table.entity).map { RecordKey($0.databaseValue) }
    }

    /// Whether a received record may be one that was sent without an identity.
    ///
    /// A record in a response is not, if it was sent with an identity. It may be in the store if a pull was faster than
    /// the response.
    private func isOpen(_ remote: Cell, of entity: MergeEntity) throws -> Bool {
        if let sentRecord = transaction.options.sentRecord {
            return sentRecord.identities[entity.plan.name]?.contains(remote.identityText) != true
        }
        guard try transaction.identities.storedKey(of: remote, in: entity) == nil else { return false }
        return try transaction.identities.deletedKey(of: remote, in: entity) == nil
    }

    // MARK: Similarity

    /// - Parameter attempt: The number of the attempt, 0 for the latest; `nil` for that which is most similar.
    private func likeness(
        of member: SentMember, row: Int, in table: StagedTable, attempt: Int? = nil
    ) -> MemberMatching.Likeness {
        let values = values(of: row, in: table)
        var likeness = attempt.map { member.likeness(of: member.forms[$0], to: values) } ?? member.likeness(to: values)
        compareMembers(of: member, row: row, in: table, likeness: &likeness)
        return likeness
    }

    private func values(of row: Int, in table: StagedTable) -> [DatabaseValue?] {
        let cells = table.row(row)
        return (0..<table.width).map { cells[$0].kind == .absent ? nil : cells[$0].databaseValue }
    }

    /// Two records with equal values may differ in their nested records.
    private func compareMembers(
        of member: SentMember, row: Int, in table: StagedTable, likeness: inout MemberMatching.Likeness
    ) {
        for list in nestedLists(of: table)[row] ?? [] {
            let nestedList = List(owner: member.recordID, relationship: list.relationship.description.name)
            let destination = transaction.staging.tables[list.relationship.destination]
            var left = list.members
            let sent = open[nestedList] ?? []
            let found = sent.filter { nested in
                let same = left.firstIndex { $0 >= 0 && self.likeness(of: nested, row: $0, in: destination).isWhole }
                if let same { left.remove(at: same) }
                return same != nil
            }
            likeness.count += found.count
            // It may be from an earlier request, which had fewer.
            if found.count < sent.count { likeness.isWhole = false }
            if !left.isEmpty { (likeness.isWhole, likeness.isFilled) = (false, false) }
        }
    }

    // MARK: Applying matches

    private func adopt(_ member: SentMember, row: Int, of table: StagedTable, column: Int) throws {
        let remote = table.row(row)[column]
        let isKnown =
            try isStored(member)
            || member.plan.isTracked
                && PendingChange.fetch(transaction.database, of: member.key, plan: member.plan) != nil
        if isKnown {
            try transaction.changes.suppressOutbox(transaction.database)
            do {
                try IdentityAdoption(database: transaction.database, changes: transaction.changes, plans: members.plans)
                    .adopt(remote.databaseValue, column: column, for: member.key, of: member.plan)
            } catch is DuplicateCollision {
                // Both rows stay as they are until one of the colliding records is deleted.
                return
            }
            try rebase(member, on: row, of: table)
            transaction.identities.register(remote, as: member.key, in: table.entity)
            try members.forget(member)
        } else if try member.state != .absent && transaction.identities.storedKey(of: remote, in: table.entity) == nil {
            // It stays deleted, and the delete is sent with its owner (Rules.md, C3).
            try members.set(.deleted, of: member, remote: remote.databaseValue)
            transaction.staging.skipDeletedLocally(row, of: table.entity.index)
        } else {
            try members.forget(member)
        }
    }

    /// What was edited after the attempt that has arrived is an edit of what that contained.
    private func rebase(_ member: SentMember, on row: Int, of table: StagedTable) throws {
        let form = member.form(similarTo: values(of: row, in: table))
        guard form > 0, member.plan.isTracked else { return }
        let base = BaseTable(member.plan, in: transaction.database)
        for (column, value) in member.forms[form].enumerated() where member.plan.travellingColumns.contains(column) {
            if let value { try base.set(column, to: value, of: member.key) }
        }
    }

    private func isStored(_ member: SentMember) throws -> Bool {
        try !transaction.database.valueRows(member.plan.findSQL, with: member.key.values).isEmpty
    }

    /// Handles a member that is missing from the list that should have it.
    private func miss(_ member: SentMember, of entity: MergeEntity) throws {
        if transaction.options.sentRecord != nil {
            try forgetInside(member)
            return try members.set(.leftOut, of: member)
        }
        let mayArrive = try member.state == .sent || member.state == .absent && isStored(member)
        if mayArrive { return }
        try forgetInside(member)
        gone.insert(
            GoneMember(
                entity: entity.index,
                key: member.key.values.map { Cell($0, arena: transaction.arena) }.fingerprint))
        try members.forget(member)
    }

    /// What was sent in a record is not on the server either if that record is not.
    private func forgetInside(_ member: SentMember) throws {
        for list in open.keys.filter({ $0.owner == member.recordID }) {
            for nested in open.removeValue(forKey: list) ?? [] {
                try forgetInside(nested)
                try members.forget(nested)
            }
        }
    }

    /// Prevents records that were deleted locally from being inserted again.
    private func skipDeleted() throws {
        if deleted.isEmpty && deletedMembers.isEmpty { return }
        var rows: [String: [RecordKey: [Int]]] = [:]
        for member in deleted { _ = skip(member, into: &rows) }
        let listed = try deletedMembers.isEmpty ? [] : listed()
        for member in deletedMembers where !skip(member.asSent, into: &rows) {
            guard listed.contains(List(owner: member.owner, relationship: member.relationship)) else { continue }
            // The server has deleted it, too.
            let writer = OutboxWriter(transaction.database, plan: member.plan)
            if let change = try writer.change(of: member.key) { try writer.forget(member.key, id: change.id) }
        }
    }

    /// - Parameter rows: The rows of tables by their identities on the server, determined once.
    /// - Returns: Whether the payload has it.
    private func skip(_ member: SentMember, into rows: inout [String: [RecordKey: [Int]]]) -> Bool {
        guard let table = transaction.staging.tables.first(where: { $0.entity.plan === member.plan }),
            let column = member.plan.nestedIdentity
        else { return false }
        let known =
            rows[member.plan.name]
            ?? Dictionary(grouping: 0..<table.count, by: { RecordKey(table.row($0)[column].databaseValue) })
        rows[member.plan.name] = known
        let found = known[RecordKey(member.remote)] ?? []
        for row in found { transaction.staging.skipDeletedLocally(row, of: table.entity.index) }
        return !found.isEmpty
    }

    /// The lists of the payload.
    private func listed() throws -> Set<List> {
        let owners = Set(deletedMembers.map(\.owner.entity))
        var lists: Set<List> = []
        for table in transaction.staging.tables where owners.contains(table.entity.plan.name) {
            for membership in table.memberships where isEmbedded(membership, in: table) {
                guard let key = try key(of: Int(membership.row), in: table) else { continue }
                let relationship = table.entity.relationships[Int(membership.relationship)].description
                lists.insert(List(owner: RecordID(table.entity.plan, key: key), relationship: relationship.name))
            }
        }
        return lists
    }
}

extension SentMember {
    /// Whether it is not known to be on the server: a request may have arrived, or may still arrive.
    fileprivate var mayArrive: Bool { state == .sent || state == .absent }

    /// How similar a received record is to the sent one, as it was in the attempt that is most similar.
    ///
    /// - Parameter values: The values by the entity's columns; `nil` for unknown ones.
    func likeness(to values: [DatabaseValue?]) -> MemberMatching.Likeness {
        likeness(of: forms[form(similarTo: values)], to: values)
    }

    /// The number of the attempt that is most similar to a received record; 0 for the latest.
    fileprivate func form(similarTo values: [DatabaseValue?]) -> Int {
        let all = forms.map { likeness(of: $0, to: values) }
        return all.firstIndex(where: \.isWhole) ?? all.firstIndex(where: \.isFilled) ?? 0
    }

    fileprivate func likeness(of row: [DatabaseValue?], to values: [DatabaseValue?]) -> MemberMatching.Likeness {
        var likeness = MemberMatching.Likeness(isWhole: true, isFilled: true, count: 0)
        for (column, description) in plan.columns.enumerated() {
            guard let wire = description.wire, !wire.isReadOnly,
                column != plan.remoteColumn, !plan.keyColumns.contains(column), let other = values[column],
                let value = row[column]
            else { continue }
            if description.isSameInJSON(value, other) {
                likeness.count += value.isNull ? 0 : 1
            } else {
                likeness.isWhole = false
                if !value.isNull { likeness.isFilled = false }
            }
        }
        return likeness
    }
}

extension Cell {
    /// An identity as text, by which requests are compared with responses.
    fileprivate var identityText: ExactText {
        ExactText(RemoteIdentity([JSONValue(storedScalar: databaseValue)]).text.lowercased())
    }
}

import GRDB
import LockstepEvolution

/// Undoes local changes: records and links get the server's values again.
///
/// It runs in a quiet transaction.
final class OutboxDiscard {
    let database: Database
    let changes: RawChanges
    let plans: SchemaPlan
    private let links: [String: OutboxLinkRoute]
    /// The records whose changes are being undone. Records may point at each other.
    private var open: Set<Int64> = []
    /// Records that were deleted because their creation was undone.
    private var gone: Set<RecordID> = []
    /// Records that are deleted with them, and those that will be.
    var leaving: Set<RecordID> = []
    /// Whether all pending changes are undone.
    private let undoesAll: Bool
    let inside: InsideChanges

    init(_ database: Database, changes: RawChanges, plans: SchemaPlan, undoesAll: Bool = false) {
        self.undoesAll = undoesAll
        inside = InsideChanges(database)
        self.database = database
        self.changes = changes
        self.plans = plans
        links = Dictionary(
            OutboxLinkRoute.links(of: plans).filter { !$0.isOrderOnly }.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    func route(named name: String) -> OutboxLinkRoute? { links[name] }

    /// Undoes one change in its current state. It does nothing if the change was confirmed meanwhile.
    func discard(_ change: PendingChange) throws {
        guard let now = try change.currentIncludingUnclaimed(database, plans: plans), open.insert(now.id).inserted
        else {
            return
        }
        guard let plan = try plan(of: now) else { return try OutboxTable.deleteUnclaimed(now, in: database) }
        let writer = OutboxWriter(database, plan: plan, under: now.entity)
        try noteMembers(of: now, plan: plan, writer: writer)
        let members = try inside.changes(inAllOf: plan, key: now.key)
        // Before it may delete what was created in it.
        if now.kind == .update { try discard(members) }
        switch now.kind {
        case .create where try isPutBack(now, of: plan, writer: writer): return
        case .create:
            try restoreToOnes(of: now, plan: plan)
            try unlink(from: now.key, of: plan)
            try changes.note(.delete, in: plan.table, database: database)
            try database.change(plan.deleteSQL, with: now.key.values)
            gone.insert(RecordID(plan, key: now.key))
            try forgetLinks(to: now, of: plan)
            try forgetAbsent(among: members)
        case .update:
            try restoreLinks(of: now, plan: plan, writer: writer)
            guard let base = try writer.base(of: now.key) else { break }
            try bringBackOwners(of: base, plan: plan)
            if try isNowhere(base, change: now, of: plan, writer: writer) {
                if try isPutBackWhereItWas(now, of: plan, writer: writer) { return }
                try changes.note(.delete, in: plan.table, database: database)
                try database.change(plan.deleteSQL, with: now.key.values)
                break
            }
            try changes.note(.update, in: plan.table, database: database)
            let columns = plan.travellingColumns.filter { plan.allows(base, at: $0) }
            if !columns.isEmpty {
                try database.change(plan.updateSQL(columns), with: columns.map { base[$0] } + now.key.values)
            }
        // Its creation is undone too.
        case .delete where (undoesAll || plan.travelsInside) && now.idempotencyKey != nil:
            gone.insert(RecordID(plan, key: now.key))
        case .delete:
            if let base = try writer.base(of: now.key) {
                try bringBackOwners(of: base, plan: plan)
                if try isNowhere(base, change: now, of: plan, writer: writer) {
                    if try isPutBackWhereItWas(now, of: plan, writer: writer) { return }
                    break
                }
                // A pull does not bring such a record either.
                guard plan.allows(base) else { break }
                try changes.note(.insert, in: plan.table, database: database)
                try database.change(plan.insertSQL, with: base)
            }
            try restoreLinks(of: now, plan: plan, writer: writer)
            // The server may or may not have it: it still counts as new.
            if now.idempotencyKey != nil { return try writer.resumeCreation(now) }
            if !undoesAll, try writer.marks(of: now).contains(.deletion) {
                try writer.resumeUpdate(now)
                return try discard(members)
            }
        }
        try writer.forget(now.key, id: now.id)
        if now.kind == .delete { try discard(members) }
    }

    /// Puts a record back into its former owner if it had to be created again in another one: the server had the
    /// record, and has deleted it since.
    ///
    /// - Returns: Whether there is an owner to put it back into.
    private func isPutBack(_ change: PendingChange, of plan: EntityPlan, writer: OutboxWriter) throws -> Bool {
        guard !undoesAll, plan.travelsInside, change.idempotencyKey == nil, var base = try writer.base(of: change.key),
            plan.isInside(base), let row = try database.valueRows(plan.findSQL, with: change.key.values).first,
            plan.ownerColumns.joined().contains(where: { !base[$0].isIdentical(to: row[$0]) }),
            let former = try InsideOwners(database).root(of: plan, in: base)
        else { return false }
        if let remote = plan.remoteColumn { base[remote] = .null }
        try changes.note(.update, in: plan.table, database: database)
        let columns =
            plan.travellingColumns.filter { plan.allows(base, at: $0) } + (plan.remoteColumn.map { [$0] } ?? [])
        try database.change(plan.updateSQL(columns), with: columns.map { base[$0] } + change.key.values)
        try writer.dropBase(of: change.key)
        _ = try OutboxWriter(database, plan: former.plan).touch(former.key)
        return true
    }

    /// The same for a record whose identity the server keeps, in lists that are replaced.
    private func isPutBackWhereItWas(
        _ change: PendingChange, of plan: EntityPlan, writer: OutboxWriter
    ) throws -> Bool {
        guard !undoesAll, let former = try writer.baseBeforeLeaving(change), try hasOwner(former, of: plan),
            change.kind != .delete || plan.allows(former)
        else { return false }
        if change.kind == .delete {
            try changes.note(.insert, in: plan.table, database: database)
            try database.change(plan.insertSQL, with: former)
        } else {
            try changes.note(.update, in: plan.table, database: database)
            let columns = plan.travellingColumns.filter { plan.allows(former, at: $0) }
            try database.change(plan.updateSQL(columns), with: columns.map { former[$0] } + change.key.values)
        }
        try writer.resumeUpdate(change)
        try InsideOwners(database).touchOwner(of: plan, key: change.key)
        return true
    }

    /// Whether a record has left its owner on the server and is in no other one there, or its owner was deleted.
    private func isNowhere(
        _ base: [DatabaseValue], change: PendingChange, of plan: EntityPlan, writer: OutboxWriter
    ) throws -> Bool {
        if isInsideOfGone(base, of: plan) { return true }
        guard try plan.travelsInside || writer.marks(of: change).contains(.left) else { return false }
        return try !hasOwner(base, of: plan)
    }

    /// Whether a record belongs to one that was deleted because its creation was undone.
    private func isInsideOfGone(_ row: [DatabaseValue], of plan: EntityPlan) -> Bool {
        !gone.isEmpty && owners(of: row, plan: plan).contains { gone.contains(RecordID($0.plan, key: $0.key)) }
    }

    /// The records that one requires, or is deleted with.
    private func owners(of row: [DatabaseValue], plan: EntityPlan) -> [(plan: EntityPlan, key: RecordKey)] {
        zip(plan.relationships, plan.foreignKeys).compactMap { description, columns in
            let owner = description.destination
            let key = columns.map { row[$0] }
            guard !key.isEmpty, !key.contains(where: \.isNull), goesAlong(description, of: owner) else { return nil }
            return (owner, RecordKey(key))
        }
    }

    /// Whether the record that one belongs to exists locally.
    private func hasOwner(_ row: [DatabaseValue], of plan: EntityPlan) throws -> Bool {
        guard let owner = plan.owner(of: row) else { return false }
        return try exists(owner.key, of: owner.plan)
    }

    private func exists(_ key: RecordKey, of plan: EntityPlan) throws -> Bool {
        try !database.valueRows(plan.findSQL, with: key.values).isEmpty
    }

    /// Undoes the deletes of the records that one belongs to, beginning with the outermost owner: the server would
    /// delete it with them.
    private func bringBackOwners(of row: [DatabaseValue], plan: EntityPlan) throws {
        var deletes: [PendingChange] = []
        var seen: Set<Int64> = open
        var rows = [(row: row, plan: plan)]
        while let (row, plan) = rows.popLast() {
            for (owner, key) in owners(of: row, plan: plan) where owner.isTracked {
                guard let change = try PendingChange.fetch(database, of: key, plan: owner), change.kind == .delete,
                    seen.insert(change.id).inserted
                else { continue }
                deletes.append(change)
                if let base = try OutboxWriter(database, plan: owner).base(of: change.key) {
                    rows.append((base, owner))
                }
            }
        }
        for change in deletes.reversed() { try discard(change) }
    }

    private func discard(_ members: [PendingChange]) throws { for member in members { try discard(member) } }

    /// Forgets changes inside a record that exists nowhere: they do not exist either, unless they are elsewhere now.
    private func forgetAbsent(among members: [PendingChange]) throws {
        for member in members {
            guard let plan = plans[member.entity] else { continue }
            if member.kind != .delete {
                if try exists(member.key, of: plan) { continue }
                gone.insert(RecordID(plan, key: member.key))
            }
            try OutboxWriter(database, plan: plan).forget(member.key, id: member.id)
        }
    }

    /// The entity whose record a change is undone in. For a change of no entity, it is the entity that has the table
    /// now, unless that entity has another change of the record, which takes precedence.
    private func plan(of change: PendingChange) throws -> EntityPlan? {
        guard change.isUnclaimed else { return plans[change.entity] }
        guard let holder = try OutboxClaims(plans).holder(of: change.entity, in: database),
            try PendingChange.fetch(database, of: change.key, plan: holder) == nil
        else { return nil }
        return holder
    }

    // MARK: Records that point at a deleted one

    /// Links of others to a locally created record were deleted with it.
    private func forgetLinks(to change: PendingChange, of plan: EntityPlan) throws {
        try OutboxLinkTable(database).forget(
            links.values.sorted { $0.name < $1.name }, to: change.key, plan: plan)
    }

    // MARK: Links

    private func restoreLinks(of change: PendingChange, plan: EntityPlan, writer: OutboxWriter) throws {
        let changes = try writer.links(of: change.key)
        // A to-one has no room for its former link before the new one is gone.
        for link in changes.filter(\.isAdded) + changes.filter({ !$0.isAdded }) {
            guard let description = links[link.name], description.owner === plan,
                let other = OutboxRecord.key(link.destination, of: description.destination)
            else { continue }
            switch description.storage {
            case .joinTable(let join) where join.isToOne:
                try restoreToOne(link, of: change.key, and: other, route: description, in: join)
            case .joinTable(let join):
                try restore(link, of: change.key, and: other, in: join)
                if join.isSymmetric { try restoreBack(link, of: change.key, and: other, route: description, in: join) }
            case .foreignKey(let columns, let position):
                try restore(link, of: change.key, and: other, description: description, columns: columns, at: position)
            }
        }
    }

    private func restore(
        _ link: OutboxLinkChange, of owner: RecordKey, and other: RecordKey, in join: JoinDescription
    ) throws {
        let table = SQLName.quoted(join.table)
        let keys = join.sourceColumns + join.destinationColumns
        if link.isAdded {
            try changes.note(.delete, in: join.table, database: database)
            try database.change(
                "DELETE FROM \(table) WHERE \(SQLName.condition(keys))", with: owner.values + other.values)
            return
        }
        let positions = zip([join.position, join.inversePosition], link.positions).filter { $0.0 != nil }
        let names = keys + positions.compactMap(\.0)
        try changes.note(.insert, in: join.table, database: database)
        try database.change(
            """
            INSERT INTO \(table) (\(names.map(SQLName.quoted).joined(separator: ", "))) \
            SELECT \(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")) \
            WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE \
            \(keys.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }.joined(separator: " AND ")))
            """, with: owner.values + other.values + positions.map(\.1))
    }

    /// Undoes the other direction of a symmetric link. If that is not pending any more, the server has confirmed it.
    private func restoreBack(
        _ link: OutboxLinkChange, of owner: RecordKey, and other: RecordKey, route: OutboxLinkRoute,
        in join: JoinDescription
    ) throws {
        let (table, writer) = (OutboxLinkTable(database), OutboxWriter(database, plan: route.owner))
        let source = try OutboxRecord.value(of: owner, plan: route.owner, in: database)
        let back = OutboxLinkTable.Row(link: route, ends: [link.destination, source], isAdded: link.isAdded)
        guard
            let change = try writer.links(of: other).first(where: { $0.name == link.name && $0.destination == source }),
            change.isAdded == link.isAdded
        else { return }
        try restore(change, of: other, and: owner, in: join)
        try table.delete(back)
        try writer.settle(other)
    }

    /// Returns a record to the owner that the server knows.
    private func restore(
        _ link: OutboxLinkChange, of owner: RecordKey, and other: RecordKey, description: OutboxLinkRoute,
        columns: [Int], at position: Int?
    ) throws {
        let (plan, links) = (description.destination, OutboxLinkTable(database))
        var values = link.isAdded ? columns.map { _ in DatabaseValue.null } : owner.values
        var positionValue = link.isAdded ? DatabaseValue.null : link.positions[0]
        if link.isAdded {
            // It may have come from another owner.
            let former = try links.removal(of: link.name, to: link.destination)
            if let former, let key = OutboxRecord.key(former.source, of: description.owner) {
                (values, positionValue) = (key.values, former.1)
            } else if columns.contains(where: { !plan.isOptional[$0] }) {
                return
            }
            if former != nil { try links.delete(link.name, to: link.destination, isAdded: false) }
        } else {
            try links.delete(link.name, to: link.destination, isAdded: true)
        }
        try changes.note(.update, in: plan.table, database: database)
        try database.change(
            plan.updateSQL(columns + [position].compactMap(\.self)),
            with: values + (position == nil ? [] : [positionValue]) + other.values)
    }
}

extension Outbox {
    /// Undoes a local change: a record that was created locally is deleted, one that was changed gets the server's
    /// values and links again, one that was deleted is restored. Nothing of the change is sent.
    ///
    /// A record that was deleted after its creation was sent, but before the response arrived, is restored as a record
    /// that is still to be created on the server.
    ///
    /// Dependent changes are undone too: for a record that was created locally, whatever was created for it, and the
    /// changes of others that point at it. Its owners are restored with it: if an owner was deleted locally, its delete
    /// is not sent. Contexts pick this up as any other change. A record's list of records without identity stays as it
    /// is until the server sends it again. A change that was confirmed meanwhile stays.
    ///
    /// - Throws: `StoreError` if the store cannot be written, or the old values cannot be restored because another
    ///   record now has a value that must be unique. Nothing is changed then.
    public func discard(_ change: PendingChange) async throws { try await discard([change]) }

    /// Undoes all local changes, the latest first, as ``discard(_:)`` does.
    public func discardAll() async throws {
        try await store.writeRaw("discarding", suppressesOutbox: true) { [plans = store.plans] database, changes in
            let discard = OutboxDiscard(database, changes: changes, plans: plans, undoesAll: true)
            for change in try PendingChange.fetchReported(database, plans: plans).reversed() {
                try discard.discard(change)
            }
            // The remaining changes inside records that have no change themselves.
            for change in try PendingChange.fetch(database, plans: plans).reversed() { try discard.discard(change) }
        }
    }

    private func discard(_ list: [PendingChange]) async throws {
        try await store.writeRaw("discarding", suppressesOutbox: true) { [plans = store.plans] database, changes in
            let discard = OutboxDiscard(database, changes: changes, plans: plans)
            for change in list { try discard.discard(change) }
        }
    }

    /// Lets a change be sent again as soon as its turn comes, even if the server has refused it (Rules.md, P8).
    ///
    /// - Throws: `StoreError` if the store cannot be written.
    public func retry(_ change: PendingChange) async throws {
        try await store.writeRaw("retrying") { database, _ in try OutboxTable.retry(change, in: database) }
    }

    /// Lets all changes be sent again as soon as their turn comes.
    ///
    /// - Throws: `StoreError` if the store cannot be written.
    public func retryAll() async throws {
        try await store.writeRaw("retrying") { database, _ in try OutboxTable.retry(nil, in: database) }
    }
}

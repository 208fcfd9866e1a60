import GRDB
import LockstepStore

extension MergeRun {
    /// Looks up what the payload is about, before anything is read.
    func enter(_ conditions: [ScopeCondition]) throws {
        var resolver = ScopeResolver(plans: plan.entities.map(\.plan), database: database)
        resolver.reservedKey = { [self] entity, remote in
            let cell = Cell(remote, arena: scopeArena)
            return try identities.key(of: cell, in: plan.entities[entity], isReserved: true).databaseValue
        }
        let scope = try resolver.resolve(conditions, of: root.place, completeness: options.completeness)
        self.scope = scope
        fill = scope.fills.sorted { $0.key < $1.key }.map { column, value in
            let relationship = root.relationships.firstIndex { $0.foreignKey?.contains(column) ?? false }
            return (column, Cell(value, arena: scopeArena), relationship)
        }
    }

    // MARK: Many to many

    /// Links the records that were merged to the scope's owner, where that is by a many to many.
    func linkToOwner() throws {
        guard let link = scope?.link else { return }
        let table = staging.tables[root.place]
        let names = link.join.sourceColumns + link.join.destinationColumns
        let owner = link.ownerKey.values
        let insert = try RawStatement(Self.insertSQL(link.join, names), database)
        let find = try RawStatement(
            "SELECT 1 FROM \(SQLName.quoted(link.join.table)) WHERE \(SQLName.condition(names))", database)
        var count = 0
        let removed = try linksOfOwner(link)
        let inverse = plan.entities[link.owner].relationships[link.relationship].inverse.flatMap {
            root.relationships[$0].description.wire == .none ? nil : $0
        }
        for row in 0..<table.count where !table.origins[row].isNested && isMerged(row, table) {
            // A record that lists its owners says itself whether it is one's.
            if let inverse, isTold(inverse, of: table.row(row).fingerprint(root), root) { continue }
            let key = root.plan.keyColumns.map { table.row(row)[$0].databaseValue }
            // What was taken away here does not come back.
            if let removed, try removed.isRemoved(table.key(row)) { continue }
            if try find.firstValue(owner + key) != nil { continue }
            if count == 0 { try changes.note(.insert, in: link.join.table, database) }
            count += try insert.run(owner + key)
        }
        if count > 0 { noteOwner(link) }
    }

    /// The links of the scope's owner that are pending.
    private func linksOfOwner(_ link: ScopeLink) throws -> LinkEdits? {
        guard let local else { return nil }
        let owner = plan.entities[link.owner]
        return try local.edits(of: owner.relationships[link.relationship], owner)?
            .links(of: link.ownerKey.values.map { Cell($0, arena: staging.arena) })
    }

    /// Whether the row's record is here now: it was not skipped, nor left out because nothing is to be inserted.
    private func isMerged(_ row: Int, _ table: StagedTable) -> Bool {
        guard !staging.isSkipped(row, of: root.place) else { return false }
        let outcome = outcome(table.row(row).fingerprint(root), of: root)
        return outcome != nil && outcome != .listed
    }

    /// New members come behind those that are there.
    private static func insertSQL(_ join: JoinDescription, _ names: [String]) -> String {
        let table = SQLName.quoted(join.table)
        var columns = names.map(SQLName.quoted)
        var values = names.indices.map { "?\($0 + 1)" }
        let ends = [
            (join.position, join.sourceColumns, 1),
            (join.inversePosition, join.destinationColumns, join.sourceColumns.count + 1),
        ]
        for case (let position?, let owner, let first) in ends {
            columns.append(SQLName.quoted(position))
            values.append(join.nextPlaceSQL(position, of: owner, from: first))
        }
        return """
            INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) \
            VALUES (\(values.joined(separator: ", ")))
            """
    }

    private func noteOwner(_ link: ScopeLink) {
        note(.updated, plan.entities[link.owner], link.ownerKey.fingerprint, link.ownerKey, isListed: false)
    }

    // MARK: Deleting

    /// What deletes, for this merge.
    func makeSweep() -> Sweep {
        Sweep(
            plans: plan.entities.map(\.plan), database: database, changes: changes, recorder: recorder,
            localChanges: local.map { OutboxChanges(local: $0) } ?? NoLocalChanges(), keptLinks: KeptLinks(self),
            didDelete: { [unowned self] entity, key in
                try local?.didDelete(entity, key)
                note(.deleted, plan.entities[entity], key.fingerprint, key, isListed: false)
            },
            isListed: { [unowned self] entity, key in isListed(key.fingerprint, of: plan.entities[entity]) })
    }

    /// Those of records that owners no longer list which are to be deleted here (Rules.md, C3).
    private func goneAmong(_ records: [RecordReference]) throws -> [RecordReference] {
        guard let local else { return records }
        return try records.filter { record in
            try isListed(record.key.fingerprint, of: plan.entities[record.entity]) || local.isGone(record)
        }
    }

    /// Deletes what owners no longer list, and what the server no longer lists where that is asked for (Rules.md, M7).
    func sweep() throws {
        if !dropped.isEmpty { try sweeper.delete(goneAmong(dropped)) }
        guard let scope else { return }
        guard options.records.contains(.delete) else {
            // What was to be filled in is not known either.
            return scope.obstacles.filter { $0.code == .unresolvedScope }.map(\.withoutDeleting).forEach(recorder.note)
        }
        if isOneRecord, options.completeness == .automatic {
            return recorder.note(
                MergeNote(
                    .incompletePayload, entity: root.plan.name,
                    """
                    the payload is one record and no list, so nothing was deleted; set `completeness` to `.complete` \
                    where it is all that there is
                    """))
        }
        if recorder.hasUnreadable(root.plan.name) {
            return recorder.note(
                MergeNote(
                    .incompletePayload, entity: root.plan.name,
                    """
                    a record has no identity that can be read, so it is not known which are listed: nothing was \
                    deleted
                    """))
        }
        if options.unlisted.isAsked {
            if sweeper.allowsDeleting(in: scope) { try sweepAsked(scope) }
            return
        }
        if scope.allowsDeleting, let unlisted = try local?.unlistedEdits(in: scope), !unlisted.isEmpty {
            try sweeper.deleteUnprotected(unlisted.filter { try local?.isGone($0) ?? true })
        }
        if try sweeper.run(scope) > 0, let link = scope.link { noteOwner(link) }
    }
}

extension RecordKey {
    /// What stands for the key where many are remembered: the same as that of its cells.
    var fingerprint: KeyFingerprint {
        if let integer { return Cell(integer: integer).fingerprint }
        if let uuid {
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
                uuid.write(lowercaseText: text)
                return Cell(text: UnsafeBufferPointer(text)).fingerprint
            }
        }
        let arena = TextArena()
        return withExtendedLifetime(arena) { values.map { Cell($0, arena: arena) }.fingerprint }
    }
}

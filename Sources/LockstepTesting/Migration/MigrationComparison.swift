import GRDB
import LockstepEvolution
import LockstepStore

/// Compares a file before and after a migration, by the rules V1 to V8 (Rules.md).
struct MigrationComparison {
    let evolution: SchemaEvolution
    let plan: MigrationPlan
    let before: MigrationSnapshot
    let after: MigrationSnapshot

    /// Returns the violations of the rules; empty if there are none.
    func violations() -> [String] {
        var violations: [String] = []
        for (name, entity) in evolution.entities {
            guard let origin = entity.origin.flatMap(evolution.former.entity), let new = evolution.new.entity(name)
            else { continue }
            violations += rows(of: new, from: origin, entity: entity)
            violations += pending(of: new, from: origin, entity: entity)
            violations += bases(of: new, from: origin, entity: entity)
        }
        violations += phantoms() + removed() + links() + unsent()
        for entity in plan.grownEntities where after.validators.contains(entity) {
            violations.append("V6: the validators of \(entity) were kept, though its JSON has grown")
        }
        return violations.sorted()
    }

    // MARK: Rows

    private func rows(of new: EntityStructure, from origin: EntityStructure, entity: EntityEvolution) -> [String] {
        let (old, later) = (before.rows[origin.name] ?? [:], after.rows[new.name] ?? [:])
        var violations: [String] = []
        for key in later.keys where old[key] == nil { violations.append("\(new.name) \(key) has come from nowhere") }
        let columns = keptColumns(new, origin: origin, of: entity)
        for (key, row) in old {
            guard let image = later[key] else {
                let mayGo = mayBePulledAgain(
                    entity, pending: before.pending["\(origin.name) \(key)"], key: key, for: new)
                if !mayGo && entity.duplicates.isEmpty { violations.append("\(new.name) \(key) is lost") }
                continue
            }
            for (former, column, isFilled) in columns where row[former] != image[column] {
                if isFilled, row[former] == .null { continue }
                violations.append("\(new.name).\(column) of \(key) is other than \(origin.name).\(former)")
            }
        }
        return violations
    }

    /// Whether a record may be deleted to be pulled again: nothing of it is pending. A version before that may have
    /// settled an edit.
    private func mayBePulledAgain(
        _ entity: EntityEvolution, pending: MigrationSnapshot.Pending?, key: String, for new: EntityStructure
    ) -> Bool {
        entity.isRefetched && (pending.map { maySettle(new, of: entity, change: $0, key: key) } ?? true)
    }

    /// The columns whose values no step changes, by former and new name, and whether a link that becomes required is
    /// filled if there was none.
    private func keptColumns(
        _ new: EntityStructure, origin: EntityStructure, of entity: EntityEvolution
    ) -> [(former: String, new: String, isFilled: Bool)] {
        var columns: [(String, String, Bool)] = []
        for (member, kept) in entity.members {
            guard let name = kept.origin else { continue }
            if let former = origin.attribute(name), let attribute = new.attribute(member) {
                let isChanged = plan.changedColumns.contains { $0.entity == new.name && $0.column == attribute.column }
                if !isChanged { columns.append((former.column, attribute.column, false)) }
            }
            if let former = origin.relationship(name), let relationship = new.relationship(member),
                entity.duplicates.isEmpty, !evolution.entities.values.contains(where: { !$0.duplicates.isEmpty })
            {
                columns += zip(former.foreignKeyColumns, relationship.foreignKeyColumns).map {
                    ($0, $1, kept.linkFill != nil)
                }
            }
        }
        return columns
    }

    // MARK: Pending changes

    private func pending(of new: EntityStructure, from origin: EntityStructure, entity: EntityEvolution) -> [String] {
        var violations: [String] = []
        for (id, change) in before.pending where change.entity == origin.name {
            let key = "\(change.record)"
            guard let later = after.pending["\(new.name) \(key)"] else {
                let mayGo = maySettle(new, of: entity, change: change, key: key) || !entity.duplicates.isEmpty
                if !mayGo { violations.append("V5: the pending change \(id) is lost") }
                continue
            }
            if later.kind != change.kind { violations.append("V2: \(id) was a \(change.kind), and is a \(later.kind)") }
            if later.sentBody != change.sentBody || later.idempotencyKey != change.idempotencyKey {
                violations.append("V7: what was sent for \(id) differs")
            }
        }
        return violations
    }

    /// Whether a change may not be pending any more: something of it was removed or converted, and the rest is equal.
    private func maySettle(
        _ new: EntityStructure, of entity: EntityEvolution, change: MigrationSnapshot.Pending, key: String
    ) -> Bool {
        guard change.kind == .update else { return false }
        let isTouched =
            plan.lostMembers.contains { $0.entity == new.name }
            || plan.changedColumns.contains { $0.entity == new.name } || entity.isConverted
            || !plan.lostLinks.isEmpty
        return isTouched && after.bases[new.name]?[key] == nil
    }

    /// Nothing is pending that nobody edited (V1), apart from creations of what begins to be synced (V8).
    private func phantoms() -> [String] {
        after.pending.compactMap { id, change in
            if plan.pushedEntities.contains(change.entity), change.kind == .create { return nil }
            let origin = evolution.entities[change.entity].map { $0.origin ?? "" } ?? change.entity
            return before.pending["\(origin) \(change.record)"] == nil
                ? "V1: \(id) is pending, though nobody edited it" : nil
        }
    }

    /// Everything is pending that the server does not have of an entity that begins to be synced (V8).
    private func unsent() -> [String] {
        plan.pushedEntities.sorted().flatMap { name -> [String] in
            guard evolution.new.entity(name)?.remote?.writes.contains(.create) == true else { return [] }
            return (after.rows[name] ?? [:]).keys.filter { after.pending["\(name) \($0)"] == nil }
                .map { "V8: \(name) \($0) is not sent to the server, which does not have it" }
        }
    }

    // MARK: Bases

    private func bases(of new: EntityStructure, from origin: EntityStructure, entity: EntityEvolution) -> [String] {
        let (old, later) = (before.bases[origin.name] ?? [:], after.bases[new.name] ?? [:])
        var violations: [String] = []
        let columns = keptColumns(new, origin: origin, of: entity)
        let added = entity.members.filter { $1.origin == nil }.keys.compactMap { new.attribute($0)?.column }
        let made = Set(plan.conversions.filter { $0.entity == new.name }.flatMap(\.outputs))
        for (key, base) in old {
            guard let image = later[key] else {
                if after.pending["\(new.name) \(key)"] != nil {
                    violations.append("V2: the base of \(new.name) \(key) is lost")
                }
                continue
            }
            for (former, column, isFilled) in columns where base[former] != image[column] {
                if isFilled, base[former] == .null { continue }
                violations.append("V2: the base of \(new.name).\(column) of \(key) differs")
            }
            guard let row = after.rows[new.name]?[key] else { continue }
            let formerRow = before.rows[origin.name]?[key]
            // What a conversion makes of an edited row may differ from what it makes of the base.
            let isEdited = origin.attributes.contains { formerRow?[$0.column] != base[$0.column] }
            func mayDiffer(_ column: String) -> Bool { made.contains(column) && isEdited }
            for column in added where row[column] != image[column] && !mayDiffer(column) {
                violations.append("V3: the added \(new.name).\(column) of \(key) seems to be edited")
            }
            for changed in plan.changedColumns where changed.entity == new.name {
                guard let former = self.former(changed.column, for: new, origin: origin, of: entity), let formerRow
                else { continue }
                if formerRow[former] == base[former], row[changed.column] != image[changed.column],
                    !mayDiffer(changed.column)
                {
                    violations.append("V2: \(new.name).\(changed.column) of \(key) seems to be edited")
                }
            }
        }
        return violations
    }

    private func former(
        _ column: String, for new: EntityStructure, origin: EntityStructure, of entity: EntityEvolution
    ) -> String? {
        guard let member = new.attributes.first(where: { $0.column == column })?.name else { return nil }
        return entity.members[member]?.origin.flatMap(origin.attribute)?.column
    }

    // MARK: Removed entities and links

    /// Every pending change of a removed entity is a leftover (V5).
    private func removed() -> [String] {
        var needed = 0
        for entity in evolution.removedEntities.keys {
            needed += before.pending.values.count { $0.entity == entity }
        }
        return after.leftovers < before.leftovers + needed
            ? ["V5: \(needed) pending changes were removed, and \(after.leftovers) leftovers were kept"] : []
    }

    private func links() -> [String] {
        let lookup = SchemaLookup(evolution.new)
        return lookup.joinTables.compactMap { join in
            guard let kept = evolution.entities[join.left.entity], let member = join.left.relationship,
                let origin = kept.members[member]?.origin, let former = kept.origin.flatMap(evolution.former.entity),
                case .joinTable(let table)? = former.relationship(origin)?.storage,
                !evolution.entities.values.contains(where: { !$0.duplicates.isEmpty })
            else { return nil }
            return before.joins[table.name] == after.joins[join.name] ? nil : "the links of \(join.name) differ"
        }
    }
}

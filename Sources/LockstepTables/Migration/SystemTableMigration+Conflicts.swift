import LockstepEvolution

// The journal of conflicts (Rules.md, C6).
extension SystemTableMigration {
    /// Entries of removed members are deleted, and so are those of members whose values change: what was lost has
    /// another meaning now.
    func renameConflicts() throws {
        for (name, entity) in plan.evolution.entities {
            guard let new = plan.evolution.new.entity(name) else { continue }
            let changed = Set(plan.changedColumns.filter { $0.entity == name }.map(\.column))
            var names: [String: String?] = [:]
            for member in entity.removedMembers.keys { names.updateValue(nil, forKey: member) }
            for (member, kept) in entity.members {
                guard let origin = kept.origin else { continue }
                let isChanged = new.attribute(member).map { changed.contains($0.column) } ?? false
                if isChanged || origin != member { names.updateValue(isChanged ? nil : member, forKey: origin) }
            }
            try ConflictTable.migrate(names, of: name, in: database)
        }
    }
}

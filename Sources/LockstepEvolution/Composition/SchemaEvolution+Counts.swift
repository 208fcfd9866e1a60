extension SchemaEvolution {
    /// How many entities and members were added, renamed, changed and removed.
    package var counts: (added: Int, renamed: Int, changed: Int, removed: Int) {
        var counts = (added: 0, renamed: 0, changed: 0, removed: removedEntities.count)
        for (name, entity) in entities {
            guard let origin = entity.origin else {
                counts.added += 1
                continue
            }
            if origin != name { counts.renamed += 1 }
            counts.removed += entity.removedMembers.count
            for (member, kept) in entity.members {
                if kept.origin == nil {
                    counts.added += 1
                } else if kept.origin != member {
                    counts.renamed += 1
                } else if !kept.steps.isEmpty {
                    counts.changed += 1
                }
            }
        }
        return counts
    }
}

extension SchemaEvolution {
    /// Whether an added attribute has another value in each row, so that two migrations of a file differ.
    package var hasRandomValues: Bool {
        entities.values.contains { entity in
            entity.members.values.contains { member in
                member.steps.contains { step in
                    step.new.attribute.defaultValue == .newUUID
                        && (step.former == nil || step.former?.attribute.isOptional == true)
                }
            }
        }
    }
}

import LockstepTables

/// Keeps of which embedded records the server returns members that the schema does not know (Rules.md, V11).
///
/// After the last batch: the tables of keys remember the unknown ones of all records. Representations have none.
struct NoteUnknownMembers: MergePhase {
    /// Whether the payload is only about some records of the collection.
    let isScoped: Bool

    func run(_ state: MergeState) throws {
        let (plan, database) = (state.transaction.plan, state.transaction.database)
        let embedded = Set(plan.entities.flatMap { $0.relationships.filter(\.isEmbedded).map(\.destination) })
        let unknown = embedded.filter { plan.entities[$0].hasUnknownKeys }
        for entity in unknown { try UnknownMemberTable.note(plan.entities[entity].plan.name, in: database) }
        guard state.transaction.options.isWholeCollection, !isScoped, try UnknownMemberTable.hasRows(database) else {
            return
        }
        for entity in plan.embedded(onlyIn: state.transaction.root).subtracting(unknown) {
            try UnknownMemberTable.forget(plan.entities[entity].plan.name, in: database)
        }
    }
}

extension KeyTable {
    /// Whether a key has occurred that is not in the schema.
    var hasUnknown: Bool {
        (0..<count).contains { self[$0].meaning == .unknown } || inner.contains(where: \.hasUnknown)
    }
}

extension MergePlan {
    /// The entities that the records of one embed, at any depth, and those of no other one that has a path.
    fileprivate func embedded(onlyIn root: MergeEntity) -> Set<Int> {
        // A record that the app merges itself may have any members.
        if entities.contains(where: { $0.hooks?.replace != nil }) { return [] }
        return entities.filter { $0.plan.travels && $0.index != root.index }
            .reduce(embedded(in: root)) { $0.subtracting(embedded(in: $1)) }
    }

    private func embedded(in root: MergeEntity) -> Set<Int> {
        var (found, open): (Set<Int>, [MergeEntity]) = ([], [root])
        while let entity = open.popLast() {
            for link in entity.relationships where link.isEmbedded && found.insert(link.destination).inserted {
                open.append(entities[link.destination])
            }
        }
        return found
    }
}

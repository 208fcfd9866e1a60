import GRDB

extension RecordMap {
    /// Sorts the members of a relationship as the schema declares, if anything relevant has changed.
    func sort(_ links: LoadedLinks, for relationship: Int) {
        let description = plan.relationships[relationship]
        guard !description.sortedBy.isEmpty, !description.isOrdered else { return }
        let destination = destination(relationship)
        guard links.sortGeneration != destination.sortGeneration else { return }
        links.replace(with: destination.sorted(links.members, by: description.sortedBy))
        links.sortGeneration = destination.sortGeneration
    }

    /// Members by their position in an ordered to-many, those without a position last.
    func inOrder(_ members: [ManagedObject], for relationship: Int) -> [ManagedObject] {
        let placed = members.enumerated().map { offset, object in
            (index: position(of: object, for: relationship) ?? Int.max, offset: offset, object: object)
        }
        return placed.sorted { ($0.index, $0.offset) < ($1.index, $1.offset) }.map(\.object)
    }

    /// Objects by the values of attributes, and by their keys if those are equal.
    func sorted(_ objects: [ManagedObject], by sorts: [SortDescription]) -> [ManagedObject] {
        let order = SortKey.order(of: plan, by: sorts)
        let keyed = objects.map { object in
            (object: object, keys: order.map { SortKey(object.storedValue($0.column)) })
        }
        return keyed.sorted { SortKey.isBefore($0.keys, $1.keys, order: order) }.map(\.object)
    }
}

import GRDB

extension RecordMap {
    /// Sorts the members of a relationship as the schema declares, if anything relevant has changed.
    func sort(_ links: LoadedLinks, _ relationship: Int) {
        let description = plan.relationships[relationship]
        guard !description.sortedBy.isEmpty, !description.isOrdered else { return }
        let destination = destination(relationship)
        guard links.sortGeneration != destination.sortGeneration else { return }
        links.replace(with: destination.sorted(links.members, by: description.sortedBy))
        links.sortGeneration = destination.sortGeneration
    }

    /// Members by their position in an ordered to-many, those without a position last.
    func inOrder(_ members: [ManagedObject], _ relationship: Int) -> [ManagedObject] {
        let placed = members.enumerated().map { offset, object in
            (place: position(of: object, relationship) ?? Int.max, offset: offset, object: object)
        }
        return placed.sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.object)
    }

    /// Objects by the values of attributes, and by their keys if those are equal.
    func sorted(_ objects: [ManagedObject], by sorts: [SortDescription]) -> [ManagedObject] {
        var order: [(column: Int, isDescending: Bool)] = sorts.compactMap { sort in
            plan.column(ofAttribute: sort.attribute).map { ($0, sort.isDescending) }
        }
        order += plan.keyColumns.map { ($0, false) }
        let isNumericText = order.map { plan.columns[$0.column].type.isNumericText }
        let keyed = objects.map { object in
            (object: object, keys: order.map { SortKey(object.storedValue($0.column)) })
        }
        return keyed.sorted { left, right in
            for index in order.indices {
                let comparison = left.keys[index].compare(right.keys[index], isNumericText: isNumericText[index])
                if comparison != 0 { return order[index].isDescending ? comparison > 0 : comparison < 0 }
            }
            return false
        }.map(\.object)
    }
}

extension StoredType {
    /// Whether values are stored as text but sort as numbers, as decimals do.
    fileprivate var isNumericText: Bool {
        switch self {
        case .decimal: true
        case .custom(let custom): custom.stored.isNumericText
        default: false
        }
    }
}

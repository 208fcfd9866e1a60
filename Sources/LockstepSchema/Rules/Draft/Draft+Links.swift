extension Draft {
    /// Creates the relationships of concrete entities, and connects inverses.
    func link() {
        var order = 0
        for entity in entities where !entity.isAbstract {
            entity.links = entity.relationships.map { relationship in
                order += 1
                return Link(relationship, of: entity, order: order)
            }
            entity.linksByName = Dictionary(entity.links.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let links = entities.flatMap(\.links)
        for link in links { join(link) }
    }

    private func join(_ link: Link) {
        guard let destination = link.destination, let name = link.declaration?.inverse?.value else { return }
        guard let other = destination.linksByName[name] else {
            link.inverseProblem = .unknown
            return
        }
        if let problem = problem(of: link, with: other) {
            link.inverseProblem = problem
        } else {
            link.inverse = other
            other.inverse = link
        }
    }

    private func problem(of link: Link, with other: Link) -> InverseProblem? {
        // A relationship that is its own inverse is symmetric. The first record of a required one could not be linked.
        if other === link { return link.isOptional ? nil : .itself }
        // An unknown destination is reported at the other end.
        guard let back = other.destination else { return .otherEndIsBroken }
        if back !== link.owner { return .destinationElsewhere(other) }
        if let named = other.declaration?.inverse?.value, named != link.name {
            return back.linksByName[named] == nil ? .otherEndIsBroken : .inverseElsewhere(other)
        }
        if let before = other.inverse, before !== link { return .claimedBefore(by: before) }
        return nil
    }

    /// Gives each to-many without inverse its other end, a to-one that need not be in the schema.
    func implyInverses() {
        var order = (entities.flatMap(\.links).last?.order ?? 0) + 1
        for entity in entities {
            let wanting = entity.links.filter { $0.isToMany && $0.inverse == nil && $0.inverseProblem == nil }
            var counts: [Int: Int] = [:]
            for link in wanting { counts[link.destination?.order ?? -1, default: 0] += 1 }
            for link in wanting {
                guard let destination = link.destination else { continue }
                let isAlone = counts[destination.order] == 1
                let name = impliedName(of: link, in: destination, isAlone: isAlone)
                let implied = Link(impliedBy: link, named: name, of: destination, order: order)
                order += 1
                link.inverse = implied
                destination.links.append(implied)
                if destination.linksByName[name] == nil { destination.linksByName[name] = implied }
                claimName(of: implied, in: destination)
            }
        }
    }

    /// `product`; `productImages` if that is used or would not distinguish several such relationships.
    private func impliedName(of link: Link, in destination: DraftEntity, isAlone: Bool) -> String {
        let owner = NameWords(link.owner.name).lowerCamelCase
        return isAlone && isFree(owner, in: destination) ? owner : owner + link.name.capitalizingFirst
    }

    /// Whether a to-one with this name would not clash with any other member, including its foreign key.
    private func isFree(_ name: String, in entity: DraftEntity) -> Bool {
        let scope = entity.scope
        return !ReservedNames.members.contains(name)
            && scope.members[SwiftName.member(name)] == nil && scope.members[name + "ID"] == nil
            && scope.columns[columnSpelling.spell(name, "ID").lowercased()] == nil
    }
}

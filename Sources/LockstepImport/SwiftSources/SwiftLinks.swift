/// The relationships of a model, with the inverses that its classes do not name.
struct SwiftLinks {
    struct Link {
        var relationship: CoreDataRelationship
        let isRealm: Bool
        /// Whether its destination is an embedded object, which has one owner.
        let isOwner: Bool
    }

    private var all: [Link] = []
    /// The indices of each class.
    private var indices: [String: [Int]] = [:]

    mutating func add(_ links: [Link]) {
        for link in links {
            indices[link.relationship.owner, default: []].append(all.count)
            all.append(link)
        }
    }

    /// Completes the other ends of inverses, and finds those that SwiftData infers: between two of its classes with
    /// one relationship each.
    mutating func findInverses() {
        for link in all.map(\.relationship) {
            guard let inverse = link.inverse,
                let other = indices[link.destination]?.first(where: { all[$0].relationship.name == inverse }),
                all[other].relationship.inverse == nil, all[other].relationship.destination == link.owner
            else { continue }
            all[other].relationship.inverse = link.name
        }
        let single = all.indices.filter { all[$0].relationship.inverse == nil && !all[$0].isRealm }
        let open = Dictionary(grouping: single) { index in
            [all[index].relationship.owner, all[index].relationship.destination]
        }
        for (ends, indices) in open where indices.count == 1 && ends[0] != ends[1] {
            guard let others = open[[ends[1], ends[0]]], others.count == 1 else { continue }
            all[indices[0]].relationship.inverse = all[others[0]].relationship.name
        }
    }

    /// Adds the other ends of lists of embedded objects, which are to-one.
    ///
    /// - Parameter members: The names that each class has.
    mutating func addOwners(members: [String: Set<String>], notes: ImportNotes) {
        var members = members
        for index in all.indices where all[index].isOwner {
            let link = all[index].relationship
            guard link.isToMany, link.inverse == nil, !link.isTransient else { continue }
            let base = "\(link.owner.prefix(1).lowercased())\(link.owner.dropFirst())Of"
            var name = "\(base)\(link.name.prefix(1).uppercased())\(link.name.dropFirst())"
            while !members[link.destination, default: []].insert(name).inserted { name += "2" }
            all[index].relationship.inverse = name
            var end = CoreDataRelationship(owner: link.destination, name: name, line: link.line)
            (end.destination, end.inverse, end.isOptional) = (link.owner, link.name, true)
            add([Link(relationship: end, isRealm: true, isOwner: false)])
            notes.decided(
                link.line,
                text: "\(link.owner).\(link.name) has no inverse: '\(link.destination).\(name)' is its other end")
        }
    }

    /// The relationships of a class.
    func relationships(of owner: String) -> [CoreDataRelationship] {
        (indices[owner] ?? []).map { all[$0].relationship }
    }
}

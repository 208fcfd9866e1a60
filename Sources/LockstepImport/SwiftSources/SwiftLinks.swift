/// The relationships of a model, with the inverses that its classes do not name.
struct SwiftLinks {
    struct Link {
        let owner: String
        let name: String
        let destination: String
        let line: Int
        let isToMany: Bool
        /// What else Core Data's element has.
        let attributes: [String: String]
        let userInfo: [(key: String, value: String)]
        var inverse: String?
        let isRealm: Bool
        /// Whether its destination is an embedded object, which has one owner.
        let isOwner: Bool
    }

    private var all: [Link] = []
    /// The indices of each class.
    private var indices: [String: [Int]] = [:]

    mutating func add(_ links: [Link]) {
        for link in links {
            indices[link.owner, default: []].append(all.count)
            all.append(link)
        }
    }

    /// Completes the other ends of inverses, and finds those that SwiftData infers: between two of its classes with
    /// one relationship each.
    mutating func findInverses() {
        for link in all {
            guard let inverse = link.inverse,
                let other = indices[link.destination]?.first(where: { all[$0].name == inverse }),
                all[other].inverse == nil, all[other].destination == link.owner
            else { continue }
            all[other].inverse = link.name
        }
        let open = Dictionary(grouping: all.indices.filter { all[$0].inverse == nil && !all[$0].isRealm }) { index in
            [all[index].owner, all[index].destination]
        }
        for (ends, indices) in open where indices.count == 1 && ends[0] != ends[1] {
            guard let others = open[[ends[1], ends[0]]], others.count == 1 else { continue }
            all[indices[0]].inverse = all[others[0]].name
        }
    }

    /// Adds the other ends of lists of embedded objects, which are to-one.
    ///
    /// - Parameter members: The names that each class has.
    mutating func addOwners(members: [String: Set<String>], notes: ImportNotes) {
        var members = members
        for index in all.indices where all[index].isOwner && all[index].isToMany && all[index].inverse == nil {
            let link = all[index]
            let base = "\(link.owner.prefix(1).lowercased())\(link.owner.dropFirst())Of"
            var name = "\(base)\(link.name.prefix(1).uppercased())\(link.name.dropFirst())"
            while !members[link.destination, default: []].insert(name).inserted { name += "2" }
            all[index].inverse = name
            add([
                Link(
                    owner: link.destination, name: name, destination: link.owner, line: link.line, isToMany: false,
                    attributes: ["optional": "YES"], userInfo: [], inverse: link.name, isRealm: true, isOwner: false)
            ])
            notes.decided(
                link.line,
                text: "\(link.owner).\(link.name) has no inverse: '\(link.destination).\(name)' is its other end")
        }
    }

    func nodes(of owner: String) -> [XMLNode] {
        (indices[owner] ?? []).map { index in
            let link = all[index]
            var attributes = link.attributes
            attributes["name"] = link.name
            attributes["destinationEntity"] = link.destination
            attributes["inverseName"] = link.inverse
            attributes["toMany"] = link.isToMany ? "YES" : "NO"
            let node = XMLNode(name: "relationship", attributes: attributes, line: link.line)
            node.appendUserInfo(link.userInfo)
            return node
        }
    }
}

extension XMLNode {
    func appendUserInfo(_ entries: [(key: String, value: String)]) {
        if entries.isEmpty { return }
        let info = XMLNode(name: "userInfo", attributes: [:], line: line)
        for (key, value) in entries {
            info.append(XMLNode(name: "entry", attributes: ["key": key, "value": value], line: line))
        }
        append(info)
    }
}

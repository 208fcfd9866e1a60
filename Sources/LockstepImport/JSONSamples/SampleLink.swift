import LockstepJSON

/// A relationship that was found in samples.
struct SampleLink {
    let owner: String
    let name: String
    let destination: String
    let isToMany: Bool
    let wire: String
    /// `nil` if it is not in JSON.
    let path: [String]?
    /// Whether a record may be in the lists of several owners.
    var isShared = false
    /// Whether the records exist in their owner only.
    var isOwned = false
    var inverse: String?
    var comment: String?
}

/// Finds the other ends of relationships, and adds those that are missing.
struct SampleLinks {
    private(set) var list: [SampleLink] = []
    /// The indices of the links from one entity to another.
    private var indices: [Ends: [Int]] = [:]

    private struct Ends: Hashable {
        let owner: String
        let destination: String
    }

    mutating func append(_ link: SampleLink) {
        indices[Ends(owner: link.owner, destination: link.destination), default: []].append(list.count)
        list.append(link)
    }

    /// - Parameter free: A name for a member that an entity does not have yet.
    mutating func pair(free: (_ name: String, _ entity: String) -> String) {
        for index in list.indices where list[index].isToMany && list[index].inverse == nil {
            guard !join(index) else { continue }
            addInverse(of: index, free)
        }
        for index in list.indices where list[index].isOwned && list[index].inverse == nil {
            addInverse(of: index, free)
        }
    }

    /// Finds the other end: the one relationship to one record that leads back, or two lists of identities.
    private mutating func join(_ index: Int) -> Bool {
        let link = list[index]
        let back = indices[Ends(owner: link.destination, destination: link.owner), default: []].filter {
            $0 != index && list[$0].inverse == nil
        }
        let toOne = back.filter { !list[$0].isToMany && list[$0].wire == "id" }
        let lists = back.filter { list[$0].isToMany && list[$0].wire == "ids" && link.wire == "ids" }
        guard let other = toOne.count == 1 ? toOne[0] : toOne.isEmpty && lists.count == 1 ? lists[0] : nil else {
            return false
        }
        list[index].inverse = list[other].name
        list[other].inverse = link.name
        return true
    }

    private mutating func addInverse(of index: Int, _ free: (String, String) -> String) {
        let link = list[index]
        let isToMany = link.isToMany && !link.isOwned && (link.isShared || link.wire == "ids")
        let reference = SampleNames.reference(link.owner)
        let name = free(isToMany ? SampleNames.plural(reference) : reference, link.destination)
        list[index].inverse = name
        append(
            SampleLink(
                owner: link.destination, name: name, destination: link.owner, isToMany: isToMany, wire: "none",
                path: nil, inverse: link.name, comment: "chosen by import: the other end of \(link.name)"))
    }
}

extension SampleLink {
    var member: MemberSketch {
        var member = MemberSketch(name: name, type: isToMany ? "[\(destination)]" : "\(destination)?")
        if let inverse { member.set("inverse", .string(inverse)) }
        if isOwned { member.set("onDelete", "cascade") }
        if wire != "id" { member.set("wire", .string(wire)) }
        if let path { member.set("key", SampleNames.key(path)) }
        member.comment = comment
        return member
    }
}

import LockstepEvolution

/// A relationship that was found in samples.
struct SampleLink {
    let owner: String
    let name: String
    let destination: String
    let isToMany: Bool
    let wire: WireSketch
    /// `nil` if it is not in JSON.
    let path: [String]?
    /// Where its objects are in the samples.
    var location: SampleLocation?
    var sharing = SampleSharing.unknown
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

    /// - Parameters:
    ///   - notes: Collects what is decided.
    ///   - evidence: What the samples show of the entities at the ends.
    ///   - free: A name for a member that an entity does not have yet.
    mutating func pair(
        _ notes: SampleNotes, evidence: SampleEvidence, free: (_ name: String, _ entity: String) -> String
    ) {
        for index in list.indices where list[index].isToMany && list[index].inverse == nil {
            guard !join(index, notes: notes, evidence: evidence) else { continue }
            addInverse(of: index, notes: notes, evidence: evidence, free: free)
        }
        for index in list.indices where list[index].isOwned && list[index].inverse == nil {
            addInverse(of: index, notes: notes, evidence: evidence, free: free)
        }
    }

    /// Finds the other end: the one relationship to one record that leads back, or two lists of identities.
    private mutating func join(_ index: Int, notes: SampleNotes, evidence: SampleEvidence) -> Bool {
        let link = list[index]
        let back = indices[Ends(owner: link.destination, destination: link.owner), default: []].filter {
            $0 != index && list[$0].inverse == nil
        }
        let toOne = back.filter {
            !list[$0].isToMany && list[$0].wire == .id && link.sharing != .shared
                && evidence.leadsBack(list[$0], from: link)
        }
        let lists = back.filter { list[$0].isToMany && list[$0].wire == .ids && link.wire == .ids }
        guard let other = toOne.count == 1 ? toOne[0] : toOne.isEmpty && lists.count == 1 ? lists[0] : nil else {
            return false
        }
        list[index].inverse = list[other].name
        list[other].inverse = link.name
        notes.decided(
            link.location,
            text: "\(link.title) and \(list[other].title) are the two ends of one relationship")
        return true
    }

    private mutating func addInverse(
        of index: Int, notes: SampleNotes, evidence: SampleEvidence, free: (String, String) -> String
    ) {
        let link = list[index]
        let isElsewhere = isElsewhere(index) || evidence.isRoot(link.destination)
        let isToMany = link.isToMany && !link.isOwned && (isElsewhere || !link.isSeparate)
        let reference = SampleNames.reference(link.owner)
        let name = free(isToMany ? SampleNames.plural(reference) : reference, link.destination)
        list[index].inverse = name
        let other = SampleLink(
            owner: link.destination, name: name, destination: link.owner, isToMany: isToMany, wire: .unsent,
            path: nil, inverse: link.name, comment: "chosen by import: the other end of \(link.name)")
        append(other)
        if !link.isOwned { report(link, and: other, isElsewhere: isElsewhere, notes: notes) }
    }

    /// Whether the records of a list are read at another path, too.
    private func isElsewhere(_ index: Int) -> Bool {
        list.indices.contains { other in
            other != index && list[other].destination == list[index].destination && list[other].wire != .unsent
        }
    }

    private func report(_ link: SampleLink, and other: SampleLink, isElsewhere: Bool, notes: SampleNotes) {
        let word = link.destination
        let reason =
            switch link.sharing {
            case .shared: "one \(word) is in several of these lists"
            case .unknown where isElsewhere, .separate where isElsewhere:
                "each \(word) is also read at other places, so it may be in several of these lists"
            case .separate(let count) where !other.isToMany: "each \(word) of \(count) is in one of these lists only"
            case .unknown, .separate: "the samples do not show whether one \(word) can be in several of these lists"
            }
        let help =
            link.sharing == .shared
            ? nil
            : other.isToMany
                ? "If each is in one list only, write `to: \(link.owner)?` there."
                : "If one \(word) can be in several, write `to: [\(link.owner)]` there."
        let kind = other.isToMany ? "to-many" : "to-one"
        notes.decided(
            link.location, text: "\(link.title): \(reason); its other end, \(other.title), is \(kind)", help: help)
    }
}

extension SampleLink {
    /// For messages.
    var title: String { "\(owner).\(name)" }

    /// Whether the samples show that each record is in one list only.
    fileprivate var isSeparate: Bool {
        if wire == .embedded, case .separate = sharing { true } else { false }
    }

    var member: MemberSketch {
        var member = MemberSketch(name: name, type: isToMany ? .list(of: destination) : .optional(destination))
        member.inverse = inverse
        member.onDelete = isOwned ? .cascade : nil
        member.wire = wire == .id ? nil : wire
        member.key = path ?? []
        member.comment = comment
        return member
    }
}

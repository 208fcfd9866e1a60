/// An access path, followed from a record as far as possible.
struct DraftAccessPath {
    let text: Located<String>
    private(set) var links: [Link] = []
    private(set) var problem: Problem?

    enum Problem {
        /// A part is empty.
        case empty
        case unknown(String, in: DraftEntity, isLast: Bool)
        /// A part that is not the last one.
        case attributeInside(DraftAttribute, in: DraftEntity)
        /// The last part.
        case relationshipAtEnd(Link)
        case unsuitable(DraftAttribute, reason: String)
        /// The records that it leads to stay on the device.
        case onDevice(Link)
        /// No server knows where it leads.
        case notSent(Link)
        /// Something that it depends on is reported elsewhere.
        case elsewhere
    }

    init(_ text: Located<String>, from entity: DraftEntity, in draft: Draft) {
        self.text = text
        guard let path = AccessPath(text: text.value) else {
            problem = .empty
            return
        }
        var entity = entity
        for name in path.relationships {
            let link = entity.linksByName[name]
            problem = Self.problem(of: link, named: name, in: entity)
            guard problem == nil, let link, let destination = link.destination else { return }
            links.append(link)
            entity = destination
        }
        problem = Self.problem(at: path.attribute, in: entity, draft: draft)
    }

    private static func problem(of link: Link?, named name: String, in entity: DraftEntity) -> Problem? {
        if let attribute = entity.attributesByName[name] { return .attributeInside(attribute, in: entity) }
        guard let link else { return entity.isIncomplete ? .elsewhere : .unknown(name, in: entity, isLast: false) }
        guard let destination = link.destination, link.storage != nil else { return .elsewhere }
        if destination.remote == nil { return .onDevice(link) }
        let isSent = link.wire != .none || link.inverse.map { $0.wire != .none } ?? false
        return isSent ? nil : .notSent(link)
    }

    private static func problem(at name: String, in entity: DraftEntity, draft: Draft) -> Problem? {
        guard let attribute = entity.attributesByName[name] else {
            if let link = entity.linksByName[name] { return .relationshipAtEnd(link) }
            return entity.isIncomplete ? .elsewhere : .unknown(name, in: entity, isLast: true)
        }
        let reason = attribute.unsuitabilityAsUser(in: entity, draft: draft)
        return reason.map { .unsuitable(attribute, reason: $0) }
    }

    /// Whether it leads somewhere from a new record, to which no other record refers yet.
    var startsAtNewRecord: Bool { links.allSatisfy { $0.storage == .foreignKey } }
}

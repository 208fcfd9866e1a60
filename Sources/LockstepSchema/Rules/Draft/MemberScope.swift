/// The names that are taken within one entity, and by what.
struct MemberScope {
    /// By Swift name.
    var members: [String: Claim] = [:]
    /// By column name in small letters, since SQL takes `ID` and `id` for one.
    var columns: [String: Claim] = [:]
    /// By the first key of each path. Nearly every path is one key, so that more paths under one are kept apart.
    var wirePaths: [String: WirePath] = [:]
    var furtherWirePaths: [String: [WirePath]] = [:]
    /// The members whose names clash in one way; one finding for them is enough.
    var clashing: Set<SourcePosition> = []

    mutating func reserve(_ count: Int) {
        members.reserveCapacity(count)
        columns.reserveCapacity(count)
        wirePaths.reserveCapacity(count)
    }
}

/// A path on the wire, and what takes it.
struct WirePath {
    var keys: [String]
    var claim: Claim
}

/// What takes a name within an entity.
enum Claim {
    case attribute(DraftAttribute)
    case relationship(Link)
    /// A relationship of an abstract entity, which has no other end.
    case declaredRelationship(DraftRelationship)
    case foreignKey(Link)
    /// The representation's list of ids.
    case identities(Link)
    /// The place of a record in the ordered to-many that is the inverse of this to-one.
    case position(Link)
    case surrogateKey(DraftEntity)

    var range: SourceRange {
        switch self {
        case .attribute(let attribute): attribute.declaration.name.range
        case .relationship(let link), .foreignKey(let link), .identities(let link): link.range
        case .declaredRelationship(let relationship): relationship.declaration.name.range
        case .position(let link): link.inverse?.range ?? link.range
        case .surrogateKey(let entity): entity.declaration.name.range
        }
    }

    /// In a sentence: "the foreign key of relationship 'product'".
    var text: String {
        switch self {
        case .attribute(let attribute): "attribute '\(attribute.name)'"
        case .relationship(let link) where link.isImplied:
            "the other end '\(link.name)' of '\(link.inverse?.name ?? "")'"
        case .relationship(let link): "relationship '\(link.name)'"
        case .declaredRelationship(let relationship): "relationship '\(relationship.name)'"
        case .identities(let link): "the list of ids of relationship '\(link.name)'"
        case .foreignKey(let link): "the foreign key of relationship '\(link.name)'"
        case .position(let link): "the position in '\(link.inverse?.name ?? "")'"
        case .surrogateKey: "the key of an entity without identity"
        }
    }

    /// Whether both were declared under the same key of the same mapping. Then the syntax has reported it.
    func isRepeated(by other: Claim) -> Bool {
        switch (self, other) {
        case (.attribute(let first), .attribute(let second)):
            first.name == second.name && first.owner === second.owner
        case (.relationship(let first), .relationship(let second)):
            first.name == second.name && first.relationship?.owner === second.relationship?.owner && !first.isImplied
        case (.declaredRelationship(let first), .declaredRelationship(let second)):
            first.name == second.name && first.owner === second.owner
        default: false
        }
    }
}

/// Two things of one name in one scope.
struct Clash {
    enum Kind {
        case member, column
        /// The same path on the wire.
        case wirePath
        /// One path leads through the other's value.
        case wirePathInside
    }

    var kind: Kind
    /// The name that both have, or the longer path.
    var name: String
    var entity: DraftEntity
    var first: Claim
    var second: Claim
}

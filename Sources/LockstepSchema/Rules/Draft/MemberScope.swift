/// The names that are used in one entity, and what uses them.
struct MemberScope {
    /// By Swift name.
    var members: [String: Claim] = [:]
    /// By lowercase column name, because SQL treats `ID` and `id` as equal.
    var columns: [String: Claim] = [:]
    /// By the first key of each path. Nearly every path is one key, so further paths under the same key are stored
    /// separately.
    var wirePaths: [String: WirePath] = [:]
    var furtherWirePaths: [String: [WirePath]] = [:]
    /// The members whose names clash in some way. One diagnostic for each is sufficient.
    var clashing: Set<SourcePosition> = []

    mutating func reserve(_ count: Int) {
        members.reserveCapacity(count)
        columns.reserveCapacity(count)
        wirePaths.reserveCapacity(count)
    }
}

/// A path in JSON, and what uses it.
struct WirePath {
    var keys: [String]
    var claim: Claim
}

/// The use of a name in an entity.
enum Claim {
    case attribute(DraftAttribute)
    case relationship(Link)
    /// A relationship of an abstract entity, which has no other end.
    case declaredRelationship(DraftRelationship)
    case foreignKey(Link)
    /// The representation's list of IDs.
    case identities(Link)
    /// The position of a record in the ordered to-many that is the inverse of this to-one.
    case position(Link)
    case surrogateKey(DraftEntity)

    var range: TextRange {
        switch self {
        case .attribute(let attribute): attribute.declaration.name.range
        case .relationship(let link), .foreignKey(let link), .identities(let link): link.range
        case .declaredRelationship(let relationship): relationship.declaration.name.range
        case .position(let link): link.inverse?.range ?? link.range
        case .surrogateKey(let entity): entity.declaration.name.range
        }
    }

    /// A description in a sentence: "the foreign key of relationship 'product'".
    var text: String {
        switch self {
        case .attribute(let attribute): "attribute '\(attribute.name)'"
        case .relationship(let link) where link.isImplied:
            "the other end '\(link.name)' of '\(link.inverse?.name ?? "")'"
        case .relationship(let link): "relationship '\(link.name)'"
        case .declaredRelationship(let relationship): "relationship '\(relationship.name)'"
        case .identities(let link):
            "the \(link.isToMany ? "list of ids" : "id") of relationship '\(link.name)'"
        case .foreignKey(let link): "the foreign key of relationship '\(link.name)'"
        case .position(let link): "the position in '\(link.inverse?.name ?? "")'"
        case .surrogateKey: "the key of an entity without identity"
        }
    }

    /// Whether both were declared under the same key of the same mapping, which the syntax has reported.
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

/// Two things with the same name in one scope.
struct Clash {
    enum Kind {
        case member, column
        /// The same path in JSON.
        case wirePath
        /// One path leads through the other's value.
        case wirePathInside
    }

    var kind: Kind
    /// The name of both, or the longer path.
    var name: String
    var entity: DraftEntity
    var first: Claim
    var second: Claim
}

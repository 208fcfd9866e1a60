/// An entity while the schema is being resolved.
final class DraftEntity {
    let declaration: EntityDeclaration
    /// Its index among the entities in declared order.
    let order: Int
    let name: String
    let isAbstract: Bool
    let swiftName: String
    var tableName = ""

    var ownAttributes: [DraftAttribute] = []
    var ownRelationships: [DraftRelationship] = []

    /// The abstract entities that it extends directly, without unknown and concrete ones and those in a cycle.
    var bases: [DraftEntity] = []
    var extendsProblem: ExtendsProblem?
    var isFlat = false
    /// Whether it may have members and an identity that could not be read, own or inherited ones.
    var isIncomplete = false
    /// Inherited ones first, then its own.
    var attributes: [DraftAttribute] = []
    var attributesByName: [String: DraftAttribute] = [:]
    var relationships: [DraftRelationship] = []
    var overrides: [Override] = []

    /// The relationships of a concrete entity, linked to their other ends; implied ones last.
    var links: [Link] = []
    var linksByName: [String: Link] = [:]

    var identity = DraftIdentity()
    /// The name in `version:`, its own or inherited.
    var version: Located<String>?
    /// The `scope:` and the `access:`, its own or inherited.
    var scopeDeclaration: Located<ScopeDeclaration>?
    var accessDeclaration: Located<AccessDeclaration>?
    /// What a record belongs to on a server; `nil` if there is no such member.
    var recordScope: DraftScope?
    /// `nil` for an entity that is local only.
    var remote: Remote?
    var scope = MemberScope()
    var indexes: [IndexStructure] = []

    init(_ declaration: EntityDeclaration, order: Int) {
        self.declaration = declaration
        self.order = order
        name = declaration.name.value
        isAbstract = declaration.isAbstract
        swiftName = SwiftName.type(name)
    }

    /// Every name that a member can be referred to by, for suggestions.
    var memberNames: [String] { attributes.map(\.name) + links.map(\.name) }
}

/// What a record belongs to on a server.
enum DraftScope {
    case own, everyone
    case attribute(DraftAttribute)
    case relationship(Link)
}

/// Why the `extends:` of an entity is ignored.
enum ExtendsProblem {
    case loop
    case tooDeep
}

/// A member that overrides an inherited one, but differs from it.
struct Override {
    enum Member {
        case attribute(DraftAttribute)
        case relationship(DraftRelationship)
    }

    var own: Member
    var inherited: Member
}

/// An entity's identity, as far as it could be determined.
struct DraftIdentity {
    /// The declaration, own or inherited; `nil` for the language's default.
    var declaration: Located<IdentityDeclaration>?
    /// `nil` if it contains a name that is not an attribute.
    var value: IdentityStructure?
    /// The attributes of the table's primary key; empty without identity, or if `value` is `nil`.
    var keyAttributes: [DraftAttribute] = []
    /// The server's part of `{ local, remote }`.
    var remoteAttribute: DraftAttribute?

    /// Whether it is known that there is none. An invalid one does not count.
    var isNone: Bool { value == IdentityStructure.none }
}

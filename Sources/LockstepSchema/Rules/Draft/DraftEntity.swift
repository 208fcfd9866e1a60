/// An entity while the schema is made.
final class DraftEntity {
    let declaration: EntityDeclaration
    /// Its place among the entities as they were declared.
    let order: Int
    let name: String
    let isAbstract: Bool
    let swiftName: String
    var tableName = ""

    var ownAttributes: [DraftAttribute] = []
    var ownRelationships: [DraftRelationship] = []

    /// The abstract entities it extends directly; those in a loop, unknown ones and concrete ones left out.
    var bases: [DraftEntity] = []
    var extendsProblem: ExtendsProblem?
    var isFlat = false
    /// It may have members and an identity that could not be read, its own or inherited ones.
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
    /// The name after `version:`, its own or inherited.
    var version: Located<String>?
    /// `nil` for an entity that stays on the device.
    var remote: Remote?
    var scope = MemberScope()
    var indexes: [Index] = []

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

/// Why nothing that an entity extends counts.
enum ExtendsProblem {
    case loop
    case tooDeep
}

/// A member that takes the place of an inherited one, though it is not like it.
struct Override {
    enum Member {
        case attribute(DraftAttribute)
        case relationship(DraftRelationship)
    }

    var own: Member
    var inherited: Member
}

/// An entity's identity as far as it could be found out.
struct DraftIdentity {
    /// The declaration, its own or inherited; `nil` if the language's default counts.
    var declaration: Located<IdentityDeclaration>?
    /// `nil` if it names something that is no attribute.
    var value: Identity?
    /// The attributes of the table's primary key; empty without identity, or where `value` is `nil`.
    var keyAttributes: [DraftAttribute] = []
    /// The server's half of `{ local, remote }`.
    var remoteAttribute: DraftAttribute?

    /// Whether there certainly is none: a wrong one is not none.
    var isNone: Bool { value == Identity.none }
}

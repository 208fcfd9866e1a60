/// A relationship as it was declared, shared by the entities that inherit it.
final class DraftRelationship {
    let declaration: RelationshipDeclaration
    unowned let owner: DraftEntity
    let name: String
    /// The entity that the destination names, or means; `nil` if there is none.
    unowned let destination: DraftEntity?
    /// Whether the destination names an entity.
    let isDestinationKnown: Bool

    init(_ declaration: RelationshipDeclaration, of owner: DraftEntity, to reference: EntityReference) {
        self.declaration = declaration
        self.owner = owner
        destination = reference.entity
        isDestinationKnown = reference.isKnown
        name = declaration.name.value
    }

    /// Whether the Swift property would have the same type.
    func hasSameType(as other: DraftRelationship) -> Bool {
        declaration.destination.value == other.declaration.destination.value
            && declaration.isToMany == other.declaration.isToMany
            && declaration.isOptional == other.declaration.isOptional
    }
}

/// A relationship of one concrete entity, with its other end.
final class Link {
    let name: String
    let swiftName: String
    unowned let owner: DraftEntity
    /// `nil` if there is no such entity, or only an abstract one.
    unowned let destination: DraftEntity?
    let isToMany: Bool
    let isOptional: Bool
    /// `nil` for an implied one.
    let relationship: DraftRelationship?
    /// Its index among all links: by entity, then in declared order.
    let order: Int

    unowned var inverse: Link?
    var inverseProblem: InverseProblem?
    /// Which end holds the key; `nil` if the destination or the inverse is unknown.
    var storage: Storage?
    var foreignKey: ForeignKey?
    /// The join table's name, and which side of it this is.
    var joinTable: (name: String, isLeft: Bool)?
    var wire = RelationshipWire.none

    enum Storage {
        case foreignKey
        case inverseForeignKey
        case joinTable
    }

    init(_ relationship: DraftRelationship, of owner: DraftEntity, order: Int) {
        self.relationship = relationship
        self.owner = owner
        self.order = order
        name = relationship.name
        swiftName = SwiftName.member(name)
        destination = relationship.destination.flatMap { $0.isAbstract ? nil : $0 }
        isToMany = relationship.declaration.isToMany
        isOptional = relationship.declaration.isToMany || relationship.declaration.isOptional
    }

    /// The other end of a to-many that was declared without inverse.
    init(impliedBy toMany: Link, named name: String, of owner: DraftEntity, order: Int) {
        self.name = name
        self.owner = owner
        self.order = order
        swiftName = SwiftName.member(name)
        destination = toMany.owner
        isToMany = false
        isOptional = true
        relationship = nil
        inverse = toMany
    }

    var declaration: RelationshipDeclaration? { relationship?.declaration }
    var isImplied: Bool { relationship == nil }
    var isEmbedded: Bool { if case .embedded = wire { true } else { false } }
    /// Whether it is its own inverse: `friends`.
    var isSymmetric: Bool { inverse === self }
    var isOrdered: Bool { isToMany && declaration?.isOrdered?.value ?? false }
    /// Whether both ends are synced, and known.
    var isSynced: Bool { storage != nil && owner.remote != nil && destination?.remote != nil }

    /// The location for diagnostics: its name, or that of the to-many that implied it.
    var range: TextRange {
        declaration?.name.range ?? inverse?.declaration?.name.range ?? owner.declaration.name.range
    }

    var onDelete: DeleteRule {
        if let declared = declaration?.onDelete?.value { return declared }
        let isNeededThere = inverse.map { !$0.isToMany && !$0.isOptional } ?? false
        return isNeededThere ? .deny : .nullify
    }
}

/// Why the inverse that a relationship names cannot be its inverse.
enum InverseProblem {
    case unknown
    case itself
    /// The relationship with that name has another destination.
    case destinationElsewhere(Link)
    /// The relationship with that name names another inverse.
    case inverseElsewhere(Link)
    case claimedBefore(by: Link)
    /// The other end's inverse is invalid, which is reported there.
    case otherEndIsBroken
}

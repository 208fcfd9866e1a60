import LockstepEvolution

/// Makes the relationships. One whose destination has subentities becomes one for each of them that has records.
final class CoreDataLinks {
    private let model: CoreDataModel
    private let notes: ImportNotes
    private let names: CoreDataNames
    private let entities: [String: CoreDataEntity]
    private var added: [String: [MemberSketch]] = [:]
    private var addedNames: [String: Set<String>] = [:]
    /// The relationships that inheritance makes of others, and the most of them. Each has another end.
    private var multiplied = 0
    private static let multipliedLimit = 10_000
    private var required = AcyclicLinks()

    init(_ model: CoreDataModel, names: CoreDataNames, notes: ImportNotes) {
        (self.model, self.names, self.notes) = (model, names, notes)
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// - Throws: ``ImportFailure`` if inheritance makes too many of them.
    func add(to sketch: inout SchemaSketch) throws(ImportFailure) {
        for entity in model.entities {
            for relationship in entity.relationships { try add(relationship, of: entity) }
        }
        for index in sketch.entities.indices {
            sketch.entities[index].relationships = added[sketch.entities[index].name] ?? []
        }
    }

    private func add(_ relationship: CoreDataRelationship, of entity: CoreDataEntity) throws(ImportFailure) {
        let (line, subject) = (relationship.line, relationship.subject)
        if relationship.isTransient {
            return notes.left(
                line, text: "\(subject), a transient relationship", help: "Write it in Swift, in an extension.")
        }
        guard let destination = entities[relationship.destination] else {
            return notes.left(
                line, text: "\(subject): its destination '\(relationship.destination)' is not in the model")
        }
        let (owners, destinations) = (entity.concrete, destination.concrete)
        if owners.isEmpty || destinations.isEmpty {
            return notes.left(line, text: "\(subject): no entity with records is at both ends")
        }
        let count = owners.count * destinations.count
        if count > 1 { multiplied += count }
        guard multiplied <= Self.multipliedLimit else {
            throw ImportFailure(
                model.path, line: line,
                reason: "\(subject) becomes \(count) relationships, one between each two kinds of its ends, and at "
                    + "most \(Self.multipliedLimit) are made so. Give it ends with fewer subentities.")
        }
        names.report(
            relationship, to: notes,
            help: relationship.isToMany || !relationship.key.isEmpty
                ? nil : "Its key in JSON is derived from this name. For another key, write `key:`.")
        if destinations.count > 1 { reportKinds(relationship, of: destination) }
        let inverse = inverse(of: relationship, entity: entity, to: destination)
        for owner in owners {
            for one in destinations {
                add(relationship, of: entity, owner: owner, to: destination, one: one, inverse: inverse)
            }
        }
    }

    /// Reports a relationship that becomes several.
    private func reportKinds(_ relationship: CoreDataRelationship, of destination: CoreDataEntity) {
        let (line, subject) = (relationship.line, relationship.subject)
        notes.decided(
            line,
            text: "\(subject) is one relationship for each kind of \(destination.name): "
                + destination.concrete.map { name(relationship, to: $0, of: destination) }.joined(separator: ", "),
            help: "A relationship has one entity with records as its destination.")
        if relationship.isOrdered {
            notes.left(
                line, text: "\(subject): the order between records of different kinds",
                help: "Each of these relationships keeps the order of its own records.")
        }
        if !relationship.key.isEmpty {
            notes.left(
                line, text: "\(subject): its key \(relationship.key.joined(separator: "."))",
                help: "Write it as the `key:` of the relationship that has it.")
        }
        if !relationship.isToMany, !relationship.isOptional {
            notes.left(
                line, text: "\(subject): that it is required",
                help: "Check in Swift, in `validate()`, that one of these relationships has a record.")
        }
    }

    private func name(_ relationship: CoreDataRelationship, to one: CoreDataEntity, of destination: CoreDataEntity)
        -> String
    {
        let name = names.member(relationship.name)
        return one === destination || destination.concrete.count == 1 ? name : name + names.entity(one)
    }

    private func add(
        _ relationship: CoreDataRelationship, of entity: CoreDataEntity, owner: CoreDataEntity,
        to destination: CoreDataEntity, one: CoreDataEntity, inverse: CoreDataRelationship?
    ) {
        let (line, isToMany) = (relationship.line, relationship.isToMany)
        let target = names.entity(one)
        var member = MemberSketch(
            name: name(relationship, to: one, of: destination), type: isToMany ? .list(of: target) : .optional(target),
            source: relationship.name, line: line)
        if addedNames[names.entity(owner)]?.contains(member.name) == true {
            return notes.left(
                line, text: "\(owner.name).\(relationship.name): there is a relationship '\(member.name)' already",
                help: "Rename one of them in the model.")
        }
        let isSplit = destination.concrete.count > 1
        let isOwnInverse = inverse.map { $0.owner == relationship.owner && $0.name == relationship.name } ?? false
        if isOwnInverse {
            if !isSplit, owner === one {
                member.inverse = member.name
            } else if isToMany {
                addOtherEnd(relationship, of: owner, one: one, to: &member)
            }
        } else if let inverse {
            member.inverse = name(inverse, to: owner, of: entity)
        } else if isToMany {
            addOtherEnd(relationship, of: owner, one: one, to: &member)
        }
        if !isToMany, !isSplit, !relationship.isOptional {
            if isOwnInverse {
                notes.decided(
                    line, text: "\(owner.name).\(member.name) is optional: it is its own inverse",
                    help: "If each record needs one, check it in Swift, in `validate()`.")
            } else if required.add(names.entity(owner), target: target) {
                member.isOptional = false
            } else {
                notes.decided(
                    line,
                    text: "\(owner.name).\(member.name) is optional: two records that require each other could never "
                        + "be created")
            }
        }
        (member.onDelete, member.isOrdered) = (relationship.onDelete, relationship.isOrdered)
        if !isSplit, let last = relationship.key.last {
            member.key = relationship.key
            if isToMany { member.wire = ReferenceKey(last)?.isToMany == true ? .ids : .embedded }
        }
        if member.isOrdered {
            keepOrderHere(line, inverse: inverse, subject: "\(owner.name).\(member.name)", in: &member)
        }
        if member.wire == .embedded {
            notes.decided(
                line,
                text: "\(owner.name).\(member.name) is embedded: the key of a to-many relationship leads to a list of "
                    + "records",
                help: "If the list has identities, write `wire: ids`.")
        }
        append(member, to: owner)
    }

    private func append(_ member: MemberSketch, to entity: CoreDataEntity) {
        added[names.entity(entity), default: []].append(member)
        addedNames[names.entity(entity), default: []].insert(member.name)
    }

    private func inverse(
        of relationship: CoreDataRelationship, entity: CoreDataEntity, to destination: CoreDataEntity
    ) -> CoreDataRelationship? {
        guard let name = relationship.inverse else { return nil }
        var level: CoreDataEntity? = destination
        while let current = level {
            if let found = current.relationshipsByName[name] { return found }
            level = current.parent
        }
        notes.left(
            relationship.line,
            text: "\(entity.name).\(relationship.name): its inverse '\(name)' is not in the model")
        return nil
    }

    private func addOtherEnd(
        _ relationship: CoreDataRelationship, of owner: CoreDataEntity, one: CoreDataEntity,
        to member: inout MemberSketch
    ) {
        let word = names.entity(owner)
        let base =
            word.prefix(1).lowercased() + word.dropFirst() + "Of" + relationship.name.prefix(1).uppercased()
            + relationship.name.dropFirst()
        let other = names.free(base, in: one)
        member.inverse = other
        var end = MemberSketch(name: other, type: .list(of: word))
        end.inverse = member.name
        end.comment = "chosen by import: the other end of \(word).\(member.name)"
        append(end, to: one)
        notes.decided(
            relationship.line,
            text: "\(owner.name).\(relationship.name) has no inverse: '\(names.entity(one)).\(other)' is its other end",
            help: "If each record is in one list only, make the other end to-one: `\(other): \(word)?`.")
    }

    /// The model does not contain the server's name for the list.
    private func keepOrderHere(
        _ line: Int, inverse: CoreDataRelationship?, subject: String, in member: inout MemberSketch
    ) {
        guard let inverse, !inverse.isToMany, member.wire == nil else { return }
        member.wire = .unsent
        notes.decided(
            line, text: "\(subject): its order stays on the device",
            help: "If the server has a list of identities in this order, write `wire: ids`.")
    }
}

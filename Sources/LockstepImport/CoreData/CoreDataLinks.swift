import LockstepEvolution

/// Makes the relationships. One whose destination has subentities becomes one for each of them that has records.
final class CoreDataLinks {
    private let model: CoreDataModel
    private let notes: CoreDataNotes
    private let names: CoreDataNames
    private let entities: [String: CoreDataEntity]
    private var added: [String: [MemberSketch]] = [:]
    private var required = AcyclicLinks()
    private unowned let owner: CoreDataImport

    init(_ owner: CoreDataImport) {
        (model, notes, names) = (owner.model, owner.notes, owner.names)
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
        self.owner = owner
    }

    func add(to sketch: inout SchemaSketch) {
        for entity in model.entities {
            for relationship in entity.relationships { add(relationship, of: entity) }
        }
        for index in sketch.entities.indices {
            sketch.entities[index].relationships = added[sketch.entities[index].name] ?? []
        }
    }

    private func add(_ relationship: CoreDataProperty, of entity: CoreDataEntity) {
        let node = relationship.node
        let subject = "\(entity.name).\(relationship.name)"
        if node.isYes("transient") {
            return notes.left(
                node, text: "\(subject), a transient relationship", help: "Write it in Swift, in an extension.")
        }
        guard let name = node["destinationEntity"], let destination = entities[name] else {
            return notes.left(
                node, text: "\(subject): its destination '\(node["destinationEntity"] ?? "")' is not in the model")
        }
        let (owners, destinations) = (entity.concrete, destination.concrete)
        if owners.isEmpty || destinations.isEmpty {
            return notes.left(node, text: "\(subject): no entity with records is at both ends")
        }
        if destinations.count > 1 {
            notes.decided(
                node.line,
                text: "\(subject) is one relationship for each kind of \(destination.name): "
                    + destinations.map { self.name(relationship, to: $0, of: destination) }.joined(separator: ", "),
                help: "A relationship has one entity with records as its destination.")
            if node.isYes("toMany"), node.isYes("ordered") {
                notes.left(
                    node.line, text: "\(subject): the order between records of different kinds",
                    help: "Each of these relationships keeps the order of its own records.")
            }
        }
        reportCounts(relationship, subject: subject, isSplit: destinations.count > 1)
        for owner in owners {
            for one in destinations { add(relationship, of: entity, owner: owner, to: destination, one: one) }
        }
    }

    private func name(_ relationship: CoreDataProperty, to one: CoreDataEntity, of destination: CoreDataEntity)
        -> String
    {
        let name = names.member(relationship.name)
        return one === destination || destination.concrete.count == 1 ? name : name + names.entity(one)
    }

    private func add(
        _ relationship: CoreDataProperty, of entity: CoreDataEntity, owner: CoreDataEntity,
        to destination: CoreDataEntity, one: CoreDataEntity
    ) {
        let node = relationship.node
        let isToMany = node.isYes("toMany")
        let target = names.entity(one)
        var member = MemberSketch(
            name: name(relationship, to: one, of: destination), type: isToMany ? .list(of: target) : .optional(target),
            source: relationship.name, line: relationship.node.line)
        let inverse = inverse(of: relationship, entity: entity, to: destination)
        let isSplit = destination.concrete.count > 1
        if inverse === relationship {
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
        if !isToMany, !isSplit, !node.isYes("optional") {
            if inverse === relationship {
                notes.decided(
                    node.line, text: "\(owner.name).\(member.name) is optional: it is its own inverse",
                    help: "Check it in Swift, in `validate()`.")
            } else if required.add(names.entity(owner), target: target) {
                member.isOptional = false
            } else {
                notes.decided(
                    node.line,
                    text: "\(owner.name).\(member.name) is optional: two records that require each other could never "
                        + "be created")
            }
        }
        addRule(node, to: &member)
        member.isOrdered = isToMany && node.isYes("ordered")
        if !isSplit { self.owner.addKey(relationship, to: &member) }
        if member.isOrdered {
            keepOrderHere(node, inverse: inverse, subject: "\(owner.name).\(member.name)", in: &member)
        }
        if member.wire == .embedded {
            notes.decided(
                node.line,
                text: "\(owner.name).\(member.name) is embedded: the key of a to-many relationship leads to a list of "
                    + "records",
                help: "If the list has identities, write `wire: ids`.")
        }
        if added[names.entity(owner), default: []].contains(where: { $0.name == member.name }) {
            return notes.left(
                node.line, text: "\(owner.name).\(relationship.name): there is a relationship '\(member.name)' already",
                help: "Rename one of them in the model.")
        }
        added[names.entity(owner), default: []].append(member)
    }

    private func inverse(
        of relationship: CoreDataProperty, entity: CoreDataEntity, to destination: CoreDataEntity
    ) -> CoreDataProperty? {
        guard let name = relationship.node["inverseName"] else { return nil }
        var level: CoreDataEntity? = destination
        while let current = level {
            if let found = current.relationships.first(where: { $0.name == name }) { return found }
            level = current.parent
        }
        notes.left(
            relationship.node.line,
            text: "\(entity.name).\(relationship.name): its inverse '\(name)' is not in the model")
        return nil
    }

    private func addOtherEnd(
        _ relationship: CoreDataProperty, of owner: CoreDataEntity, one: CoreDataEntity, to member: inout MemberSketch
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
        added[names.entity(one), default: []].append(end)
        notes.decided(
            relationship.node.line,
            text: "\(owner.name).\(relationship.name) has no inverse: '\(names.entity(one)).\(other)' is its other end",
            help: "If each record is in one list only, make the other end to-one: `\(other): \(word)?`.")
    }

    /// The model does not contain the server's name for the list.
    private func keepOrderHere(
        _ node: XMLNode, inverse: CoreDataProperty?, subject: String, in member: inout MemberSketch
    ) {
        guard let inverse, !inverse.node.isYes("toMany"), member.wire == nil else { return }
        member.wire = .unsent
        notes.decided(
            node.line, text: "\(subject): its order stays on the device",
            help: "If the server has a list of identities in this order, write `wire: ids`.")
    }

    private func addRule(_ node: XMLNode, to member: inout MemberSketch) {
        switch node["deletionRule"] {
        case nil, "Nullify": break
        case "Cascade": member.onDelete = .cascade
        case "Deny": member.onDelete = .deny
        case "No Action": member.onDelete = DeleteRule.none
        case let other?: notes.left(node.line, text: "\(member.name): the deletion rule '\(other)'")
        }
    }

    private func reportCounts(_ relationship: CoreDataProperty, subject: String, isSplit: Bool) {
        let node = relationship.node
        let isToMany = node.isYes("toMany")
        if isSplit, !isToMany, !node.isYes("optional") {
            notes.left(
                node.line, text: "\(subject): that there is one of them", help: "Check it in Swift, in `validate()`.")
        }
        for attribute in ["minCount", "maxCount"] {
            guard let text = node[attribute] else { continue }
            let isUsual = isToMany ? text == "0" : ["0", "1"].contains(text)
            if !isUsual {
                notes.left(
                    node.line, text: "\(subject): \(attribute) \(text)", help: "Check it in Swift, in `validate()`.")
            }
        }
    }
}

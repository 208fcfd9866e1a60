package import LockstepJSON

/// The changes of a structure's entities and members up to a later structure, over any number of versions.
///
/// The steps of all versions are composed: each member of the later structure has one origin, and one list of value
/// changes. So a table is changed once, however many versions lie between.
package struct SchemaEvolution: Sendable {
    package let former: SchemaStructure
    package let new: SchemaStructure
    /// By their names in the new structure.
    package private(set) var entities: [String: EntityEvolution]
    /// The former entities that were removed, by their former names, with the version that did.
    package private(set) var removedEntities: [String: Int] = [:]
    /// The conversions that the app writes in Swift, in order.
    package private(set) var conversions: [RecordedConversion] = []
    /// The former structure.
    let tree: SchemaTree
    let versions: [SchemaHistory.Version]

    /// Composes the steps after a version.
    ///
    /// - Parameters:
    ///   - tree: The structure to begin with.
    ///   - versions: The later versions, in order.
    /// - Throws: `StructureError` if a change does not fit.
    package init(from tree: SchemaTree, by versions: [SchemaHistory.Version]) throws(StructureError) {
        (self.tree, self.versions) = (tree, versions)
        former = try SchemaStructure(tree)
        entities = Dictionary(
            former.entities.map { ($0.name, EntityEvolution($0)) }, uniquingKeysWith: { first, _ in first })
        var tree = tree
        var steps: [Step] = []
        for version in versions {
            let former = tree
            let first = steps.count
            for change in version.changes {
                let before = tree
                try tree.apply(change)
                steps.append(Step(change: change, before: before, after: tree, version: version.number))
            }
            if first < steps.count {
                steps[first].conversions = try version.conversions(from: former, to: tree)
                conversions += steps[first].conversions
            }
        }
        new = try SchemaStructure(tree)
        var calls: [MemberPath: ConversionCall] = [:]
        for step in steps {
            for conversion in step.conversions { calls.merge(self.calls(of: conversion)) { _, call in call } }
            try follow(step.change, from: step.before, to: step.after, in: step.version)
            convert(step, by: &calls)
        }
    }

    /// One change with the structures before and after it.
    private struct Step {
        let change: SchemaChange
        let before: SchemaTree
        let after: SchemaTree
        let version: Int
        /// Those of the version, if this is its first change.
        var conversions: [RecordedConversion] = []
    }

    private mutating func follow(
        _ change: SchemaChange, from before: SchemaTree, to after: SchemaTree, in version: Int
    ) throws(StructureError) {
        let type = change.path.type
        if let member = change.path.member {
            try entities[type]?.follow(change, of: member, from: before, to: after, in: version)
            return
        }
        switch change.action {
        case .add:
            if let entity = try after.entity(type) { entities[type] = EntityEvolution(added: entity, in: version) }
        case .remove:
            if let origin = entities.removeValue(forKey: type)?.origin { removedEntities[origin] = version }
        case .rename(to: let name):
            entities[type]?.note(change)
            if let evolution = entities.removeValue(forKey: type) { entities[name] = evolution }
        case .change:
            entities[type]?.note(change)
            try entities[type]?.followIndexes(change, from: before, to: after)
            if before.enumerations[type] != nil { try mapCases(change, from: before, to: after) }
        }
    }

    /// Adds the change of an enum to each attribute of its type.
    private mutating func mapCases(
        _ change: SchemaChange, from before: SchemaTree, to after: SchemaTree
    ) throws(StructureError) {
        for (entity, tree) in after.entities {
            for (member, properties) in tree.members {
                guard case .string(let type)? = properties["type"], TypeText.name(in: type) == change.path.type,
                    let former = try ValueStep.Shape(entity, member: member, in: before),
                    let new = try ValueStep.Shape(entity, member: member, in: after)
                else { continue }
                entities[entity]?.members[member]?.steps.append(ValueStep(former, to: new, answers: change.answers))
                entities[entity]?.note(change)
            }
        }
    }
}

/// The changes of an entity.
package struct EntityEvolution: Sendable {
    /// The name in the former structure; `nil` if it was added later.
    package let origin: String?
    /// The members of the new entity by name.
    package var members: [String: MemberEvolution] = [:]
    /// The former members that were removed, by their former names, with the version that did.
    package private(set) var removedMembers: [String: Int] = [:]
    /// Whether any step was about the entity or its members.
    package private(set) var isTouched = false
    /// Whether rows without local changes are deleted, to be pulled again.
    package private(set) var isRefetched = false
    /// Whether these rows are deleted in this file: not if the server never had them, because they only began to be
    /// synced before.
    package private(set) var deletesRefetched = false
    /// Whether a conversion of the app gets the records, even if a later version removes what it makes.
    package fileprivate(set) var isConverted = false
    /// Whether the records are sent as creations, because they began to be synced and the server had none of them.
    package private(set) var isPushedFirst = false
    /// How attributes became unique, in order.
    package private(set) var duplicates: [DuplicateRule] = []

    init(_ entity: EntityStructure) {
        origin = entity.name
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            members[name] = MemberEvolution(origin: name)
        }
    }

    init(added entity: EntityStructure, in version: Int) {
        origin = nil
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            members[name] = MemberEvolution(addedIn: version)
        }
    }

    /// Records a step about the entity.
    mutating func note(_ change: SchemaChange) {
        isTouched = true
        if change.answers.refetch { (isRefetched, deletesRefetched) = (true, deletesRefetched || !isPushedFirst) }
        if change.answers.first == .push { isPushedFirst = true }
    }

    mutating func follow(
        _ change: SchemaChange, of member: String, from before: SchemaTree, to after: SchemaTree, in version: Int
    ) throws(StructureError) {
        note(change)
        let type = change.path.type
        switch change.action {
        case .add:
            members[member] = MemberEvolution(addedIn: version)
            if let new = try ValueStep.Shape(type, member: member, in: after) {
                members[member]?.steps.append(ValueStep(nil, to: new, answers: change.answers))
            } else if let new = try after.relationship(type, named: member) {
                members[member]?.fill(new, answers: change.answers)
            }
        case .remove:
            if let origin = members.removeValue(forKey: member)?.origin { removedMembers[origin] = version }
        case .rename(to: let name):
            members[name] = members.removeValue(forKey: member)
        case .change:
            if let former = try ValueStep.Shape(type, member: member, in: before),
                let new = try ValueStep.Shape(type, member: member, in: after)
            {
                members[member]?.steps.append(ValueStep(former, to: new, answers: change.answers))
            } else if let former = try before.relationship(type, named: member),
                let new = try after.relationship(type, named: member)
            {
                follow(member, from: former, to: new, in: version)
                if former.isOptional || members[member]?.addedIn == version {
                    members[member]?.fill(new, answers: change.answers)
                }
            }
            if let answer = change.answers.duplicates, let values = members[member] {
                duplicates.append(DuplicateRule(answer, members: [values], among: members))
            }
        }
    }
}

extension EntityEvolution {
    /// A unique index that is new makes the values of its columns unique together.
    mutating func followIndexes(
        _ change: SchemaChange, from before: SchemaTree, to after: SchemaTree
    ) throws(StructureError) {
        guard let answer = change.answers.duplicates, let former = try before.entity(change.path.type),
            let new = try after.entity(change.path.type)
        else { return }
        let known = Set(former.indexes.filter(\.isUnique).map(\.columns))
        for index in new.indexes where index.isUnique && !known.contains(index.columns) {
            let names = index.columns.compactMap { column in new.attributes.first { $0.column == column }?.name }
            guard names.count == index.columns.count else { continue }
            duplicates.append(
                DuplicateRule(answer, members: names.compactMap { members[$0] }, among: members))
        }
    }
}

/// Which of several records with the same value stays when an attribute becomes unique.
package struct DuplicateRule: Sendable {
    /// The changes of the attributes until then: one, or those of a unique index.
    package let members: [MemberEvolution]
    /// The changes of the attribute whose greatest value determines the record that stays; `nil` for the first record.
    package let newestBy: MemberEvolution?

    /// - Parameters:
    ///   - answer: `keepFirst`, or `keepNewest(by: updatedAt)`.
    ///   - all: The entity's members by their names at that time.
    init(_ answer: String, members: [MemberEvolution], among all: [String: MemberEvolution]) {
        self.members = members
        let name = answer.firstMatch(of: /keepNewest\(by: *([^)]+?) *\)/).map { String($0.1) }
        newestBy = name.flatMap { all[$0] }
    }
}

extension EntityEvolution {
    private mutating func follow(
        _ member: String, from former: RelationshipStructure, to new: RelationshipStructure, in version: Int
    ) {
        if !new.continues(former) {
            // What was stored elsewhere, or points elsewhere, is something else.
            if let origin = members[member]?.origin { removedMembers[origin] = version }
            members[member] = MemberEvolution(addedIn: version)
        } else if former.isOrdered, !new.isOrdered {
            members[member]?.losesOrder = true
        }
    }
}

/// The changes of an attribute or relationship.
package struct MemberEvolution: Sendable {
    /// The name in the former structure; `nil` if it was added later.
    package let origin: String?
    /// The version that added it.
    package let addedIn: Int?
    /// The changes of an attribute's values, in order. The first of an added attribute gives the values.
    package var steps: [ValueStep] = []
    /// The link of records that had none when the relationship became required for the first time; `nil` if it never
    /// did.
    package private(set) var linkFill: LinkFill?

    package struct LinkFill: Sendable {
        /// The destination's key; `nil` for one that leads nowhere.
        package let key: JSONValue?
    }

    /// Whether a to-many kept no order meanwhile, so that former positions mean nothing.
    package fileprivate(set) var losesOrder = false

    init(origin: String) {
        self.origin = origin
        addedIn = nil
    }

    init(addedIn version: Int) {
        origin = nil
        addedIn = version
    }

    /// Records that a relationship is required after a change.
    fileprivate mutating func fill(_ relationship: RelationshipStructure, answers: ChangeAnswers) {
        guard !relationship.isOptional, linkFill == nil else { return }
        linkFill = LinkFill(key: answers.fill)
    }
}

/// One change of an attribute's values.
package struct ValueStep: Sendable {
    /// `nil` for an added attribute.
    package let former: Shape?
    package let new: Shape
    package let answers: ChangeAnswers

    /// An attribute with the enum of its type.
    package struct Shape: Sendable {
        package let attribute: AttributeStructure
        package let enumeration: EnumerationStructure?

        /// - Returns: `nil` if the entity has no such attribute.
        init?(_ entity: String, member: String, in tree: SchemaTree) throws(StructureError) {
            guard let attribute = try tree.attribute(entity, named: member) else { return nil }
            self.attribute = attribute
            let name = attribute.type.enumerationName
            if let name { enumeration = try tree.enumeration(name) } else { enumeration = nil }
        }
    }

    /// The conversion that computes the values, if the app has one.
    package fileprivate(set) var conversion: ConversionCall?

    init(_ former: Shape?, to new: Shape, answers: ChangeAnswers) {
        self.former = former
        self.new = new
        self.answers = answers
    }
}

/// One value that an app's conversion makes.
package struct ConversionCall: Sendable {
    package let conversion: RecordedConversion
    /// The position of the value among the conversion's outputs.
    package let output: Int
    /// The former attribute with each input's value; `nil` if a version in between has changed the values. Then the
    /// conversion is called in a later stage.
    package let inputs: [String?]
}

extension SchemaEvolution {
    /// The calls of a conversion, by the attribute that each gives values to.
    private func calls(of conversion: RecordedConversion) -> [MemberPath: ConversionCall] {
        guard let members = entities[conversion.formerEntity]?.members else { return [:] }
        let inputs = conversion.inputs.map { input in
            members[input.attribute.name].flatMap { $0.steps.isEmpty ? $0.origin : nil }
        }
        var calls: [MemberPath: ConversionCall] = [:]
        for (index, output) in conversion.outputs.enumerated() {
            calls[MemberPath(conversion.entity, member: output.shape.attribute.name)] = ConversionCall(
                conversion: conversion, output: index, inputs: inputs)
        }
        return calls
    }

    /// Lets the app's conversion give the values of a step that was just added.
    private mutating func convert(_ step: Step, by calls: inout [MemberPath: ConversionCall]) {
        guard step.change.answers.convert == ChangeAnswers.swift, let member = step.change.path.member,
            let call = calls.removeValue(forKey: step.change.path),
            var steps = entities[step.change.path.type]?.members[member]?.steps, !steps.isEmpty
        else { return }
        steps[steps.count - 1].conversion = call
        entities[step.change.path.type]?.members[member]?.steps = steps
        entities[step.change.path.type]?.isConverted = true
    }
}

extension ValueType {
    /// The enum of the values, or of a list's elements.
    package var enumerationName: String? {
        switch self {
        case .enumeration(let name): name
        case .list(let element): element.enumerationName
        case .scalar, .attachment: nil
        }
    }
}

extension RelationshipStructure {
    /// Whether the links of a former version stay: they are stored in the same way.
    func continues(_ former: RelationshipStructure) -> Bool {
        switch (former.storage, storage) {
        case (.foreignKey(columns: let old, position: _), .foreignKey(columns: let new, position: _)):
            former.destination == destination && old.count == new.count
        case (.inverseForeignKey, .inverseForeignKey): true
        case (.joinTable, .joinTable), (.inverseJoinTable, .inverseJoinTable), (.joinTable, .inverseJoinTable),
            (.inverseJoinTable, .joinTable):
            former.destination == destination && former.isSymmetric == isSymmetric && former.isToMany == isToMany
        default: false
        }
    }

    /// Whether it is its own inverse. Its links have a row for each direction, and others have one row.
    package var isSymmetric: Bool { if case .joinTable(let table) = storage { table.isSymmetric } else { false } }
}

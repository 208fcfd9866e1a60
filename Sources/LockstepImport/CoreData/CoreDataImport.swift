import Foundation
import LockstepJSON
import LockstepSchema

/// Creates a schema from a Core Data model.
final class CoreDataImport {
    let model: CoreDataModel
    let notes: ImportNotes
    let names: CoreDataNames
    private var sketch: SchemaSketch
    /// The attributes that identify the records of each entity, by its name.
    private var identities: [String: [CoreDataAttribute]] = [:]
    /// Those attributes, by the entities that have them and their names.
    private var identifying: [String: Set<String>] = [:]
    /// The attributes that are required, because their properties have a type of Swift that cannot be `nil`.
    private var scalars: [String] = []

    /// - Parameter name: The name of the schema.
    private init(_ model: CoreDataModel, name: String) {
        self.model = model
        notes = ImportNotes(file: model.path, location: model.location)
        // The model of a library that syncs says itself that there is a server.
        if !model.isOfSync, !model.isOfGroot { notes.proposeNoServer() }
        CoreDataHierarchy.resolve(model.entities, notes: notes)
        names = CoreDataNames(model.entities, enums: model.enums.map(\.name), schema: name)
        sketch = SchemaSketch(name: name)
    }

    /// The result of importing a version.
    struct Result {
        let report: ImportReport
        let repaired: RepairedSchema
        fileprivate let model: CoreDataModel
        fileprivate let names: CoreDataNames

        /// What the parts of the model become.
        var map: CoreDataMapWriter { CoreDataMapWriter(model, names: names, sketch: repaired.sketch) }
    }

    /// Makes the sketch of a version.
    ///
    /// - Parameter name: The name of the schema.
    /// - Throws: ``ImportFailure`` if it cannot be read, or has no entity.
    static func sketch(
        _ version: CoreDataBundle.Version, name: String
    ) throws(ImportFailure) -> Result {
        let model = try version.model()
        guard !model.entities.isEmpty else {
            throw ImportFailure(version.path, line: 1, reason: "The model has no entity.")
        }
        return try CoreDataImport(model, name: name).run()
    }

    private func run() throws(ImportFailure) -> Result {
        for entity in model.entities where !entity.isAbstract {
            let identity = CoreDataIdentity(entity, notes: notes).attributes
            identities[entity.name] = identity
            for attribute in identity { identifying[attribute.owner, default: []].insert(attribute.name) }
        }
        if model.isOfSync {
            sketch.wire["names"] = "snake_case"
            notes.decided(
                nil, text: "JSON keys are in snake_case, as in Sync by default",
                help: "To change it: 'wire:' at the top of the file.")
        }
        if model.isOfGroot {
            notes.decided(nil, text: "Attributes without JSONKeyPath are not in JSON (`wire: none`), as in Groot")
        }
        sketch.enums = model.enums
        for index in sketch.enums.indices { sketch.enums[index].name = names.enumeration(model.enums[index].name) }
        for entity in model.entities { add(entity) }
        try CoreDataLinks(model, names: names, notes: notes).add(to: &sketch)
        let positions = sketch.positions
        for entity in model.entities { addRenamings(of: entity, positions: positions) }
        for entity in model.entities {
            CoreDataIndexes(entity, notes: notes, names: names, positions: positions).add(to: &sketch)
        }
        reportScalars()
        model.findings.forEach(notes.add)
        let repaired = try sketch.repair(notes, path: model.path)
        return Result(report: notes.report, repaired: repaired, model: model, names: names)
    }

    // MARK: Entities

    /// Adds an entity. One that has records and children becomes two: an abstract one with the attributes, and one for
    /// its own records.
    private func add(_ entity: CoreDataEntity) {
        let name = names.entity(entity)
        reportName(entity, named: name)
        var attributes = ownAttributes(of: entity).compactMap(attribute)
        var own = EntitySketch(name: name, line: entity.line)
        own.source = entity.name
        let parent = entity.parent.map(names.base)
        guard !entity.children.isEmpty else {
            (own.isAbstract, own.extends) = (entity.isAbstract, parent)
            addIdentity(entity, own: &own, attributes: &attributes)
            own.attributes = attributes
            sketch.entities.append(own)
            return
        }
        var base = EntitySketch(name: names.base(entity), line: entity.line)
        base.source = entity.name
        (base.isAbstract, base.extends, base.attributes) = (true, parent, attributes)
        if entity.isAbstract {
            sketch.entities.append(base)
            return
        }
        notes.decided(
            entity.line,
            text: "\(entity.name) has records and subentities: '\(base.name)' is abstract and has the attributes, "
                + "'\(name)' has the records",
            help: "Only abstract entities can be extended. Children extend '\(base.name)'.")
        own.extends = base.name
        var added: [MemberSketch] = []
        addIdentity(entity, own: &own, attributes: &added)
        own.attributes = added
        sketch.entities += [base, own]
    }

    private func reportName(_ entity: CoreDataEntity, named name: String) {
        if name != entity.name {
            notes.decided(
                entity.line, text: "\(entity.name) is '\(name)': type names are unique, and in UpperCamelCase")
        }
        guard let written = entity.className, !written.isEmpty else { return }
        // A class can be written with its module.
        let shown = written.split(separator: ".").last.map(String.init) ?? written
        if shown != entity.name, shown != name {
            notes.decided(
                entity.line, text: "\(entity.name): the class is '\(name)', and was '\(shown)'",
                help: "To keep the name, rename the entity, and write 'table:' and 'remote:'.")
        }
    }

    private func addIdentity(_ entity: CoreDataEntity, own: inout EntitySketch, attributes: inout [MemberSketch]) {
        guard !entity.isAbstract else { return }
        let identity = identities[entity.name] ?? []
        if identity.isEmpty {
            let name = names.free("localID", in: entity)
            attributes.insert(.localKey(named: name, because: "the model has no identity"), at: 0)
            own.identity = .attributes([name])
            return
        }
        own.identity = IdentitySketch(identity.map { names.member($0.name) })
    }

    // MARK: Attributes

    /// Without those that an ancestor has, too, and those that are there twice.
    private func ownAttributes(of entity: CoreDataEntity) -> [CoreDataAttribute] {
        var known = Set(entity.parent?.allAttributes.map(\.name) ?? [])
        let inherited = known
        return entity.attributes.filter { attribute in
            if known.insert(attribute.name).inserted { return true }
            let reason = inherited.contains(attribute.name) ? "its parent has it, too" : "it occurs twice"
            notes.left(attribute.line, text: "\(attribute.subject): \(reason)")
            return false
        }
    }

    private func attribute(_ attribute: CoreDataAttribute) -> MemberSketch? {
        let isIdentity = isIdentity(attribute)
        let converter = CoreDataMember(attribute, names: names, notes: notes, isIdentity: isIdentity)
        guard var member = converter.sketch(named: names.member(attribute.name)) else { return nil }
        names.report(attribute, to: notes, help: "In JSON it keeps its name.")
        if attribute.isScalar, !isIdentity { scalars.append(attribute.subject) }
        addKey(attribute, to: &member, isIdentity: isIdentity)
        return member
    }

    private func isIdentity(_ attribute: CoreDataAttribute) -> Bool {
        identifying[attribute.owner]?.contains(attribute.name) ?? false
    }

    /// Adds what libraries for JSON have in the user info.
    private func addKey(_ attribute: CoreDataAttribute, to member: inout MemberSketch, isIdentity: Bool) {
        if member.isTransient { return }
        if !attribute.key.isEmpty {
            member.key = attribute.key
        } else if model.isOfGroot, !isIdentity {
            member.wire = .unsent
        } else if member.name != attribute.name {
            member.key = [attribute.name]
        }
        member.formerKeys = attribute.formerKeys
        if let pattern = attribute.dateFormat { member.wire = .date(pattern) }
        if isIdentity, attribute.isReadOnly {
            notes.decided(attribute.line, text: "\(attribute.subject) is sent, because it is an identity")
        } else {
            member.isReadOnly = attribute.isReadOnly
        }
    }

    // MARK: Renames

    /// Adds the renamings of the renaming identifiers, by the names in the schema.
    private func addRenamings(of entity: CoreDataEntity, positions: [String: Int]) {
        if let former = entity.formerName, former != entity.name {
            let renaming = ImportRenaming(
                entities: [names.entity(entity)], member: nil, former: UsableName.type(former))
            note(renaming, line: entity.line, text: "\(entity.name): the renaming identifier '\(former)'")
        }
        for attribute in entity.attributes { addRenaming(of: attribute, in: entity, positions: positions) }
        for relationship in entity.relationships { addRenaming(of: relationship, in: entity, positions: positions) }
    }

    private func addRenaming(
        of property: some CoreDataProperty, in entity: CoreDataEntity, positions: [String: Int]
    ) {
        guard let former = property.formerName, former != property.name else { return }
        let owners = entity.concrete.map(names.entity) + (entity.children.isEmpty ? [] : [names.base(entity)])
        let sketches = owners.compactMap { positions[$0] }.map { sketch.entities[$0] }
        let members = sketches.flatMap { $0.attributes + $0.relationships }
        // What was left out has no former name.
        guard members.contains(where: { $0.source == property.name }) else { return }
        let renaming = ImportRenaming(
            entities: owners, member: names.member(property.name), former: names.member(former))
        note(renaming, line: property.line, text: "\(property.subject): the renaming identifier '\(former)'")
    }

    private func note(_ renaming: ImportRenaming, line: Int, text: String) {
        notes.add(
            .left, at: line, text: text,
            help: "It is the name in an earlier version; `--versions` imports these, too.", renaming: renaming)
    }

    private func reportScalars() {
        if scalars.isEmpty { return }
        notes.decided(
            nil,
            text: "Required, because a property of a scalar type is never nil: "
                + scalars.joined(separator: ", "),
            help: "If a value can be missing, write `?` after the type, and remove the default.")
    }
}

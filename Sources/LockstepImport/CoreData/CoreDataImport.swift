import Foundation
import LockstepJSON
import LockstepSchema

/// Creates a schema from a Core Data model.
final class CoreDataImport {
    let model: CoreDataModel
    let notes: CoreDataNotes
    let names: CoreDataNames
    private var sketch: SchemaSketch
    /// Whether the model was made for a library that sends and receives snake_case by default.
    private let isOfSync: Bool
    /// Whether the model was made for a library that maps only what has a key path.
    let isOfGroot: Bool
    /// The attributes that identify the records of each entity, by its name.
    private var identities: [String: [CoreDataProperty]] = [:]
    private var identifying: Set<ObjectIdentifier> = []

    /// - Parameters:
    ///   - name: The name of the schema.
    ///   - file: The name of the file in the report.
    private init(_ model: CoreDataModel, name: String, file: String) {
        self.model = model
        notes = CoreDataNotes(file: file, location: model.location)
        let infos = model.entities.flatMap { entity in
            [entity.userInfo] + (entity.attributes + entity.relationships).map(\.userInfo)
        }
        let keys = Set(infos.flatMap { $0.entries.map(\.key) })
        isOfSync =
            model.root.isYes("isOfSync") || keys.contains { $0.hasPrefix("sync.") || $0.hasPrefix("hyper.") }
        isOfGroot = keys.contains("JSONKeyPath")
        // The model of a library that syncs says itself that there is a server.
        if !isOfSync, !isOfGroot { notes.proposeNoServer() }
        model.findings.forEach(notes.add)
        CoreDataHierarchy.resolve(model.entities, notes: notes)
        names = CoreDataNames(model.entities, enumerations: model.enumerations.map(\.name), schema: name)
        sketch = SchemaSketch(name: name)
    }

    /// The result of importing a version.
    struct Result {
        let report: ImportReport
        let repaired: RepairedSchema
        fileprivate let model: CoreDataModel
        fileprivate let names: CoreDataNames

        /// The mapping of parts of the model to parts of the sketch.
        var map: CoreDataMapSketch { CoreDataMapSketch(model, names: names, sketch: repaired.sketch) }
    }

    /// Makes the sketch of a version.
    ///
    /// - Parameter name: The name of the schema.
    /// - Throws: ``ImportFailure`` if it cannot be read, or has no entity.
    static func sketch(
        _ version: CoreDataBundle.Version, name: String
    ) throws(ImportFailure) -> Result {
        let file = version.path
        let model = try version.model()
        guard !model.entities.isEmpty else { throw ImportFailure(file, line: 1, reason: "The model has no entity.") }
        let path = file.split(separator: "/").suffix(2).joined(separator: "/")
        return try CoreDataImport(model, name: name, file: path).run()
    }

    private func run() throws(ImportFailure) -> Result {
        for entity in model.entities where !entity.isAbstract {
            let identity = CoreDataIdentity(entity, notes: notes).attributes
            identities[entity.name] = identity
            identifying.formUnion(identity.map(ObjectIdentifier.init))
        }
        if isOfSync {
            sketch.wire["names"] = "snake_case"
            notes.decided(
                nil, text: "JSON keys are in snake_case, as in Sync by default",
                help: "To change it: 'wire:' at the top of the file.")
        }
        if isOfGroot {
            notes.decided(nil, text: "Attributes without JSONKeyPath are not in JSON (`wire: none`), as in Groot")
        }
        sketch.enums = model.enumerations.map { $0.sketch(named: names.enumeration($0.name)) }
        for entity in model.entities { add(entity) }
        let links = CoreDataLinks(self)
        links.add(to: &sketch)
        let positions = sketch.positions
        for entity in model.entities { addRenamings(of: entity) }
        for entity in model.entities { finish(entity, positions: positions) }
        reportModel()
        let repaired = try sketch.repair(notes, path: model.path)
        return Result(report: notes.report, repaired: repaired, model: model, names: names)
    }

    // MARK: Entities

    /// Adds an entity. One that has records and children becomes two: an abstract one with the attributes, and one for
    /// its own records.
    private func add(_ entity: CoreDataEntity) {
        let name = names.entity(entity)
        reportName(entity, named: name)
        var attributes = ownAttributes(of: entity).compactMap { attribute($0, of: entity) }
        var own = EntitySketch(name: name, line: entity.node.line)
        let parent = entity.parent.map(names.base)
        guard !entity.children.isEmpty else {
            (own.isAbstract, own.extends) = (entity.isAbstract, parent)
            addIdentity(entity, own: &own, attributes: &attributes)
            own.attributes = attributes
            sketch.entities.append(own)
            return
        }
        var base = EntitySketch(name: names.base(entity), line: entity.node.line)
        (base.isAbstract, base.extends, base.attributes) = (true, parent, attributes)
        if entity.isAbstract {
            sketch.entities.append(base)
            return
        }
        notes.decided(
            entity.node.line,
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
                entity.node.line, text: "\(entity.name) is '\(name)': type names are unique, and in UpperCamelCase")
        }
        guard let written = entity.node["representedClassName"], !written.isEmpty else { return }
        // A class can be written with its module.
        let shown = written.split(separator: ".").last.map(String.init) ?? written
        if shown != entity.name, shown != name {
            notes.decided(
                entity.node.line, text: "\(entity.name): the class is '\(name)', and was '\(shown)'",
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
    private func ownAttributes(of entity: CoreDataEntity) -> [CoreDataProperty] {
        var known = Set(entity.parent?.allAttributes.map(\.name) ?? [])
        let inherited = known
        return entity.attributes.filter { attribute in
            if known.insert(attribute.name).inserted { return true }
            let reason = inherited.contains(attribute.name) ? "its parent has it, too" : "it occurs twice"
            notes.left(attribute.node, text: "\(entity.name).\(attribute.name): \(reason)")
            return false
        }
    }

    private func attribute(_ attribute: CoreDataProperty, of entity: CoreDataEntity) -> MemberSketch? {
        let isIdentity = identifying.contains(ObjectIdentifier(attribute))
        let enumeration = attribute.node["enumeration"].map(names.enumeration)
        let converter = CoreDataAttribute(
            attribute, of: entity, enumeration: enumeration, notes: notes, isIdentity: isIdentity)
        guard var member = converter.member(named: names.member(attribute.name)) else { return nil }
        member.source = attribute.name
        if member.name != attribute.name {
            let isShort =
                attribute.name.utf8.count > UsableName.longest
                && attribute.name.unicodeScalars.starts(with: member.name.unicodeScalars)
            notes.decided(
                attribute.node.line,
                text: "\(entity.name).\(attribute.name) is '\(member.name)': the name is "
                    + (isShort ? "too long" : "reserved, or not a valid name in Swift"),
                help: "In JSON it keeps its name.")
        }
        addKey(attribute, to: &member, isIdentity: isIdentity)
        return member
    }

    /// The key that libraries for JSON have in the user info.
    func addKey(_ property: CoreDataProperty, to member: inout MemberSketch, isIdentity: Bool = false) {
        let info = property.userInfo
        if member.isTransient { return }
        let path = info.value("sync.remoteKey", "hyper.remoteKey", "JSONKeyPath", "mappedKeyName")
        let parts = path == "null" ? [] : path?.split(separator: ".").map(String.init) ?? []
        let isAttribute = property.node.name == "attribute"
        if !parts.isEmpty {
            if property.node.isYes("toMany") {
                member.wire = ReferenceKey(path ?? "")?.isToMany == true ? .ids : .embedded
            }
            member.key = parts
        } else if isOfGroot, isAttribute, !isIdentity {
            member.wire = .unsent
        } else if member.name != property.name, isAttribute {
            member.key = [property.name]
        }
        guard isAttribute, !info.entries.isEmpty else { return }
        member.formerKeys = (1...9).compactMap { info.value("mappedKeyName.\($0)") }
        if !isIdentity, info.isSet("sync.nonExportable", "hyper.nonExportable") { member.isReadOnly = true }
        if member.type.name == "date", let pattern = info.value("dateFormat") { member.wire = .date(pattern) }
    }

    // MARK: Indexes

    private func finish(_ entity: CoreDataEntity, positions: [String: Int]) {
        CoreDataIndexes(entity, notes: notes, names: names, positions: positions).add(to: &sketch)
        reportUserInfo(entity.userInfo, subject: entity.name)
        for property in entity.attributes + entity.relationships {
            reportUserInfo(property.userInfo, subject: "\(entity.name).\(property.name)")
        }
    }

    // MARK: Renames

    /// Adds the renamings of the renaming identifiers, by the names in the schema.
    private func addRenamings(of entity: CoreDataEntity) {
        if let former = entity.node["elementID"], former != entity.name {
            let renaming = ImportRenaming(
                entities: [names.entity(entity)], member: nil, former: UsableName.type(former))
            notes.left(
                entity.node.line, text: "\(entity.name): the renaming identifier '\(former)'", renaming: renaming)
        }
        for property in entity.attributes + entity.relationships where !property.node.isSkipped {
            guard let former = property.node["elementID"], former != property.name else { continue }
            let owners = entity.concrete.map(names.entity) + (entity.children.isEmpty ? [] : [names.base(entity)])
            let renaming = ImportRenaming(
                entities: owners, member: names.member(property.name), former: names.member(former))
            notes.left(
                property.node.line, text: "\(entity.name).\(property.name): the renaming identifier '\(former)'",
                renaming: renaming)
        }
    }

    // MARK: What has no counterpart

    private func reportUserInfo(_ info: CoreDataUserInfo, subject: String) {
        for entry in info.entries where info.unread.contains(entry.key) {
            notes.left(
                entry.line, text: "\(subject): user info \(entry.key) = \(entry.value)", help: Self.help(entry.key))
        }
    }

    private static func help(_ key: String) -> String? {
        switch key {
        case "sync.valueTransformer", "hyper.valueTransformer", "JSONTransformerName":
            "Use a type of your own (`types:`), which converts the value."
        case "attributeValueClassName", "attributeValueScalarType", "RawType":
            "For an enum, declare it in `enums:`, and use it as the attribute's type."
        case "spDisableSync": "To keep it on the device, write `wire: none`, or `remote: none` for an entity."
        case "unwrapOptional": "If it is always there, remove the `?`."
        default: nil
        }
    }

    private func reportModel() {
        if !notes.scalars.isEmpty {
            notes.decided(
                nil,
                text: "Required, because a property of a scalar type is never nil: "
                    + "\(notes.scalars.joined(separator: ", "))",
                help: "If a value can be missing, write `?` after the type, and remove the default.")
        }
        for request in model.root.all("fetchRequest") where !request.isSkipped {
            let name = request["name"] ?? "?"
            let predicate = request["predicateString"].map { ": \($0)" } ?? ""
            notes.left(
                request, text: "Fetch request \(name) of \(request["entity"] ?? "?")\(predicate)",
                help: "Write it in Swift, as a query.")
        }
        for configuration in model.root.all("configuration") {
            let members = configuration.all("memberEntity").compactMap { $0["name"] }
            notes.left(
                configuration,
                text: "Configuration \(configuration["name"] ?? "?") of \(members.joined(separator: ", "))",
                help: "For a separate store, move these entities to a separate schema.")
        }
        CoreDataLeftovers(notes).report(model)
    }
}

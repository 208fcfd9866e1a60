import Foundation
import LockstepJSON
import LockstepSchema

/// Makes a schema of a Core Data model.
final class CoreDataImport {
    let model: CoreDataModel
    let notes: CoreDataNotes
    private(set) var names: CoreDataNames
    private var sketch: SchemaSketch
    /// Whether the model was made for a library that sends and receives snake_case by default.
    private let isOfSync: Bool
    /// Whether the model was made for a library that maps only what has a key path.
    let isOfGroot: Bool
    /// The attributes that identify the records of each entity, by its name.
    private var identities: [String: [CoreDataProperty]] = [:]
    private var identifying: Set<ObjectIdentifier> = []
    private var renamings: [ImportRenaming] = []

    /// - Parameters:
    ///   - name: The name of the schema.
    ///   - file: The name of the file in the report.
    private init(_ model: CoreDataModel, name: String, file: String) {
        self.model = model
        notes = CoreDataNotes(file: file)
        let infos = model.entities.flatMap { entity in
            [entity.userInfo] + (entity.attributes + entity.relationships).map(\.userInfo)
        }
        let keys = Set(infos.flatMap { $0.entries.map(\.key) })
        isOfSync = keys.contains { $0.hasPrefix("sync.") || $0.hasPrefix("hyper.") }
        isOfGroot = keys.contains("JSONKeyPath")
        names = CoreDataNames(model.entities)
        sketch = SchemaSketch(name: name)
    }

    /// Makes the sketch of a version.
    ///
    /// - Throws: ``ImportFailure`` if it cannot be read, or has no entity.
    static func sketch(
        _ version: CoreDataBundle.Version, name: String
    ) throws(ImportFailure) -> (sketch: SchemaSketch, report: ImportReport) {
        let file = version.path
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ImportFailure(file, "It cannot be read. Check its permissions.")
        }
        let model = try CoreDataModel(XMLReader.read(data, path: file), path: file)
        guard !model.entities.isEmpty else { throw ImportFailure(file, line: 1, "The model has no entity.") }
        let place = file.split(separator: "/").suffix(2).joined(separator: "/")
        return CoreDataImport(model, name: name, file: place).run()
    }

    private func run() -> (sketch: SchemaSketch, report: ImportReport) {
        CoreDataHierarchy.resolve(model.entities, notes)
        for entity in model.entities where !entity.isAbstract {
            let identity = CoreDataIdentity(entity, notes).attributes
            identities[entity.name] = identity
            identifying.formUnion(identity.map(ObjectIdentifier.init))
        }
        if isOfSync {
            sketch.wire["names"] = "snake_case"
            notes.decided(
                nil, "JSON keys are in snake_case, as Sync has them by default",
                help: "To change it: 'wire:' at the top of the file.")
        }
        if isOfGroot {
            notes.decided(nil, "Attributes without JSONKeyPath are not in JSON (`wire: none`), as Groot has it")
        }
        for entity in model.entities { add(entity) }
        let links = CoreDataLinks(self)
        links.add(to: &sketch)
        for entity in model.entities { finish(entity) }
        reportModel()
        var counts = ImportReport.Counts()
        counts.entities = sketch.entities.count
        counts.attributes = sketch.entities.reduce(0) { $0 + $1.attributes.count }
        counts.relationships = sketch.entities.reduce(0) { $0 + $1.relationships.count }
        notes.counts = counts
        notes.renamings = renamings
        return (sketch, notes.report)
    }

    // MARK: Entities

    /// Adds an entity. One that has records and children becomes two: an abstract one with the attributes, and one for
    /// its own records.
    private func add(_ entity: CoreDataEntity) {
        let name = names.entity(entity)
        reportName(entity, name)
        var attributes = entity.attributes.compactMap { attribute($0, of: entity) }
        var own = EntitySketch(name: name)
        let parent = entity.parent.map(names.base)
        guard !entity.children.isEmpty else {
            (own.isAbstract, own.extends) = (entity.isAbstract, parent)
            addIdentity(entity, &own, &attributes)
            own.attributes = attributes
            sketch.entities.append(own)
            return
        }
        var base = EntitySketch(name: names.base(entity))
        (base.isAbstract, base.extends, base.attributes) = (true, parent, attributes)
        if entity.isAbstract {
            sketch.entities.append(base)
            return
        }
        notes.decided(
            entity.node.line,
            "\(entity.name) has records and subentities: '\(base.name)' is abstract and has the attributes, "
                + "'\(name)' has the records",
            help: "Only abstract entities can be extended. Children extend '\(base.name)'.")
        own.extends = base.name
        var added: [MemberSketch] = []
        addIdentity(entity, &own, &added)
        own.attributes = added
        sketch.entities += [base, own]
    }

    private func reportName(_ entity: CoreDataEntity, _ name: String) {
        if name != entity.name {
            notes.decided(entity.node.line, "\(entity.name) is '\(name)': a type has such a name")
        }
        guard let written = entity.node["representedClassName"], !written.isEmpty else { return }
        let shown = written.hasPrefix(".") ? String(written.dropFirst()) : written
        if shown != entity.name, shown != name {
            notes.decided(
                entity.node.line, "\(entity.name): the class is '\(name)', and was '\(shown)'",
                help: "To keep the name, rename the entity, and write 'table:' and 'remote:'.")
        }
    }

    private func addIdentity(_ entity: CoreDataEntity, _ own: inout EntitySketch, _ attributes: inout [MemberSketch]) {
        guard !entity.isAbstract else { return }
        let identity = identities[entity.name] ?? []
        if identity.isEmpty {
            let name = names.free("localID", in: entity)
            var key = MemberSketch(name: name, type: "uuid")
            key.set("default", "new")
            key.comment = "chosen by import: the model has no identity"
            attributes.insert(key, at: 0)
            own.identity = [name]
            return
        }
        let chosen = identity.map { names.member($0.name, of: entity) }
        own.identity = chosen == ["id"] ? [] : chosen
    }

    // MARK: Attributes

    private func attribute(_ attribute: CoreDataProperty, of entity: CoreDataEntity) -> MemberSketch? {
        let isIdentity = identifying.contains(ObjectIdentifier(attribute))
        let converter = CoreDataAttribute(attribute, of: entity, notes, isIdentity: isIdentity)
        guard var member = converter.member(named: names.member(attribute.name, of: entity)) else { return nil }
        if member.name != attribute.name {
            notes.decided(
                attribute.node.line,
                "\(entity.name).\(attribute.name) is '\(member.name)': generated code needs the name itself",
                help: "In JSON it keeps its name.")
        }
        addKey(attribute, &member)
        return member
    }

    /// The key that libraries for JSON have in the user info.
    func addKey(_ property: CoreDataProperty, _ member: inout MemberSketch) {
        let info = property.userInfo
        let path = info.value("sync.remoteKey", "hyper.remoteKey", "JSONKeyPath", "mappedKeyName")
        if let path, path != "null", !path.isEmpty {
            let parts = path.split(separator: ".").map { JSONValue.string(String($0)) }
            member.set("key", parts.count == 1 ? parts[0] : .array(parts))
        } else if member.name != property.name, property.node.name == "attribute" {
            member.set("key", .string(property.name))
        } else if isOfGroot, path == nil, !member.options.contains(where: { $0.key == "transient" }) {
            member.set("wire", "none")
        }
        let former = (1...9).compactMap { info.value("mappedKeyName.\($0)") }
        if !former.isEmpty { member.set("formerKeys", .array(former.map(JSONValue.string))) }
        if info.isSet("sync.nonExportable", "hyper.nonExportable"),
            !member.options.contains(where: { $0.key == "wire" })
        {
            member.set("readOnly", true)
        }
        if let pattern = info.value("dateFormat"), member.type.hasPrefix("date") {
            member.set("wire", .string(pattern))
        }
    }

    // MARK: Indexes

    private func finish(_ entity: CoreDataEntity) {
        CoreDataIndexes(entity, notes, names).add(to: &sketch)
        addRenamings(of: entity)
        reportUserInfo(entity.userInfo, entity.name)
        for property in entity.attributes + entity.relationships {
            reportUserInfo(property.userInfo, "\(entity.name).\(property.name)")
        }
    }

    // MARK: Renames

    /// What the renaming identifiers say, by the names in the schema.
    private func addRenamings(of entity: CoreDataEntity) {
        let name = names.entity(entity)
        if let former = entity.node.attributes["elementID"] {
            renamings.append(ImportRenaming(entity: name, member: nil, former: UsableName.type(former)))
        }
        for property in entity.attributes + entity.relationships {
            guard let former = property.node.attributes["elementID"] else { continue }
            for owner in entity.concrete.map(names.entity) + (entity.children.isEmpty ? [] : [names.base(entity)]) {
                renamings.append(
                    ImportRenaming(
                        entity: owner, member: names.member(property.name, of: entity),
                        former: names.member(former, of: entity)))
            }
        }
    }

    // MARK: What has no counterpart

    private func reportUserInfo(_ info: CoreDataUserInfo, _ subject: String) {
        for entry in info.entries where info.unread.contains(entry.key) {
            notes.left(entry.line, "\(subject): user info \(entry.key) = \(entry.value)", help: Self.help(entry.key))
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
        for request in model.root.all("fetchRequest") where !request.isSkipped {
            let name = request["name"] ?? "?"
            let predicate = request["predicateString"].map { ": \($0)" } ?? ""
            notes.left(
                request, "Fetch request \(name) of \(request["entity"] ?? "?")\(predicate)",
                help: "Write it in Swift, as a query.")
        }
        for configuration in model.root.all("configuration") {
            let members = configuration.all("memberEntity").compactMap { $0["name"] }
            notes.left(
                configuration,
                "Configuration \(configuration["name"] ?? "?") of \(members.joined(separator: ", "))",
                help: "For a store of its own, move these entities to a schema of their own.")
        }
        CoreDataLeftovers(notes).report(model)
    }
}

import LockstepJSON
import LockstepSchema

/// Creates a schema from a description.
final class OpenAPIImport {
    private let context: OpenAPIContext
    private let notes: ImportNotes
    private var sketch: SchemaSketch

    init(_ document: OpenAPIDocument, notes: ImportNotes, name: String) {
        self.notes = notes
        context = OpenAPIContext(document, notes: notes, schema: name)
        sketch = SchemaSketch(name: name)
        sketch.isFromServer = true
    }

    /// - Throws: ``ImportFailure`` if no schema is an entity, or there is too much in it.
    func run() throws(ImportFailure) -> SchemaSketch {
        if let version = context.document.newerVersion {
            notes.decided(
                version.line, text: "OpenAPI \(version.text) is read as 3.1, the newest version that is known",
                help: "What is new in it is in 'Not imported', or has no meaning for a schema.")
        }
        for (reason, files) in context.document.files.unread {
            let others = files.dropFirst().map { "\($0.name) (\(notes.location($0.line)))" }
            notes.left(
                files[0].line,
                text: "What is in other files, \(reason.rawValue): "
                    + ([files[0].name] + others).joined(separator: ", "),
                help: "\(reason.remedy), or \(OpenAPIFiles.help)")
        }
        if context.isSnakeCase {
            sketch.wire["names"] = "snake_case"
            notes.decided(
                nil, text: "JSON keys are in snake_case (`wire: { names: snake_case }`), and members in camelCase",
                help: "To change it: 'wire:' at the top of the file.")
        }
        for (name, node) in context.document.schemas { add(node, named: name) }
        while let (name, node) = context.nextEmbedded() { addEmbedded(node, named: name) }
        guard sketch.entities.contains(where: { !$0.isAbstract }) else {
            throw ImportFailure(
                context.document.files.path,
                reason: "It describes no entity: no object has an identity, such as 'id'."
                    + context.document.files.failureHelp)
        }
        guard !context.properties.isExhausted else {
            throw ImportFailure(
                context.document.files.path,
                reason: "Its schemas have more than \(OpenAPIProperties.totalLimit) properties. Import a part of it.")
        }
        OpenAPILinks(context, sketch: &sketch).add(to: &sketch)
        sketch.enums = context.enums
        sketch.nameEnumDefaults()
        if !context.enums.isEmpty { notes.explainOpenEnums() }
        if !context.readOnly.isEmpty {
            notes.decided(
                nil,
                text: "Optional, because a new record has no value until the server sets it: "
                    + context.readOnly.joined(separator: ", "))
        }
        let replaced = context.paths.replaced.compactMap { context.typeNames[$0] }
        if !replaced.isEmpty {
            notes.decided(
                nil, text: "Changed with PUT, which sends the whole record: \(replaced.joined(separator: ", "))",
                help: "Set `conventions.writes.updates = .wholeRecord` of the remote.")
        }
        noteListKeys()
        context.document.loseReferences()
        for (line, text) in context.document.problems { notes.left(line, text: text) }
        if !context.unlinked.isEmpty {
            notes.decided(
                nil,
                text: "Attributes, because they are named after no entity: "
                    + context.unlinked.joined(separator: ", "),
                help: "If one is the identity of another record, write a relationship.")
        }
        for node in context.properties.loops {
            notes.left(node.line, text: "An `allOf` that refers to itself, or is nested too deep")
        }
        sketch.breakRequiredCycles(notes)
        for (name, node) in context.document.schemas { reportUnused(node, named: name) }
        OpenAPIShapes(context).report()
        OpenAPILeftovers(context).report()
        return sketch
    }

    private func add(_ node: OpenAPINode, named name: String) {
        switch context.roles.role(of: name) {
        case .entity: addEntity(node, named: name)
        case .base: addBase(node, named: name)
        case .helper(let reason):
            notes.left(node.line, text: "\(name) is not an entity: \(reason)")
            node.report()
        case .value:
            if let remote = context.paths.remotes[name] {
                notes.left(
                    remote.line,
                    text: "\(remote.path), because \(name) has no identity: its records are parts of others",
                    help: "If a property identifies them, name it 'id' in the description.")
            }
        case .enumeration, .inline: break
        }
    }

    /// Reports a schema that is no part of an entity, and that nothing else has reported.
    private func reportUnused(_ node: OpenAPINode, named name: String) {
        guard node.isObject else { return }
        let isUsed = context.used.contains(name)
        switch context.roles.role(of: name) {
        case .value: if isUsed { return }
        // The values of a parameter are in no record.
        case .enumeration: if isUsed || context.roles.isUsedOutside(name) { return }
        case .inline:
            let value = OpenAPIValue(node, in: context.document)
            if let problem = value.problem {
                return notes.left(node.line, text: "\(name) is not in the schema: \(problem)")
            }
            if isUsed { return }
            if value.isChoice, context.roles.isUsed(name) {
                node.report()
                return notes.left(node.line, text: "\(name) is not in the schema: it is one of several schemas")
            }
            // Paths have lists and other names of entities.
            if context.roles.isUsedOutside(name), !value.isObject || value.name != name { return }
        default: return
        }
        let reason =
            context.roles.isUsed(name)
            ? "what refers to it is json, or is not in the schema either" : "nothing refers to it"
        notes.left(node.line, text: "\(name) is not in the schema: \(reason)")
        node.report()
    }

    // MARK: Entities

    private func addBase(_ node: OpenAPINode, named name: String) {
        var entity = EntitySketch(name: context.typeNames[name] ?? name, line: node.line)
        entity.isAbstract = true
        let base = context.roles.base(of: node)
        entity.extends = base.flatMap { context.typeNames[$0.name] }
        notes.decided(node.line, text: "\(entity.name) is abstract: others include it, and nothing refers to it")
        addDocumentation(node, to: &entity)
        let members = OpenAPIMembers(context, owner: entity.name, hasIdentity: true)
        for property in properties(of: node, base: base) where !context.bases.isMoved(property.key, from: name) {
            if context.bases.isIdentity(property.key, of: name) {
                let member = members.free(context.memberName(property.key))
                members.addIdentity(property, named: member, isOptional: false)
            } else {
                members.add(property)
            }
        }
        (entity.attributes, entity.relationships) = (members.attributes, members.relationships)
        reportExtension(node, of: entity)
        sketch.entities.append(entity)
    }

    private func addEntity(_ node: OpenAPINode, named name: String) {
        var entity = EntitySketch(name: context.typeNames[name] ?? name, line: node.line)
        reportName(node, named: name, as: entity.name)
        context.reportMissing(of: node, subject: entity.name)
        let base = context.roles.base(of: node)
        entity.extends = base.flatMap { context.typeNames[$0.name] }
        let remote = context.paths.remotes[name]
        let identity = context.identity.property(of: node, named: name, requestedAt: context.paths)
        addDocumentation(node, to: &entity)
        let members = OpenAPIMembers(context, owner: entity.name, hasIdentity: true)
        let builder = OpenAPIIdentityMembers(context, entity: entity.name, node: node)
        let isInherited = identity.map { self.isInherited($0.key, from: base) } ?? false
        builder.add(identity, remote: remote, isInherited: isInherited, to: &entity, members: members)
        for property in properties(of: node, base: base) where property.key != identity?.key { members.add(property) }
        (entity.attributes, entity.relationships) = (members.attributes, members.relationships)
        if identity != nil { addRemote(remote, named: name, node: node, to: &entity) }
        reportExtension(node, of: entity)
        sketch.entities.append(entity)
    }

    private func addEmbedded(_ node: OpenAPINode, named name: String) {
        var entity = EntitySketch(name: name, line: node.line)
        let identity = context.identity.property(of: node, named: name)
        context.reportMissing(of: node, subject: name)
        addDocumentation(node, to: &entity)
        let members = OpenAPIMembers(context, owner: name, hasIdentity: identity != nil)
        if identity == nil {
            entity.identity = .absent
        } else {
            OpenAPIIdentityMembers(context, entity: name, node: node).add(
                identity, remote: nil, isInherited: false, to: &entity, members: members)
        }
        for property in context.properties.all(of: node) where property.key != identity?.key { members.add(property) }
        (entity.attributes, entity.relationships) = (members.attributes, members.relationships)
        sketch.entities.append(entity)
    }

    private func isInherited(_ key: String, from base: (name: String, node: OpenAPINode)?) -> Bool {
        guard let base, !context.bases.isMoved(key, from: base.name) else { return false }
        return context.properties.all(of: base.node).contains { $0.key == key }
    }

    /// The properties of an entity without those of the one that it extends.
    private func properties(of node: OpenAPINode, base: (name: String, node: OpenAPINode)?) -> [OpenAPIProperty] {
        let all = context.properties.all(of: node)
        guard let base else { return all }
        let inherited = Dictionary(context.properties.all(of: base.node).map { ($0.key, $0.node) }) { first, _ in first
        }
        let moved = all.filter { context.bases.isMoved($0.key, from: base.name) }
        let own = context.properties.all(of: node, except: [base.node]).filter { property in
            if context.bases.isMoved(property.key, from: base.name) { return false }
            guard let other = inherited[property.key] else { return true }
            // Both consist of a third schema that has it.
            if other === property.node { return false }
            notes.left(property.node.line, text: "\(property.key): the schema that it includes has it, too")
            property.node.report()
            return false
        }
        return moved + own
    }

    private func reportName(_ node: OpenAPINode, named name: String, as type: String) {
        if name != type {
            notes.decided(node.line, text: "\(name) is '\(type)': type names are unique, and in UpperCamelCase")
        }
    }

    private func reportExtension(_ node: OpenAPINode, of entity: EntitySketch) {
        let base = context.roles.base(of: node)?.name
        let others = context.properties.parts(of: node).filter { $0 !== node }
        let parts = others.compactMap(\.name).filter { $0 != base }
        if parts.isEmpty { return }
        notes.decided(
            node.line, text: "\(entity.name) has the properties of \(parts.joined(separator: ", "))",
            help: base == nil ? "Only an abstract entity can be extended." : "Only one entity can be extended.")
    }

    private func addDocumentation(_ node: OpenAPINode, to entity: inout EntitySketch) {
        let parts = [node] + (node["allOf"]?.elements ?? []).filter { $0.peek("$ref") == nil }
        for part in parts {
            _ = part["type"]
            if let text = part["description"]?.text.flatMap(OpenAPIContext.documentation) {
                entity.documentation = text
                return
            }
        }
    }

    // MARK: Remote

    /// Reports the keys under which responses have lists, where a remote does not find them by itself.
    private func noteListKeys() {
        var entities: [String: [String]] = [:]
        for (name, _) in context.document.schemas {
            guard let key = context.paths.remotes[name]?.listKey, let entity = context.typeNames[name] else { continue }
            entities[key, default: []].append(entity)
        }
        for (key, names) in entities.sorted(by: { $0.key < $1.key }) {
            notes.decided(
                nil, text: "'\(key)' has the records of \(names.joined(separator: ", "))",
                help: EnvelopeNames.helpForList(key))
        }
    }

    /// Reports what a pull of the list does not have.
    private func noteList(_ remote: OpenAPIPaths.Remote, of entity: String) {
        if let record = remote.record.map({ context.typeNames[$0] ?? $0 }) {
            notes.decided(
                remote.line,
                text: "\(entity) is what '\(remote.path)' lists of each \(record): both are pulled from it, and only "
                    + "\(record) is written",
                help: "If the list has all that a \(record) requires, remove \(entity). If not, pull \(entity), and "
                    + "each \(record) by its identity.")
        }
        if remote.isSearch {
            notes.decided(
                remote.line, text: "\(entity): only a search lists its records, so a pull gets what it finds",
                help: "Set its parameters: `pull(…, query: …)`.")
        }
        if !remote.parameters.isEmpty {
            notes.decided(
                remote.line,
                text: "\(entity): the request that lists its records requires the parameter "
                    + remote.parameters.map { "'\($0)'" }.joined(separator: " and "),
                help: "Set it in each pull: `pull(…, query: …)`.")
        }
    }

    private func addRemote(
        _ remote: OpenAPIPaths.Remote?, named name: String, node: OpenAPINode, to entity: inout EntitySketch
    ) {
        guard context.paths.hasPaths else { return }
        guard let remote else {
            notes.decided(
                node.line, text: "\(entity.name) has no path of its own: its records are only read (`write: []`)",
                help: "If they have a path, write it in 'remote:'. If they stay on the device: `remote: none`.")
            entity.remote = .options(writes: [])
            return
        }
        if !remote.isListed {
            notes.decided(
                remote.line,
                text: "\(entity.name): no request lists its records, so they are pulled from the path of one without "
                    + "its identity",
                help: "If the server has no such path, pull none of them, and request each record yourself.")
        }
        noteList(remote, of: entity.name)
        let path = remote.path == UsableName.collectionPath(entity.name) ? nil : remote.path
        let all = ["create", "update", "delete"]
        let writes = all.filter(remote.writes.contains)
        let wrap = remote.wrap.map { $0 == UsableName.snakeCase(entity.name) ? true : JSONValue.string($0) }
        if path == nil, writes == all, wrap == nil { return }
        entity.remote = .options(path: path, writes: writes == all ? nil : writes, wrap: wrap)
    }
}

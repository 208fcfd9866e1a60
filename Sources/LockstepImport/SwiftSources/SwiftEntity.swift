import LockstepEvolution

/// Makes an entity of Core Data of a class of SwiftData or Realm.
struct SwiftEntity {
    private let model: SwiftDeclaration
    private let program: SwiftProgram
    private let entities: Set<String>
    private let notes: ImportNotes
    private let isRealm: Bool
    private let codingKeys: SwiftDeclaration?
    /// The computed properties that read the raw values of stored ones, by the names of these.
    private let rawReaders: [String: SwiftProperty]
    /// The properties that Realm does not store, by the names in `ignoredProperties()`.
    private let ignored: Set<String>
    private(set) var links: [SwiftLinks.Link] = []
    /// The paths of the enums that its attributes have.
    private(set) var enumerations: [[String]] = []
    /// What the generated classes do not have: computed properties and functions.
    private(set) var code: [String] = []
    /// Functions that Realm calls, and that have no meaning without it.
    private(set) var realmCode: [String] = []
    /// Whether it is of SwiftSync, whose JSON has the names of Sync.
    private(set) var isOfSync: Bool
    private let found: CoreDataEntity

    /// - Parameter entities: The names of all models.
    init(_ model: SwiftDeclaration, in program: SwiftProgram, entities: Set<String>, notes: ImportNotes) {
        (self.model, self.program, self.entities, self.notes) = (model, program, entities, notes)
        isRealm = program.isRealm(model)
        isOfSync = model.has("Syncable")
        found = CoreDataEntity(name: model.name, line: model.line)
        codingKeys = program.declaration(at: model.path + ["CodingKeys"]).flatMap {
            $0.inherited.contains("CodingKey") ? $0 : nil
        }
        let stored = Set(model.properties.filter { $0.code == nil }.map(\.name))
        let readers = model.properties.compactMap { reader in reader.rawName.map { ($0, reader) } }
        rawReaders = Dictionary(readers.filter { stored.contains($0.0) }) { first, _ in first }
        let ignoring = isRealm ? model.functions.first { $0.name == "ignoredProperties" } : nil
        ignored = Set(ignoring.map { Self.names(in: $0.result).names } ?? [])
    }

    /// The entity, without its relationships.
    mutating func entity() -> CoreDataEntity {
        for attribute in model.attributes where !Self.classAttributes.contains(attribute.name) {
            notes.left(attribute.line, text: "\(model.name): the attribute @\(attribute.name)")
        }
        for property in model.properties where !property.isStatic { add(property) }
        for (name, result) in model.functions where !read(name, returning: result) { code.append("\(name)()") }
        found.parentName = model.inherited.first.flatMap { entities.contains($0) ? $0 : nil }
        readMacros()
        code = code.map { "\(model.name).\($0)" }
        return found
    }

    /// The attributes of a class that are read, or that say nothing of what is stored.
    private static let classAttributes: Set = [
        "Model", "Syncable", "available", "objc", "objcMembers", "MainActor", "preconcurrency",
    ]

    // MARK: Properties

    private mutating func add(_ property: SwiftProperty) {
        let subject = "\(model.name).\(property.name)"
        guard property.code == nil else {
            let raw = property.rawName.flatMap { rawReaders[$0] }
            if raw == nil { code.append(property.name) }
            return
        }
        guard isStored(property) else {
            return notes.left(
                property.line, text: "\(subject), which is not @Persisted",
                help: "If Realm stores it, declare it with `@Persisted` and its type.")
        }
        guard let written = property.type ?? property.value.flatMap(SwiftScalars.type) else {
            return notes.left(
                property.line, text: "\(subject), whose type is not written",
                help: "Write the type: `var \(property.name): …`.")
        }
        reportWrappers(property, subject: subject)
        let (type, isOptional) = program.resolved(written, inside: model.path).unwrapped()
        if let destination = destination(of: type, isMarked: property["Relationship"] != nil) {
            return addLink(property, to: destination, type: type, isOptional: isOptional)
        }
        addAttribute(property, type: type, isOptional: isOptional)
    }

    /// Reads what older models of Realm say in functions.
    private mutating func read(_ function: String, returning result: SwiftValue?) -> Bool {
        guard isRealm else { return false }
        let (names, areAll) = Self.names(in: result)
        switch function {
        case "primaryKey": for name in names { addKey(name, line: model.line) }
        case "indexedProperties": found.indexes += names.map { CoreDataIndex(line: model.line, members: [$0]) }
        case "ignoredProperties": break
        case "propertiesMapping", "shouldIncludeInDefaultSchema", "_realmObjectName":
            realmCode.append("\(model.name).\(function)()")
            return true
        default: return false
        }
        if !areAll {
            notes.left(
                model.line, text: "\(model.name).\(function)(): what its code returns",
                help: "Return the names as texts, such as `\"id\"`, and import again.")
        }
        return true
    }

    private static func names(in result: SwiftValue?) -> (names: [String], areAll: Bool) {
        let values = if case .list(let elements)? = result { elements.map(Optional.some) } else { [result] }
        let names = values.compactMap { value in if case .text(let name)? = value { name } else { nil } }
        return (names, names.count == values.count)
    }

    private func isStored(_ property: SwiftProperty) -> Bool {
        if !isRealm || property["Persisted"] != nil || property["dynamic"] != nil { return true }
        if isTransient(property) { return true }
        // Older models have `let dogs = List<Dog>()`.
        guard case .named(let name, _, _)? = property.type ?? property.value.flatMap(SwiftScalars.type) else {
            return false
        }
        return Self.containers.contains(name)
    }

    /// The types of Realm whose values are stored by themselves.
    private static let containers: Set = [
        "List", "MutableSet", "Map", "LinkingObjects", "RealmOptional", "RealmProperty",
    ]

    private func isTransient(_ property: SwiftProperty) -> Bool {
        property["Transient"] != nil || ignored.contains(property.name)
            || property["Attribute"]?.unlabelled.contains { $0.caseName == "ephemeral" } ?? false
    }

    private func reportWrappers(_ property: SwiftProperty, subject: String) {
        for attribute in property.attributes where !Self.plainAttributes.contains(attribute.name) {
            guard let known = Self.labels[attribute.name] else {
                notes.left(
                    attribute.line,
                    text: attribute.name == "lazy"
                        ? "\(subject): the modifier 'lazy'" : "\(subject): the attribute @\(attribute.name)")
                continue
            }
            for argument in attribute.arguments {
                guard let label = argument.label, !known.contains(label) else { continue }
                notes.left(attribute.line, text: "\(subject): \(label) \(argument.value.shown)")
            }
        }
    }

    /// The arguments that are read of attributes.
    private static let labels: [String: Set<String>] = [
        "Attribute": ["originalName"],
        "Relationship": ["deleteRule", "minimumModelCount", "maximumModelCount", "originalName", "inverse"],
        "Persisted": ["primaryKey", "indexed", "originProperty"], "PrimaryKey": ["remote"], "Transient": [],
        "RemoteKey": [], "RemotePath": [], "NotExport": [],
    ]
    /// The attributes that say nothing of what is stored.
    private static let plainAttributes: Set = ["dynamic", "objc", "available", "ObservationIgnored", "MainActor"]

    /// The key in JSON: that of SwiftSync's macros, or of `CodingKeys`.
    ///
    /// - Parameter isSent: Whether JSON has the property.
    private mutating func key(of property: SwiftProperty, subject: String, isSent: Bool) -> [String] {
        let key =
            property["PrimaryKey"]?["remote"] ?? (property["RemoteKey"] ?? property["RemotePath"])?.unlabelled.first
        var path: String?
        if let keys = codingKeys {
            let own = keys.cases.first { $0.name == property.name }
            if case .text(let text)? = own?.value, text != own?.name { path = text }
            if own == nil, isSent {
                notes.decided(
                    property.line, text: "\(subject) is in JSON, but not in CodingKeys",
                    help: "If the server does not have it, write `wire: none`.")
            }
        }
        if case .text(let text)? = key { (path, isOfSync) = (text, true) }
        return path?.split(separator: ".").map(String.init) ?? []
    }

    /// Whether SwiftSync identifies the records by a property.
    private func isSyncKey(_ property: SwiftProperty) -> Bool {
        if property["PrimaryKey"] != nil { return true }
        guard model.has("Syncable"), !model.properties.contains(where: { $0["PrimaryKey"] != nil }) else {
            return false
        }
        let usual = ["id", "remoteID"].first { name in model.properties.contains { $0.name == name } }
        return property.name == usual
    }

    // MARK: Relationships

    private func destination(of type: SwiftType, isMarked: Bool) -> String? {
        switch type {
        case .named("LinkingObjects", let parameters, _) where parameters.count == 1:
            if case .named(let name, _, _) = parameters[0] { name } else { nil }
        case .named(let name, _, []), .array(.named(let name, _, [])):
            entities.contains(name) ? name : model(at: [name]) ?? (isMarked ? name : nil)
        case .named(let name, _, let path), .array(.named(let name, _, let path)):
            model(at: path + [name]) ?? (isMarked ? (path + [name]).joined(separator: ".") : nil)
        default: nil
        }
    }

    /// The name of the model that a path means here.
    private func model(at path: [String]) -> String? {
        program.declaration(at: path, inside: model.path).flatMap { entities.contains($0.name) ? $0.name : nil }
    }

    private mutating func addLink(_ property: SwiftProperty, to destination: String, type: SwiftType, isOptional: Bool)
    {
        let subject = "\(model.name).\(property.name)"
        let macro = property["Relationship"]
        var isToMany = true
        if case .named(let name, _, _) = type { isToMany = name == "LinkingObjects" && !isEmbedded(model.name) }
        var link = CoreDataRelationship(owner: model.name, name: property.name, line: property.line)
        (link.destination, link.isToMany) = (destination, isToMany)
        link.isOptional = isOptional || isRealm
        if isToMany, case .named("List", _, _)? = property.type ?? property.value.flatMap(SwiftScalars.type) {
            link.isOrdered = true
        }
        link.isTransient = isTransient(property)
        if !link.isTransient {
            link.onDelete = deleteRule(macro?["deleteRule"], to: destination, subject: subject, line: property.line)
        }
        let attribute = property["Attribute"]
        if case .text(let name)? = macro?["originalName"] ?? attribute?["originalName"] { link.formerName = name }
        for (option, usual) in [("minimumModelCount", ["0"]), ("maximumModelCount", isToMany ? ["0"] : ["0", "1"])] {
            guard case .number(let count)? = macro?[option], !usual.contains(count) else { continue }
            notes.left(
                property.line, text: "\(subject): \(option) \(count)", help: "Check it in Swift, in `validate()`.")
        }
        for option in (macro?.unlabelled ?? []) + (attribute?.unlabelled ?? []) {
            notes.left(property.line, text: "\(subject): the option \(option.shown)")
        }
        if property["NotExport"] != nil { notes.left(property.line, text: "\(subject): the attribute @NotExport") }
        if case .keyPath(let names)? = macro?["inverse"] { link.inverse = names.last }
        if case .text(let name)? = property["Persisted"]?["originProperty"] ?? property.value?["property"] {
            link.inverse = name
        }
        link.key = key(of: property, subject: subject, isSent: !isToMany && !link.isTransient)
        links.append(SwiftLinks.Link(relationship: link, isRealm: isRealm, isOwner: isEmbedded(destination)))
    }

    /// Whether a class is one of Realm whose objects have one owner each.
    private func isEmbedded(_ name: String) -> Bool {
        isRealm && program.declaration(at: [name], inside: model.path)?.inherited.contains("EmbeddedObject") ?? false
    }

    private func deleteRule(_ rule: SwiftValue?, to destination: String, subject: String, line: Int) -> DeleteRule? {
        if isEmbedded(destination) {
            notes.decided(
                line, text: "\(subject), an embedded object, is deleted with its owner",
                help: "If the server has it inside of its owner, write `wire: embedded`.")
            return .cascade
        }
        switch rule?.caseName {
        case nil, "nullify": return nil
        case "cascade": return .cascade
        case "deny": return .deny
        case "noAction": return DeleteRule.none
        case let other?:
            notes.left(line, text: "\(subject): the delete rule '\(other)'")
            return nil
        }
    }

    // MARK: Attributes

    private mutating func addAttribute(_ property: SwiftProperty, type: SwiftType, isOptional: Bool) {
        let subject = "\(model.name).\(property.name)"
        let macro = property["Attribute"]
        let isEncoded = macro?.unlabelled.contains { ["codable", "transformable"].contains($0.caseName) } ?? false
        let cases = isEncoded ? nil : rawType(of: property) ?? enumeration(in: type)
        if let cases {
            enumerations.append(cases.declaration.path)
            reportEnumeration(cases.declaration, of: property, type: type, subject: subject)
        }
        var form = SwiftAttributeForm(
            type, enumeration: cases.map { ($0.enumeration, path: $0.declaration.path) },
            parts: program.parts(of: type, inside: model.path))
        var attribute = CoreDataAttribute(owner: model.name, name: property.name, line: property.line)
        (attribute.isOptional, attribute.isTransient) = (isOptional, isTransient(property))
        for option in macro?.unlabelled ?? [] { read(option, of: property, form: &form, into: &attribute) }
        attribute.type = form.stored
        if case .text(let name)? = macro?["originalName"] { attribute.formerName = name }
        if property["Persisted"]?["primaryKey"] == .bool(true) || isSyncKey(property) {
            addKey(property.name, line: property.line)
        }
        attribute.isIndexed = property["Persisted"]?["indexed"] == .bool(true)
        let value = property.value ?? model.parameters[property.name] ?? emptyCollection(type, of: property)
        if let value, !(isOptional && value.isNil), !value.isRealmValue {
            attribute.defaultValue = form.value(value)
            if attribute.defaultValue == nil {
                notes.left(
                    property.line, text: "\(subject): the default \(value.shown)",
                    help: "Set it in Swift, when you create records.")
            }
        }
        attribute.key = key(of: property, subject: subject, isSent: !attribute.isTransient)
        attribute.isReadOnly = property["NotExport"] != nil
        isOfSync = isOfSync || attribute.isReadOnly
        found.attributes.append(attribute)
    }

    /// What a collection of Realm begins with: none is ever `nil`.
    private func emptyCollection(_ type: SwiftType, of property: SwiftProperty) -> SwiftValue? {
        guard isRealm, !isTransient(property) else { return nil }
        return switch type {
        case .array, .dictionary: .emptyCollection(type)
        default: nil
        }
    }

    private func read(
        _ option: SwiftValue, of property: SwiftProperty, form: inout SwiftAttributeForm,
        into attribute: inout CoreDataAttribute
    ) {
        switch option.caseName {
        case "unique": found.constraints.append(CoreDataIndex(line: property.line, members: [property.name]))
        case "externalStorage": attribute.isExternal = true
        case "ephemeral": break
        case "codable": form.encode()
        case "transformable":
            var transformer: SwiftValue?
            if case .call(_, let arguments) = option { transformer = arguments.first?.value }
            form.transform(
                by: transformer.map { $0.typeNames?.last ?? $0.shown.filter { $0 != "\"" } } ?? "")
        default: notes.left(property.line, text: "\(attribute.subject): the option \(option.shown)")
        }
    }

    /// Adds a key, which identifies the records before other constraints do.
    private func addKey(_ name: String, line: Int) {
        found.constraints.insert(CoreDataIndex(line: line, members: [name]), at: 0)
    }

    // MARK: Enums

    private typealias FoundEnum = (declaration: SwiftDeclaration, enumeration: SwiftEnum)

    /// The enum that a type is, or a list of.
    private func enumeration(in type: SwiftType) -> FoundEnum? {
        switch type {
        case .named(let name, _, let path), .array(.named(let name, _, let path)):
            // The raw values of an enum are stored as the enum is.
            for names in [path + [name]] + (name == "RawValue" ? [path] : []) {
                let found =
                    program.declaration(at: names, inside: model.path)
                    ?? program.declaration(at: names, inheritedBy: model)
                if let found, let enumeration = SwiftEnum(found) { return (found, enumeration) }
            }
            return nil
        default: return nil
        }
    }

    /// The enum whose raw values a property has, because a computed property reads it so.
    private func rawType(of property: SwiftProperty) -> FoundEnum? {
        rawReaders[property.name]?.type.flatMap { enumeration(in: $0.unwrapped().type) }
    }

    private func reportEnumeration(
        _ declaration: SwiftDeclaration, of property: SwiftProperty, type: SwiftType, subject: String
    ) {
        if let reader = rawReaders[property.name], rawType(of: property) != nil {
            notes.decided(
                property.line, text: "\(subject) has the type \(declaration.name), as '\(reader.name)' reads it",
                help: "To give it that name, rename it, and write `key: \(property.name)`.")
        } else if ["RawValue", "[RawValue]"].contains(type.description), declaration.name != "RawValue" {
            notes.decided(property.line, text: "\(subject) has the type \(declaration.name), whose raw values it has")
        } else if !(SwiftEnum(declaration)?.isRaw ?? false) {
            notes.decided(
                property.line, text: "\(subject): the names of the cases of \(declaration.name) are its raw values",
                help: "If the server has others, write them in 'enums:'.")
        }
    }

    // MARK: Constraints and indexes

    /// Adds the constraints of `#Unique` and the indexes of `#Index`.
    private mutating func readMacros() {
        for macro in model.macros {
            guard ["Unique", "Index"].contains(macro.name) else {
                notes.left(macro.line, text: "\(model.name): #\(macro.name)")
                continue
            }
            for value in macro.unlabelled {
                guard let members = value.members else {
                    notes.left(macro.line, text: "\(model.name): \(value.shown) in #\(macro.name)")
                    continue
                }
                let index = CoreDataIndex(line: macro.line, members: members)
                if macro.name == "Unique" { found.constraints.append(index) } else { found.indexes.append(index) }
            }
        }
    }
}

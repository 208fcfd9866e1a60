import LockstepEvolution
import LockstepJSON

/// Reads a model of its file. Everything is read, or reported at its line.
struct CoreDataReader {
    private let path: String
    private let notes: ImportNotes
    private var model: CoreDataModel
    /// The attributes without meaning that were found, by their elements.
    private var ignored: [String: Set<String>] = [:]
    /// What composites consist of, by their names: `street String, city String?`.
    private var composites: [String: (words: String, parts: [(name: String, type: CoreDataScalar)])] = [:]

    /// - Throws: ``ImportFailure`` if it is not a model, or has two entities of one name.
    static func model(_ root: consuming XMLNode, path: String) throws(ImportFailure) -> CoreDataModel {
        var reader = CoreDataReader(path)
        return try reader.read(&root)
    }

    private init(_ path: String) {
        self.path = path
        notes = ImportNotes(file: path.split(separator: "/").suffix(2).joined(separator: "/"))
        model = CoreDataModel(path: path, location: notes.location)
    }

    private mutating func read(_ root: inout XMLNode) throws(ImportFailure) -> CoreDataModel {
        guard root.name == "model" else {
            throw ImportFailure(
                path, line: root.line, reason: "It begins with <\(root.name)>; a Core Data model begins with <model>.")
        }
        finishAttributes(of: root, owner: "the model")
        for composite in root.takeAll("composite") { read(composite) }
        var lines: [String: Int] = [:]
        for index in root.children.indices {
            if root.children[index].name == "entity" {
                let entity = try entity(&root.children[index])
                if let first = lines.updateValue(entity.line, forKey: entity.name) {
                    throw ImportFailure(
                        path, line: entity.line,
                        reason: "There are two entities '\(entity.name)', the first in line \(first). Rename one.")
                }
                model.entities.append(entity)
            } else {
                report(root.children[index])
            }
        }
        if !ignored.isEmpty {
            let names = ignored.flatMap { element, attributes in
                attributes.map { $0.isEmpty ? element : "\(element) \($0)" }
            }
            notes.ignored("Layout, versions and code generation of Xcode: \(names.sorted().joined(separator: ", "))")
        }
        model.findings = notes.report.notes
        return model
    }

    /// Reports a part of the model that is no entity.
    private mutating func report(_ node: XMLNode) {
        switch node.name {
        case "fetchRequest":
            let predicate = node["predicateString"].map { ": \($0)" } ?? ""
            notes.left(
                node.line, text: "Fetch request \(node["name"] ?? "?") of \(node["entity"] ?? "?")\(predicate)",
                help: "Write it in Swift, as a query.")
        case "configuration":
            let members = node.children.compactMap { $0["name"] }
            notes.left(
                node.line, text: "Configuration \(node["name"] ?? "?") of \(members.joined(separator: ", "))",
                help: "For a separate store, move these entities to a separate schema.")
        case "elements": ignored["elements", default: []].insert("")
        default: reportUnknown(node, owner: "the model")
        }
    }

    private mutating func read(_ composite: XMLNode) {
        var composite = composite
        let name = composite.take("name") ?? ""
        var scalars: [(name: String, type: CoreDataScalar)] = []
        let parts = composite.takeAll("attribute").map { part in
            var part = part
            let subject = "\(name).\(part["name"] ?? "")"
            if let name = part["name"], let type = part["attributeType"].flatMap(CoreDataScalar.init) {
                scalars.append((name, type))
            }
            let words = [part.take("name"), part.take("attributeType"), part.take("customClassName")]
            let isOptional = part.takeFlag("optional")
            finish(takeUserInfo(from: &part, owner: subject), owner: subject)
            finish(part, owner: subject)
            return words.compactMap(\.self).joined(separator: " ") + (isOptional ? "?" : "")
        }
        finish(takeUserInfo(from: &composite, owner: name), owner: name)
        finish(composite, owner: name)
        composites[name] = (parts.joined(separator: ", "), scalars.count == parts.count ? scalars : [])
    }

    // MARK: Entities

    private mutating func entity(_ node: inout XMLNode) throws(ImportFailure) -> CoreDataEntity {
        guard let name = node.take("name"), !name.isEmpty else {
            throw ImportFailure(
                path, line: node.line, reason: "An entity has no name. Open the model in Xcode, and save it.")
        }
        try ImportFailure.checkLength(of: name, path, line: node.line)
        let entity = CoreDataEntity(name: name, line: node.line)
        entity.isAbstract = node.takeFlag("isAbstract")
        entity.parentName = node.take("parentEntity")
        entity.className = node.take("representedClassName")
        entity.formerName = node.take("elementID")
        finishAttributes(of: node, owner: name)
        for index in node.children.indices { try read(&node.children[index], of: entity) }
        return entity
    }

    private mutating func read(_ node: inout XMLNode, of entity: CoreDataEntity) throws(ImportFailure) {
        let name = entity.name
        switch node.name {
        case "attribute": if let read = try attribute(&node, of: name) { entity.attributes.append(read) }
        case "relationship": if let read = try relationship(&node, of: name) { entity.relationships.append(read) }
        case "uniquenessConstraints":
            entity.constraints += indexes(&node, each: "uniquenessConstraint", member: "constraint", owner: name)
        case "compoundIndexes":
            entity.indexes += indexes(&node, each: "compoundIndex", member: "index", owner: name)
        case "fetchIndex": if let read = index(&node, of: name) { entity.indexes.append(read) }
        case "fetchedProperty": reportFetched(node, of: name)
        case "userInfo":
            var info = CoreDataUserInfo()
            read(&node, into: &info, owner: name)
            let names = info.take("identityAttribute", "identityAttributes", "relatedByAttribute")
            entity.identityNames += names?.split { $0 == "," || $0 == " " }.map(String.init) ?? []
            finish(info, owner: name)
        default: reportUnknown(node, owner: name)
        }
    }

    /// Takes the name of a member; without one, the member is reported.
    private func takeName(from node: inout XMLNode, of entity: String) throws(ImportFailure) -> String? {
        if let name = node.take("name"), !name.isEmpty {
            try ImportFailure.checkLength(of: name, path, line: node.line)
            return name
        }
        notes.left(node.line, text: "\(entity): <\(node.name)> without a name")
        return nil
    }

    private mutating func attribute(
        _ node: inout XMLNode, of entity: String
    ) throws(ImportFailure) -> CoreDataAttribute? {
        guard let name = try takeName(from: &node, of: entity) else { return nil }
        var attribute = CoreDataAttribute(owner: entity, name: name, line: node.line)
        var info = takeUserInfo(from: &node, owner: attribute.subject)
        attribute.isOptional = node.takeFlag("optional")
        attribute.isTransient = node.takeFlag("transient")
        attribute.formerName = node.take("elementID")
        attribute.type = takeType(from: &node, info: &info)
        if !attribute.isTransient { attribute.isIndexed = node.takeFlag("indexed") }
        if case .scalar(let scalar) = attribute.type {
            attribute.isScalar = attribute.isOptional && scalar.isNumber && node["usesScalarValueType"] == "YES"
            if attribute.isSuitable, info.takeFlag("sync.isPrimaryKey", "hyper.isPrimaryKey") {
                attribute.isIdentity = true
            }
        }
        if let type = attribute.type.sketch {
            if type == .one("data") { attribute.isExternal = node.takeFlag("allowsExternalBinaryDataStorage") }
            takeValues(from: &node, of: type, into: &attribute)
        }
        if !attribute.isTransient, !info.isEmpty {
            attribute.key = info.takeKey()
            attribute.formerKeys = (1...9).compactMap { info.take("mappedKeyName.\($0)") }
            attribute.isReadOnly = info.takeFlag("sync.nonExportable", "hyper.nonExportable")
            if case .scalar(.date) = attribute.type { attribute.dateFormat = info.take("dateFormat") }
        }
        finish(info, owner: attribute.subject)
        finish(node, owner: attribute.subject)
        return attribute
    }

    private func takeType(from node: inout XMLNode, info: inout CoreDataUserInfo) -> CoreDataType {
        let type = node.take("attributeType") ?? ""
        if node.takeFlag("derived") { return .derived(node.take("derivationExpression")) }
        switch type {
        case "", "Undefined": return .undefined
        case "Composite":
            let name = node.take("customClassName")
            let found = name.flatMap { composites[$0] }
            let words = [name, found?.words].compactMap(\.self).joined(separator: ": ")
            return .composite(
                words: words.isEmpty ? "a composite" : "a composite (\(words))", parts: found?.parts ?? [])
        case "Transformable":
            let name = node.take("customClassName") ?? info.take("attributeValueClassName")
            let transformer = node.take("valueTransformerName")
            return .transformable(
                CoreDataTransformable(name, transformer: transformer, isCodable: node.takeFlag("isCodable")) {
                    isOfClass in
                    if isOfClass { return "a transformable of \(name?.filter { !$0.isWhitespace } ?? "")" }
                    let names = [name, transformer].compactMap(\.self).joined(separator: ", ")
                    return "a transformable\(names.isEmpty ? "" : " (\(names))")"
                })
        default: return CoreDataScalar(rawValue: type).map(CoreDataType.scalar) ?? .other(type)
        }
    }

    /// Takes the default and the limits.
    private func takeValues(from node: inout XMLNode, of type: TypeSketch, into attribute: inout CoreDataAttribute) {
        if let text = node.take("defaultDateTimeInterval") {
            if type == .one("date") { attribute.defaultValue = CoreDataLiteral.date(text) }
            if attribute.defaultValue == nil { lose("defaultDateTimeInterval", text: text, of: attribute, help: nil) }
        }
        if attribute.defaultValue == nil, let text = node.take("defaultValueString") {
            attribute.defaultValue = CoreDataLiteral.value(text, of: type)
            if attribute.defaultValue == nil { lose("defaultValueString", text: text, of: attribute, help: nil) }
        }
        (attribute.minimum, attribute.minimumLength) = takeLimit("minValueString", from: &node, of: attribute)
        (attribute.maximum, attribute.maximumLength) = takeLimit("maxValueString", from: &node, of: attribute)
        for name in ["minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString"] {
            if let text = node.take(name) { lose(name, text: text, of: attribute) }
        }
    }

    private func takeLimit(
        _ name: String, from node: inout XMLNode, of attribute: CoreDataAttribute
    ) -> (JSONValue?, length: Int64?) {
        guard let text = node.take(name) else { return (nil, nil) }
        if case .scalar(let scalar) = attribute.type {
            if scalar == .string, let length = Int64(text), length >= 0 { return (nil, length) }
            if scalar == .decimal || scalar.isNumber && scalar != .boolean, let limit = JSONValue(number: text) {
                return (limit, nil)
            }
        }
        lose(name, text: text, of: attribute)
        return (nil, nil)
    }

    private func lose(
        _ option: String, text: String, of property: some CoreDataProperty, help: String? = Self.helpForChecks
    ) {
        notes.left(property.line, text: "\(property.subject): \(option) \(text)", help: help)
    }

    private static let helpForChecks = "Check it in Swift, in `validate()`."

    // MARK: Relationships

    private mutating func relationship(
        _ node: inout XMLNode, of entity: String
    ) throws(ImportFailure) -> CoreDataRelationship? {
        guard let name = try takeName(from: &node, of: entity) else { return nil }
        var relationship = CoreDataRelationship(owner: entity, name: name, line: node.line)
        relationship.destination = node.take("destinationEntity") ?? ""
        relationship.inverse = node.take("inverseName")
        relationship.isTransient = node.takeFlag("transient")
        relationship.formerName = node.take("elementID")
        relationship.isToMany = node.takeFlag("toMany")
        if relationship.isToMany {
            relationship.isOrdered = node.takeFlag("ordered")
        } else {
            relationship.isOptional = node.takeFlag("optional")
        }
        for option in ["minCount", "maxCount"] {
            guard let text = node.take(option) else { continue }
            let isUsual = relationship.isToMany ? text == "0" : ["0", "1"].contains(text)
            if !isUsual { lose(option, text: text, of: relationship) }
        }
        switch node.take("deletionRule") {
        case nil, "Nullify": break
        case "Cascade": relationship.onDelete = .cascade
        case "Deny": relationship.onDelete = .deny
        case "No Action": relationship.onDelete = DeleteRule.none
        case let other?: notes.left(node.line, text: "\(relationship.subject): the delete rule '\(other)'")
        }
        var info = takeUserInfo(from: &node, owner: relationship.subject)
        if !relationship.isTransient { relationship.key = info.takeKey() }
        finish(info, owner: relationship.subject)
        finish(node, owner: relationship.subject)
        return relationship
    }

    // MARK: Indexes

    private mutating func indexes(
        _ node: inout XMLNode, each: String, member: String, owner: String
    ) -> [CoreDataIndex] {
        let indexes = node.takeAll(each).map { index in
            var index = index
            let members = index.takeAll(member).compactMap { element -> String? in
                var element = element
                let name = element.take("value")
                finish(element, owner: owner)
                return name
            }
            finish(index, owner: owner)
            return CoreDataIndex(line: index.line, members: members)
        }
        finish(node, owner: owner)
        return indexes
    }

    /// Returns `nil` for one over an expression only, which is reported.
    private mutating func index(_ node: inout XMLNode, of entity: String) -> CoreDataIndex? {
        let name = node["name"] ?? ""
        let elements = node.takeAll("fetchIndexElement")
        let members = elements.compactMap { element -> String? in
            var element = element
            if let order = element.take("order"), order != "ascending" {
                notes.decided(
                    element.line, text: "\(entity): index \(name) is ascending, and was \(order)",
                    help: "SQLite reads it in both directions.")
            }
            if let type = element.take("type"), type != "Binary" {
                notes.left(element.line, text: "\(entity): index \(name) has the type \(type)")
            }
            let member = element.take("property")
            if member == nil, let expression = element.take("expression") {
                _ = element.take("expressionType")
                notes.left(element.line, text: "\(entity): index \(name) over \(expression)")
            }
            finish(element, owner: entity)
            return member
        }
        finish(node, owner: entity)
        return members.isEmpty && !elements.isEmpty ? nil : CoreDataIndex(line: node.line, members: members)
    }

    // MARK: User info

    private mutating func takeUserInfo(
        from node: inout XMLNode, owner: @autoclosure () -> String
    ) -> CoreDataUserInfo {
        var info = CoreDataUserInfo()
        if node.children.isEmpty { return info }
        for var child in node.takeAll("userInfo") { read(&child, into: &info, owner: owner()) }
        return info
    }

    private mutating func read(_ node: inout XMLNode, into info: inout CoreDataUserInfo, owner: String) {
        for var entry in node.takeAll("entry") {
            if let key = entry.take("key") {
                info.add(key, value: entry.take("value") ?? "", line: entry.line)
                if key.hasPrefix("sync.") || key.hasPrefix("hyper.") { model.isOfSync = true }
                if key == "JSONKeyPath" { model.isOfGroot = true }
            }
            finish(entry, owner: owner)
        }
        finish(node, owner: owner)
    }

    private func finish(_ info: CoreDataUserInfo, owner: @autoclosure () -> String) {
        for entry in info.entries {
            notes.left(
                entry.line, text: "\(owner()): user info \(entry.key) = \(entry.value)",
                help: CoreDataUserInfo.help(entry.key))
        }
    }

    // MARK: What has no counterpart

    /// Reports what was not taken out of an element.
    private mutating func finish(_ node: XMLNode, owner: @autoclosure () -> String) {
        finishAttributes(of: node, owner: owner())
        for child in node.children { reportUnknown(child, owner: owner()) }
    }

    private mutating func finishAttributes(of node: XMLNode, owner: @autoclosure () -> String) {
        if node.attributes.isEmpty { return }
        for (attribute, value) in node.attributes.sorted(by: { $0.name < $1.name }) {
            if value.isEmpty || value == "NO" || Self.ignored[node.name]?.contains(attribute) ?? false {
                ignored[node.name, default: []].insert(attribute)
            } else {
                notes.left(node.line, text: "\(owner()): <\(node.name)> \(attribute)=\"\(value)\"")
            }
        }
    }

    private func reportUnknown(_ node: XMLNode, owner: String) {
        notes.left(node.line, text: "\(owner): <\(node.name)>, which is not known")
    }

    private func reportFetched(_ node: XMLNode, of owner: String) {
        let request = node.children.first { $0.name == "fetchRequest" }
        let name = request?["name"].map { $0 == "fetchedPropertyFetchRequest" ? "" : " (\($0))" } ?? ""
        let predicate = name + (request?["predicateString"].map { ": \($0)" } ?? "")
        notes.left(
            node.line,
            text: "\(owner).\(node["name"] ?? "?"), a fetched property of \(request?["entity"] ?? "?")\(predicate)",
            help: "Write it in Swift, as a query.")
    }

    /// The attributes that only Xcode and Core Data need.
    private static let ignored: [String: Set<String>] = [
        "model": [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage", "macOSVersion", "iOSVersion", "name", "userDefinedModelVersionIdentifier",
            "usedWithSwiftData",
        ],
        "entity": ["syncable", "codeGenerationType", "versionHashModifier"],
        "attribute": ["syncable", "versionHashModifier", "usesScalarValueType"],
        "relationship": ["syncable", "versionHashModifier", "indexed", "inverseEntity", "optional", "ordered"],
        "fetchIndex": ["name"],
    ]
}

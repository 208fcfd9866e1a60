import LockstepJSON
import LockstepSchema

/// Makes the members of entities.
final class SampleMembers {
    private let entities: SampleEntities
    private let notes: SampleNotes
    private let types: Set<String>
    /// The names of the entities that have been made, with their members' names without case and punctuation.
    private var taken: [String: Set<String>] = [:]
    /// The names of the entities, each before those of what it owns.
    private var order: [String] = []
    private var made: [String: EntitySketch] = [:]
    private(set) var links = SampleLinks()
    /// What was left out with a note: entities and paths.
    private(set) var leftOut: Set<[String]> = []

    /// Required is what each of at least so many objects has.
    static let severalRecords = 3
    private static let flatLimit = 12

    init(_ entities: SampleEntities, notes: SampleNotes) {
        (self.entities, self.notes) = (entities, notes)
        types = Set(entities.list.map(\.name))
        // Names are taken first by entities that were found, then by what they own.
        for entity in entities.list { taken[entity.name] = [] }
        for entity in entities.list { add(entity) }
        links.pair { name, entity in self.free(name, in: entity) }
    }

    private func add(_ entity: SampleEntity) {
        order.append(entity.name)
        var level = Level(entity: entity.name, shape: entity.shape, identity: entity.identity)
        if entity.isJSONAPI { addResource(entity, &level) } else { addMembers(&level) }
        append(level)
    }

    private func append(_ level: Level) {
        var sketch = EntitySketch(name: level.entity)
        if let identity = level.identityName { sketch.identity = identity == "id" ? [] : [identity] }
        if level.identityName == nil, level.attributes.contains(where: { $0.name == "id" }) {
            sketch.identity = ["none"]
        }
        sketch.attributes = level.attributes
        made[level.entity] = sketch
    }

    var sketches: [EntitySketch] { order.compactMap { made[$0] } }

    /// The objects that are read now.
    private struct Level {
        let entity: String
        var shape: SampleShape
        /// The key of the identity.
        let identity: String?
        var identityName: String?
        /// The keys that lead to the objects, and the names before those of their members.
        var path: [String] = []
        var prefix: [String] = []
        /// Whether the objects can be missing.
        var isOptional = false
        var attributes: [MemberSketch] = []

        var canOwn: Bool { identity != nil }
    }

    private func free(_ name: String, in entity: String) -> String {
        let free = freeName(UsableName.member(name, types: types)) {
            taken[entity, default: []].contains(SampleNames.plain($0))
        }
        taken[entity, default: []].insert(SampleNames.plain(free))
        return free
    }

    private func addMembers(_ level: inout Level) {
        // The identity has its name in any case.
        if level.path.isEmpty, let identity = level.identity {
            level.identityName = free(SampleNames.member(identity), in: level.entity)
        }
        for key in level.shape.keys {
            guard let member = level.shape.members[key] else { continue }
            add(member, key, &level)
        }
    }

    // MARK: One member

    private func add(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        let kinds = member.kinds
        if level.path.isEmpty, key == level.identity { return addIdentity(member, key, &level) }
        if key == "_links" {
            return leave(member, key, level, "links of HAL", help: "Use `remote: { path: … }` and relationships.")
        }
        switch kinds {
        case []:
            note(member, key, level, "is only null in the samples, so it is json")
            addAttribute(.json, member, key, &level)
        case [.list]: addList(member, key, &level)
        case [.object]: addObject(member, key, &level)
        default:
            if addReference(member, key, &level) { return }
            guard let type = SampleType(member, key: key, isReference: SampleNames.base(key) != nil) else {
                return addMixed(member, key, &level)
            }
            addAttribute(type, member, key, &level)
        }
    }

    private func subject(_ key: String, _ level: Level) -> String {
        ([level.entity] + level.path + [key]).joined(separator: ".")
    }

    private func note(
        _ member: SampleMemberShape, _ key: String, _ level: Level, _ text: String, help: String? = nil
    ) {
        let place = member.firsts.lazy.compactMap(\.self).first ?? level.shape.firstPlace
        notes.decided(place, "\(subject(key, level)) \(text)", help: help)
    }

    private func leave(
        _ member: SampleMemberShape, _ key: String, _ level: Level, _ what: String, help: String? = nil
    ) {
        leftOut.insert([level.entity] + level.path + [key])
        let place = member.firsts.lazy.compactMap(\.self).first ?? level.shape.firstPlace
        notes.left(place, "\(subject(key, level)): \(what)", help: help)
    }

    private func isOptional(_ key: String, _ level: Level) -> Bool {
        level.isOptional || level.shape.count < Self.severalRecords || !level.shape.isRequired(key)
    }

    private func addIdentity(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        let type = SampleType(member, key: key, isReference: true) ?? SampleType("string")
        if member.kinds.count > 1 { noteMixed(member, key, level, "string") }
        var attribute = MemberSketch(name: level.identityName ?? "id", type: type.name)
        attribute.set("key", .string(key))
        level.attributes.append(attribute)
    }

    private func addAttribute(
        _ type: SampleType, _ member: SampleMemberShape, _ key: String, _ level: inout Level, isList: Bool = false
    ) {
        let words = level.prefix + [SampleNames.member(key)]
        let name = words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        var attribute = MemberSketch(
            name: free(name, in: level.entity), type: isList ? "[\(type.name)]" : type.name)
        attribute.isOptional = isOptional(key, level)
        attribute.set("key", SampleNames.key(level.path + [key]))
        if let wire = type.wire { attribute.set("wire", .string(wire)) }
        attribute.comment = type.comment
        level.attributes.append(attribute)
    }

    private func addMixed(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        noteMixed(member, key, level, "json")
        addAttribute(.json, member, key, &level)
    }

    private func noteMixed(_ member: SampleMemberShape, _ key: String, _ level: Level, _ type: String) {
        let places = member.kinds.compactMap { kind in
            member.firsts[kind.rawValue].map { "\(kind.title) in \(notes.text($0))" }
        }
        let what = member.kinds.count > 1 ? places.joined(separator: ", ") : "its elements are of several kinds"
        notes.decided(
            member.firsts.lazy.compactMap(\.self).first, "\(subject(key, level)) is \(type): \(what)",
            help: "If one of them is a mistake, correct the sample and import it again.")
    }

    // MARK: References

    /// Adds a relationship for `author_id`, if there are authors with such identities.
    private func addReference(_ member: SampleMemberShape, _ key: String, _ level: inout Level) -> Bool {
        guard let base = SampleNames.base(key) else { return false }
        let beside = level.shape.members[base]
        let embedded = beside.flatMap { $0.kinds == [.object] ? $0.object : nil }.flatMap(entities.entity(of:))
        guard let destination = embedded ?? entities.entity(named: base, isPlural: false),
            haveSameType(member, destination)
        else { return false }
        if let beside, let embedded {
            leftOut.insert([level.entity] + level.path + [base])
            note(
                beside, base, level, "is read with `\(key)`, and only that is sent",
                help: "To send the whole \(embedded.name), write `wire: embedded`, and remove `key`.")
        }
        let name = SampleNames.member(beside == nil || embedded != nil ? base : base + "_record")
        links.append(
            SampleLink(
                owner: level.entity, name: free(name, in: level.entity), destination: destination.name,
                isToMany: false, wire: "id", path: level.path + [key]))
        return true
    }

    /// Whether values can be identities of an entity.
    private func haveSameType(_ member: SampleMemberShape, _ destination: SampleEntity) -> Bool {
        guard let key = destination.identity, let identity = destination.shape.members[key],
            let type = SampleType(member, key: key, isReference: true)
        else { return false }
        return type.name == SampleType(identity, key: key, isReference: true)?.name
    }

    // MARK: Lists

    private func addList(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        guard let elements = member.elements, !elements.kinds.isEmpty || elements.nulls > 0 else {
            note(member, key, level, "is only empty in the samples, so it is a list of json")
            return addAttribute(.json, member, key, &level, isList: true)
        }
        guard elements.nulls == 0 else { return addMixedList(member, key, &level) }
        if elements.kinds == [.object], let object = elements.object {
            return addObjects(object, elements, member, key, &level)
        }
        if let base = SampleNames.base(key, plural: true), level.shape.members[SampleNames.plural(base)] == nil,
            let destination = entities.entity(named: base, isPlural: true), haveSameType(elements, destination)
        {
            links.append(
                SampleLink(
                    owner: level.entity, name: free(SampleNames.plural(SampleNames.member(base)), in: level.entity),
                    destination: destination.name, isToMany: true, wire: "ids", path: level.path + [key]))
            return
        }
        let isReference = SampleNames.base(key, plural: true) != nil
        guard let type = SampleType(elements, key: key, isReference: isReference, isElement: true) else {
            return addMixedList(member, key, &level)
        }
        addAttribute(type, member, key, &level, isList: true)
    }

    private func addMixedList(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        note(member, key, level, "is a list of json: its elements are lists, null or of several kinds")
        addAttribute(.json, member, key, &level, isList: true)
    }

    private func addObjects(
        _ object: SampleShape, _ elements: SampleMemberShape, _ member: SampleMemberShape, _ key: String,
        _ level: inout Level
    ) {
        let isFlatOwner = level.canOwn && !object.isMap
        guard isFlatOwner, let destination = entities.entity(of: object) else {
            guard isFlatOwner else {
                note(member, key, level, "is a list of json: \(reason(object, level))")
                return addAttribute(.json, member, key, &level, isList: true)
            }
            return own(object, key, isToMany: true, &level)
        }
        links.append(
            SampleLink(
                owner: level.entity, name: free(linkName(key, level), in: level.entity), destination: destination.name,
                isToMany: true, wire: "embedded", path: level.path + [key], isShared: elements.isShared))
    }

    private func reason(_ object: SampleShape, _ level: Level) -> String {
        object.isMap ? "its keys look like data" : "\(level.entity) has no identity that its records could refer to"
    }

    private func linkName(_ key: String, _ level: Level) -> String {
        let words = level.prefix + [SampleNames.member(key)]
        return words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    // MARK: Objects

    private func addObject(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        guard let object = member.object, !object.keys.isEmpty, !object.isMap else {
            note(
                member, key, level,
                "is json: \(member.object?.isMap == true ? "its keys look like data" : "it is empty")")
            return addAttribute(.json, member, key, &level)
        }
        if let destination = entities.entity(of: object) {
            if isReadWithKey(key, level, destination) { return }
            links.append(
                SampleLink(
                    owner: level.entity, name: free(linkName(key, level), in: level.entity),
                    destination: destination.name, isToMany: false, wire: "embedded", path: level.path + [key]))
            return
        }
        if key == "_embedded" || isFlat(object, member) {
            return flatten(object, member, key, &level)
        }
        guard level.canOwn else {
            note(member, key, level, "is json: \(reason(object, level))")
            return addAttribute(.json, member, key, &level)
        }
        own(object, key, isToMany: false, &level)
    }

    /// Whether `author_id` beside `author` is the relationship.
    private func isReadWithKey(_ key: String, _ level: Level, _ destination: SampleEntity) -> Bool {
        ["_id", "Id", "ID"].contains { suffix in
            level.shape.members[key + suffix].map { !$0.kinds.isEmpty && haveSameType($0, destination) } ?? false
        }
    }

    /// Whether it has only values, and is never null: a path could not lead into null.
    private func isFlat(_ object: SampleShape, _ member: SampleMemberShape) -> Bool {
        member.nulls == 0 && object.keys.count <= Self.flatLimit
            && object.members.values.allSatisfy { value in
                !value.kinds.contains(.object)
                    && (!value.kinds.contains(.list) || value.elements.map { !$0.kinds.contains(.object) } ?? true)
            }
    }

    private func flatten(_ object: SampleShape, _ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        var inner = level
        inner.shape = object
        inner.path.append(key)
        if key != "_embedded" { inner.prefix.append(SampleNames.member(key)) }
        inner.isOptional = isOptional(key, level) || member.nulls > 0
        addMembers(&inner)
        level.attributes = inner.attributes
    }

    /// Adds an entity for objects without identity, which exist in their owner only.
    private func own(_ object: SampleShape, _ key: String, isToMany: Bool, _ level: inout Level) {
        let name = freeName(level.entity + SampleNames.entity(key)) { name in taken.keys.contains(name) }
        taken[name] = []
        order.append(name)
        links.append(
            SampleLink(
                owner: level.entity, name: free(linkName(key, level), in: level.entity), destination: name,
                isToMany: isToMany, wire: "embedded", path: level.path + [key], isOwned: true))
        var inner = Level(entity: name, shape: object, identity: nil)
        addMembers(&inner)
        append(inner)
        notes.decided(
            object.firstPlace,
            "\(subject(key, level)): '\(name)' is the entity of these objects without identity, "
                + "which exist in their \(level.entity) only")
    }

    // MARK: JSON:API

    /// Adds the members of a resource: what is in `attributes`, and the relationships.
    private func addResource(_ entity: SampleEntity, _ level: inout Level) {
        if let identity = entity.identity {
            level.identityName = free(SampleNames.member(identity), in: entity.name)
            if let member = entity.shape.members[identity] { addIdentity(member, identity, &level) }
        }
        for key in entity.shape.keys where key != entity.identity {
            guard let member = entity.shape.members[key] else { continue }
            switch key {
            case "type":
                var type = MemberSketch(name: free("type", in: entity.name), type: "string")
                if let name = entity.shape.examples.first?["type"]?.text { type.set("default", .string(name)) }
                type.set("key", "type")
                level.attributes.append(type)
            case JSONAPI.attributes:
                var inner = level
                inner.path = [key]
                inner.shape = member.object ?? SampleShape()
                inner.isOptional = !entity.shape.isRequired(key)
                addMembers(&inner)
                level.attributes = inner.attributes
            case JSONAPI.relationships:
                for name in member.object?.keys ?? [] {
                    if let shape = member.object?.members[name] { addLinkage(shape, name, &level) }
                }
            default: leave(member, key, level, "it belongs to the response")
            }
        }
    }

    private func addLinkage(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        let path = [JSONAPI.relationships, key]
        guard let data = member.object?.members["data"], data.kinds == [.object], let object = data.object,
            let type = object.examples.first?["type"]?.text,
            let destination = entities.entity(named: SampleNames.entity(type), isPlural: false),
            let id = object.members["id"], haveSameType(id, destination)
        else {
            var attribute = MemberSketch(name: free(SampleNames.member(key), in: level.entity), type: "json?")
            attribute.set("key", SampleNames.key(path))
            level.attributes.append(attribute)
            notes.decided(
                level.shape.firstPlace,
                "\(level.entity).\(attribute.name) is json: it is a list of types and "
                    + "identities, or refers to nothing in the samples",
                help: "If the records at the other end refer back, that relationship is enough.")
            return
        }
        let name = SampleNames.member(key)
        links.append(
            SampleLink(
                owner: level.entity, name: free(name, in: level.entity), destination: destination.name,
                isToMany: false, wire: "id", path: path + ["data", "id"]))
        var attribute = MemberSketch(name: free(name + "Type", in: level.entity), type: "string?")
        attribute.set("key", SampleNames.key(path + ["data", "type"]))
        attribute.comment = "the type of the record that it refers to: \(type)"
        level.attributes.append(attribute)
        for other in member.object?.keys ?? [] where other != "data" {
            leftOut.insert([level.entity] + path + [other])
            notes.left(level.shape.firstPlace, "\(level.entity).\(path.joined(separator: ".")).\(other)")
        }
    }
}

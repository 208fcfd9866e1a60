import LockstepJSON
import LockstepSchema

/// Makes the members of entities.
final class SampleMembers {
    let entities: SampleEntities
    let notes: SampleNotes
    private let types: Set<String>
    /// The names of the entities that have been made, with their members' names without case and punctuation.
    private var taken: [String: Set<String>] = [:]
    /// The names of the entities, each before those of what it owns.
    private var order: [String] = []
    private var made: [String: EntitySketch] = [:]
    var links = SampleLinks()
    /// The entities and paths that were left out with a note.
    var leftOut: Set<[String]> = []

    /// Required is what each of at least so many objects has.
    static let severalRecords = 3

    init(_ entities: SampleEntities, notes: SampleNotes) {
        (self.entities, self.notes) = (entities, notes)
        types = Set(entities.list.map(\.name))
        // Names are taken first by entities that were found, then by what they own.
        for entity in entities.list { taken[entity.name] = [] }
        addReached()
        links.pair(notes, evidence: SampleEvidence(entities)) { name, entity in self.free(name, in: entity) }
    }

    /// Adds the records at the top, and what they refer to. The rest is in values of `json`.
    private func addReached() {
        var rest: [String: SampleEntity] = [:]
        for entity in entities.list {
            if entity.isRoot { add(entity) } else { rest[entity.name] = entity }
        }
        var next = 0
        while next < links.list.count {
            if let entity = rest.removeValue(forKey: links.list[next].destination) { add(entity) }
            next += 1
        }
    }

    /// Whether an entity of the samples is in the schema.
    func has(_ entity: SampleEntity) -> Bool { made[entity.name] != nil }

    private func add(_ entity: SampleEntity) {
        order.append(entity.name)
        var level = Level(entity: entity.name, shape: entity.shape, identity: entity.identity)
        if entity.isJSONAPI { addResource(entity, at: &level) } else { addMembers(&level) }
        append(level)
        if entity.isRoot, level.identityName == nil { addLocalKey(to: entity.name) }
    }

    /// A record without an identity cannot be matched with one that was received earlier, so it is not synced.
    private func addLocalKey(to entity: String) {
        let name = free("localID", in: entity)
        made[entity]?.identity = .attributes([name])
        made[entity]?.remote = .absent
        made[entity]?.attributes.insert(.unsentKey(named: name, because: "the samples have no identity"), at: 0)
    }

    private func append(_ level: Level) {
        var sketch = EntitySketch(name: level.entity)
        if let identity = level.identityName { sketch.identity = IdentitySketch([identity]) }
        if level.identityName == nil, level.attributes.contains(where: { $0.name == "id" }) {
            sketch.identity = .absent
        }
        sketch.attributes = level.attributes
        made[level.entity] = sketch
    }

    var sketches: [EntitySketch] { order.compactMap { made[$0] } }

    /// The objects that are read now.
    struct Level {
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

        /// The list of an envelope, which has the name of the envelope: `refunds` for `refunds.data`.
        var list: String? { prefix.isEmpty ? nil : shape.envelopedKey }
        /// Whether nested objects can be records that refer to it.
        var canOwn: Bool { identity != nil }
    }

    func free(_ name: String, in entity: String) -> String {
        let free = freeName(UsableName.member(name, types: types)) {
            taken[entity, default: []].contains(SampleNames.plain($0))
        }
        taken[entity, default: []].insert(SampleNames.plain(free))
        return free
    }

    func addMembers(_ level: inout Level) {
        // The identity has its name in any case.
        if level.path.isEmpty, let identity = level.identity {
            level.identityName = free(SampleNames.member(identity), in: level.entity)
        }
        let list = level.list
        for key in level.shape.keys where list == nil || key == list {
            guard let member = level.shape.members[key] else { continue }
            add(member, key: key, at: &level)
        }
    }

    // MARK: One member

    private func add(_ member: SampleMemberShape, key: String, at level: inout Level) {
        let kinds = member.kinds
        if level.path.isEmpty, key == level.identity { return addIdentity(member, key: key, at: &level) }
        if key == "_links" {
            return leave(
                member, key: key, at: level, what: "links of HAL", help: "Use `remote: { path: … }` and relationships.")
        }
        switch kinds {
        case []:
            note(member, key: key, at: level, text: "is always null in the samples, so it is json")
            addAttribute(.json, member: member, key: key, at: &level)
        case [.list]: addList(member, key: key, at: &level)
        case [.object]: addObject(member, key: key, at: &level)
        default:
            if addReference(member, key: key, at: &level) { return }
            guard let type = SampleType(member, key: key, isReference: SampleNames.base(key) != nil) else {
                return addMixed(member, key: key, at: &level)
            }
            addAttribute(type, member: member, key: key, at: &level)
        }
    }

    private func subject(_ key: String, at level: Level) -> String {
        ([level.entity] + level.path + [key]).joined(separator: ".")
    }

    private func note(_ member: SampleMemberShape, key: String, at level: Level, text: String, help: String? = nil) {
        let location = member.firsts.lazy.compactMap(\.self).first ?? level.shape.firstLocation
        notes.decided(location, text: "\(subject(key, at: level)) \(text)", help: help)
    }

    func leave(_ member: SampleMemberShape, key: String, at level: Level, what: String, help: String? = nil) {
        leftOut.insert([level.entity] + level.path + [key])
        let location = member.firsts.lazy.compactMap(\.self).first ?? level.shape.firstLocation
        notes.left(location, text: "\(subject(key, at: level)): \(what)", help: help)
    }

    private func isOptional(_ key: String, at level: Level) -> Bool {
        level.isOptional || level.shape.count < Self.severalRecords || !level.shape.isRequired(key)
    }

    func addIdentity(_ member: SampleMemberShape, key: String, at level: inout Level) {
        let type = SampleType(member, key: key, isReference: true) ?? SampleType("string")
        if member.kinds.count > 1 { noteMixed(member, key: key, at: level, as: "string") }
        var attribute = MemberSketch(name: level.identityName ?? "id", type: .one(type.name))
        attribute.key = [key]
        level.attributes.append(attribute)
    }

    private func addAttribute(
        _ type: SampleType, member: SampleMemberShape, key: String, at level: inout Level, isList: Bool = false
    ) {
        let name = SampleNames.member(level.prefix + [SampleNames.member(key)])
        var attribute = MemberSketch(
            name: free(name, in: level.entity),
            type: TypeSketch(name: type.name, isList: isList, isOptional: isOptional(key, at: level)))
        attribute.key = level.path + [key]
        attribute.wire = type.wire
        attribute.comment = type.comment
        level.attributes.append(attribute)
    }

    private func addMixed(_ member: SampleMemberShape, key: String, at level: inout Level) {
        noteMixed(member, key: key, at: level, as: "json")
        addAttribute(.json, member: member, key: key, at: &level)
    }

    private func noteMixed(_ member: SampleMemberShape, key: String, at level: Level, as type: String) {
        let locations = member.kinds.compactMap { kind in
            member.firsts[kind.rawValue].map { "\(kind.title) in \(notes.text($0))" }
        }
        let what = locations.joined(separator: ", ")
        notes.decided(
            member.firsts.lazy.compactMap(\.self).first, text: "\(subject(key, at: level)) is \(type): \(what)",
            help: "If one of them is a mistake, correct the sample and import it again.")
    }

    // MARK: References

    /// Adds a relationship for `author_id`, if there are authors with such identities, and for `author`, if all of the
    /// first values are identities of some.
    private func addReference(_ member: SampleMemberShape, key: String, at level: inout Level) -> Bool {
        guard let base = SampleNames.base(key) else { return addKnownReference(member, key: key, at: &level) }
        let beside = level.shape.members[base]
        let embedded = beside.flatMap { $0.kinds == [.object] ? $0.object : nil }.flatMap(entities.entity(of:))
        guard
            let destination = embedded ?? entities.entity(named: base, isPlural: false)
                ?? parent(base, key: key, at: level),
            haveSameType(member, to: destination)
        else { return false }
        if let beside, let embedded {
            leftOut.insert([level.entity] + level.path + [base])
            note(
                beside, key: base, at: level, text: "is read with `\(key)`, and only that is sent",
                help: "To send the whole \(embedded.name), write `wire: embedded`, and remove `key`.")
        }
        let name = SampleNames.member(beside == nil || embedded != nil ? base : base + "_record")
        links.append(
            SampleLink(
                owner: level.entity, name: free(name, in: level.entity), destination: destination.name,
                isToMany: false, wire: .id, path: level.path + [key]))
        return true
    }

    private func addKnownReference(_ member: SampleMemberShape, key: String, at level: inout Level) -> Bool {
        guard let destination = entities.entity(named: key, isPlural: false), haveSameType(member, to: destination)
        else {
            return false
        }
        let ids = level.shape.examples.compactMap { $0[key]?.identityText }
        guard !ids.isEmpty, ids.allSatisfy(destination.ids.contains) else { return false }
        links.append(
            SampleLink(
                owner: level.entity, name: free(linkName(key, at: level), in: level.entity),
                destination: destination.name,
                isToMany: false, wire: .id, path: level.path + [key]))
        return true
    }

    /// The entity itself for `parent_id`, if it leads to one of its records.
    private func parent(_ base: String, key: String, at level: Level) -> SampleEntity? {
        guard SampleNames.plain(base) == "parent", level.path.isEmpty,
            let entity = entities.entity(named: level.entity, isPlural: false),
            level.shape.examples.contains(where: { $0[key]?.identityText.map(entity.ids.contains) ?? false })
        else { return nil }
        return entity
    }

    /// Whether values can be identities of an entity.
    func haveSameType(_ member: SampleMemberShape, to destination: SampleEntity) -> Bool {
        guard let key = destination.identity, let identity = destination.shape.members[key],
            let type = SampleType(member, key: key, isReference: true)
        else { return false }
        return type.name == SampleType(identity, key: key, isReference: true)?.name
    }

    // MARK: Lists

    private func addList(_ member: SampleMemberShape, key: String, at level: inout Level) {
        guard let elements = member.elements, !elements.kinds.isEmpty || elements.nulls > 0 else {
            note(member, key: key, at: level, text: "is always empty in the samples, so it is a list of json")
            return addAttribute(.json, member: member, key: key, at: &level, isList: true)
        }
        guard elements.nulls == 0 else { return addMixedList(member, key: key, at: &level) }
        if elements.kinds == [.object], let object = elements.object {
            return addObjects(object, elements: elements, member: member, key: key, at: &level)
        }
        if let base = SampleNames.base(key, plural: true), level.shape.members[SampleNames.plural(base)] == nil,
            let destination = entities.entity(named: base, isPlural: true), haveSameType(elements, to: destination)
        {
            links.append(
                SampleLink(
                    owner: level.entity, name: free(SampleNames.plural(SampleNames.member(base)), in: level.entity),
                    destination: destination.name, isToMany: true, wire: .ids, path: level.path + [key],
                    location: member.firsts.lazy.compactMap(\.self).first))
            return
        }
        let isReference = SampleNames.base(key, plural: true) != nil
        guard let type = SampleType(elements, key: key, isReference: isReference, isElement: true) else {
            return addMixedList(member, key: key, at: &level)
        }
        addAttribute(type, member: member, key: key, at: &level, isList: true)
    }

    private func addMixedList(_ member: SampleMemberShape, key: String, at level: inout Level) {
        if let elements = member.elements, elements.kinds.count > 1, elements.nulls == 0 {
            noteMixed(elements, key: key, at: level, as: "a list of json")
        } else {
            let what = member.elements?.nulls == 0 ? "its elements are lists" : "it has null among its elements"
            note(member, key: key, at: level, text: "is a list of json: \(what)")
        }
        addAttribute(.json, member: member, key: key, at: &level, isList: true)
    }

    private func addObjects(
        _ object: SampleShape, elements: SampleMemberShape, member: SampleMemberShape, key: String,
        at level: inout Level
    ) {
        let isFlatOwner = level.canOwn && !object.isMap
        guard isFlatOwner, let destination = entities.entity(of: object) else {
            guard isFlatOwner else {
                note(member, key: key, at: level, text: "is a list of json: \(reason(object, at: level))")
                return addAttribute(.json, member: member, key: key, at: &level, isList: true)
            }
            return own(object, member: member, key: key, isToMany: true, at: &level)
        }
        links.append(
            SampleLink(
                owner: level.entity, name: free(linkName(key, at: level), in: level.entity),
                destination: destination.name,
                isToMany: true, wire: .embedded, path: level.path + [key],
                location: object.firstLocation, sharing: elements.sharing))
    }

    private func reason(_ object: SampleShape?, at level: Level) -> String {
        if object?.hasEmpty == true { return "it is empty in some samples" }
        return object?.isMap == true
            ? "its keys look like data" : "\(level.entity) has no identity that its records could refer to"
    }

    private func linkName(_ key: String, at level: Level) -> String {
        SampleNames.member(level.list == key ? level.prefix : level.prefix + [SampleNames.member(key)])
    }

    // MARK: Objects

    private func addObject(_ member: SampleMemberShape, key: String, at level: inout Level) {
        guard let object = member.object, !object.keys.isEmpty, !object.isMap else {
            let isMap = member.object.map { !$0.keys.isEmpty && $0.isMap } ?? false
            note(
                member, key: key, at: level,
                text: "is json: \(isMap ? reason(member.object, at: level) : "it is empty")")
            return addAttribute(.json, member: member, key: key, at: &level)
        }
        if let destination = entities.entity(of: object) {
            if isReadWithKey(key, at: level, to: destination) { return }
            links.append(
                SampleLink(
                    owner: level.entity, name: free(linkName(key, at: level), in: level.entity),
                    destination: destination.name, isToMany: false, wire: .embedded, path: level.path + [key]))
            return
        }
        let isEnvelope = member.nulls == 0 && object.envelopedKey != nil
        if key == "_embedded" || isEnvelope || isFlat(object, member: member, depth: level.canOwn ? 1 : Self.flatDepth)
        {
            return flatten(object, member: member, key: key, at: &level)
        }
        guard level.canOwn else {
            note(member, key: key, at: level, text: "is json: \(reason(object, at: level))")
            return addAttribute(.json, member: member, key: key, at: &level)
        }
        own(object, member: member, key: key, isToMany: false, at: &level)
    }

    /// Whether `author_id` beside `author` is the relationship.
    private func isReadWithKey(_ key: String, at level: Level, to destination: SampleEntity) -> Bool {
        ["_id", "Id", "ID"].contains { suffix in
            level.shape.members[key + suffix].map { !$0.kinds.isEmpty && haveSameType($0, to: destination) } ?? false
        }
    }

    private func flatten(_ object: SampleShape, member: SampleMemberShape, key: String, at level: inout Level) {
        var inner = level
        inner.shape = object
        inner.path.append(key)
        if key != "_embedded" { inner.prefix.append(SampleNames.member(key)) }
        inner.isOptional = isOptional(key, at: level) || member.nulls > 0
        if let list = inner.list {
            let others = object.keys.filter { $0 != list }
            leftOut.formUnion(others.map { [level.entity] + inner.path + [$0] })
            notes.ignored("Around the records of \(subject(key, at: level)): \(others.joined(separator: ", "))")
        }
        addMembers(&inner)
        level.attributes = inner.attributes
    }

    /// Adds an entity for objects without identity, which exist only in their owner.
    private func own(
        _ object: SampleShape, member: SampleMemberShape, key: String, isToMany: Bool, at level: inout Level
    ) {
        guard order.count < SampleEntities.entityLimit else {
            return leave(member, key: key, at: level, what: "there are too many kinds of records")
        }
        let name = freeName(
            level.entity + SampleNames.entity(level.list == key ? level.path.last ?? key : key)
        ) {
            name in taken.keys.contains(name)
        }
        taken[name] = []
        order.append(name)
        links.append(
            SampleLink(
                owner: level.entity, name: free(linkName(key, at: level), in: level.entity), destination: name,
                isToMany: isToMany, wire: .embedded, path: level.path + [key], isOwned: true))
        var inner = Level(entity: name, shape: object, identity: nil)
        addMembers(&inner)
        append(inner)
        notes.decided(
            object.firstLocation,
            text: "\(subject(key, at: level)): '\(name)' is the entity of these objects without identity, "
                + "which exist only in their \(level.entity)")
    }
}

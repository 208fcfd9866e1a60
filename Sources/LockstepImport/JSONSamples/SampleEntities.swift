/// An entity that was found in samples.
final class SampleEntity {
    fileprivate(set) var name: String
    let shape = SampleShape()
    /// The records that are not inside of others.
    fileprivate(set) var collections: [SampleCollection] = []
    fileprivate(set) var identity: String?
    /// The entity that has the same records under another name.
    fileprivate(set) var same: SampleEntity?

    fileprivate init(name: String) { self.name = name }

    var isRoot: Bool { !collections.isEmpty }
    var isJSONAPI: Bool { collections.contains(where: \.isJSONAPI) }

    /// The identities of its records, as texts.
    private(set) lazy var ids: Set<String> = {
        guard let identity else { return [] }
        return Set((shape.examples + collections.flatMap(\.records)).compactMap { $0[identity]?.identityText })
    }()

    var recordsByIdentity: [String: SampleValue] {
        guard let identity else { return [:] }
        let all = shape.examples + collections.flatMap(\.records)
        let pairs = all.compactMap { record in record[identity]?.identityText.map { ($0, record) } }
        return Dictionary(pairs) { $1 }
    }

    fileprivate var resolved: SampleEntity { same?.resolved ?? self }
}

/// Finds the entities: the records at the top of files and in envelopes, and the objects with an identity inside of
/// them. What is reached over several paths is one entity.
final class SampleEntities {
    private var all: [SampleEntity] = []
    /// By their names without case and punctuation.
    private var names: [String: SampleEntity] = [:]
    /// The entities of nested objects.
    private var links: [ObjectIdentifier: SampleEntity] = [:]
    private var nested: [(shape: SampleShape, entity: SampleEntity)] = []
    private let notes: SampleNotes

    /// Two entities with fewer members in common may be the same by accident.
    private static let leastEqualMembers = 4

    /// With more entities, keys are data.
    static let entityLimit = 500

    init(_ collections: [SampleCollection], notes: SampleNotes) throws(ImportFailure) {
        self.notes = notes
        for collection in collections {
            let entity = entity(named: collection.name)
            entity.collections.append(collection)
            for record in collection.records {
                guard let members = record.members else { continue }
                entity.shape.add(members, value: record, file: collection.file)
            }
        }
        for entity in all { register(entity.shape, of: entity) }
        if all.count > Self.entityLimit,
            let location = nested.first(where: { $0.entity === all[Self.entityLimit] })?.shape.firstLocation
                ?? all[Self.entityLimit].shape.firstLocation
        {
            throw notes.failure(
                location,
                reason: "There are more than \(Self.entityLimit) kinds of records, so their keys may be data. "
                    + "Save a response with fewer.")
        }
        for (shape, entity) in nested { entity.shape.merge(shape) { self.links[ObjectIdentifier($0)] != nil } }
        for entity in all { identify(entity) }
        for entity in all where !entity.isRoot { unify(entity) }
    }

    /// The entities in the order in which they were found.
    var list: [SampleEntity] { all.filter { $0.same == nil && $0.shape.count > 0 } }

    /// The entity of a nested object; `nil` if it has no identity.
    func entity(of shape: SampleShape) -> SampleEntity? { links[ObjectIdentifier(shape)]?.resolved }

    /// The entity with this name, if it has an identity.
    func entity(named base: String, isPlural: Bool) -> SampleEntity? {
        let name = SampleNames.plain(isPlural ? SampleNames.entity(base) : base)
        return names[name].map(\.resolved).flatMap { $0.identity == nil ? nil : $0 }
    }

    private func entity(named name: String) -> SampleEntity {
        if let known = names[SampleNames.plain(name)] { return known }
        let entity = SampleEntity(name: name)
        names[SampleNames.plain(name)] = entity
        all.append(entity)
        return entity
    }

    // MARK: Nested objects

    private func register(_ shape: SampleShape, of entity: SampleEntity) {
        guard entity.isJSONAPI else { return register(shape) }
        // The rest of a resource refers to others.
        if let attributes = shape.members[JSONAPI.attributes]?.object { register(attributes) }
    }

    /// - Parameter outer: The key of the objects, which names the records if the objects are envelopes.
    private func register(_ shape: SampleShape, outer: String? = nil) {
        let enveloped = shape.envelopedKey
        for key in shape.keys {
            guard let member = shape.members[key] else { continue }
            if let object = member.object, member.kinds == [.object] { visit(object, key: key) }
            if let elements = member.elements, let object = elements.object, elements.kinds == [.object],
                elements.nulls == 0, member.kinds == [.list]
            {
                visit(object, key: key == enveloped ? outer ?? key : key)
            }
        }
    }

    private func visit(_ shape: SampleShape, key: String) {
        if key == "_links" || shape.isMap { return }
        let name = SampleNames.entity(key)
        if SampleIdentity.key(of: shape, entity: name) != nil {
            takeName(name)
            let entity = entity(named: name)
            links[ObjectIdentifier(shape)] = entity
            nested.append((shape, entity))
        }
        register(shape, outer: key)
    }

    /// Takes a name for records inside of others. A record without an identity that has it is around them, and gets
    /// another one.
    private func takeName(_ name: String) {
        let key = SampleNames.plain(name)
        guard let known = names[key], known.isRoot, known.collections.allSatisfy({ $0.identity == nil }),
            SampleIdentity.key(of: known.shape, entity: name) == nil
        else { return }
        known.name = freeName("\(name)Response") { names[SampleNames.plain($0)] != nil }
        names[key] = nil
        names[SampleNames.plain(known.name)] = known
        notes.decided(
            known.shape.firstLocation, text: "\(known.name) is what is around the records of \(name)",
            help: "If it is none, import the records without it.")
    }

    // MARK: Identities

    private func identify(_ entity: SampleEntity) {
        var refused: Set<String> = []
        let keys = Set(entity.collections.compactMap(\.identity))
        let listed = IdentityNames.listedIdentities(in: entity.isRoot ? entity.shape.keys : [], of: entity.name) {
            names[$0] != nil
        }
        while let key = SampleIdentity.key(
            of: entity.shape, entity: entity.name, first: keys, listed: listed, except: refused)
        {
            guard let location = entity.collections.lazy.compactMap({ self.repetition(of: key, in: $0) }).first else {
                entity.identity = key
                return
            }
            refused.insert(key)
            notes.decided(
                location, text: "\(entity.name): '\(key)' does not identify its records, because two have the same one")
        }
        guard entity.isRoot else { return }
        for collection in entity.collections where collection.isSingle {
            let place = collection.path.isEmpty ? "at the top" : "at \(collection.path)"
            notes.decided(
                SampleLocation(file: collection.file, line: collection.records[0].line),
                text: "\(entity.name): the object \(place) is a record",
                help: "If it contains records, import them without what is around them.")
        }
        notes.decided(
            entity.shape.firstLocation, text: "\(entity.name): \(MemberSketch.unsentKeyReason("localID"))",
            help: MemberSketch.unsentKeyHelp("localID"))
    }

    /// Where a record has the identity of another one that is not the same.
    private func repetition(of key: String, in collection: SampleCollection) -> SampleLocation? {
        var known: [String: Int] = [:]
        for (index, record) in collection.records.enumerated() {
            guard let id = record[key]?.identityText else { continue }
            if let other = known.updateValue(index, forKey: id), collection.records[other].json != record.json {
                return SampleLocation(file: collection.file, line: record.line)
            }
        }
        return nil
    }

    // MARK: The same entity under two names

    private func unify(_ entity: SampleEntity) {
        let keys = Set(entity.shape.keys)
        let candidates = all.filter { $0 !== entity && $0.same == nil && $0.identity == entity.identity }
        let sameValues = candidates.filter {
            $0.isRoot && keys.isSubset(of: $0.shape.keys) && haveEqualValues(entity, and: $0)
        }
        let sameKeys = keys.count < Self.leastEqualMembers ? [] : candidates.filter { Set($0.shape.keys) == keys }
        // In case of doubt, they are different.
        guard let other = only(sameValues) ?? only(sameKeys.filter(\.isRoot)) ?? first(sameKeys, before: entity) else {
            return
        }
        entity.same = other
        other.shape.merge(entity.shape) { self.links[ObjectIdentifier($0)] != nil }
        notes.decided(
            entity.shape.firstLocation,
            text: "'\(SampleNames.reference(entity.name))' is a record of \(other.name): it has the same members",
            help: "If they are different, add an entity for it.")
    }

    private func only(_ entities: [SampleEntity]) -> SampleEntity? { entities.count == 1 ? entities[0] : nil }

    /// The first of entities inside of others that was found earlier.
    private func first(_ entities: [SampleEntity], before entity: SampleEntity) -> SampleEntity? {
        guard let first = entities.first, !entities.contains(where: \.isRoot),
            let known = all.firstIndex(where: { $0 === first || $0 === entity }), all[known] === first
        else { return nil }
        return first
    }

    /// Whether each object is a record of an entity, as far as it goes.
    private func haveEqualValues(_ entity: SampleEntity, and other: SampleEntity) -> Bool {
        guard let key = entity.identity, entity.shape.keys.count > 1 else { return false }
        var records: [String: SampleValue] = [:]
        for record in other.collections.flatMap(\.records) {
            if let id = record[key]?.identityText { records[id] = record }
        }
        return !entity.shape.examples.isEmpty
            && entity.shape.examples.allSatisfy { example in
                guard let id = example[key]?.identityText, let record = records[id] else { return false }
                return (example.members ?? []).allSatisfy { $0.value.json == record[$0.key]?.json }
            }
    }
}

extension SampleShape {
    /// Whether its keys are data: they look like identities, each object has others or none, or they are a set.
    var isMap: Bool {
        if keys.isEmpty { return false }
        if hasEmpty || keys.count > Self.memberLimit || keys.allSatisfy(SampleMap.isIdentity) { return true }
        let all = keys.compactMap { members[$0] }
        if all.allSatisfy({ $0.kinds == [.bool] && !$0.hasFalse && $0.nulls == 0 }) { return true }
        let kinds = Set(all.flatMap(\.kinds))
        // A key with null is there: only what is absent somewhere shows that the keys are not the same in each object.
        return count > 1 && keys.count > 2 && kinds.count == 1 && all.allSatisfy { $0.present < count }
    }

    /// An object with more members is no record.
    private static let memberLimit = 500
}

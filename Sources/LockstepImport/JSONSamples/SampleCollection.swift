import LockstepSchema

/// Records of one kind in a file.
struct SampleCollection {
    /// The name of the entity.
    let name: String
    let records: [SampleValue]
    let file: Int
    /// How the records are reached from the top of the file, without their indices.
    let path: String
    let isList: Bool
    var isJSONAPI = false
    /// The keys of the records, if they are the members of an object, or how each is reached.
    var keys: [String]?
    /// The member of each record that has its key.
    var identity: String?

    /// Whether it is one object, and no list of them.
    var isSingle: Bool { !isList && keys == nil }

    /// How a record is reached from the top of the file: `data[3]`.
    func path(_ index: Int) -> String {
        if let keys { return path.isEmpty ? keys[index] : "\(path).\(keys[index])" }
        return isList ? "\(path)[\(index)]" : path
    }
}

/// Finds the records in a file: at the top, or in an envelope.
struct SampleCollections {
    private(set) var found: [SampleCollection] = []
    private let file: SampleFile
    private let notes: SampleNotes

    init(_ file: SampleFile, notes: SampleNotes) throws(ImportFailure) {
        (self.file, self.notes) = (file, notes)
        if file.values.count > 1 {
            add(file.entity, records: file.values, path: "", isList: true)
        } else if let value = file.values.first {
            try addTop(value)
        }
        if found.allSatisfy({ $0.records.allSatisfy { $0.members?.isEmpty ?? true } }) {
            throw failure(
                file.values.first?.line ?? 1,
                reason: "It has no records: an object with members, or a list with at least one, is required. "
                    + "Save a response that has some.")
        }
    }

    private func failure(_ line: Int, reason: String) -> ImportFailure {
        ImportFailure(file.path, line: line, reason: reason)
    }

    private mutating func addTop(_ value: SampleValue) throws(ImportFailure) {
        switch value.content {
        case .list(let elements):
            if let stray = elements.first(where: { $0.members == nil }) {
                throw failure(
                    stray.line,
                    reason: "The list has \(stray.kind?.title ?? "null") where a record should be. "
                        + "Import a list of objects.")
            }
            add(file.entity, records: elements, path: "", isList: true)
        case .object(let members): addObject(value, members: members, path: "", name: file.entity, depth: 0)
        default:
            throw failure(
                value.line,
                reason:
                    "It is \(value.kind?.title ?? "null"), and no records. Save a response with an object or a list.")
        }
    }

    private mutating func add(_ name: String, records: [SampleValue], path: String, isList: Bool) {
        found.append(SampleCollection(name: name, records: records, file: file.index, path: path, isList: isList))
    }

    // MARK: Objects

    private mutating func addObject(
        _ value: SampleValue, members: [SampleMember], path: String, name: String, depth: Int
    ) {
        if path.isEmpty, JSONAPI.isDocument(members) { return addJSONAPI(members) }
        let hasIdentity = SampleIdentity.usual.contains { value[$0]?.identityText != nil }
        if !hasIdentity, depth < SampleEnvelope.depthLimit {
            if let map = SampleMap(members) {
                return add(map, members: members, path: path, name: name, line: value.line)
            }
            if SampleEnvelope.isEnvelope(members) || SampleEnvelope.holdsRecords(members),
                SampleIdentity.key(of: value, name: name) == nil
            {
                return addEnvelope(members, path: path, name: name, depth: depth)
            }
        }
        add(name, records: [value], path: path, isList: false)
    }

    private func location(_ line: Int) -> SampleLocation { SampleLocation(file: file.index, line: line) }

    private mutating func addEnvelope(_ members: [SampleMember], path: String, name: String, depth: Int) {
        var others: [String] = []
        let isList = SampleEnvelope.isList(members)
        for member in members {
            let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
            guard !SampleEnvelope.isCompanion(member, isList: isList) else {
                others.append(inner)
                continue
            }
            let entity = EnvelopeNames.containers.contains(member.key) ? name : SampleNames.entity(member.key)
            switch member.value.content {
            case .list(let elements):
                add(entity, records: elements, path: inner, isList: true)
                note(member, at: inner, what: elements.isEmpty ? "no records" : "the records of \(entity)")
            case .object(let values) where hasRecord(member, values: values):
                if SampleMap(values) == nil, !SampleEnvelope.isEnvelope(values), !SampleEnvelope.holdsRecords(values) {
                    note(member, at: inner, what: "a record of \(entity)")
                }
                addObject(member.value, members: values, path: inner, name: entity, depth: depth + 1)
            case .null where EnvelopeNames.containers.contains(member.key): break
            default:
                notes.left(
                    location(member.value.line), text: "'\(inner)' is beside the records, and belongs to none",
                    help: "If the object around it is a record, add its identity to the sample.")
            }
        }
        if !others.isEmpty {
            notes.ignored("Around the records in \(file.name): \(others.joined(separator: ", "))")
        }
    }

    private func hasRecord(_ member: SampleMember, values: [SampleMember]) -> Bool {
        EnvelopeNames.containers.contains(member.key) || SampleMap(values) != nil
            || SampleEnvelope.isEnvelope(values) || SampleEnvelope.holdsRecords(values)
            || SampleIdentity.key(of: member.value, name: member.key) != nil
    }

    private func note(_ member: SampleMember, at path: String, what: String) {
        notes.decided(
            location(member.value.line), text: "'\(path)' has \(what)",
            help: path == member.key
                ? EnvelopeNames.helpForList(path)
                : "The remote looks one level deep, so your client has to return what is inside.")
    }

    // MARK: Maps and JSON:API

    private mutating func add(_ map: SampleMap, members: [SampleMember], path: String, name: String, line: Int) {
        let identity = map.identity ?? freeName("id") { name in members.contains { $0.value[name] != nil } }
        // The runtime reads the key as the identity, too.
        let records =
            map.identity == nil ? members.map { $0.value.adding(identity, text: $0.key) } : members.map(\.value)
        found.append(
            SampleCollection(
                name: name, records: records, file: file.index, path: path, isList: false, keys: members.map(\.key),
                identity: identity))
        let key = map.identity == nil ? "with their keys as '\(identity)'" : "by their '\(identity)'"
        notes.decided(
            location(line), text: "\(name): its records are the members of an object, as in Firebase, \(key)",
            help: map.identity == nil
                ? "Set `collections = .map` where you create the remote. '\(identity)' is sent with each record, too."
                : "Set `collections = .map` where you create the remote.")
    }

    private mutating func addJSONAPI(_ members: [SampleMember]) {
        var lists: [String: (records: [SampleValue], paths: [String])] = [:]
        var types: [String] = []
        for member in members where member.key == "data" || member.key == "included" {
            for (index, record) in (member.value.elements ?? [member.value]).enumerated() {
                guard let type = record["type"]?.text else { continue }
                if lists[type] == nil { types.append(type) }
                let path = member.value.elements == nil ? member.key : "\(member.key)[\(index)]"
                lists[type, default: ([], [])].records.append(record)
                lists[type]?.paths.append(path)
            }
        }
        for type in types {
            guard let list = lists[type] else { continue }
            found.append(
                SampleCollection(
                    name: SampleNames.entity(type), records: list.records, file: file.index,
                    path: "", isList: true, isJSONAPI: true, keys: list.paths))
        }
        notes.decided(
            SampleLocation(file: file.index, line: 1), text: "\(file.name) is JSON:API: each type is an entity",
            help: "The remote has to read `data` and `included`, and to send the record under `data`.")
        let others = members.map(\.key).filter { $0 != "data" && $0 != "included" }
        if !others.isEmpty { notes.ignored("Around the records in \(file.name): \(others.joined(separator: ", "))") }
    }
}

/// An object whose members are records, with their keys.
struct SampleMap {
    /// The member of each record that has its key; `nil` if the keys only look like identities.
    let identity: String?

    init?(_ members: [SampleMember]) {
        guard let first = members.first?.value.members, members.allSatisfy({ $0.value.members != nil }) else {
            return nil
        }
        let candidates = first.prefix(Self.candidateLimit).map(\.key)
        identity = candidates.first { key in members.allSatisfy { $0.value[key]?.identityText == $0.key } }
        if identity == nil, !members.allSatisfy({ Self.isIdentity($0.key) }), !Self.areAlike(members) { return nil }
    }

    /// The identity is among the first members.
    private static let candidateLimit = 50
    private static let leastAlike = 3

    /// Whether objects are so alike that they are records: most of their members are in all of them.
    private static func areAlike(_ members: [SampleMember]) -> Bool {
        guard members.count >= leastAlike else { return false }
        var counts: [String: Int] = [:]
        for member in members {
            for inner in member.value.members ?? [] where inner.value.kind != .object {
                counts[inner.key, default: 0] += 1
            }
        }
        let common = counts.values.count { $0 == members.count }
        return common > 1 && common * 2 >= counts.count
    }

    /// A number, a UUID, or a push ID of Firebase.
    static func isIdentity(_ key: String) -> Bool {
        if key.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return !key.isEmpty }
        if key.utf8.count == 20, key.hasPrefix("-") {
            return key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        }
        return [.uuid, .capitalUUID].contains(TextFormat(key))
    }
}

extension SampleIdentity {
    /// The member that identifies a single object.
    static func key(of value: SampleValue, name: String) -> String? {
        let own = SampleNames.plain(Noun.singular(name)) + "id"
        return value.members?.first {
            (usual.contains($0.key) || SampleNames.plain($0.key) == own) && $0.value.identityText != nil
        }?.key
    }
}

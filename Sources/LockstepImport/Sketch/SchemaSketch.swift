import LockstepJSON

/// A schema as it will be written.
struct SchemaSketch {
    var name: String
    /// `nil` for the language's default.
    var version: Int?
    /// The options of the file's `wire:`.
    var wire: JSONObject = [:]
    /// Whether it describes what a server sends, and not an app's own data.
    var isFromServer = false
    /// Whether the names of columns and tables are those of members and entities, unchanged.
    var hasColumnsAsWritten = false
    var enums: [EnumSketch] = []
    var entities: [EntitySketch] = []
}

struct EnumSketch {
    var name: String
    /// Whether the raw values are whole numbers.
    var isInteger = false
    var isClosed = false
    var doc: String?
    var cases: [(name: String, value: JSONValue)]
    /// The line of the source, from 1; it is not written.
    var line: Int?
}

struct EntitySketch {
    var name: String
    var isAbstract = false
    var extends: String?
    var documentation: String?
    var identity = IdentitySketch.derived
    /// The name in SQL; `nil` for the one that is derived.
    var table: String?
    /// The attribute that distinguishes the states of a record.
    var version: String?
    var remote: RemoteSketch?
    var attributes: [MemberSketch] = []
    var relationships: [MemberSketch] = []
    var indexes: [IndexSketch] = []
    /// The source that it was made of, which does not depend on its names; it is not written.
    var source: String?
    /// The line of the source, from 1; it is not written.
    var line: Int?

    init(name: String, line: Int? = nil) { (self.name, self.line) = (name, line) }
}

enum IdentitySketch: Hashable {
    /// `id`, which the language assumes.
    case derived
    case absent
    case attributes([String])
    case local(String, remote: String)

    init(_ names: [String]) { self = names == ["id"] ? .derived : .attributes(names) }

    var isLocal: Bool { if case .local = self { true } else { false } }

    /// The attributes in it.
    var names: [String] {
        switch self {
        case .derived: ["id"]
        case .absent: []
        case .attributes(let names): names
        case .local(let local, let remote): [local, remote]
        }
    }
}

/// How an entity is accessed on the server.
enum RemoteSketch {
    /// It is only on the device.
    case absent
    /// `nil` stands for the language's default. `wrap` is `true`, or a key.
    case options(path: String? = nil, writes: [String]? = nil, wrap: JSONValue? = nil)
}

struct IndexSketch: Hashable {
    var members: [String]
    var isUnique = false
}

extension EntitySketch {
    /// Adds an index, unless the identity, a relationship or another index has it already. That of one attribute is an
    /// option of the attribute.
    mutating func addIndex(over members: [String], isUnique: Bool) {
        let identity = identity.names
        if Set(members) == Set(identity) || !isUnique && identity.starts(with: members) { return }
        if members.count == 1, let own = attributes.firstIndex(where: { $0.name == members[0] }) {
            attributes[own].isUnique = attributes[own].isUnique || isUnique
            attributes[own].isIndexed = !attributes[own].isUnique
            return
        }
        if !isUnique, members.count == 1, relationships.contains(where: { $0.name == members[0] }) { return }
        let new = IndexSketch(members: members, isUnique: isUnique)
        if indexes.contains(new) || indexes.contains(IndexSketch(members: members, isUnique: true)) { return }
        indexes.append(new)
    }
}

extension SchemaSketch {
    /// The JSON keys that are derived.
    var keys: DerivedNames { DerivedNames(isSnakeCase: wire["names"] == "snake_case") }

    /// The name of an entity's table.
    func tableName(of entity: EntitySketch) -> String {
        entity.table ?? DerivedNames(isSnakeCase: !hasColumnsAsWritten).name(entity.name)
    }

    /// The indices of the entities, by their names.
    var positions: [String: Int] {
        Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The counts for the report.
    var counts: ImportReport.Counts {
        var counts = ImportReport.Counts()
        counts.entities = entities.count
        counts.attributes = entities.reduce(0) { $0 + $1.attributes.count }
        counts.relationships = entities.reduce(0) { $0 + $1.relationships.count }
        return counts
    }
}

/// The name, with the first number from 2 that makes it free if it is taken.
func freeName(_ name: String, isTaken: (String) -> Bool) -> String {
    var (candidate, number) = (name, 2)
    while isTaken(candidate) { (candidate, number) = ("\(name)\(number)", number + 1) }
    return candidate
}

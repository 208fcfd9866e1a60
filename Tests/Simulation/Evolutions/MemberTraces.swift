import LockstepEvolution
import LockstepJSON

/// What became of the entities and members of a history's first version, by following the names in its changes only.
///
/// It knows nothing of tables and columns, so that it can judge what a migration did with them.
struct MemberTraces {
    /// The present names of entities, by their first ones.
    private(set) var entities: [String: String] = [:]
    /// The entities of which records were deleted.
    private(set) var deleted: Set<String> = []
    /// The present paths of members whose values are the same, by their first ones.
    private(set) var members: [MemberPath: MemberPath] = [:]

    init(_ history: SchemaHistory) throws {
        var tree = history.base
        for (name, entity) in tree.entities {
            entities[name] = name
            for member in entity.members.keys {
                members[MemberPath(name, member: member)] = MemberPath(name, member: member)
            }
        }
        for change in history.versions.flatMap(\.changes) {
            follow(change, in: tree)
            try tree.apply(change)
        }
    }

    private mutating func follow(_ change: SchemaChange, in tree: SchemaTree) {
        if change.answers.refetch || change.answers.duplicates != nil {
            deleted.formUnion(entities.filter { $1 == change.path.type }.keys)
        }
        switch change.action {
        case .add: break
        case .remove:
            if change.path.member == nil { entities = entities.filter { $1 != change.path.type } }
            members = members.filter { $1 != change.path && (change.path.member != nil || $1.type != change.path.type) }
        case .rename(to: let name): rename(change.path, to: name)
        case .change(from: let former, to: let new):
            if change.path.member == nil, tree.enumerations[change.path.type] != nil {
                forgetUsers(of: change.path.type, in: tree)
            } else if change.path.member != nil, !Self.keepsValues(former, new) {
                members = members.filter { $1 != change.path }
            }
        }
    }

    private mutating func rename(_ path: MemberPath, to name: String) {
        guard path.member == nil else {
            for (first, present) in members where present == path {
                members[first] = MemberPath(path.type, member: name)
            }
            return
        }
        for (first, present) in entities where present == path.type { entities[first] = name }
        for (first, present) in members where present.type == path.type {
            members[first] = MemberPath(name, member: present.member)
        }
    }

    /// Values of the enum may become others.
    private mutating func forgetUsers(of enumeration: String, in tree: SchemaTree) {
        members = members.filter { _, present in
            guard case .string(let type)? = tree.entities[present.type]?.members[present.member ?? ""]?["type"] else {
                return true
            }
            return type.filter { !"[]?".contains($0) } != enumeration
        }
    }

    private static let harmless: Set<String> = [
        "column", "columns", "key", "wire", "sent", "formerKeys", "default", "onDelete", "ordered", "position",
    ]

    private static func keepsValues(_ former: JSONObject, _ new: JSONObject) -> Bool {
        // A foreign key that comes or goes is stored elsewhere.
        guard (former["columns"] ?? .null == .null) == (new["columns"] ?? .null == .null) else { return false }
        return Set(former.keys).union(new.keys).subtracting(harmless).allSatisfy { key in
            guard case .string(let old)? = former[key], case .string(let later)? = new[key] else { return false }
            return (key == "to" || key == "type") && later == old + "?"
        }
    }
}

/// Reads the values of a member with the keys of its records.
struct MemberValues {
    let structure: SchemaStructure
    let reading: FileReading

    /// The records with the value, each as a text; `nil` for members that have no columns.
    func values(of path: MemberPath, inBases: Bool) throws -> [String]? {
        guard let entity = structure.entity(path.type) else { return nil }
        var columns: [String] = []
        if let attribute = entity.attribute(path.member ?? "") {
            columns = [attribute.column]
        } else if let relationship = entity.relationship(path.member ?? "") {
            if let links = ends(of: relationship) {
                return inBases ? nil : try texts(links.table, links.columns)
            }
            columns = relationship.foreignKeyColumns
        }
        if columns.isEmpty || inBases && entity.remote == nil { return nil }
        let keys = entity.keyColumns.isEmpty ? [EntityStructure.surrogateKey] : entity.keyColumns
        return try texts((inBases ? "lockstep_base_" : "") + entity.table, keys + columns)
    }

    /// The keys of the records that equal their bases.
    func unchangedRecords(of name: String) throws -> Set<String> {
        guard let entity = structure.entity(name), entity.remote != nil else { return [] }
        let keys = entity.keyColumns.isEmpty ? [EntityStructure.surrogateKey] : entity.keyColumns
        func records(_ table: String) throws -> [String: [String: StoredValue]] {
            let (columns, rows) = try reading.rows(of: table)
            let pairs = rows.map { row in
                let values = Dictionary(zip(columns, row.map(\.plain))) { first, _ in first }
                return (keys.map { "\(values[$0]?.description ?? "")" }.joined(separator: ", "), values)
            }
            return Dictionary(pairs) { first, _ in first }
        }
        let bases = try records("lockstep_base_\(entity.table)")
        return Set(try records(entity.table).filter { bases[$0.key] == $0.value }.keys)
    }

    func count(of entity: String) throws -> Int {
        try reading.rows(of: structure.entity(entity)?.table ?? "").rows.count
    }

    /// The columns of a join table, from the relationship's end.
    private func ends(of relationship: RelationshipStructure) -> (table: String, columns: [String])? {
        switch relationship.storage {
        case .joinTable(let table): return (table.name, table.leftColumns + table.rightColumns)
        case .inverseJoinTable(let name):
            guard let table = SchemaLookup(structure).joinTables.first(where: { $0.name == name }) else { return nil }
            return (name, table.right.columns + table.left.columns)
        case .foreignKey, .inverseForeignKey: return nil
        }
    }

    private func texts(_ table: String, _ columns: [String]) throws -> [String] {
        let (names, rows) = try reading.rows(of: table)
        let places = columns.compactMap { names.firstIndex(of: $0) }
        return rows.map { row in places.map { "\(row[$0].plain)" }.joined(separator: ", ") }.sorted()
    }
}

extension SchemaStructure {
    /// The name by which changed links of a relationship are recorded; `nil` for a to-one that holds its key.
    func linkName(of path: MemberPath) -> String? {
        guard let relationship = entity(path.type)?.relationship(path.member ?? "") else { return nil }
        switch relationship.storage {
        case .foreignKey: return nil
        case .joinTable(let table): return table.name
        case .inverseJoinTable(let name): return name
        case .inverseForeignKey:
            guard let destination = entity(relationship.destination),
                let column = destination.relationship(relationship.inverse ?? "")?.foreignKeyColumns.first
            else { return nil }
            return "\(destination.table).\(column)"
        }
    }
}

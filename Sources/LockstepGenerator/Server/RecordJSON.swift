import LockstepEvolution

/// The JSON that is sent of the records of an entity.
struct RecordJSON {
    let entity: ServerEntity
    let schema: ServerSchema

    /// The record of a change, if it is in the scope of the change.
    func record(of change: Code) -> Code {
        """
        (SELECT (SELECT to_json(j.*) FROM (SELECT
            \(Code.list(members(of: tree)))
        ) j) FROM \(name: entity.table) r
            WHERE \(entity.hasKey("r", equalTo: "\(change).id")) AND \(entity.scopeText("r")) = \(change).scope)
        """
    }

    // MARK: The members of the JSON

    /// A value, or an object of values by their keys, in order.
    private indirect enum Member {
        case value(Code)
        case object([(key: String, member: Member)])
    }

    private var tree: [(key: String, member: Member)] {
        var tree: [(key: String, member: Member)] = []
        for attribute in entity.structure.attributes {
            guard let wire = attribute.wire else { continue }
            let form = ValueForm(attribute.type, format: wire.format, in: schema.structure)
            Self.insert(
                .value(form.json("r.\(name: attribute.column)")), at: wire.path[...], into: &tree)
        }
        for relationship in entity.structure.relationships {
            for (path, value) in links(relationship) { Self.insert(.value(value), at: path[...], into: &tree) }
        }
        return tree
    }

    private static func insert(
        _ member: Member, at path: ArraySlice<String>, into tree: inout [(key: String, member: Member)]
    ) {
        guard let key = path.first else { return }
        guard path.count > 1 else { return tree.append((key, member)) }
        var inner: [(key: String, member: Member)] = []
        let index = tree.firstIndex { $0.key == key }
        if let index, case .object(let members) = tree[index].member { inner = members }
        insert(member, at: path.dropFirst(), into: &inner)
        if let index { tree[index].member = .object(inner) } else { tree.append((key, .object(inner))) }
    }

    private func members(of tree: [(key: String, member: Member)]) -> [Code] {
        tree.map { key, member in "\(value(of: member)) AS \(column: key)" }
    }

    private func value(of member: Member) -> Code {
        switch member {
        case .value(let value): return value
        case .object(let members):
            let columns = Code.joined(self.members(of: members), separator: ", ")
            return "(SELECT to_json(o.*) FROM (SELECT \(columns)) o)"
        }
    }

    /// The keys of a relationship with their values.
    private func links(_ relationship: RelationshipStructure) -> [([String], Code)] {
        switch relationship.wire {
        case .none, .embedded: return []
        case .id(let paths, _):
            return zip(paths, relationship.foreignKeyColumns).map { ($0, "r.\(name: $1)") }
        case .ids(let path, _):
            return LinkTable(relationship, of: entity, in: schema).map { [(path, $0.members(of: "r"))] } ?? []
        }
    }
}

extension Code.Interpolation {
    /// The name of a column of a query, which becomes a key of JSON as it is, however long.
    mutating func appendInterpolation(column key: String) {
        let quotes = key.replacing("\"", with: "\"\"")
        appendInterpolation(Code(linesInLiteral: "\"\(quotes)\""))
    }
}

import LockstepEvolution
import LockstepSchema

/// The foreign keys whose relationships are in other columns than those of the database.
///
/// The schema names the column of a relationship, but not several of them, nor those of a table of links. A link also
/// holds the identity of its destination, and not another unique value.
struct MisnamedKeys {
    private(set) var ids: Set<String> = []
    private let result: DatabaseImport.Result

    init(_ result: DatabaseImport.Result) {
        self.result = result
        let lookup = SchemaLookup(result.schema.structure)
        for entity in result.sketch.entities {
            let keys = entity.source.flatMap { result.entities[$0]?.keys } ?? []
            for link in entity.relationships {
                guard let key = keys.first(where: { $0.id == link.source }) else { continue }
                let columns = lookup.entities[entity.name]?.relationship(link.name)?.foreignKeyColumns ?? []
                if !isSame(columns, of: [key]) { ids.insert(key.id) }
            }
        }
        for join in result.joins {
            let columns = lookup.joinTable(named: join.table.name).map { $0.left.columns + $0.right.columns } ?? []
            if !isSame(columns, of: [join.left, join.right]) { ids.formUnion([join.left.id, join.right.id]) }
        }
    }

    private func isSame(_ columns: [String], of keys: [DatabaseLinks.Key]) -> Bool {
        let isIdentity = keys.allSatisfy { key in
            let identity = result.entities[key.target.name]?.identity ?? []
            return identity.isEmpty || Set(identity.map(\.name)) == Set(key.references.map(\.name))
        }
        return isIdentity
            && Set(columns.map(SQLDialect.postgresql.accepted)) == Set(keys.flatMap(\.columns).map(\.name))
    }
}

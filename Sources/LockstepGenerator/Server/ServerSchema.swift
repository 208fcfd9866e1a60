import LockstepEvolution
import LockstepSchema

/// A schema as its server sees it: the entities that have a scope.
struct ServerSchema {
    let structure: SchemaStructure
    let lookup: SchemaLookup
    let entities: [ServerEntity]
    let userClaim: String
    /// Whether functions of the server say who reads and writes a scope.
    let hasCustomAccess: Bool

    /// - Parameter structure: The schema with the names that its tables and columns have.
    init(_ schema: Schema, structure: SchemaStructure) {
        self.structure = structure
        lookup = SchemaLookup(structure)
        entities = structure.entities.compactMap { ServerEntity($0, in: structure) }
        userClaim = schema.server?.userClaim ?? ServerOptions().userClaim
        hasCustomAccess = schema.server?.hasCustomAccess ?? false
    }

    /// The branches of a `CASE` of the name of an entity.
    func cases(_ value: (ServerEntity) -> Code) -> Code {
        .lines(entities.map { "WHEN \(quoted: $0.name) THEN \(value($0))" })
    }

    func entity(_ name: String) -> ServerEntity? { entities.first { $0.name == name } }

    /// The join tables between entities with a scope.
    var joinTables: [LockstepEvolution.JoinTable] {
        lookup.joinTables.filter { entity($0.left.entity) != nil && entity($0.right.entity) != nil }
    }

    /// The paths of all entities from a record to those who read or write it, with their entities.
    var accessPaths: [AccessPathSteps] {
        if hasCustomAccess { return [] }
        return entities.flatMap { entity in
            [entity.structure.readers, entity.structure.writers].flatMap { rule -> [AccessPathSteps] in
                guard case .users(let paths) = rule else { return [] }
                return paths.compactMap { AccessPathSteps($0, from: entity, in: self) }
            }
        }
    }

    /// The types of the attributes that hold the user of a scope.
    var scopeUserTypes: Set<KeyType> {
        Set(
            entities.compactMap { entity in
                guard case .attribute(let name) = entity.scope else { return nil }
                return entity.structure.attribute(name).map { KeyType($0.type, in: structure) }
            })
    }

    /// The types of all attributes that hold a user.
    var userTypes: Set<KeyType> { scopeUserTypes.union(accessPaths.map(\.userType)) }

    /// The tables that lead from an entity along a relationship, each with the columns that it has in common with the
    /// one before: the destination's, or the join table's and the destination's.
    func tables(
        from entity: EntityStructure, along relationship: RelationshipStructure, to destination: EntityStructure
    ) -> [(table: String, columns: [(before: String, own: String)])] {
        func pairs(_ before: [String], with own: [String]) -> [(before: String, own: String)] {
            zip(before, own).map { ($0, $1) }
        }
        switch relationship.storage {
        case .foreignKey(let columns, _):
            return [(destination.table, pairs(columns, with: destination.keyColumns))]
        case .inverseForeignKey:
            let columns = lookup.inverse(of: relationship)?.foreignKeyColumns ?? []
            return [(destination.table, pairs(entity.keyColumns, with: columns))]
        case .joinTable(let table):
            return [
                (table.name, pairs(entity.keyColumns, with: table.leftColumns)),
                (destination.table, pairs(table.rightColumns, with: destination.keyColumns)),
            ]
        case .inverseJoinTable(let name):
            guard let table = lookup.joinTable(named: name) else { return [] }
            return [
                (name, pairs(entity.keyColumns, with: table.right.columns)),
                (destination.table, pairs(table.left.columns, with: destination.keyColumns)),
            ]
        }
    }
}

import LockstepEvolution

/// The table that has the links of a to-many relationship which is sent as a list of identities: a join table, or that
/// of the destination.
struct LinkTable {
    let table: String
    /// The columns with the key of the record that has the list.
    let owner: [String]
    /// The columns of that key in the record's table.
    private let key: [String]
    /// The column with the key of a member.
    let member: String
    /// The column with the position in the list, if it is ordered.
    let position: String?
    /// Whether its rows are links and nothing else.
    let isJoinTable: Bool
    /// Whether each link is two rows, one for each direction.
    let isSymmetric: Bool

    init?(_ relationship: RelationshipStructure, of entity: ServerEntity, in schema: ServerSchema) {
        guard case .ids = relationship.wire, relationship.isToMany,
            let destination = entity.destination(of: relationship), destination.key.count == 1
        else { return nil }
        key = entity.key.map(\.column)
        switch relationship.storage {
        case .foreignKey: return nil
        case .inverseForeignKey:
            guard let inverse = schema.lookup.inverse(of: relationship) else { return nil }
            (table, owner, member) = (destination.table, inverse.foreignKeyColumns, destination.key[0].column)
            (position, isJoinTable, isSymmetric) = (inverse.positionColumn, false, false)
        case .joinTable(let join):
            (table, owner, member) = (join.name, join.leftColumns, join.rightColumns[0])
            (position, isJoinTable, isSymmetric) = (join.leftPosition, true, join.isSymmetric)
        case .inverseJoinTable(let name):
            guard let join = schema.lookup.joinTable(named: name) else { return nil }
            (table, owner, member) = (name, join.right.columns, join.left.columns[0])
            (position, isJoinTable, isSymmetric) = (join.right.positionColumn, true, join.isSymmetric)
        }
    }

    /// The condition that a link belongs to a record, whose key is in columns of `row`.
    func belongs(_ link: Code, to row: Code) -> Code {
        .all(zip(owner, key).map { "\(link).\(name: $0) = \(row).\(name: $1)" })
    }

    /// The identities of a record's members as a JSON array.
    func members(of row: Code) -> Code {
        let order = Code.joined([position, member].compactMap { $0 }.map { "l.\(name: $0)" }, separator: ", ")
        return """
            (SELECT coalesce(json_agg(l.\(name: member) ORDER BY \(order)), '[]') FROM \(name: table) l \
            WHERE \(belongs("l", to: row)))
            """
    }
}

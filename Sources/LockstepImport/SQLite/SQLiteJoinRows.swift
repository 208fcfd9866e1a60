import LockstepSchema

/// The statements that copy the links of a join table.
struct SQLiteJoinRows {
    private let join: DatabaseLinks.Join
    private let table: JoinTable
    private let ends: [(target: Entity, columns: [String])]
    private var view: SQLiteRowView

    /// `nil` for a table that has become no relationship.
    init?(_ join: DatabaseLinks.Join, map: SQLiteRowMap) {
        guard let left = map.entity(ofTable: join.left.target), let right = map.entity(ofTable: join.right.target),
            case .joinTable(let name, let isLeft)? = map.relationship(of: join.sources.left, entity: left)?.storage,
            let table = map.schema.joinTables.first(where: { $0.name == name }), let leftValues = map.values(join.left),
            let rightValues = map.values(join.right)
        else { return nil }
        (self.join, self.table) = (join, table)
        let columns = isLeft ? [table.left.columns, table.right.columns] : [table.right.columns, table.left.columns]
        ends = [(left, columns[0]), (right, columns[1])]
        view = SQLiteRowView(join.table, map: map)
        for column in join.left.columns + join.right.columns { _ = view.old(column.name) }
        for (column, value) in zip(columns[0] + columns[1], leftValues + rightValues) {
            view.addNew(column, sql: value)
        }
    }

    var comparison: String {
        let columns = ends.flatMap(\.columns).map { (name: $0, value: "n.\(SQLiteRowView.new($0))") }
        return view.comparison(with: table.name, columns: columns)
    }

    var statements: [String] {
        let columns = ends.flatMap(\.columns)
        let exist = ends.map { SQLiteTableRows.exists($0.target, columns: $0.columns.map(SQLiteRowView.new)) }
        let written = (join.left.columns + join.right.columns).map { "quote(n.\(SQLText.name("old \($0.name)")))" }
        let names = (join.left.columns + join.right.columns).map(\.name).joined(separator: ", ")
        return [
            "-- \(ends[0].target.name) and \(ends[1].target.name)", view.statement,
            view.listing(
                names, value: written.joined(separator: " || ', ' || "),
                reason: "CASE WHEN NOT (\(exist.joined(separator: "\n            AND ")))\n            "
                    + "THEN 'links a row that is not copied' END"),
            """
            INSERT INTO main.\(SQLText.name(table.name)) (\(columns.map(SQLText.name).joined(separator: ", ")))
                SELECT DISTINCT \(columns.map { "n.\(SQLiteRowView.new($0))" }.joined(separator: ", "))
                \(view.fitting);
            """,
        ]
    }
}

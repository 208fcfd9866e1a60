import GRDB

/// Writes the unsaved links of many-to-many relationships, and their order.
struct JoinWriter {
    private let context: ManagedObjectContext
    private let run: SaveRun

    init(_ context: ManagedObjectContext, run: SaveRun) {
        self.context = context
        self.run = run
    }

    func write(_ database: Database) throws {
        for table in context.unsaved.joins.keys.sorted() {
            if let changes = context.unsaved.joins[table] { try write(changes, in: database) }
        }
        for (link, owner) in context.unsaved.reordered where owner.state != .deleted {
            try writeOrder(of: owner, for: link.relationship, in: database)
        }
    }

    private func write(_ changes: JoinChanges, in database: Database) throws {
        let table = SQLName.quoted(changes.table)
        let columns = changes.leftColumns + changes.rightColumns
        var orders = [
            changes.leftPosition.map { JoinOrder(table: table, owner: changes.leftColumns, position: $0) },
            changes.rightPosition.map { JoinOrder(table: table, owner: changes.rightColumns, position: $0) },
        ]
        let inserted = columns + orders.compactMap { $0?.position }
        let insertSQL = """
            INSERT OR IGNORE INTO \(table) (\(inserted.map(SQLName.quoted).joined(separator: ", "))) \
            VALUES (\(inserted.map { _ in "?" }.joined(separator: ", ")))
            """
        let deleteSQL = "DELETE FROM \(table) WHERE \(SQLName.condition(columns))"
        for (pair, change) in changes.pairsToWrite {
            var values = pair.left.values + pair.right.values
            if change.isAdded {
                if let sql = changes.makeRoomSQL {
                    // Another context may have linked one of them meanwhile.
                    try run.run(
                        sql, with: values, table: changes.table, in: database, of: change.left, write: .unlink)
                }
                for (side, owner) in [pair.left, pair.right].enumerated() {
                    if let next = try orders[side]?.next(of: owner, in: context) { values.append(next.databaseValue) }
                }
            }
            try run.run(
                change.isAdded ? insertSQL : deleteSQL, with: values, table: changes.table, in: database,
                of: change.left,
                write: change.isAdded ? .link : .unlink)
            for end in [change.left, change.right] where end.state != .inserted {
                run.tracker.noteSending(of: end.recordKey, plan: end.plan)
            }
        }
    }

    /// Writes the position of each member whose position has changed.
    private func writeOrder(of owner: ManagedObject, for relationship: Int, in database: Database) throws {
        guard case .manyToMany(let join) = owner.plan.relationships[relationship].kind, let position = join.position,
            context.unsaved.isReordered(owner, for: relationship)
        else { return }
        let links = try context.loadedLinks(of: owner, for: relationship)
        let column = SQLName.quoted(position)
        let sql = """
            UPDATE \(SQLName.quoted(join.table)) SET \(column) = ?1 \
            WHERE \(column) IS NOT ?1 AND \(Self.condition(join.sourceColumns + join.destinationColumns))
            """
        let key = owner.recordKey
        for (index, member) in links.members.enumerated() {
            try run.run(
                sql, with: [index.databaseValue] + key.values + member.recordKey.values, table: join.table,
                in: database, of: owner,
                write: .reorder)
        }
    }

    /// The condition for a pair, whose parameters begin with number 2.
    private static func condition(_ columns: [String]) -> String {
        columns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 2)" }.joined(separator: " AND ")
    }
}

extension JoinChanges {
    /// The links to write: those that are removed, then those that are added, each in the order in which they were
    /// changed. The links of deleted records were deleted with them.
    fileprivate var pairsToWrite: [(Pair, Change)] {
        var seen: Set<Pair> = []
        let pairs = order.compactMap { pair -> (Pair, Change)? in
            guard seen.insert(pair).inserted, let change = changes[pair], change.left.state != .deleted,
                change.right.state != .deleted
            else { return nil }
            return (pair, change)
        }
        return pairs.filter { !$0.1.isAdded } + pairs.filter(\.1.isAdded)
    }
}

/// Gives new links the positions after those of their owners' existing links.
private struct JoinOrder {
    /// The table's name, quoted.
    let table: String
    let owner: [String]
    let position: String
    private var nextPositions: [RecordKey: Int] = [:]

    init(table: String, owner: [String], position: String) {
        self.table = table
        self.owner = owner
        self.position = position
    }

    mutating func next(of key: RecordKey, in context: ManagedObjectContext) throws -> Int {
        var next = nextPositions[key]
        if next == nil {
            let sql = "SELECT MAX(\(SQLName.quoted(position))) FROM \(table) WHERE \(SQLName.condition(owner))"
            next = try context.connection.integer(sql, with: key.values).map { $0 + 1 }
        }
        nextPositions[key] = (next ?? 0) + 1
        return next ?? 0
    }
}

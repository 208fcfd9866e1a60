import LockstepEvolution
import LockstepStore

/// Rows by table, in a canonical order, so that two stores that generate different keys can be compared.
///
/// Keys generated on the device are replaced by the server's identities, positions in a list by ranks.
struct CanonicalRows: Equatable {
    var tables: [String: [[String: DatabaseValue]]] = [:]

    /// The lines that only one of two has.
    func difference(from other: CanonicalRows) -> String {
        var lines: [String] = []
        for table in Set(tables.keys).union(other.tables.keys).sorted() {
            var (mine, theirs) = (tables[table] ?? [], other.tables[table] ?? [])
            for row in mine where theirs.contains(row) {
                theirs.remove(at: theirs.firstIndex(of: row) ?? 0)
                mine.remove(at: mine.firstIndex(of: row) ?? 0)
            }
            lines += mine.map { "\(table) - \(Self.text($0))" } + theirs.map { "\(table) + \(Self.text($0))" }
        }
        return lines.joined(separator: "\n")
    }

    /// Whether it has all rows of another one.
    func contains(_ other: CanonicalRows) -> Bool {
        other.tables.allSatisfy { table, rows in
            var own = tables[table] ?? []
            return rows.allSatisfy { row in own.firstIndex(of: row).map { own.remove(at: $0) } != nil }
        }
    }

    var isEmpty: Bool { tables.values.allSatisfy(\.isEmpty) }

    private static func text(_ row: [String: DatabaseValue]) -> String {
        row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    mutating func add(_ row: [String: DatabaseValue], to table: String) { tables[table, default: []].append(row) }

    /// Sorts the rows of each table, and replaces positions by ranks.
    mutating func settle(_ plans: SchemaPlan) {
        for plan in plans {
            for relationship in plan.relationships {
                switch relationship.kind {
                case .toOne(let columns, position: let position?, isRequired: _):
                    rank(plan.table, columns.map { plan.columns[$0].name }, plan.columns[position].name)
                case .manyToMany(let join):
                    if let position = join.position { rank(join.table, join.sourceColumns, position) }
                default: break
                }
            }
        }
        for table in tables.keys { tables[table]?.sort { Self.text($0) < Self.text($1) } }
    }

    private mutating func rank(_ table: String, _ owner: [String], _ position: String) {
        let rows = tables[table] ?? []
        tables[table] = rows.map { row in
            guard let place = row[position], !place.isNull else { return row }
            let before = rows.filter { other in
                owner.allSatisfy { other[$0] == row[$0] }
                    && (Int.fromDatabaseValue(other[position] ?? .null) ?? .max)
                        < (Int.fromDatabaseValue(place) ?? .max)
            }
            var ranked = row
            ranked[position] = before.count.databaseValue
            return ranked
        }
    }
}

extension ReferenceStore {
    var canonicalRows: CanonicalRows {
        var rows = CanonicalRows()
        for plan in plans {
            rows.tables[plan.table] = []
            for row in (self.rows[plan.name].map { Array($0.values) } ?? []) + (scraps[plan.name] ?? []) {
                var values: [String: DatabaseValue] = [:]
                for (place, column) in plan.columns.enumerated() where column.content != .surrogateKey {
                    values[column.name] = row.values[place] ?? .null
                }
                if let remote = plan.remoteColumn {
                    values[plan.columns[plan.keyColumns[0]].name] = row.values[remote] ?? .null
                }
                rows.add(values, to: plan.table)
            }
            for case .manyToMany(let join) in plan.relationships.filter({ $0.wire != .none }).map(\.kind) {
                rows.tables[join.table] = []
                for (link, position) in links[join.table] ?? [:] {
                    var values = Dictionary(uniqueKeysWithValues: zip(join.sourceColumns, link.source))
                    for (column, value) in zip(join.destinationColumns, link.destination) { values[column] = value }
                    if let column = join.position { values[column] = position?.databaseValue ?? .null }
                    rows.add(values, to: join.table)
                }
            }
        }
        rows.settle(plans)
        return rows
    }
}

extension CanonicalRows {
    /// The contents of a store.
    init(of store: Store) async throws {
        let plans = store.plans
        self = try await store.writer.read { try Self.read(plans, $0) }
    }

    private static func read(_ plans: SchemaPlan, _ database: Database) throws -> CanonicalRows {
        let names = try LocalNames(plans, database)
        var rows = CanonicalRows()
        for plan in plans {
            rows.tables[plan.table] = []
            let key = plan.remoteColumn == nil ? nil : plan.columns[plan.keyColumns[0]].name
            for row in try Row.fetchAll(database, sql: "SELECT * FROM \(SQLName.quoted(plan.table))") {
                var values: [String: DatabaseValue] = [:]
                for column in plan.columns where column.content != .surrogateKey {
                    let value: DatabaseValue = row[column.name]
                    if column.name == key {
                        values[column.name] = names.serverIdentity(of: value, plan)
                    } else if case .attribute = column.content {
                        values[column.name] = made(value)
                    } else {
                        values[column.name] = value
                    }
                }
                for relationship in plan.relationships where relationship.target.remoteColumn != nil {
                    guard case .toOne(let columns, position: _, isRequired: _) = relationship.kind else { continue }
                    let column = plan.columns[columns[0]].name
                    values[column] = names.serverIdentity(of: values[column] ?? .null, relationship.target)
                }
                rows.add(values, to: plan.table)
            }
            for relationship in plan.relationships where relationship.wire != .none {
                guard case .manyToMany(let join) = relationship.kind else { continue }
                rows.tables[join.table] = []
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(SQLName.quoted(join.table))") {
                    var values = Dictionary(uniqueKeysWithValues: row.map { ($0.0, $0.1) })
                    for (columns, end) in [(join.sourceColumns, plan), (join.destinationColumns, relationship.target)]
                    where end.remoteColumn != nil {
                        values[columns[0]] = names.serverIdentity(of: values[columns[0]] ?? .null, end)
                    }
                    rows.add(values, to: join.table)
                }
            }
        }
        rows.settle(plans)
        return rows
    }

    /// The prefix of identities generated for the tests.
    static let madePrefix = "00000000-0000-4000-8000-"

    private static func made(_ value: DatabaseValue) -> DatabaseValue {
        if case .string(let text) = value.storage, text.hasPrefix(madePrefix) {
            ReferenceMerger.madeIdentity
        } else {
            value
        }
    }

    /// The server's identities of keys generated by the device, of existing records and of those yet to arrive.
    private struct LocalNames {
        var names: [String: [String: DatabaseValue]] = [:]

        init(_ plans: SchemaPlan, _ database: Database) throws {
            for plan in plans {
                guard let remote = plan.remoteColumn else { continue }
                let columns = [plan.keyColumns[0], remote].map { SQLName.quoted(plan.columns[$0].name) }
                for row in try Row.fetchAll(
                    database, sql: "SELECT \(columns[0]), \(columns[1]) FROM \(SQLName.quoted(plan.table))")
                {
                    names[plan.name, default: [:]][row[0]] = row[1]
                }
            }
            // Read from SQLite itself: GRDB's cached schema may be older than a rollback.
            let sql = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'lockstep_reserved_identity'"
            guard try Int.fetchOne(database, sql: sql) == 1 else { return }
            for row in try Row.fetchAll(
                database, sql: "SELECT entity, local_id, remote_id FROM lockstep_reserved_identity")
            {
                names[row[0], default: [:]][row[1]] = row[2]
            }
        }

        func serverIdentity(of key: DatabaseValue, _ plan: EntityPlan) -> DatabaseValue {
            guard case .string(let text) = key.storage else { return key }
            return names[plan.name]?[text] ?? "nobody’s key".databaseValue
        }
    }
}

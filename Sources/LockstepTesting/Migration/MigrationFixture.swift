package import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// Makes the file of a version, with records from a server and with every kind of pending change.
package struct MigrationFixture {
    private let schema: RecordedSchema
    private let values: HostileValues
    private let lookup: SchemaLookup
    private let rowCount: Int
    private var random: SeededNumbers
    private var number = 0

    /// - Parameter rowCount: The number of records of each entity.
    package init(_ schema: RecordedSchema, seed: UInt64, rowCount: Int = 8) {
        self.schema = schema
        self.rowCount = rowCount
        values = HostileValues(structure: schema.structure)
        lookup = SchemaLookup(schema.structure)
        random = SeededNumbers(seed: seed)
    }

    /// Creates the file.
    ///
    /// - Throws: `StoreError`, or an error of SQLite.
    package mutating func make(at url: URL) throws {
        let opening = StoreOpening(
            schema: schema.description, location: .file(url), configuration: Configuration(),
            options: MigrationOptions())
        let writer = try opening.open().writer
        try writer.write { database in
            try OutboxTable.suppressed(database) {
                for entity in parentsFirst {
                    for _ in 0..<rowCount { try insert(entity, in: database) }
                }
                for join in lookup.joinTables { try insertLinks(join, in: database) }
            }
        }
        // Each edit in a transaction of its own, as an app makes them.
        for entity in schema.structure.entities { try edit(entity, writer: writer) }
        try writer.write { try settle($0) }
        // The file is then whole without its journal.
        _ = try writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try writer.close()
    }

    /// Local entities have references that SQLite checks, so their owners are made first.
    private var parentsFirst: [EntityStructure] {
        var sorted: [EntityStructure] = []
        func visit(_ entity: EntityStructure, below: Set<String>) {
            guard !sorted.contains(where: { $0.name == entity.name }), !below.contains(entity.name) else { return }
            for relationship in entity.relationships where !relationship.foreignKeyColumns.isEmpty {
                if let destination = lookup.entities[relationship.destination] {
                    visit(destination, below: below.union([entity.name]))
                }
            }
            sorted.append(entity)
        }
        for entity in schema.structure.entities { visit(entity, below: []) }
        return sorted
    }

    // MARK: Rows

    private mutating func insert(_ entity: EntityStructure, in database: Database) throws {
        number += 1
        var names: [String] = []
        var row: [DatabaseValue] = []
        for attribute in entity.attributes {
            names.append(attribute.column)
            let isKey = entity.identity.keyAttributes.contains(attribute.name)
            row.append(
                isKey
                    ? values.unique(attribute.type, number: number)
                    : values.value(attribute, number: number, using: &random))
        }
        for relationship in entity.relationships where !relationship.foreignKeyColumns.isEmpty {
            guard let key = try key(for: relationship, of: entity, in: database) else { return }
            names += relationship.foreignKeyColumns
            row += key
        }
        if names.isEmpty { return try database.execute(sql: "INSERT INTO \(quoted(entity.table)) DEFAULT VALUES") }
        let columns = names.map(quoted).joined(separator: ", ")
        try attempt(database) {
            try database.change(
                """
                INSERT INTO \(quoted(entity.table)) (\(columns)) \
                VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
                """, with: row)
        }
    }

    /// - Returns: `nil` if the relationship needs a record and there is none.
    private mutating func key(
        for relationship: RelationshipStructure, of entity: EntityStructure, in database: Database
    ) throws -> [DatabaseValue]? {
        guard let destination = lookup.entities[relationship.destination] else { return nil }
        let empty = relationship.foreignKeyColumns.map { _ in DatabaseValue.null }
        if relationship.isOptional, random.isOne(in: 3) { return empty }
        let isChecked = lookup.isLocal(entity.name, and: destination.name)
        if !isChecked, random.isOne(in: 4) {
            // The link has arrived before the record that it leads to.
            return destination.identity.keyAttributes.compactMap(destination.attribute).map {
                values.unique($0.type, number: 900_000 + number)
            }
        }
        let columns = destination.keyColumns.map(quoted).joined(separator: ", ")
        let keys = try database.valueRows("SELECT \(columns) FROM \(quoted(destination.table)) ORDER BY 1")
        return keys.randomElement(using: &random) ?? (relationship.isOptional ? empty : nil)
    }

    private mutating func insertLinks(_ join: JoinTable, in database: Database) throws {
        let columns = (join.left.columns + join.right.columns).map(quoted).joined(separator: ", ")
        for _ in 0..<rowCount / 2 {
            var ends: [[DatabaseValue]] = []
            for end in [join.left, join.right] {
                guard let entity = lookup.entities[end.entity] else { return }
                let keys = entity.keyColumns.map(quoted).joined(separator: ", ")
                let rows = try database.valueRows("SELECT \(keys) FROM \(quoted(entity.table)) ORDER BY 1")
                guard let key = rows.randomElement(using: &random) else { return }
                ends.append(key)
            }
            try attempt(database) {
                for row in join.isSymmetric ? [ends, ends.reversed()] : [ends] {
                    try database.change(
                        """
                        INSERT OR IGNORE INTO \(quoted(join.name)) (\(columns)) \
                        VALUES (\(row.joined().map { _ in "?" }.joined(separator: ", ")))
                        """, with: Array(row.joined()))
                }
            }
        }
    }

    // MARK: Edits

    private mutating func edit(_ entity: EntityStructure, writer: any DatabaseWriter) throws {
        for _ in 0..<2 { try Self.attempt(in: writer) { try insert(entity, in: $0) } }
        let editable = entity.attributes.filter {
            !entity.identity.keyAttributes.contains($0.name) && !$0.isUnique && $0.name != entity.version
        }
        for _ in 0..<3 {
            guard let attribute = editable.randomElement(using: &random) else { break }
            let value = values.value(attribute, number: number, using: &random)
            try Self.attempt(in: writer) { database in
                guard let row = try anyRow(of: entity, in: database) else { return }
                try database.change(
                    "UPDATE \(quoted(entity.table)) SET \(quoted(attribute.column)) = ? WHERE rowid = ?",
                    with: [value, row])
            }
        }
        try Self.attempt(in: writer) { database in
            guard let row = try anyRow(of: entity, in: database) else { return }
            try database.change("DELETE FROM \(quoted(entity.table)) WHERE rowid = ?", with: [row])
        }
    }

    /// A delete rule, a limit or a unique value may deny an edit; a reference that SQLite checks does so when its
    /// transaction ends.
    private static func attempt(in writer: any DatabaseWriter, edit: (Database) throws -> Void) throws {
        do { try writer.write(edit) } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT
        {}
    }

    private mutating func anyRow(of entity: EntityStructure, in database: Database) throws -> DatabaseValue? {
        try database.valueRows("SELECT rowid FROM \(quoted(entity.table)) ORDER BY 1").randomElement(using: &random)?[0]
    }

    /// A delete rule, a limit or a unique value may deny an edit.
    private func attempt(_ database: Database, body: () throws -> Void) throws {
        try database.execute(sql: "SAVEPOINT edit")
        do { try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try database.execute(sql: "ROLLBACK TO edit")
        }
        try database.execute(sql: "RELEASE edit")
    }

    /// Some changes were sent without a response, and some are rejected by the server; each entity has validators.
    private mutating func settle(_ database: Database) throws {
        for plan in schema.description.plan where plan.isTracked {
            for change in try PendingChange.fetch(database, of: plan) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where change.kind == .create:
                    guard let row = try database.valueRows(plan.findSQL, with: change.key.values).first else {
                        continue
                    }
                    try OutboxWriter(database, plan: plan).markSent(
                        change, idempotencyKey: "key-\(change.id)", body: Data("{\"sent\":\(change.id)}".utf8), row: row
                    )
                case 1:
                    try OutboxTable.park(change, status: 422, in: database)
                default: break
                }
            }
            try ValidatorTable.keep(
                ValidatorTable.Row(entityTag: "\"1\"", startedAt: nil, next: nil),
                address: "http://example.org/\(plan.name)",
                of: plan.name, in: database)
        }
    }

    private func quoted(_ name: String) -> String { SQLName.quoted(name) }
}

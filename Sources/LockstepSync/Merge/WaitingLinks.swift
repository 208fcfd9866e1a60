import GRDB
import LockstepStore

/// Members that were listed by identity and are not here yet, of relationships whose members hold the foreign key
/// (Rules.md, R3). They are kept in the table `lockstep_waiting_link` until they come.
final class WaitingLinks {
    private unowned let run: MergeRun
    private var hasTable: Bool?

    static let table = WaitingLinkTable.name

    init(_ run: MergeRun) { self.run = run }

    /// Forgets whom an owner has waited for, except for those that its new list has in the same places: what is as it was
    /// is not written again.
    func forget(
        _ owner: LinkOwner, _ relationship: MergeRelationship,
        except places: @autoclosure () -> [KeyFingerprint: Int]
    ) throws {
        guard try isThere() else { return }
        let kept = places()
        let (name, owner) = (name(owner.entity, relationship).databaseValue, stored(owner.key))
        var waiting: [(child: DatabaseValue, place: DatabaseValue)] = []
        try statements.get().ofOwner.forEachRow([name, owner]) { waiting.append(($0.value(0), $0.value(1))) }
        for (child, place) in waiting {
            let keptPlace = kept[[Cell(child, arena: run.staging.arena)].fingerprint]
            if keptPlace?.databaseValue != place {
                try statements.get().delete.run([name, child])
            }
        }
    }

    /// Forgets a record that nobody lists any more.
    func forget(_ child: [Cell], _ entity: MergeEntity, _ relationship: MergeRelationship) throws {
        guard try isThere() else { return }
        try statements.get().delete.run([name(entity, relationship).databaseValue, child[0].databaseValue])
    }

    func keep(
        _ child: [Cell], at place: Int, _ owner: LinkOwner, _ relationship: MergeRelationship
    ) throws {
        try keep(child[0].databaseValue, at: place, owner.key, owner.entity, relationship)
    }

    /// - Parameter owner: The key of a record of the entity that has the relationship.
    func keep(
        _ child: DatabaseValue, at place: Int, _ owner: [Cell], _ entity: MergeEntity, _ relationship: MergeRelationship
    ) throws {
        if try !isThere() {
            try run.database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \(Self.table) (
                        relationship TEXT NOT NULL, owner NOT NULL, child NOT NULL, place INTEGER NOT NULL,
                        PRIMARY KEY (relationship, child)
                    ) WITHOUT ROWID;
                    CREATE INDEX IF NOT EXISTS \(Self.table)_owner ON \(Self.table) (relationship, owner)
                    """)
            hasTable = true
        }
        try statements.get().keep.run([
            name(entity, relationship).databaseValue, stored(owner), child, place.databaseValue,
        ])
    }

    /// The statements of the table, once that is there. GRDB's arguments would end at a NUL: the key of another record.
    private struct Statements {
        let ofOwner: RawStatement
        let keep: RawStatement
        let delete: RawStatement

        init(_ database: Database) throws {
            let table = WaitingLinks.table
            ofOwner = try RawStatement(
                "SELECT child, place FROM \(table) WHERE relationship = ? AND owner = ?", database)
            // Of two owners that list one child, the last has it.
            keep = try RawStatement(
                """
                INSERT INTO \(table) (relationship, owner, child, place) VALUES (?, ?, ?, ?) \
                ON CONFLICT (relationship, child) DO UPDATE SET owner = excluded.owner, place = excluded.place \
                WHERE owner IS NOT excluded.owner OR place IS NOT excluded.place
                """, database)
            delete = try RawStatement("DELETE FROM \(table) WHERE relationship = ? AND child = ?", database)
        }
    }

    private lazy var statements = Result { [run] in try Statements(run.database) }

    /// Tries each that waits.
    ///
    /// - Parameter link: Links a child, given its key, its owner's and its place; whether it is here.
    func connect(
        _ link: (_ child: [Cell], _ owner: [Cell], _ place: Int, MergeEntity, MergeRelationship) throws -> Bool
    ) throws {
        guard try isThere() else { return }
        for entity in run.plan.entities {
            for relationship in entity.relationships {
                guard case .ids = relationship.description.wire, case .toMany = relationship.description.kind else {
                    continue
                }
                try connect(entity, relationship, link)
            }
        }
    }

    private func connect(
        _ entity: MergeEntity, _ relationship: MergeRelationship,
        _ link: ([Cell], [Cell], Int, MergeEntity, MergeRelationship) throws -> Bool
    ) throws {
        let children = run.plan.entities[relationship.destination].plan
        let key = SQLName.quoted(children.columns[children.keyColumns[0]].name)
        let name = name(entity, relationship).databaseValue
        let select = try RawStatement(
            """
            SELECT child, owner, place FROM \(Self.table) WHERE relationship = ? \
            AND child IN (SELECT \(key) FROM \(SQLName.quoted(children.table)))
            """, run.database)
        var rows: [(child: DatabaseValue, owner: DatabaseValue, place: Int)] = []
        try select.forEachRow([name]) { row in
            rows.append((row.value(0), row.value(1), Int.fromDatabaseValue(row.value(2)) ?? 0))
        }
        let arena = run.staging.arena
        for row in rows {
            if try link([Cell(row.child, arena: arena)], owner(row.owner, of: entity), row.place, entity, relationship)
            {
                try statements.get().delete.run([name, row.child])
            }
        }
    }

    /// An owner's key as one value; of several parts, as a JSON list.
    private func stored(_ key: [Cell]) -> DatabaseValue {
        guard key.count > 1 else { return key[0].databaseValue }
        let parts = key.map { cell -> JSONValue in
            cell.kind == .integer ? .integer(cell.integer) : .string(String(decoding: cell.bytes, as: UTF8.self))
        }
        return JSONText.text(of: .array(parts)).databaseValue
    }

    private func owner(_ stored: DatabaseValue, of entity: MergeEntity) -> [Cell] {
        let arena = run.staging.arena
        guard entity.plan.keyColumns.count > 1, let text = String.fromDatabaseValue(stored),
            case .array(let parts)? = JSONText.value(from: text)
        else { return [Cell(stored, arena: arena)] }
        return parts.map { part in
            switch part {
            case .integer(let value): Cell(integer: value)
            case .string(let text): Cell(text: arena.copy(text))
            default: .null
            }
        }
    }

    private func name(_ entity: MergeEntity, _ relationship: MergeRelationship) -> String {
        "\(entity.plan.name).\(relationship.description.name)"
    }

    func isThere() throws -> Bool {
        if let hasTable { return hasTable }
        let isThere = try run.database.hasTable(Self.table)
        hasTable = isThere
        return isThere
    }
}

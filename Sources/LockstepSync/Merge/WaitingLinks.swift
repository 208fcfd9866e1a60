import GRDB
import LockstepStore

/// Members that were listed by identity and are not here yet, of relationships whose members hold the foreign key
/// (Rules.md, R3). They are kept in the table `lockstep_waiting_link` until they come.
final class WaitingLinks {
    private unowned let run: MergeRun
    private var hasTable: Bool?

    static let table = WaitingLinkTable.name

    init(_ run: MergeRun) { self.run = run }

    /// Forgets whom an owner has waited for, as it has a new list, but for those that are in this too.
    func forget(_ owner: LinkOwner, _ relationship: MergeRelationship, but members: [LinkMember]) throws {
        guard try isThere() else { return }
        let name = name(owner.entity, relationship).databaseValue
        let waiting = try DatabaseValue.fetchAll(
            run.database,
            sql: "SELECT child FROM \(Self.table) WHERE relationship = ? AND owner = \(Self.ownerSQL(owner.entity))",
            arguments: StatementArguments([name] + ownerValues(owner)))
        if waiting.isEmpty { return }
        let listed = Set(members.map { $0.key[0].databaseValue })
        for child in waiting where !listed.contains(child) { try forget(child, name) }
    }

    private func forget(_ child: DatabaseValue, _ relationship: DatabaseValue) throws {
        try run.database.execute(
            sql: "DELETE FROM \(Self.table) WHERE relationship = ? AND child = ?", arguments: [relationship, child])
    }

    func keep(
        _ child: [Cell], at place: Int, _ owner: LinkOwner, _ relationship: MergeRelationship
    ) throws {
        if try !isThere() {
            try run.database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \(Self.table) (
                        relationship TEXT NOT NULL, owner NOT NULL, child NOT NULL, place INTEGER NOT NULL,
                        PRIMARY KEY (relationship, child)
                    ) WITHOUT ROWID
                    """)
            hasTable = true
        }
        // Of two owners that list one child, the last has it.
        try run.database.execute(
            sql: """
                INSERT INTO \(Self.table) (relationship, owner, child, place) \
                VALUES (?, \(Self.ownerSQL(owner.entity)), ?, ?) \
                ON CONFLICT DO UPDATE SET owner = excluded.owner, place = excluded.place \
                WHERE owner IS NOT excluded.owner OR place IS NOT excluded.place
                """,
            arguments: StatementArguments(
                [name(owner.entity, relationship).databaseValue] + ownerValues(owner)
                    + [child[0].databaseValue, place.databaseValue]))
    }

    /// A key of several values is kept as a list of them.
    private static func ownerSQL(_ entity: MergeEntity) -> String {
        let count = entity.plan.keyColumns.count
        return count == 1 ? "?" : "json_array(\(Array(repeating: "?", count: count).joined(separator: ", ")))"
    }

    private func ownerValues(_ owner: LinkOwner) -> [DatabaseValue] { owner.key.map(\.databaseValue) }

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
        let name = name(entity, relationship)
        let count = entity.plan.keyColumns.count
        let owner = count == 1 ? ["owner"] : (0..<count).map { "json_extract(owner, '$[\($0)]')" }
        let rows = try Row.fetchAll(
            run.database,
            sql: """
                SELECT child, place, \(owner.joined(separator: ", ")) FROM \(Self.table) WHERE relationship = ? \
                AND child IN (SELECT \(key) FROM \(SQLName.quoted(children.table)))
                """, arguments: [name])
        let arena = run.staging.arena
        for row in rows {
            let child: DatabaseValue = row[0]
            let owner = (0..<count).map { Cell(row[$0 + 2] as DatabaseValue, arena: arena) }
            if try link([Cell(child, arena: arena)], owner, row[1], entity, relationship) {
                try forget(child, name.databaseValue)
            }
        }
    }

    private func name(_ entity: MergeEntity, _ relationship: MergeRelationship) -> String {
        "\(entity.plan.name).\(relationship.description.name)"
    }

    private func isThere() throws -> Bool {
        if let hasTable { return hasTable }
        let isThere = try run.database.hasTable(Self.table)
        hasTable = isThere
        return isThere
    }
}

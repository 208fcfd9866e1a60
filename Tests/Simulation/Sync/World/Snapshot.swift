import Foundation
import LockstepStore

/// All that a device has at a moment.
struct Snapshot: Equatable, Sendable {
    typealias Record = [String: DatabaseValue]

    /// The records by table and key.
    var rows: [String: [String: Record]] = [:]
    /// The many to many links by join table: `7 → 9`, in the order of the join's columns.
    var links: [String: Set<LinkRow>] = [:]
    var pending: [Pending] = []
    /// Links that were added or taken away here, by join table, as the outbox has them.
    var linkChanges: [LinkChange] = []
    /// The server's identities by entity and key, those of records that are to come included.
    var identities: [String: [DatabaseValue: DatabaseValue]] = [:]

    struct LinkRow: Hashable, Sendable {
        let source: DatabaseValue
        let destination: DatabaseValue
    }

    struct LinkChange: Hashable, Sendable {
        let table: String
        let ends: LinkRow
        let isAdded: Bool
    }

    /// A row of the outbox.
    struct Pending: Equatable, Sendable {
        let entity: String
        let table: String
        let key: String
        let change: OutboxChange
        /// What the server had before the first change that it has not confirmed.
        let base: Record?
        let isSent: Bool
        let error: String?
        let parkedStatus: Int?
        let retryAt: Double?
    }

    init() {}

    init(of store: Store, _ domain: Domain) async throws {
        self = try await store.writer.read { try Self.read(domain, $0) }
    }

    private static func read(_ domain: Domain, _ database: Database) throws -> Snapshot {
        var snapshot = Snapshot()
        for entity in domain.entities {
            snapshot.rows[entity.table] = try records(entity.table, entity, database)
        }
        for (join, _, _) in domain.joins {
            let sql =
                "SELECT \(SQLName.quoted(join.sourceColumns[0])), \(SQLName.quoted(join.destinationColumns[0])) FROM \(SQLName.quoted(join.table))"
            snapshot.links[join.table] = Set(
                try Row.fetchAll(database, sql: sql).map { LinkRow(source: $0[0], destination: $0[1]) })
        }
        try snapshot.readOutbox(domain, database)
        try snapshot.readIdentities(domain, database)
        return snapshot
    }

    private static func records(_ table: String, _ entity: DomainEntity, _ database: Database) throws -> [String:
        Record]
    {
        var records: [String: Record] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(SQLName.quoted(table))") {
            var record: Record = [:]
            for (name, value) in row { record[name] = value }
            records[(record[entity.keyName] ?? .null).keyText] = record
        }
        return records
    }

    private mutating func readOutbox(_ domain: Domain, _ database: Database) throws {
        var bases: [String: [String: Record]] = [:]
        for entity in domain.entities where entity.plan.isTracked {
            bases[entity.name] = try Self.records(OutboxTables.base(of: entity.plan), entity, database)
        }
        let sql = """
            SELECT entity, record, change, idempotency_key IS NOT NULL, error, parked_status, retry_at \
            FROM \(OutboxTables.outbox) ORDER BY id
            """
        for row in try Row.fetchAll(database, sql: sql) {
            guard let entity = domain.entity(row[0]) else { continue }
            let key = (row[1] as DatabaseValue).keyText
            pending.append(
                Pending(
                    entity: entity.name, table: entity.table, key: key,
                    change: OutboxChange(rawValue: row[2]) ?? .update,
                    base: bases[entity.name]?[key], isSent: row[3], error: row[4], parkedStatus: row[5], retryAt: row[6]
                ))
        }
        for row in try Row.fetchAll(
            database, sql: "SELECT join_table, source, destination, is_added FROM \(OutboxTables.links)")
        {
            linkChanges.append(
                LinkChange(table: row[0], ends: LinkRow(source: row[1], destination: row[2]), isAdded: row[3]))
        }
    }

    private mutating func readIdentities(_ domain: Domain, _ database: Database) throws {
        if try database.tableExists("lockstep_reserved_identity") {
            for row in try Row.fetchAll(
                database, sql: "SELECT entity, local_id, remote_id FROM lockstep_reserved_identity")
            {
                identities[row[0], default: [:]][row[1]] = row[2]
            }
        }
        for entity in domain.entities {
            guard let remote = entity.plan.remoteColumn.map({ entity.plan.columns[$0].name }) else { continue }
            for row in (rows[entity.table] ?? [:]).values {
                guard let key = row[entity.keyName], let identity = row[remote], !identity.isNull else { continue }
                identities[entity.name, default: [:]][key] = identity
            }
        }
    }

    func pending(_ entity: DomainEntity, _ key: String) -> Pending? {
        pending.first { $0.table == entity.table && $0.key == key }
    }

    /// Only what a person sees: no outbox.
    var visible: Snapshot {
        var visible = self
        visible.pending = []
        visible.linkChanges = []
        visible.identities = [:]
        return visible
    }
}

extension DatabaseValue {
    /// A key, or any value, as text.
    var keyText: String {
        switch storage {
        case .null: "null"
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .string(let text): text
        case .blob(let bytes): bytes.base64EncodedString()
        }
    }
}

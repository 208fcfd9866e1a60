import GRDB

/// The tables that a store keeps beside those of its schema, and the triggers of the outbox: creates them, and brings
/// those of another version of the schema or of this library up to date.
///
/// All of it happens in the transaction that opens the store, so that a process that dies in it leaves what was there
/// before. GRDB's `DatabaseMigrator` could not do that: it commits each migration by itself. It would also share its
/// list of migrations, the table `grdb_migrations`, with an app that migrates tables of its own in the store.
struct SystemTables {
    /// Counted up when the tables of the outbox change: an earlier version of this library would make the triggers anew
    /// as it knows them, which keep no tables that it does not know.
    ///
    /// 2: which table each name stands for, rows of embedded records, and what was sent and not answered.
    static let version = 2

    private static let key = "outbox"

    private let plans: [EntityPlan]
    private let triggers: [String]
    /// What the metadata say of an outbox as it is made here. The triggers follow what of the schema travels, which its
    /// tables do not tell.
    private let mark: String

    init(_ plans: [EntityPlan]) {
        self.plans = plans
        triggers = OutboxTriggers(plans).statements()
        mark = "\(Self.version) \(Fingerprint.text(of: Self.statements(plans) + triggers))"
    }

    /// The statements that create every table, if it does not exist.
    private static func statements(_ plans: [EntityPlan]) -> [String] {
        OutboxTables.statements(plans) + SentMembers.statements + WaitingLinkTable.statements
            + ReservedIdentities.statements + ValidatorTable.statements + VersionTable.statements
            + StaleVersionTable.statements + AttachmentTable.statements
    }

    /// The version of an outbox that is too new for this library.
    func newerVersion(_ mark: String?) -> Int? {
        guard let version = mark?.split(separator: " ").first.flatMap({ Int($0) }), version > Self.version else {
            return nil
        }
        return version
    }

    /// Whether it is there. A table that was made anew has lost its triggers.
    func isMade(_ database: Database) throws -> Bool {
        guard try MetadataTable.value(Self.key, database) == mark else { return false }
        return try triggerNames(database).count == triggers.count
    }

    /// Makes tables that are missing, and all triggers.
    func make(_ database: Database) throws {
        let former = try OutboxClaims.formerTables(database)
        for name in try triggerNames(database) {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
        for statement in Self.statements(plans) + triggers { try database.execute(sql: statement) }
        try OutboxClaims(plans).write(after: former, database)
        try MetadataTable.set(Self.key, to: mark, database)
    }

    private func triggerNames(_ database: Database) throws -> [String] {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
        let prefix = OutboxTriggers.prefix
        return try String.fetchAll(database, sql: sql, arguments: [prefix.utf8.count, prefix])
    }
}

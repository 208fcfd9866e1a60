package import GRDB

/// The tables that a store has in addition to those of its schema, and their triggers. Creates them, and
/// adds those that a file of an earlier version lacks.
///
/// All of this happens in the transaction that opens the store, so a process that ends in it leaves the previous state.
/// GRDB's `DatabaseMigrator` cannot do that, because it commits each migration separately. It would also share its list
/// of migrations, the table `grdb_migrations`, with an app that migrates its own tables in the store.
package struct SystemTables {
    /// Incremented when the tables of the outbox change: an earlier version of this library would create its own
    /// triggers again, which do not maintain tables that it does not know.
    ///
    /// 2: the table of each name, rows of embedded records, and what was sent without a response.
    /// 3: when waits began, creations that the server has accepted, and spellings of identities.
    package static let version = 3
    /// The first version that notes the spellings of identities.
    private static let spellingVersion = 3

    private static let key = "outbox"

    private let plans: SchemaPlan
    private let triggers: [String]
    /// The metadata of an outbox that is created by this version. The triggers depend on which parts of the schema are
    /// sent, which cannot be derived from its tables.
    private let mark: String

    package init(_ plans: SchemaPlan) {
        self.plans = plans
        triggers = OutboxTriggers(plans).statements() + AttachmentTriggers.statements(plans)
        mark = "\(Self.version) \(Fingerprint.text(of: Self.statements(plans) + triggers))"
    }

    /// The statements that create every table, if it does not exist.
    private static func statements(_ plans: SchemaPlan) -> [String] {
        OutboxTables.statements(plans) + SentMembers.statements + WaitingLinkTable.statements
            + ReservedIdentities.statements + ValidatorTable.statements + VersionTable.statements
            + ReceivedVersionTable.statements + AttachmentTable.statements + LeftoverTable.statements
            + UnknownMemberTable.statements + ConfirmedTable.statements + IdentitySpellings.statements
            + LocalValueTable.statements + ScopeTable.statements + ConflictTable.statements
    }

    /// The columns that tables of earlier versions of the library lack.
    private static let addedColumns = [OutboxTables.outbox, AttachmentTable.name].map { ($0, StoredWait.startColumn) }

    /// The version of an outbox that is too new for this library.
    static func newerVersion(_ mark: String?) -> Int? {
        guard let version = version(ofMark: mark), version > Self.version else { return nil }
        return version
    }

    /// The version of the library's tables in a file; `nil` if there are none.
    package static func version(ofMark mark: String?) -> Int? {
        mark?.split(separator: " ").first.flatMap { Int($0) }
    }

    /// Whether a table is one of a store's own, not of its schema.
    package static func isSystemTable(_ name: String) -> Bool { name.hasPrefix("lockstep_") }

    /// Whether it exists. A table that was created again has lost its triggers, and a file from elsewhere may have
    /// others with their names.
    package func isMade(_ database: Database) throws -> Bool {
        guard try MetadataTable.value(Self.key, in: database) == mark else { return false }
        let made = try Self.ownTriggers("CAST(sql AS TEXT)", in: database)
        return made.count == triggers.count && Set(made) == Set(triggers)
    }

    /// Creates missing tables, and all triggers.
    package func make(_ database: Database) throws {
        let former = try OutboxClaims.formerTables(database)
        try Self.dropTriggers(database)
        // What an earlier version of the library has pulled is pulled again: it has not noted unknown members.
        let hasNotedMembers = try UnknownMemberTable.exists(database) || !database.hasTable(OutboxTables.outbox)
        let version = try Self.version(ofMark: MetadataTable.value(Self.key, in: database)) ?? 0
        let isEarlier = try version < Self.spellingVersion && database.hasTable(OutboxTables.outbox)
        for statement in Self.statements(plans) { try database.execute(sql: statement) }
        for (table, column) in Self.addedColumns where try !database.hasColumn(column, in: table) {
            try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) REAL")
        }
        try ReceivedVersionTable.takeFormer(database)
        for trigger in triggers { try database.execute(sql: trigger) }
        if !hasNotedMembers, plans.contains(where: { $0.relationships.contains(where: \.isEmbedded) }) {
            try ValidatorTable.forget(nil, in: database)
            let embedded = Set(plans.flatMap(\.relationships).filter(\.isEmbedded).map(\.destination.name))
            for entity in embedded.sorted() { try UnknownMemberTable.note(entity, in: database) }
        }
        try OutboxClaims(plans).write(after: former, in: database)
        if isEarlier { try noteEarlier(database) }
        try UnsentOperations(plans, in: database).update()
        try MetadataTable.set(Self.key, to: mark, in: database)
    }

    /// An earlier version has not noted the spellings of identities, and has kept versions by ambiguous keys.
    private func noteEarlier(_ database: Database) throws {
        let named = plans.filter { plan in plan.serverKeyColumns.contains { plan.uuidOwner(of: $0) != nil } }
        // Records of any entity may contain these, or refer to them.
        if !named.isEmpty { try ValidatorTable.forget(nil, in: database) }
        for plan in named where plan.remote != nil || plan.isTracked {
            try IdentitySpellings.markUnknown(plan, in: database)
        }
        try RecordNotes.forgetAmbiguous(plans, in: database)
    }

    /// Drops the triggers, so that nothing that follows is a local change.
    static func dropTriggers(_ database: Database) throws {
        for name in try ownTriggers("CAST(name AS TEXT)", in: database) {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
    }

    private static func ownTriggers(_ column: String, in database: Database) throws -> [String] {
        let sql = "SELECT \(column) FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
        let prefix = OutboxTriggers.prefix
        return try String.fetchAll(database, sql: sql, arguments: [prefix.utf8.count, prefix])
    }
}

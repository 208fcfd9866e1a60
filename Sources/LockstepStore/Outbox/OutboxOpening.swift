import GRDB

/// Makes the outbox of a store that has none, or that of another version of the schema or of this library.
struct OutboxOpening {
    /// Counted up when the tables change: an earlier version of this library would make the triggers anew as it knows
    /// them, which keep no tables that it does not know.
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
        mark = "\(Self.version) \(Fingerprint.text(of: OutboxTables.statements(plans) + triggers))"
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
        let sql = "SELECT CAST(value AS TEXT) FROM lockstep_metadata WHERE key = '\(Self.key)'"
        guard try String.fetchOne(database, sql: sql) == mark else { return false }
        return try triggerNames(database).count == triggers.count
    }

    /// Makes tables that are missing, and all triggers.
    func make(_ database: Database) throws {
        let former = try OutboxClaims.formerTables(database)
        for name in try triggerNames(database) {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
        for statement in OutboxTables.statements(plans) + triggers { try database.execute(sql: statement) }
        try OutboxClaims(plans).write(after: former, database)
        try database.execute(sql: "DELETE FROM lockstep_metadata WHERE key = ?", arguments: [Self.key])
        try database.execute(
            sql: "INSERT INTO lockstep_metadata (key, value) VALUES (?, ?)", arguments: [Self.key, mark])
    }

    private func triggerNames(_ database: Database) throws -> [String] {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
        let prefix = OutboxTriggers.prefix
        return try String.fetchAll(database, sql: sql, arguments: [prefix.utf8.count, prefix])
    }
}

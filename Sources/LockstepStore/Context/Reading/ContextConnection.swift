import GRDB

/// The connection that a context reads and writes with: the one in use, its own reader, or one of the store's.
final class ContextConnection {
    let base: StoreBase
    /// How far the context has caught up with the store.
    let commits: CommitCursor
    /// The connection of the parent context, with which a child reads.
    private let parent: ContextConnection?
    /// The context's own reader; `nil` until it first reads, and if it shares those of the store.
    private var reader: DatabaseQueue?
    private var hasTaken = false
    /// The version of the schema that GRDB's caches are of; `nil` until something uses them.
    private var schemaVersion: Int32?
    /// The connection, while one is being used.
    private var active: Database?

    init(_ base: StoreBase, commits: CommitCursor, parent: ContextConnection?) {
        self.base = base
        self.commits = commits
        self.parent = parent
    }

    deinit { giveBackReader() }

    /// Gives the context's reader back, so that another context reads with it.
    func giveBackReader() {
        if let reader { base.contextReaders.giveBack(reader) }
        (reader, hasTaken) = (nil, false)
    }

    private func ownReader() -> DatabaseQueue? {
        if !hasTaken { (reader, hasTaken) = (base.contextReaders.take(), true) }
        return reader
    }

    /// Lets GRDB forget what it knows of the tables and views of the app if they were changed. The entities' own do not
    /// change while the store is open.
    func refreshSchema(_ database: Database) throws {
        let version = try database.schemaVersion()
        if let schemaVersion, schemaVersion != version { database.clearSchemaCache() }
        schemaVersion = version
    }

    /// The same, and lets SQLite read the schema again, which it otherwise does when it runs a statement.
    func refreshWholeSchema(_ database: Database) throws {
        try database.cachedStatement(sql: Self.emptySQL).execute()
        try refreshSchema(database)
    }

    /// Reads nothing.
    private static let emptySQL = "SELECT NULL FROM sqlite_master LIMIT 0"

    /// Whether a connection is in use.
    var isInUse: Bool { active != nil || parent?.isInUse ?? false }

    /// Runs `body`, which must run one statement, with a connection: the one in use, or the context's reader.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let active { return try body(active) }
        if let parent { return try parent.read(body) }
        return try StoreError.wrapping("reading the store") {
            // Without its own transaction, which would cost more than most queries: every read here is one statement,
            // and one statement sees one state of the database.
            try withReader { database in try use(database) { try body(database) } }
        }
    }

    /// Runs `body` so that all of its reads see the same state of the store.
    func readingOneState<Value>(_ body: () throws -> Value) throws -> Value {
        if let parent { return try parent.readingOneState(body) }
        if active != nil { return try body() }
        return try StoreError.wrapping("reading the store") {
            try withReader { try inOneState($0, body: body) }
        }
    }

    /// Runs `body` with the context's own reader, or with one of the store's.
    private func withReader<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let reader = ownReader() { return try reader.unsafeRead(body) }
        return try base.writer.unsafeRead(body)
    }

    private func inOneState<Value>(_ database: Database, body: () throws -> Value) throws -> Value {
        // It throws if the connection was closed, where SQLite would crash when it is asked for its transaction.
        _ = try database.cachedStatement(sql: Self.emptySQL)
        return try database.readOnly {
            var value: Value?
            try database.inSavepoint {
                value = try use(database, body: body)
                return .commit
            }
            guard let value else { preconditionFailure("The value was set in the committed transaction.") }
            return value
        }
    }

    /// Runs `body`, which reads with this connection.
    func use<Value>(_ database: Database, body: () throws -> Value) rethrows -> Value {
        active = database
        defer { active = nil }
        return try body()
    }

    /// Runs `body` with the writer's connection, in one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.wrapping("saving") {
            do {
                return try base.writer.write { database in
                    try base.schemaWatch.check(database)
                    return try use(database) { try body(database) }
                }
            } catch {
                // GRDB does not report a rollback that SQLite does on its own, for example if the disk is full.
                base.writer.writeWithoutTransaction { [tracker = base.tracker] _ in tracker.abandon() }
                throw error
            }
        }
    }
}

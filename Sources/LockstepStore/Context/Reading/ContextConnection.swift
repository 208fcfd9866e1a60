import GRDB

/// The connection that a context reads and writes with: the one in use, or one of the store's.
final class ContextConnection {
    let base: StoreBase
    /// How far the context has caught up with the store.
    let commits: CommitCursor
    /// The connection of the parent context, with which a child reads.
    private let parent: ContextConnection?
    /// The connection, while one is being used.
    private var active: Database?

    init(_ base: StoreBase, commits: CommitCursor, parent: ContextConnection?) {
        self.base = base
        self.commits = commits
        self.parent = parent
    }

    /// Whether a connection is in use.
    var isInUse: Bool { active != nil || parent?.isInUse ?? false }

    /// Runs `body`, which must run one statement, with a connection: the one in use, or one of the store's readers.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let active { return try body(active) }
        if let parent { return try parent.read(body) }
        return try StoreError.wrapping("reading the store") {
            // Without its own transaction, which would cost more than most queries: every read here is one statement,
            // and one statement sees one state of the database.
            try base.writer.unsafeRead { database in try use(database) { try body(database) } }
        }
    }

    /// Runs `body` so that all of its reads see the same state of the store.
    func readingOneState<Value>(_ body: () throws -> Value) throws -> Value {
        if let parent { return try parent.readingOneState(body) }
        if active != nil { return try body() }
        return try StoreError.wrapping("reading the store") {
            try base.writer.read { database in try use(database, body: body) }
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

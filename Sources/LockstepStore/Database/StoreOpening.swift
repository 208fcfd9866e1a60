import Foundation
package import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepSystem

/// Opens a store's database: inspects it first, then creates what is missing.
package struct StoreOpening {
    let schema: SchemaDescription
    let location: StoreLocation
    let configuration: Configuration
    let options: MigrationOptions
    /// The account that the store must belong to; `nil` for any.
    let account: String?
    let systemTables: SystemTables

    package init(
        schema: SchemaDescription, location: StoreLocation, configuration: Configuration, options: MigrationOptions,
        account: String? = nil
    ) {
        self.account = account
        self.schema = schema
        self.location = location
        self.configuration = configuration
        self.options = options
        systemTables = SystemTables(schema.plan)
    }

    static let operation = FileRefusal.operation

    var refusal: FileRefusal { FileRefusal(schema: schema, location: location.text) }

    /// How long a connection waits for another one's write. A store that was just closed may still be copying its
    /// journal back into the file, which takes milliseconds. A process that hangs must not block this one.
    static let busyTimeoutSeconds = 10.0

    /// How often a new file may be locked by other connections while it is switched to WAL mode.
    private static let maximumLocks = 20

    package func open() throws -> OpenedStore {
        do {
            switch location {
            case .inMemory: return OpenedStore(writer: try openInMemory(prepared()), migration: nil)
            case .file(let url):
                return try configuration.readonly
                    ? OpenedStore(writer: openForReading(url, configuration: prepared()), migration: nil)
                    : openForWriting(url, configuration: prepared())
            }
        } catch let error as StoreError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw explained(error)
        }
    }

    private func openInMemory(_ configuration: Configuration) throws -> DatabaseQueue {
        guard !configuration.readonly else {
            throw refusal.error(
                .readOnly, reason: "it would always be empty, because the configuration is `readonly`",
                remedy: "Open a store in memory with a configuration that allows writing.")
        }
        var configuration = configuration
        // A database in memory has no journal.
        configuration.journalMode = .default
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { try makeTablesIfNeeded($0) }
        return queue
    }

    private func openForWriting(_ url: URL, configuration: Configuration) throws -> OpenedStore {
        var migration: StoreMigration?
        while true {
            // A system that suspends a process may end it if it has locked something in a folder that it shares with
            // others. So the folder is locked for a moment, and not during a migration: its connection keeps the file
            // from being wiped, and rolls back when it is suspended.
            let next = try StoreWipe(of: url).whileNotWiping {
                try openOrBeginMigration(url, configuration: configuration)
            }
            switch next {
            case .open(let pool): return OpenedStore(writer: pool, migration: migration)
            case .former(let run): migration = try run.migrate() ?? migration
            }
        }
    }

    private enum Beginning {
        case open(DatabasePool)
        case former(FileMigration)
    }

    private func openOrBeginMigration(_ url: URL, configuration: Configuration) throws -> Beginning {
        if let error = FileState(url).obstacle { throw error }
        var (isMade, mayHaveCopy) = (false, true)
        switch try look(at: url, configuration: configuration) {
        case .made(hasCopy: let hasCopy): (isMade, mayHaveCopy) = (true, hasCopy)
        case .unmade: break
        case .former(let file, let evolution):
            return .former(
                try FileMigration(
                    of: file, at: url, by: evolution, opening: self, configuration: configuration))
        }
        // Before SQLite creates it, because the journal gets the file's mode. If this fails, SQLite reports why.
        try? PrivateFile.make(at: url.resolvingSymlinksInPath().path)
        let pool = try makePool(url, configuration: configuration)
        // An existing store is opened without a transaction, because another process may be in a long one.
        if !isMade { try pool.write { try makeTablesIfNeeded($0) } }
        // Reading from the pool would open one more connection.
        if mayHaveCopy { try removeOldCopy(of: url, pool: pool) }
        return .open(pool)
    }

    /// Opens the pool, which switches a new file to WAL mode.
    ///
    /// SQLite does not wait for other connections while it does that: it makes a read transaction a write transaction,
    /// without calling the busy handler (https://www.sqlite.org/c3ref/busy_handler.html). It does wait for an exclusive
    /// transaction, so one is run before the next attempt. The attempts are limited, because the file may be locked
    /// again each time.
    private func makePool(_ url: URL, configuration: Configuration) throws -> DatabasePool {
        var waiting = configuration
        waiting.journalMode = .default
        var configuration = configuration
        configuration.keepJournal(true)
        for _ in 0..<Self.maximumLocks {
            do {
                return try DatabasePool(path: url.path, configuration: configuration)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                let queue = try DatabaseQueue(path: url.path, configuration: waiting)
                defer { try? queue.close() }
                try queue.inTransaction(.exclusive) { _ in .rollback }
            }
        }
        return try DatabasePool(path: url.path, configuration: configuration)
    }

    /// Removes the copy from before a migration when the migrated store has proved itself.
    private func removeOldCopy(of url: URL, pool: DatabasePool) throws {
        // A full disk, for example, is no reason not to open the store.
        guard try pool.read(CopyRecord.exists),
            (try? pool.write { try CopyRecord.didOpen(at: options.now(), in: $0) }) == true
        else { return }
        MigrationCopies(path: url.resolvingSymlinksInPath().path).remove()
    }

    /// Opens an existing store for reading.
    private func openForReading(_ url: URL, configuration: Configuration) throws -> DatabasePool {
        if let error = FileState(url).obstacle { throw error }
        let condition = FileState(url)
        let pool: DatabasePool
        do {
            pool = try DatabasePool(path: url.path, configuration: configuration)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && condition.mayNotChange
        {
            // https://www.sqlite.org/wal.html#read_only_databases: a database in WAL mode whose `-shm` and `-wal`
            // cannot be created is read with `immutable`. That is correct if no process can write it and the journal is
            // empty.
            pool = try DatabasePool(path: url.absoluteURL.absoluteString + "?immutable=1", configuration: configuration)
        }
        try pool.read(checkReadable)
        return pool
    }

    private func checkReadable(_ database: Database) throws {
        try checkAccount(database)
        switch try FileContents(database, schema: schema, refusal: refusal) {
        case .current: return
        case .newer(let file):
            if let oldest = file.readableSince, schema.version >= oldest { return }
            throw refusal.newer(file, pendingCount: try OutboxTable.counts(database, plans: schema.plan).count)
        case .empty:
            throw refusal.error(
                .notAStore, reason: "the file is empty, and the configuration is `readonly`",
                remedy: "Open it once with a configuration that allows writing.")
        case .former(let file, let evolution):
            let plan = MigrationPlan(evolution, in: try FileStructure(database).tables(), now: 0)
            throw refusal.migrationNeeded(file, cost: MigrationCost(plan.work))
        }
    }

    func prepared() throws -> Configuration {
        guard configuration.maximumReaderCount > 0 else {
            throw refusal.error(
                .cannotOpen, reason: "the configuration's `maximumReaderCount` is \(configuration.maximumReaderCount)",
                remedy: "Set it to 1 or more.")
        }
        var configuration = configuration
        if case .immediateError = configuration.busyMode {
            configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        }
        // After what the app prepares, because an encryption key must be set before anything is read.
        configuration.prepareDatabase { database in
            // A delete rule's trigger must fire those of the records that it deletes.
            try database.execute(sql: "PRAGMA recursive_triggers = ON")
            ChangeTracker.reserveFunction(in: database)
        }
        configuration.flushCheckpoints()
        return configuration
    }

    /// The kind of an existing file.
    enum Look {
        /// A store that is complete.
        case made(hasCopy: Bool)
        /// Nothing, or a store that lacks something.
        case unmade
        case former(FileMetadata, SchemaEvolution)
    }

    /// Inspects an existing file, only reading it: opening it as a store would change it before it could be rejected.
    private func look(at url: URL, configuration: Configuration) throws -> Look {
        guard FileState(url).size > 0 else { return .unmade }
        return try reading(url, configuration: configuration) { database in
            let contents = try FileContents(database, schema: schema, refusal: refusal)
            let isBound = try checkAccount(database)
            switch contents {
            case .empty: return .unmade
            case .current(let file, isRecorded: let isRecorded):
                let isComplete =
                    try isRecorded && isBound && !file.isIncomplete(for: schema) && systemTables.isMade(database)
                return isComplete ? .made(hasCopy: file.hasCopy) : .unmade
            case .former(let file, let evolution):
                let plan = MigrationPlan(evolution, in: try FileStructure(database).tables(), now: 0)
                try check(plan, in: file, at: url)
                return .former(file, evolution)
            case .newer(let file):
                throw refusal.newer(file, pendingCount: try OutboxTable.counts(database, plans: schema.plan).count)
            }
        }
    }

    /// Reads a file without opening it as a store.
    func reading<Value>(_ url: URL, configuration: Configuration, body: (Database) throws -> Value) throws -> Value {
        var writing = configuration
        writing.distrustSchema()
        var reading = writing
        reading.readonly = true
        func read(_ configuration: Configuration) throws -> Value {
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read(body)
        }
        do { return try read(reading) } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // A process ended in the middle of a transaction and left its journal. SQLite rolls that back first, as it
            // does for every process that opens the file.
            return try read(writing)
        }
    }

    /// Whether the options and the disk allow a migration.
    func check(_ plan: MigrationPlan, in file: FileMetadata, at url: URL) throws {
        let cost = MigrationCost(plan.work)
        switch options.mode {
        case .never: throw refusal.migrationNeeded(file, cost: cost)
        case .ifInstant where cost > .instant: throw refusal.migrationNeeded(file, cost: cost)
        case .ifInstant, .automatic: break
        }
        guard cost == .rewrite || plan.isDestructive, let free = options.freeBytes(url.path) else { return }
        // The rows are written to the journal and then to the file; a copy is made before that.
        let needed = FileState(url).bytesWithJournal * (plan.isDestructive ? 3 : 2)
        guard free < needed else { return }
        throw refusal.error(
            .diskFull,
            reason:
                "migrating it from version \(file.version) to \(schema.version) needs \(needed) bytes of free space,"
                + " and there are \(free); the file is unchanged", remedy: "Free some space, and open it again.")
    }

    // MARK: Contents

    /// It runs in the caller's transaction, so a process that ends in it leaves the previous state.
    private func makeTablesIfNeeded(_ database: Database) throws {
        switch try FileContents(database, schema: schema, refusal: refusal) {
        case .empty:
            try MetadataTable.make(database)
            for statement in schema.statements { try database.execute(sql: statement) }
            try FileMetadata.write(schema, isNew: true, in: database)
        case .current(let file, isRecorded: let isRecorded):
            if !isRecorded || file.isIncomplete(for: schema) {
                try FileMetadata.write(schema, isNew: false, in: database)
            }
        case .former(let file, _), .newer(let file):
            // Another process was first, with another version.
            throw refusal.newer(file, pendingCount: 0)
        }
        if try !systemTables.isMade(database) { try systemTables.make(database) }
        if try !checkAccount(database), let account { try FileMetadata.write(account: account, in: database) }
    }

    /// - Returns: Whether the file records what the store is opened with.
    /// - Throws: `StoreError` with the code `.otherAccount`.
    @discardableResult
    private func checkAccount(_ database: Database) throws -> Bool {
        guard let account else { return true }
        guard let owner = try FileMetadata(database)?.account else { return false }
        guard owner == account else {
            throw refusal.error(
                .otherAccount, reason: "it belongs to another account",
                remedy:
                    "Open the file of this account. To reuse the file, sign the other account out, or wipe it first.")
        }
        return true
    }

    // MARK: Errors

    /// An error of SQLite, or of the app's `prepareDatabase`, with the state of the file system.
    func explained(_ error: any Error) -> StoreError {
        guard let databaseError = error as? DatabaseError else {
            return StoreError(
                .cannotOpen, doing: Self.operation, record: location.text,
                reason: "preparing a connection failed: \(error)", remedy: "Check what the configuration prepares.",
                underlyingError: error)
        }
        if let message = databaseError.message, message.contains("unsafe use of") {
            // SQLite calls such a schema malformed. Nothing is damaged.
            return StoreError(
                .cannotOpen, doing: Self.operation, record: location.text,
                reason: "its indexes, checks or generated columns call a function of the app: \(message.visible)",
                remedy: "If the app made them, let them use SQLite's own functions. Otherwise, do not use this file.",
                underlyingError: databaseError)
        }
        if case .file(let url) = location,
            let explanation = FileState(url).explanation(of: databaseError, isReading: configuration.readonly)
        {
            return explanation
        }
        return StoreError(databaseError, doing: Self.operation, record: location.text)
    }
}

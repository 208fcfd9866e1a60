import Foundation
import GRDB
import LockstepSystem

/// Opens a store's database: inspects it first, then creates what is missing.
struct StoreOpening {
    let schema: SchemaDescription
    let location: StoreLocation
    let configuration: Configuration
    private let systemTables: SystemTables

    init(schema: SchemaDescription, location: StoreLocation, configuration: Configuration) {
        self.schema = schema
        self.location = location
        self.configuration = configuration
        systemTables = SystemTables(schema.entities)
    }

    static let operation = "opening the store"

    /// How long a connection waits for another one's write. A store that was just closed may still be copying its
    /// journal back into the file, which takes milliseconds. A process that hangs must not block this one.
    private static let busyTimeoutSeconds = 10.0

    func open() throws -> any DatabaseWriter {
        do {
            switch location {
            case .inMemory: return try openInMemory(prepared())
            case .file(let url):
                if let error = FileState(url).obstacle { throw error }
                return try configuration.readonly ? openForReading(url, prepared()) : openForWriting(url, prepared())
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
            throw refusal(
                .readOnly, "it would always be empty, because the configuration is `readonly`",
                "Open a store in memory with a configuration that allows writing.")
        }
        var configuration = configuration
        // A database in memory has no journal.
        configuration.journalMode = .default
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { try makeTablesIfNeeded($0) }
        return queue
    }

    private func openForWriting(_ url: URL, _ configuration: Configuration) throws -> DatabasePool {
        let isMade = try look(at: url, configuration)
        // Before SQLite creates it, because the journal gets the file's mode. If this fails, SQLite reports why.
        try? PrivateFile.make(at: url.resolvingSymlinksInPath().path)
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        // An existing store is opened without a transaction, because another process may be in a long one.
        if !isMade { try pool.write { try makeTablesIfNeeded($0) } }
        return pool
    }

    /// Opens an existing store for reading.
    private func openForReading(_ url: URL, _ configuration: Configuration) throws -> DatabasePool {
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
        guard try pool.read(isMade) else {
            throw refusal(
                .notAStore, "the file is empty, and the configuration is `readonly`",
                "Open it once with a configuration that allows writing.")
        }
        return pool
    }

    private func prepared() throws -> Configuration {
        guard configuration.maximumReaderCount > 0 else {
            throw refusal(
                .cannotOpen, "the configuration's `maximumReaderCount` is \(configuration.maximumReaderCount)",
                "Set it to 1 or more.")
        }
        var configuration = configuration
        if case .immediateError = configuration.busyMode {
            configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        }
        // After what the app prepares, because an encryption key must be set before anything is read.
        configuration.prepareDatabase { database in
            // A delete rule's trigger must fire those of the records that it deletes.
            try database.execute(sql: "PRAGMA recursive_triggers = ON")
        }
        return configuration
    }

    /// Inspects an existing file, only reading it: opening it as a store would change it before it could be rejected.
    ///
    /// - Returns: Whether it is a store that is complete.
    private func look(at url: URL, _ configuration: Configuration) throws -> Bool {
        guard FileState(url).size > 0 else { return false }
        var reading = configuration
        reading.readonly = true
        do { return try look(at: url, with: reading) } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // A process ended in the middle of a transaction and left its journal. SQLite rolls that back first, as it
            // does for every process that opens the file.
            return try look(at: url, with: configuration)
        }
    }

    private func look(at url: URL, with configuration: Configuration) throws -> Bool {
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { try isMade($0) && systemTables.isMade($0) }
    }

    // MARK: Contents

    /// It runs in the caller's transaction, so a process that ends in it leaves the previous state.
    private func makeTablesIfNeeded(_ database: Database) throws {
        if try !isMade(database) { try makeTables(database) }
        if try !systemTables.isMade(database) { try systemTables.make(database) }
    }

    private func makeTables(_ database: Database) throws {
        try MetadataTable.make(database)
        for statement in schema.statements { try database.execute(sql: statement) }
        let metadata = [
            ("schema", schema.name), ("version", String(schema.version)), ("fingerprint", schema.fingerprint),
        ]
        for (key, value) in metadata { try MetadataTable.set(key, to: value, database) }
    }

    /// Whether the database has this schema's tables; `false` for an empty one.
    ///
    /// - Throws: `StoreError` if it has any other tables.
    private func isMade(_ database: Database) throws -> Bool {
        guard try MetadataTable.exists(database) else {
            let count = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            guard count == 0 else {
                throw refusal(
                    .notAStore, "it is a database of another kind: it has tables, but none of Lockstep's",
                    "Use a separate file for the store.")
            }
            return false
        }
        let values = try MetadataTable.all(database)
        try check(values)
        if let version = systemTables.newerVersion(values["outbox"]) {
            throw refusal(
                .newerVersion, "its outbox is version \(version); this app supports version \(SystemTables.version)",
                "Update the app.")
        }
        return true
    }

    private func check(_ metadata: [String: String]) throws {
        let name = metadata["schema"] ?? ""
        guard name == schema.name else {
            throw refusal(
                .otherSchema, "it is the store of the schema “\(name)”, not of “\(schema.name)”",
                "Use a separate file for each schema.")
        }
        let version = metadata["version"].flatMap { Int($0) } ?? 0
        if version > schema.version {
            throw refusal(
                .newerVersion, "its data model is version \(version); this app supports version \(schema.version)",
                "Update the app.")
        }
        if version < schema.version {
            throw refusal(
                .olderVersion,
                "its data model is version \(version), and migrations to \(schema.version) are not supported yet",
                "Delete the file, or open it with the version of the app that created it.")
        }
        guard metadata["fingerprint"] == schema.fingerprint else {
            throw refusal(
                .otherTables, "its tables are not those of this schema, although both are version \(version)",
                "Raise `version:` in the schema when its tables change; while developing, delete the file.")
        }
    }

    // MARK: Errors

    private func refusal(_ code: StoreError.Code, _ reason: String, _ remedy: String) -> StoreError {
        StoreError(code, doing: Self.operation, record: location.text, reason: reason, remedy: remedy)
    }

    /// An error of SQLite, or of the app's `prepareDatabase`, with the state of the file system.
    private func explained(_ error: any Error) -> StoreError {
        guard let databaseError = error as? DatabaseError else {
            return StoreError(
                .cannotOpen, doing: Self.operation, record: location.text,
                reason: "preparing a connection failed: \(error)", remedy: "Check what the configuration prepares.",
                underlyingError: error)
        }
        if case .file(let url) = location,
            let explanation = FileState(url).explanation(of: databaseError, isReading: configuration.readonly)
        {
            return explanation
        }
        return StoreError(databaseError, doing: Self.operation, record: location.text)
    }
}

import Foundation
import GRDB

/// Opens a store's database: looks first, then makes what is missing.
struct StoreOpening {
    let schema: any StoreSchema.Type
    let location: StoreLocation
    let configuration: Configuration

    /// How long a connection waits for another one's write. A store that was just closed may still be copying its journal
    /// back into the file; that takes milliseconds, and a stuck process should not take us with it.
    private static let busyTimeoutSeconds = 10.0

    func open() throws -> any DatabaseWriter {
        try StoreError.wrapping("opening the store") {
            let configuration = prepared(configuration)
            switch location {
            case .inMemory:
                let queue = try DatabaseQueue(configuration: configuration)
                try queue.write { try makeTablesIfNeeded($0) }
                return queue
            case .file(let url):
                try look(at: url)
                let pool = try DatabasePool(path: url.path, configuration: configuration)
                try pool.write { try makeTablesIfNeeded($0) }
                return pool
            }
        }
    }

    private func prepared(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        if case .immediateError = configuration.busyMode {
            configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        }
        configuration.prepareDatabase { database in
            // A delete rule's trigger must set off those of the records that it deletes.
            try database.execute(sql: "PRAGMA recursive_triggers = ON")
        }
        return configuration
    }

    /// Looks at a file that is there, reading only: opening it as a store would change it before it could be refused.
    private func look(at url: URL) throws {
        guard url.isFileURL else {
            throw StoreError(
                .cannotOpen, doing: "opening the store", reason: "the location is not a file URL",
                remedy: "Make it with URL(fileURLWithPath:).")
        }
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        guard let size, size > 0 else { return }
        var configuration = prepared(configuration)
        configuration.readonly = true
        configuration.label = nil
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        defer { try? queue.close() }
        _ = try queue.read { try isMade($0) }
    }

    private func makeTablesIfNeeded(_ database: Database) throws {
        guard try !isMade(database) else { return }
        try database.execute(
            sql: "CREATE TABLE lockstep_metadata (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
        for statement in schema.statements { try database.execute(sql: statement) }
        let metadata = [
            ("schema", schema.name), ("version", String(schema.version)), ("fingerprint", schema.fingerprint),
        ]
        for (key, value) in metadata {
            try database.execute(
                sql: "INSERT INTO lockstep_metadata (key, value) VALUES (?, ?)", arguments: [key, value])
        }
    }

    /// Whether the database has this schema's tables; `false` for an empty one.
    ///
    /// - Throws: `StoreError` where it has any other.
    private func isMade(_ database: Database) throws -> Bool {
        guard try database.tableExists("lockstep_metadata") else {
            let count = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            guard count == 0 else {
                throw refusal(
                    .notAStore, "it is a database of something else: it has tables, and none of Lockstep's",
                    "Give the store a file of its own.")
            }
            return false
        }
        let rows = try Row.fetchAll(database, sql: "SELECT key, value FROM lockstep_metadata")
        let metadata = Dictionary(rows.map { ($0[0] as String, $0[1] as String) }, uniquingKeysWith: { $1 })
        try check(metadata)
        return true
    }

    private func check(_ metadata: [String: String]) throws {
        let name = metadata["schema"] ?? ""
        guard name == schema.name else {
            throw refusal(
                .otherSchema, "it is the store of the schema “\(name)”, not of “\(schema.name)”",
                "Give each schema a file of its own.")
        }
        let version = metadata["version"].flatMap { Int($0) } ?? 0
        if version > schema.version {
            throw refusal(
                .newerVersion, "its data model is version \(version); this app knows version \(schema.version)",
                "Update the app.")
        }
        if version < schema.version {
            throw refusal(
                .olderVersion,
                "its data model is version \(version), and migrations to \(schema.version) are not built yet",
                "Delete the file, or open it with the version of the app that made it.")
        }
        guard metadata["fingerprint"] == schema.fingerprint else {
            throw refusal(
                .otherTables, "its tables are not those of this schema, though both say version \(version)",
                "Raise `version:` in the schema when its tables change; while developing, delete the file.")
        }
    }

    private func refusal(_ code: StoreError.Code, _ reason: String, _ remedy: String) -> StoreError {
        var place = "in memory"
        if case .file(let url) = location { place = url.path }
        return StoreError(code, doing: "opening the store", record: place, reason: reason, remedy: remedy)
    }
}

package import Foundation
import GRDB
package import LockstepEvolution
import LockstepStore
package import LockstepTesting
import TestSupport

/// Migrates files in a process that is killed at one of its statements, and checks that the file is of the former
/// version or of the new one, whole.
package struct MigrationKills {
    private let history: SchemaHistory
    private let seed: UInt64
    private let folder: URL

    package init(_ history: SchemaHistory, seed: UInt64, in folder: URL) {
        (self.history, self.seed, self.folder) = (history, seed, folder)
    }

    private var file: URL { folder.appendingPathComponent("store.sqlite") }

    /// Creates the file of the first version.
    package func makeFile() throws {
        var fixture = MigrationFixture(try RecordedSchemas(history).schema(at: history.first.number), seed: seed)
        try fixture.make(at: file)
    }

    /// Migrates the file; in the process that is killed.
    ///
    /// - Parameter statement: The number of the statement at which the process ends; 0 for none.
    package func migrate(killedAt statement: Int) throws {
        var configuration = Configuration()
        if statement > 0 {
            let countdown = Countdown(statement)
            configuration.prepareDatabase { database in
                database.trace(options: .statement) { _ in countdown.step() }
            }
        }
        let schema = try RecordedSchemas(history).schema(at: history.head.number).description
        try StoreOpening(
            schema: schema, location: .file(file), configuration: configuration, options: MigrationOptions()
        )
        .open().writer.close()
    }

    /// What is wrong with the file after a process was killed; `nil` if it is whole.
    package func finding(before: MigrationSnapshot) throws -> String? {
        let schemas = RecordedSchemas(history)
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { database in
            let version = try String.fetchOne(
                database, sql: "SELECT value FROM lockstep_metadata WHERE key = 'version'")
            if version == String(history.first.number) {
                let former = try schemas.schema(at: history.first.number)
                return try MigrationSnapshot(database, former) == before ? nil : "version 1 with other contents"
            }
            guard version == String(history.head.number) else { return "version \(version ?? "unknown")" }
            return try FileStructure(database).difference(from: schemas.schema(at: history.head.number).structure)
        }
    }

    /// The contents of the file before.
    package func snapshot() throws -> MigrationSnapshot {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { try MigrationSnapshot($0, RecordedSchemas(history).schema(at: history.first.number)) }
    }
}

/// Ends the process at a number of steps. It is called by one connection at a time.
private final class Countdown: @unchecked Sendable {
    private var count: Int

    init(_ count: Int) { self.count = count }

    func step() {
        count -= 1
        if count == 0 { kill(getpid(), SIGKILL) }
    }
}

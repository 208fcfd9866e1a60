package import Foundation
package import GRDB
import LockstepEvolution
import LockstepSystem

/// How a store is migrated when it is opened.
package struct MigrationOptions: Sendable {
    package var mode = MigrationMode.automatic
    /// The current time.
    package var now: @Sendable () -> Date = { Date() }
    /// The free space of the volume with a path, in bytes; `nil` if it is unknown.
    package var freeBytes: @Sendable (String) -> Int? = { path in
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }
    /// Called with the completed part, from 0 to 1.
    package var progress: @Sendable (Double) -> Void = { _ in }
    /// Whether to stop: the file then stays as it is.
    package var isCancelled: @Sendable () -> Bool = { false }

    package init(mode: MigrationMode = .automatic) { self.mode = mode }
}

/// An opened database, and what was done to it.
package struct OpenedStore {
    package let writer: any DatabaseWriter
    package let migration: StoreMigration?
}

extension MigrationCost {
    init(_ work: MigrationWork) {
        switch work {
        case .instant: self = .instant
        case .scan: self = .scan
        case .shuffle, .rebuild: self = .rewrite
        }
    }
}

/// Migrates a file in one transaction on a connection of its own, before the store is opened.
struct FileMigration {
    private let opening: StoreOpening
    private let file: FileMetadata
    private let evolution: SchemaEvolution
    private let url: URL
    private let configuration: Configuration
    private let queue: DatabaseQueue
    private let suspension: SuspensionWatch?

    private var schema: SchemaDescription { opening.schema }
    private var options: MigrationOptions { opening.options }
    private var refusal: FileRefusal { opening.refusal }

    /// Opens the file. From then on, until it is migrated, the file cannot be wiped.
    init(
        of file: FileMetadata, at url: URL, by evolution: SchemaEvolution, opening: StoreOpening,
        configuration: Configuration
    ) throws {
        (self.opening, self.file, self.evolution, self.url) = (opening, file, evolution, url)
        self.configuration = configuration
        suspension = SuspensionWatch(configuration)
        var migrating = configuration
        migrating.foreignKeysEnabled = false
        let conversions = opening.schema.conversions
        migrating.prepareDatabase { MigrationFunctions.add(conversions, to: $0) }
        queue = try DatabaseQueue(path: url.path, configuration: migrating)
        // In WAL mode, a connection that has read the file has a shared lock on it until it is closed.
        _ = try queue.read { try FileMetadata($0) }
    }

    /// - Returns: The migration; `nil` if another process has migrated the file meanwhile.
    func migrate() throws -> StoreMigration? {
        let start = options.now()
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { database in
            var result: StoreMigration?
            // No statement may see a record deleted by a table that is dropped.
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            let handler = CancellationHandler(options.isCancelled, in: database)
            defer { handler.remove(from: database) }
            try database.inTransaction(.immediate) {
                // Those of the schema are dropped, and others are not made for what happens here.
                result = try database.withoutTriggers {
                    try migrate(database, start: start)
                }
                return .commit
            }
            return result
        }
    }

    private func migrate(_ database: Database, start: Date) throws -> StoreMigration? {
        // Another process may have been first.
        guard let current = try FileMetadata(database), current.fingerprint == file.fingerprint,
            current.version == file.version
        else { return nil }
        let plan = MigrationPlan(
            evolution, in: try FileStructure(database).tables(), now: start.timeIntervalSince1970)
        // Another process may have written the file since it was inspected.
        try opening.check(plan, in: file, at: url)
        let copy = plan.isDestructive ? try copyFile() : nil
        do {
            let outcome = try carryOut(try evolution.stages(), whole: plan, in: database, at: start)
            if copy != nil { try CopyRecord.keep(database) }
            return StoreMigration(
                schema, file: file, plan: plan, outcome: outcome, copy: copy,
                seconds: options.now().timeIntervalSince(start))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && options.isCancelled() {
            throw CancellationError()
        } catch let error as DatabaseError
            where error.resultCode != .SQLITE_ERROR && error.resultCode != .SQLITE_CONSTRAINT
        {
            // The disk, or another process.
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw refusal.failed(file, underlyingError: error)
        }
    }

    /// Carries out the stages, by the plan of the whole if there is one. Each is a migration of its own, in one
    /// transaction.
    private func carryOut(
        _ stages: [SchemaEvolution], whole: MigrationPlan, in database: Database, at now: Date
    ) throws -> MigrationRun.Outcome {
        var outcome = MigrationRun.Outcome()
        for (index, stage) in stages.enumerated() {
            guard let file = try FileMetadata(database) else { break }
            let isLast = index == stages.count - 1
            let schema = isLast ? schema : try SchemaDescription(stage.new, version: stage.lastVersion ?? file.version)
            let plan =
                stages.count == 1
                ? whole
                : MigrationPlan(stage, in: try FileStructure(database).tables(), now: now.timeIntervalSince1970)
            let systemTables = isLast ? opening.systemTables : SystemTables(schema.plan)
            let run = MigrationRun(
                schema: schema, plan: plan, file: file, now: now, systemTables: systemTables
            ) { part in
                options.progress((Double(index) + part) / Double(stages.count))
                if options.isCancelled() { throw CancellationError() }
            }
            let result = try run.run(database)
            outcome.rowsWritten += result.rowsWritten
            outcome.settledCount += result.settledCount
            (outcome.pendingCount, outcome.leftoverCount) = (result.pendingCount, result.leftoverCount)
        }
        return outcome
    }

    // MARK: Before

    /// How many pages are copied between two checks for a suspension or a cancellation: 4 MB, a few milliseconds.
    private static let pagesBetweenChecks: CInt = 1_000

    /// Copies the file by another connection: this one has locked it, so that nobody writes meanwhile.
    private func copyFile() throws -> String {
        let copies = MigrationCopies(path: url.resolvingSymlinksInPath().path)
        guard let path = copies.makeRoom(version: schema.version) else {
            throw refusal.error(
                .cannotOpen,
                reason: "there is a folder or a link in the place of its copy, \(copies.path(version: schema.version))",
                remedy: "Move it away, and open the store again. The file is unchanged.")
        }
        try? PrivateFile.make(at: path)
        var reading = configuration
        reading.readonly = true
        let source = try DatabaseQueue(path: url.path, configuration: reading)
        defer { try? source.close() }
        var copying = configuration
        copying.flushCommits()
        let copy = try DatabaseQueue(path: path, configuration: copying)
        defer { try? copy.close() }
        do {
            // A copy that is complete ignores errors of the progress.
            try source.backup(to: copy, pagesPerStep: Self.pagesBetweenChecks) { _ in try checkStop() }
            try checkStop()
        } catch {
            try? copy.close()
            copies.remove()
            throw error
        }
        return (path as NSString).lastPathComponent
    }

    /// Throws if the app is about to be suspended, or the migration is cancelled.
    private func checkStop() throws {
        try suspension?.check()
        if options.isCancelled() { throw CancellationError() }
    }
}

extension StoreMigration {
    fileprivate init(
        _ schema: SchemaDescription, file: FileMetadata, plan: MigrationPlan, outcome: MigrationRun.Outcome,
        copy: String?, seconds: Double
    ) {
        let counts = plan.evolution.counts
        self.init(
            schema: schema.name, from: file.version, to: schema.version, added: counts.added, renamed: counts.renamed,
            changed: counts.changed, removed: counts.removed, rowsWritten: outcome.rowsWritten,
            pendingCount: outcome.pendingCount, settledCount: outcome.settledCount,
            leftoverCount: outcome.leftoverCount, seconds: seconds, copy: copy)
    }
}

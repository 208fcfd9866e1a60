package import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport

/// A file of a random history's first version, whose migration to the last is killed at a point in a process of its own.
///
/// The file must then be of the former version, with the same contents, or of the new one, as a migration leaves it
/// that nothing interrupts. The next start must lead to the same, from what the process has left on the disk.
package struct MigrationKills: Sendable {
    /// What a killed process has left.
    package enum Outcome: Sendable {
        case former, new
        /// It has ended by itself, before the point.
        case survived
    }

    private let seed: UInt64
    private let folder: URL
    private let former: RecordedSchema
    private let new: RecordedSchema
    /// Whether values of the new version differ each time.
    private let hasRandomValues: Bool
    private let before: MigrationSnapshot
    private let after: MigrationSnapshot
    private let statementCount: Int
    private let journalBytes: Int
    private let fileBytes: Int

    private static let name = "store.sqlite"
    private static let versions = 3

    /// Makes the file and migrates a copy of it.
    ///
    /// - Parameter folder: A folder for this history alone.
    package init(seed: UInt64, in folder: URL) throws {
        let history = try RandomHistory.make(seed: seed, versions: Self.versions)
        let schemas = RecordedSchemas(history)
        (self.seed, self.folder) = (seed, folder)
        former = try schemas.schema(at: history.first.number)
        new = try schemas.schema(at: history.head.number)
        hasRandomValues =
            try SchemaEvolution(from: history.base, by: Array(history.versions.dropFirst())).hasRandomValues
        let origin = folder.appendingPathComponent("origin")
        let copy = folder.appendingPathComponent("migrated")
        try FileManager.default.createDirectory(at: origin, withIntermediateDirectories: true)
        var fixture = MigrationFixture(former, seed: seed)
        try fixture.make(at: origin.appendingPathComponent(Self.name))
        try FileManager.default.copyItem(at: origin, to: copy)
        let file = copy.appendingPathComponent(Self.name)
        before = try Self.reading(file) { [former] in try MigrationSnapshot($0, schema: former) }
        let fuse = MigrationFuse(nil, file: file)
        try Self.open(file, as: new.description, fuse)
        after = try Self.reading(file) { [new] in try MigrationSnapshot($0, schema: new) }
        (statementCount, journalBytes) = (fuse.statementCount, fuse.journalBytes)
        fileBytes = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    // MARK: Points

    /// A migration has a few hundred statements. Of one with thousands, so many are chosen by its seed.
    private static let statementLimit = 1_000
    private static let commitCount = 20
    private static let fileCount = 5
    /// The index of the journal, which SQLite maps, is at least so long.
    private static let shortestFileBytes = 32_768

    /// The points of this migration: before each statement, one after the other, then in the middle of writes, then
    /// after the commit.
    package var points: [KillPoint] {
        var random = SeededRandom(seed: seed)
        let longest = max(journalBytes, fileBytes, Self.shortestFileBytes + 1)
        let files = (0..<Self.fileCount).map { _ in
            KillPoint.file(bytes: .random(in: Self.shortestFileBytes..<longest, using: &random))
        }
        let commits = (0..<Self.commitCount).map { _ in
            KillPoint.commit(bytes: .random(in: 0..<longest, using: &random))
        }
        var statements = Array(1...max(1, statementCount))
        if statements.count > Self.statementLimit {
            statements = statements.shuffled(using: &random).prefix(Self.statementLimit).sorted()
        }
        return statements.map(KillPoint.statement) + files + commits + [.committed]
    }

    // MARK: Killing

    /// Migrates a file; in the process that is killed.
    package static func migrate(_ file: URL, seed: UInt64, killedAt point: KillPoint) throws {
        let history = try RandomHistory.make(seed: seed, versions: versions)
        let schema = try RecordedSchemas(history).schema(at: history.head.number).description
        try open(file, as: schema, MigrationFuse(point, file: file))
    }

    /// Kills a migration, and checks the file.
    ///
    /// - Parameter job: Its own number, if several run at once.
    /// - Throws: `KillFinding`.
    package func kill(at point: KillPoint, job: Int) throws -> Outcome {
        let work = folder.appendingPathComponent("work-\(job)")
        let left = folder.appendingPathComponent("left-\(job)")
        try copy(folder.appendingPathComponent("origin"), to: work)
        let file = work.appendingPathComponent(Self.name)
        let isKilled = try run(file, point)
        // A look at the journal completes it, which is the next start's work.
        try copy(work, to: left)
        let outcome = try look(at: left.appendingPathComponent(Self.name))
        do { try Self.open(file, as: new.description) } catch {
            throw KillFinding("the next start fails: \(error)")
        }
        try check(file, new, is: after, "after the next start, the file")
        let backup = URL(fileURLWithPath: file.path + ".before-\(new.description.version)")
        if FileManager.default.fileExists(atPath: backup.path) {
            try check(backup, former, is: before, "after the next start, the copy from before")
        }
        guard isKilled else {
            guard outcome == .new else { throw KillFinding("nothing was migrated, and nothing killed") }
            return .survived
        }
        return outcome
    }

    private func copy(_ folder: URL, to destination: URL) throws {
        try? FileManager.default.removeItem(at: destination)
        try FileManager.default.copyItem(at: folder, to: destination)
    }

    /// - Returns: Whether the process was killed, instead of ending by itself.
    private func run(_ file: URL, _ point: KillPoint) throws -> Bool {
        let process = Process()
        process.executableURL = try builtProduct("workbench")
        process.arguments = ["kills-migration", "migrate", file.path, String(seed), point.text]
        // The order of dictionaries is then the same if it is run again.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        let end = ProcessEnd(of: process)
        try process.run()
        end.wait()
        if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return true }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw KillFinding("the process has ended with status \(process.terminationStatus)")
        }
        return false
    }

    // MARK: Checking

    private func look(at file: URL) throws -> Outcome {
        let version = try Self.reading(file) { database in
            try String.fetchOne(database, sql: "SELECT value FROM lockstep_metadata WHERE key = 'version'")
        }
        switch version {
        case String(former.description.version):
            try check(file, former, is: before, "the file of the former version")
            return .former
        case String(new.description.version):
            try check(file, new, is: after, "the file of the new version")
            return .new
        default: throw KillFinding("the file is of version \(version ?? "unknown")")
        }
    }

    private func check(
        _ file: URL, _ schema: RecordedSchema, is expected: MigrationSnapshot, _ name: String
    ) throws {
        try Self.reading(file) { database in
            let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            guard damage == ["ok"] else { throw KillFinding("\(name) is damaged: \(damage.joined(separator: ", "))") }
            if let difference = try FileStructure(database).difference(from: schema.structure) {
                throw KillFinding("\(name) has other tables: \(difference)")
            }
            guard try comparable(MigrationSnapshot(database, schema: schema)) == comparable(expected) else {
                throw KillFinding("\(name) has other contents")
            }
        }
    }

    private func comparable(_ snapshot: MigrationSnapshot) -> MigrationSnapshot {
        guard hasRandomValues else { return snapshot }
        var snapshot = snapshot
        snapshot.rows = snapshot.rows.mapValues { $0.mapValues { _ in [:] } }
        snapshot.bases = snapshot.bases.mapValues { $0.mapValues { _ in [:] } }
        return snapshot
    }

    // MARK: Files

    private static func open(_ file: URL, as schema: SchemaDescription, _ fuse: MigrationFuse? = nil) throws {
        var configuration = Configuration()
        if let fuse { configuration.prepareDatabase { fuse.watch($0) } }
        var options = MigrationOptions()
        // The default `now` is then the same each time.
        options.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        try StoreOpening(schema: schema, location: .file(file), configuration: configuration, options: options)
            .open().writer.close()
    }

    private static func reading<Value>(_ file: URL, _ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read(body)
    }
}

/// What is wrong after a kill.
package struct KillFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// A system that suspends a process ends it if it has locked something in a folder that it shares with others.
@Suite("A migration in the folder of an app group")
struct SharedFolderTests {
    /// Opens a store of an earlier version, and runs a function in the middle of its migration.
    private func migrating(
        _ configuration: Configuration = Configuration(), _ during: @escaping @Sendable (URL) -> Void,
        _ body: (URL, StoreOpening) throws -> Void
    ) async throws {
        var builder = HistoryBuilder(.journal)
        try builder.version {
            $0.change("Entry") { $0.attributes.append(.init("token", .scalar(.uuid), default: .newUUID)) }
        }
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try builder.schema(1), seed: 1, rowCount: 8)
            try fixture.make(at: url)
            var options = MigrationOptions()
            let isFirst = Locked(true)
            options.progress = { _ in
                let isNow = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isNow { during(url) }
            }
            try body(
                url,
                StoreOpening(
                    schema: try builder.schema().description, location: .file(url), configuration: configuration,
                    options: options))
        }
    }

    @Test("locks nothing but the file itself")
    func folder() async throws {
        let isFree = Locked<Bool?>(nil)
        try await migrating { url in
            let descriptor = open(url.deletingLastPathComponent().path, O_RDONLY)
            defer { close(descriptor) }
            isFree.withLock { $0 = flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
        } _: { _, opening in
            let opened = try opening.open()
            #expect(opened.migration?.to == 2)
            try opened.writer.close()
        }
        #expect(isFree.withLock(\.self) == true)
    }

    @Test("keeps the file from being wiped meanwhile")
    func wipe() async throws {
        let code = Locked<StoreError.Code?>(nil)
        try await migrating { url in
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.01)
            do { try Store.wipe(at: url, configuration: configuration) } catch {
                code.withLock { $0 = (error as? StoreError)?.code }
            }
        } _: { _, opening in
            let opened = try opening.open()
            #expect(opened.migration?.to == 2)
            #expect(try opened.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM entry") ?? 0 } > 0)
            try opened.writer.close()
        }
        #expect(code.withLock(\.self) == .busy)
    }

    @Test("is rolled back when the store is suspended, and made when it is opened again")
    func suspension() async throws {
        try await announcingSuspensions { configuration in
            try await migrating(configuration) { _ in
                NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
            } _: { url, opening in
                let before = try Self.version(url)
                let error = #expect(throws: StoreError.self) { try opening.open() }
                #expect(error?.code == .interrupted)
                #expect(try Self.version(url) == before)
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
                let opened = try opening.open()
                #expect(opened.migration?.to == 2)
                try opened.writer.close()
            }
        }
    }

    /// Removes an attribute, and runs a function just before the file is copied because of that.
    private func copying(
        _ configuration: Configuration = Configuration(), options: MigrationOptions = MigrationOptions(),
        _ before: @escaping @Sendable () -> Void, _ body: (StoreOpening) throws -> Void
    ) async throws {
        var builder = HistoryBuilder(.journal)
        try builder.version {
            $0.change("Entry") { $0.attributes.removeAll { $0.name == "bodyText" } }
        }
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try builder.schema(1), seed: 1, rowCount: 8)
            try fixture.make(at: url)
            let former = try Self.version(url)
            var options = options
            let checks = Locked(0)
            options.freeBytes = { _ in
                // The second check is made when nobody else can write any more.
                let isSecond = checks.withLock { count in
                    count += 1
                    return count == 2
                }
                if isSecond { before() }
                return nil
            }
            try body(
                StoreOpening(
                    schema: try builder.schema().description, location: .file(url), configuration: configuration,
                    options: options))
            #expect(try Self.version(url) == former)
            #expect(!FileManager.default.fileExists(atPath: url.path + ".before-2"))
        }
    }

    @Test("stops copying the file when the store is suspended")
    func suspensionOfCopy() async throws {
        try await announcingSuspensions { configuration in
            try await copying(configuration) {
                NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
            } _: { opening in
                #expect(throws: StoreError.self) { try opening.open() }
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
            }
        }
    }

    @Test("stops copying the file when it is cancelled")
    func cancellationOfCopy() async throws {
        let isCancelled = Locked(false)
        var options = MigrationOptions()
        options.isCancelled = { isCancelled.withLock(\.self) }
        try await copying(options: options) {
            isCancelled.withLock { $0 = true }
        } _: { opening in
            #expect(throws: CancellationError.self) { try opening.open() }
        }
    }

    private static func version(_ url: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('entry')") }
    }
}

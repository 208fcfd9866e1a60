import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import SchematicCapture
import TestSupport
import Testing

/// Bytes that are needed on the file server, and that this device cannot read or does not have.
@Suite("P14 Attachments whose bytes cannot be read")
struct UnreadableBytesTests {
    private let remote = MemoryRemote()
    private let files = MemoryAttachments()
    private let clock = ManualClock()

    private func sync(_ store: Store) -> Sync {
        let retries = RetrySchedule(attemptsPerPush: 1)
        return Sync(
            store: store, remote: remote, attachments: files, retries: retries, clock: clock, random: { 0.5 })
    }

    private func withStore(_ body: (Store) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await body(Store(SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent("a.sqlite"))))
        }
    }

    private func add(_ texts: [String], to store: Store, from id: Int32 = 1) async throws {
        try await store.perform { context in
            for (index, text) in texts.enumerated() {
                let bytes = FileAttachment(Data(text.utf8))
                Photo(id: id + Int32(index), name: text, imageData: bytes, context: context)
            }
            try context.save()
        }
    }

    private func url(_ text: String, _ store: Store) -> URL {
        store.attachmentFiles.url(FileAttachment(Data(text.utf8)).contentReference)
    }

    private var stored: [String] { files.stored.values.map { String(decoding: $0, as: UTF8.self) }.sorted() }

    /// Two photos, and a third with the bytes of the first. The server has dropped the bytes of the first two, and the
    /// records that it has lost with them.
    private func lose(_ texts: [String], _ sync: Sync, _ store: Store) async throws {
        try await add(texts + texts, to: store)
        try await sync.push()
        for id in 1...texts.count { remote.remove("\(id)", from: "/photos") }
        files.stored = [:]
        try await sync.pull(Photo.self, options: MergeOptions(records: .all))
    }

    /// What a test does to a file.
    enum Fault: CaseIterable {
        case damaged, unreadable

        /// Root can read every file.
        static var testable: [Fault] { geteuid() == 0 ? [.damaged] : allCases }

        func apply(to url: URL) throws {
            switch self {
            case .damaged: try Data("olleh".utf8).write(to: url)
            case .unreadable:
                try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: url.path)
            }
        }
    }

    @Test(
        "P14 If lost bytes cannot be read, the push succeeds nevertheless, and a later one tries again",
        arguments: Fault.testable)
    func lostBytes(_ fault: Fault) async throws {
        try await withStore { store in
            let sync = sync(store)
            try await lose(["hello", "other"], sync, store)
            try fault.apply(to: url("hello", store))
            try await sync.push()
            #expect(stored == ["other"])

            // It waits for its time, and is not read until then.
            try FileManager.default.removeItem(at: url("hello", store))
            try Data("hello".utf8).write(to: url("hello", store))
            try await sync.push()
            #expect(stored == ["other"])
            clock.advance(by: 3_600)
            try await sync.push()
            #expect(stored == ["hello", "other"])
        }
    }

    @Test(
        "P14 A change of a record whose bytes cannot be read does not keep others from being sent",
        arguments: Fault.testable)
    func unsentBytes(_ fault: Fault) async throws {
        try await withStore { store in
            let sync = sync(store)
            try await add(["hello", "other"], to: store)
            try fault.apply(to: url("hello", store))
            let summary = try await sync.push()
            #expect(summary.created == 1 && stored == ["other"])
            let change = try #require(try await store.outbox.pending().first)
            #expect((change.parked != nil) == (fault == .damaged))
            if fault == .damaged {
                #expect(change.lastError?.contains("the bytes of the file do not match its hash") == true)
            }

            try FileManager.default.removeItem(at: url("hello", store))
            try Data("hello".utf8).write(to: url("hello", store))
            clock.advance(by: 3_600)
            if fault == .damaged { try await store.outbox.retry(change) }
            #expect(try await sync.push().created == 1)
            #expect(stored == ["hello", "other"])
        }
    }

    @Test("P14 If a file cannot be written, its download is left for later, and others continue")
    func unwritable() async throws {
        try await withStore { store in
            let texts = ["hello", "other"]
            let attachments = texts.map { FileAttachment(Data($0.utf8)) }
            let body = attachments.enumerated().map {
                #"{"id": \#($0.offset + 1), "name": "a", "imageData": "\#($0.element.reference)"}"#
            }
            try await store.merge(Data("[\(body.joined(separator: ","))]".utf8), into: Photo.self)
            for attachment in attachments {
                files.stored[attachment.contentHash] = Data(texts[attachments.firstIndex(of: attachment)!].utf8)
            }
            let incoming = store.attachmentFiles.incomingFolder
            try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
            let part = store.attachmentFiles.partURL(attachments[0].contentReference)
            try FileManager.default.createSymbolicLink(at: part, withDestinationURL: incoming)

            let transfer = try #require(sync(store).attachments)
            let report = try await transfer.downloadMissing()
            #expect(report.downloaded == [attachments[1]] && report.missingCount == 1)
            #expect(report.failures.map(\.attachment) == [attachments[0]])
            #expect(report.failures.map(\.error.code) == [.store])

            try FileManager.default.removeItem(at: part)
            #expect(try await transfer.downloadMissing().downloaded == [])
            clock.advance(by: 3_600)
            #expect(try await transfer.downloadMissing().downloaded == [attachments[0]])
        }
    }

    // MARK: What is read

    /// The queries of all photos that `body` runs.
    private func queries(_ store: Store, _ body: () async throws -> Void) async throws -> [String] {
        let queries = Locked<[String]>([])
        try await store.writer.write { database in
            database.trace { event in
                let sql = "\(event)"
                if sql.contains("FROM \"photo\" WHERE \"image_data\"") { queries.withLock { $0.append(sql) } }
            }
        }
        try await body()
        try await store.writer.write { $0.trace(options: []) }
        return queries.withLock { $0 }
    }

    @Test("P14 Bytes that are not on this device, or that wait for their time, make no push read the records")
    func readsNoRecords() async throws {
        // A store in memory has one connection.
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let sync = sync(store)
        let missing = try await store.mergePhoto(of: Data("missing".utf8))
        #expect(try await sync.attachments?.downloadMissing().failures.map(\.error.code) == [.notFound])
        clock.advance(by: 3_600)
        #expect(try await queries(store) { try await sync.push() } == [])

        try await store.merge(Data("[]".utf8), into: Photo.self, options: MergeOptions(records: .all))
        try await lose(["hello"], sync, store)
        files.fail(SyncError(.network, reason: "no connection", remedy: ""))
        #expect(try await queries(store) { try await sync.push() }.count == 1)
        #expect(try await queries(store) { try await sync.push() } == [])
        clock.advance(by: 3_600)
        #expect(try await queries(store) { try await sync.push() }.count == 1)
        #expect(stored == ["hello"] && files.stored[missing.contentHash] == nil)
    }
}

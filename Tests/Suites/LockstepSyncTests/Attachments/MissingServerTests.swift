import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepTesting
import SchematicCapture
import ServerSamples
import TestSupport
import Testing

/// Records that refer to bytes that no server receives.
@Suite("P14 Attachments without an attachment server")
struct MissingServerTests {
    private let remote = MemoryRemote()
    private let store: Store

    init() throws { store = try Store(SchematicCaptureSchema.self, at: .inMemory) }

    private func sync(_ attachments: (any AttachmentRemote)? = nil) -> Sync {
        Sync(store: store, remote: remote, attachments: attachments, clock: ManualClock(), random: { 0.5 })
    }

    private func photo(_ bytes: String) async throws {
        try await store.perform { context in
            let photo = Photo(id: 1, name: "a", context: context)
            photo.imageData = FileAttachment(Data(bytes.utf8))
            try context.save()
        }
    }

    @Test("P14 A record whose bytes exist only locally is parked by name, and sent once there is an attachment server")
    func parked() async throws {
        try await photo("hello")
        let summary = try await sync().push()
        #expect(remote.log.filter(\.isChange).isEmpty)
        let parked = try #require(summary.parked.first)
        #expect(parked.record == "1")
        #expect(
            parked.lastError == """
                no server for attachments: Photo.imageData refers to bytes that are on this device only; give the sync a \
                server for them, Sync(store:remote:attachments:), and it is sent
                """)
        #expect(try await sync().push().parked.count == 1)

        let files = MemoryAttachments()
        let second = try await sync(files).push()
        #expect(second.created == 1)
        #expect(files.stored.count == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "P14 Without a server for them, exactly the records with bytes that are on this device only are parked",
        arguments: Seeds.some(6, of: UInt64(0)...199))
    func some(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var local: Set<String> = []
        for id in 1...Int.random(in: 1...5, using: &random) {
            let kind = Int.random(in: 0...3, using: &random)
            if kind == 0 {
                let reference = "sha256-" + String(repeating: "\(id)", count: 64) + "-5"
                try await store.merge(
                    Data(#"[{"id":\#(id),"name":"a","imageData":"\#(reference)"}]"#.utf8), into: Photo.self)
            }
            try await store.perform { context in
                let photo = try Photo.find(Int32(id), in: context) ?? Photo(id: Int32(id), name: "a", context: context)
                photo.name = "b"
                if kind > 1 { photo.imageData = FileAttachment(Data("bytes \(id)".utf8)) }
                try context.save()
            }
            // Those before it are on the server, too.
            if kind == 2 {
                try await AttachmentTransfer(store: store, remote: MemoryAttachments()).uploadPending()
                local = []
            }
            if kind == 3 { local.insert("\(id)") }
        }
        #expect(try await Set(sync().push().parked.map(\.record)) == local)
    }

    @Test("P14 A reference known to the server is sent: it was uploaded or came from the server")
    func known() async throws {
        try await photo("hello")
        try await AttachmentTransfer(store: store, remote: MemoryAttachments()).uploadPending()
        #expect(try await sync().push().created == 1)
    }

    @Test("P14 A reference without local bytes came from the server")
    func elsewhere() async throws {
        let reference = "sha256-" + String(repeating: "a", count: 64) + "-5"
        try await store.merge(
            Data(#"[{"id":1,"name":"a","imageData":"\#(reference)"}]"#.utf8), into: Photo.self)
        try await store.perform { context in
            try #require(try context.fetch(Photo.all()).first).name = "b"
            try context.save()
        }
        #expect(try await sync().push().parked.isEmpty)
    }

    /// How the last record that refers to some bytes can end.
    enum Ending: CaseIterable { case delete, otherBytes, noBytes, deletedThere, changedThere }

    private func end(_ ending: Ending, _ sync: Sync) async throws {
        switch ending {
        case .deletedThere:
            try await store.merge(Data("[]".utf8), into: Photo.self, options: MergeOptions(records: .all))
        case .changedThere:
            try await store.merge(Data(#"[{"id":1,"imageData":null}]"#.utf8), into: Photo.self)
        case .delete, .otherBytes, .noBytes:
            try await store.perform { context in
                let photo = try #require(try context.find(Photo.self, 1))
                if ending == .delete { context.delete(photo) }
                if ending == .otherBytes { photo.imageData = FileAttachment(Data("other".utf8)) }
                if ending == .noBytes { photo.imageData = nil }
                try context.save()
            }
        }
        _ = try await sync.push()
    }

    @Test(
        "P14 A server may drop bytes that no record refers to any more: the next record uploads them again",
        arguments: Ending.allCases)
    func dropped(_ ending: Ending) async throws {
        let files = MemoryAttachments()
        let sync = sync(files)
        try await photo("hello")
        #expect(try await sync.push().created == 1)
        #expect(files.stored.count == 1)
        try await end(ending, sync)
        files.stored = [:]
        try await store.perform { context in
            Photo(id: 2, name: "b", imageData: FileAttachment(Data("hello".utf8)), context: context)
            try context.save()
        }
        #expect(try await sync.push().created == 1)
        #expect(files.stored.values.map { String(decoding: $0, as: UTF8.self) } == ["hello"])
    }

    /// Two photos with the same bytes. Another device has deleted the first one, and the file server has dropped its
    /// bytes, before this device learned of that: it has sent the second one without the bytes.
    private func droppedEarly(_ files: MemoryAttachments, _ sync: Sync) async throws {
        try await photo("hello")
        try await sync.push()
        remote.remove("1", from: "/photos")
        files.stored = [:]
        try await store.perform { context in
            Photo(id: 2, name: "b", imageData: FileAttachment(Data("hello".utf8)), context: context)
            try context.save()
        }
        #expect(try await sync.push().created == 1)
        #expect(files.stored.isEmpty)
    }

    @Test("P14 Bytes that were dropped before this device learned of the deletion are uploaded by its next push")
    func droppedEarly() async throws {
        let files = MemoryAttachments()
        let clock = ManualClock()
        let sync = Sync(store: store, remote: remote, attachments: files, clock: clock, random: { 0.5 })
        try await droppedEarly(files, sync)
        try await sync.pull(Photo.self, options: MergeOptions(records: .all))
        #expect(try await store.representations(Photo.all()).map(\.id) == [2])

        // What fails is left for later, and the push has succeeded.
        files.fail(SyncError(.network, reason: "no connection", remedy: ""))
        try await sync.push()
        let count = files.log.count
        try await sync.push()
        #expect(files.log.count == count && files.stored.isEmpty)
        clock.advance(by: 600)
        try await sync.push()
        #expect(files.stored.values.map { String(decoding: $0, as: UTF8.self) } == ["hello"])
        try await sync.push()
        #expect(files.log.count == count + 1)
    }

    @Test("P14 Bytes that no record refers to any more are not looked for again")
    func forgotten() async throws {
        let files = MemoryAttachments()
        let sync = sync(files)
        try await photo("hello")
        try await sync.push()
        try await end(.deletedThere, sync)
        #expect(files.log.count == 1)
        let rows = try await store.writer.read { try AttachmentTable.notUploaded(to: files.name, in: $0) }
        #expect(rows.isEmpty)
    }

    @Test("P14 While it runs, a sync uploads them as soon as it has received the deletion")
    func droppedEarlyWhileRunning() async throws {
        let files = MemoryAttachments()
        let sync = sync(files)
        try await droppedEarly(files, sync)
        let run = _Concurrency.Task { try await sync.run() }
        #expect(try await soon { !files.stored.isEmpty }, "waited for the upload")
        #expect(try await store.representations(Photo.all()).map(\.id) == [2])
        run.cancel()
        try await run.value
    }

    @Test("P14 Bytes that several records refer to are uploaded once, and edits of other members upload nothing")
    func shared() async throws {
        let files = MemoryAttachments()
        let sync = sync(files)
        try await store.perform { context in
            for id in 1...3 {
                Photo(id: Int32(id), name: "b", imageData: FileAttachment(Data("hello".utf8)), context: context)
            }
            try context.save()
        }
        #expect(try await sync.push().created == 3)
        try await store.perform { context in
            for photo in try context.fetch(Photo.all()) { photo.name = "c" }
            try context.save()
        }
        #expect(try await sync.push().updated == 3)
        #expect(files.log.count == 1)
    }

    @Test("P14 A record without attachments does not wait, nor does a deleted one")
    func others() async throws {
        try await photo("hello")
        _ = try await sync().push()
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Photo.all()).first))
            Photo(id: 2, name: "b", context: context)
            try context.save()
        }
        let summary = try await sync().push()
        #expect(summary.created == 1)
        #expect(summary.parked.isEmpty)
    }

    @Test("P14 An attachment of an embedded record is reported with the name of that record")
    func embedded() async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        try await store.perform { context in
            let basket = Basket(name: "first", context: context)
            let item = Item(title: "bolt", context: context)
            item.photo = FileAttachment(Data("hello".utf8))
            basket.items.insert(item)
            try context.save()
        }
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits(sendsEmbedded: true)))
        let parked = try await sync.push().parked
        #expect(parked.allSatisfy { $0.lastError?.contains("Item.photo refers") == true })
        #expect(parked.count == 2)
    }
}

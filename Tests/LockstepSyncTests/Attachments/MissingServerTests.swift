import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import Orders
import SchematicCapture
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
            photo.imageData = Attachment(Data(bytes.utf8))
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
            item.photo = Attachment(Data("hello".utf8))
            basket.items.insert(item)
            try context.save()
        }
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits(sendsEmbedded: true)))
        let parked = try await sync.push().parked
        #expect(parked.allSatisfy { $0.lastError?.contains("Item.photo refers") == true })
        #expect(parked.count == 2)
    }
}

import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import SamplesV1
import SamplesV2
import Testing

@Suite("Rejected creations")
struct RejectedCreationTests {
    @Test("P10 A creation that was rejected has another key if a migration gives it another body")
    func keyFollowsBody() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("journal.sqlite")
        let (server, clock) = (MemoryRemote(traits: RemoteTraits()), ManualClock())
        let first = try Store(SamplesV1.JournalSchema.self, at: .file(file))
        try await first.perform { context in
            SamplesV1.Entry(title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        server.respondNext(.refused(status: 422), to: .changes)
        #expect(try await Sync(store: first, remote: server, clock: clock).push().parked.count == 1)
        try first.close()
        let second = try Store(SamplesV2.JournalSchema.self, at: .file(file))
        #expect(try await Sync(store: second, remote: server, clock: clock).push().created == 1)
        let creations = server.log.filter { $0.kind == .create }
        #expect(creations.map { $0.body?["bodyText"] } == ["Rain", nil])
        #expect(Set(creations.compactMap(\.idempotencyKey)).count == 2)
        try second.close()
    }
}

import LockstepStore
import LockstepSync
import LockstepTesting
import SchematicCapture
import Testing

@Suite("P10 Records embedded in a creation without a response")
struct UnconfirmedEmbeddedTests {
    @Test(
        "P10.6 An embedded record that was sent with a creation and is replaced is not deleted if the creation is rejected",
        arguments: [1, 2])
    func replaced(rejections: Int) async throws {
        let clock = ManualClock()
        let server = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock)
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Project(
                id: 1, name: "House", client: "Anna", clientId: 1,
                jobSheets: [JobSheet(id: 10, name: "Cellar", context: context)], context: context)
            try context.save()
        }
        server.respondNext(.connectionFails, to: .changes)
        _ = try? await sync.push()
        try await store.perform { context in
            let project = try #require(try Project.find(1, in: context))
            context.delete(try #require(try JobSheet.find(10, in: context)))
            project.jobSheets.insert(JobSheet(id: 11, name: "Roof", context: context))
            try context.save()
        }
        clock.advance(by: 600)
        server.respondNext(.refused(status: 422), to: .changes, times: rejections)
        try await sync.push()
        // The creation that is sent in place of the repeated one is parked if it is rejected, too.
        try await store.outbox.retryAll()
        try await sync.push()
        #expect(server.record("1", of: "/projects")?["jobsheet"]?[0]?["id"] == 11)
        #expect(try await store.outbox.count() == 0)
    }
}

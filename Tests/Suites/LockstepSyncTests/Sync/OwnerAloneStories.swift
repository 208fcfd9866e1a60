import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

@Suite("C2 Changes by others in embedded records are kept if only the owner was changed locally")
struct OwnerAloneStories {
    private func stage() async throws -> EmbeddedIdentityStage {
        let stage = try await EmbeddedIdentityStage.withBoltAndNut()
        try await stage.editOrder { $0.name = "second" }
        stage.server.edit("1", of: "/orders", ["lines": [["id": 2, "title": "washer"], ["id": 3, "title": "screw"]]])
        return stage
    }

    @Test("C2 A change of the owner alone is sent without its embedded records")
    func pushed() async throws {
        let stage = try await stage()
        try await stage.sync.push()
        #expect(stage.there == ["2 washer", "3 screw"])
        #expect(stage.server.record("1", of: "/orders")?["name"] == "second")
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.pending() == [])
    }

    @Test("C2 A pull merges changes by others in it, and keeps the owner's own change")
    func pulled() async throws {
        let stage = try await stage()
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["2 washer", "3 screw"])
        #expect(try await stage.pending() == ["update Order"])
        try await stage.sync.push()
        #expect(stage.there == ["2 washer", "3 screw"])
        #expect(stage.server.record("1", of: "/orders")?["name"] == "second")
    }
}

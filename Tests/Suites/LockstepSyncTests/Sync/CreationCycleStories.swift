import Foundation
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// New records that refer to each other, with a server that has foreign keys.
@Suite("Creations that refer to each other")
struct CreationCycleStories {
    private let clock = ManualClock()
    private let server: FakeRails
    private let store: Store
    private let jobID = UUID()
    private let teamID = UUID()

    init() throws {
        server = FakeRails(
            RailsRules(
                columns: ["/jobs": ["current_id"], "/teams": ["captain_id"]],
                references: [
                    "/jobs": ["current_id": .init("/steps")], "/steps": ["job_id": .init("/jobs", isRequired: true)],
                    "/teams": ["captain_id": .init("/players")],
                    "/players": ["team_id": .init("/teams", isRequired: true)],
                    "/albums": ["cover_id": .init("/photos")], "/photos": ["album_id": .init("/albums")],
                ]), clock: clock)
        store = try Store(CrewSchema.self, at: .inMemory)
    }

    private func sync(_ concurrency: Int = 4, conflicts: ConflictPolicies = .localChangesWin) -> Sync {
        Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), conflicts: conflicts,
            retries: RetrySchedule(attemptsPerPush: 1), maximumConcurrentPushes: concurrency, clock: clock,
            random: { 0.5 })
    }

    private func edit(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    private func makeJob() async throws {
        try await edit { [jobID] context in
            let job = Job(localID: jobID, name: "Paint", context: context)
            Step(text: "1", job: job, context: context)
            job.current = Step(text: "2", job: job, context: context)
        }
    }

    /// - Parameter isCaptainFirst: Whether the player is created first.
    private func makeTeam(isCaptainFirst: Bool = false) async throws {
        try await edit { [teamID] context in
            let team = Team(id: teamID, name: "Reds", context: context)
            let player = Player(name: "Ann", team: team, context: context)
            if isCaptainFirst { team.captain = player }
        }
        guard !isCaptainFirst else { return }
        try await edit { [teamID] context in
            let team = try #require(try Team.find(teamID, in: context))
            team.captain = team.players.first
        }
    }

    @Test(
        "P2 Of new records that refer to each other, the optional link is sent after both",
        arguments: [1, 4], [ConflictPolicies.localChangesWin, .serverWins])
    func serverIdentities(_ concurrency: Int, _ conflicts: ConflictPolicies) async throws {
        try await makeJob()
        let summary = try await sync(concurrency, conflicts: conflicts).push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(server.log == ["POST /jobs", "POST /steps", "POST /steps", "PATCH /jobs/1"])
        let current = try #require(server.record("1", of: "/jobs")?["current_id"])
        #expect(server.records(of: "/steps").first { $0["id"] == current }?["text"] == "2")
        let local = try await store.perform { [jobID] in try Job.find(jobID, in: $0)?.current?.text }
        #expect(local == "2")
        #expect(try await sync(concurrency).push().sent == 0)
    }

    @Test("P2 The parent goes before its child with the device's identities too", arguments: [false, true])
    func deviceIdentities(isCaptainFirst: Bool) async throws {
        try await makeTeam(isCaptainFirst: isCaptainFirst)
        let summary = try await sync().push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        let key = teamID.uuidString.lowercased()
        #expect(server.log == ["POST /teams", "POST /players", "PATCH /teams/\(key)"])
        #expect(server.record(key, of: "/teams")?["captain_id"] == server.records(of: "/players").first?["id"])
        let captain = try await store.perform { [teamID] in try Team.find(teamID, in: $0)?.captain?.name }
        #expect(captain == "Ann")
    }

    @Test("P2 A new record with links to others is whole if the others can come first")
    func noCycle() async throws {
        try await edit { context in
            let album = Album(title: "Summer", context: context)
            album.cover = Photo(title: "Sea", context: context)
        }
        try await sync().push()
        #expect(server.log == ["POST /photos", "POST /albums"])
        #expect(server.records(of: "/albums").first?["cover_id"] == server.records(of: "/photos").first?["id"])
    }

    @Test("P2 Of two optional links, one is sent later")
    func bothOptional() async throws {
        try await edit { context in
            let album = Album(title: "Summer", context: context)
            album.cover = Photo(title: "Sea", album: album, context: context)
        }
        let summary = try await sync().push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(server.log.count == 3)
        #expect(server.records(of: "/albums").first?["cover_id"] == server.records(of: "/photos").first?["id"])
        #expect(server.records(of: "/photos").first?["album_id"] == server.records(of: "/albums").first?["id"])
    }

    @Test("P2 P10 A link that was left out follows a creation whose response was lost", arguments: [false, true])
    func lostResponse(isEdited: Bool) async throws {
        try await makeJob()
        server.respondNext(.responseLost, to: .method(.post))
        await #expect(throws: SyncError.self) { try await sync().push() }
        if isEdited { try await edit { [jobID] in try #require(try Job.find(jobID, in: $0)).name = "Draw" } }
        clock.advance(by: 600)
        let summary = try await sync().push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(server.records(of: "/jobs").count == 1)
        let job = try #require(server.record("1", of: "/jobs"))
        #expect(server.records(of: "/steps").first { $0["id"] == job["current_id"] }?["text"] == "2")
        #expect(job["name"] == (isEdited ? "Draw" : "Paint"))
    }

    @Test("P2 P8 A parked record keeps waiting what refers to it, and nothing else")
    func parked() async throws {
        try await makeJob()
        server.respondNext(.status(422), to: .path("/jobs"))
        #expect(try await sync().push().parked.map(\.entity) == ["Job"])
        #expect(server.log == ["POST /jobs"])
        try await edit { [jobID] in try #require(try Job.find(jobID, in: $0)).name = "Draw" }
        #expect(try await sync().push().remaining == 0)
        #expect(server.records(of: "/steps").count == 2)
    }

    @Test("P2 A link that is changed before it is sent, or removed, is sent as it is then")
    func editedMeanwhile() async throws {
        try await makeJob()
        server.respondNext(.connectionFails, to: .method(.patch))
        _ = try? await sync().push()
        try await edit { [jobID] in try #require(try Job.find(jobID, in: $0)).current = nil }
        clock.advance(by: 600)
        #expect(try await sync().push().remaining == 0)
        #expect(server.record("1", of: "/jobs")?["current_id"] ?? .null == .null)
    }

    @Test("P2 Deleted records that refer to each other are deleted before those that they require")
    func deleted() async throws {
        try await makeTeam()
        try await sync().push()
        server.clearLog()
        try await edit { [teamID] in $0.delete(try #require(try Team.find(teamID, in: $0))) }
        #expect(try await sync().push().remaining == 0)
        #expect(server.log.map { String($0.prefix { $0 != "-" }.dropLast(9)) } == ["DELETE /players", "DELETE /teams"])
    }
}

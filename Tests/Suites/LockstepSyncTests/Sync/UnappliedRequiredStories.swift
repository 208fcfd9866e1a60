import Foundation
import GRDB
import Journal
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Testing

/// Servers that return an empty value that the device cannot have: the attribute is required, or its limits exclude it.
@Suite("Required values that were not applied")
struct UnappliedRequiredStories {
    private let clock = ManualClock()
    private let teamID = UUID()
    private let playerID = UUID()
    private var player: String { playerID.uuidString.lowercased() }
    private var team: String { teamID.uuidString.lowercased() }

    private static let policies = [ConflictPolicies.localChangesWin, .serverWins]

    private func sync(
        _ store: Store, _ remote: MemoryRemote, conflicts: ConflictPolicies = .localChangesWin
    ) -> Sync {
        Sync(
            store: store, remote: remote, conflicts: conflicts, retries: RetrySchedule(attemptsPerPush: 1),
            clock: clock, random: { 0.5 })
    }

    /// A server that returns a value for a member of each new record.
    private func server(_ member: String, _ value: JSONValue) -> MemoryRemote {
        MemoryRemote(
            traits: RemoteTraits(), fill: { record, _, isNew in if isNew { record[member] = value } })
    }

    /// A device with a team that the server has, and a new player.
    private func crew(_ remote: MemoryRemote) async throws -> Store {
        let store = try Store(CrewSchema.self, at: .inMemory)
        remote.set(["id": .string(team), "name": "Reds", "captain_id": .null], id: team, in: "/teams")
        try await sync(store, remote).pull(Team.self)
        try await store.perform { [teamID, playerID] context in
            let team = try #require(try Team.find(teamID, in: context))
            Player(id: playerID, name: "Bob", note: "left", shirt: 7, team: team, context: context)
            try context.save()
        }
        return store
    }

    /// The name, the number and the team of the player.
    private func local(_ store: Store) async throws -> [String?] {
        try await store.perform { [playerID] context in
            let player = try #require(try Player.find(playerID, in: context))
            return [player.name, player.shirt.map(String.init), player.team.name]
        }
    }

    static let members: [(key: String, name: String, value: JSONValue)] = [
        ("name", "name", .null), ("name", "name", []), ("team_id", "team", .null), ("team_id", "team", ""),
        ("shirt", "shirt", ""),
    ]

    @Test(
        "P21.3 A value of a creation that comes back empty was not applied, even if the device cannot have it so",
        arguments: members, policies)
    func creation(member: (key: String, name: String, value: JSONValue), policy: ConflictPolicies) async throws {
        let remote = server(member.key, member.value)
        let store = try await crew(remote)
        let sync = sync(store, remote, conflicts: policy)
        let summary = try await sync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.map(\.kind) == [.update])
        #expect(summary.parked.first?.lastError?.contains("did not apply it: \(member.name);") == true)
        #expect(try await local(store) == ["Bob", "7", "Reds"])

        // What the server has is no record of the device, so a pull changes nothing.
        try await sync.pull(Player.self)
        #expect(try await local(store) == ["Bob", "7", "Reds"])
        try await store.outbox.retryAll()
        #expect(try await sync.push().updated == 1)
        let sent: [String: JSONValue] = ["name": "Bob", "team_id": .string(team), "shirt": 7]
        #expect(remote.log.last?.changes == .object([member.key: sent[member.key] ?? .null]))
        #expect(try await store.outbox.pending().isEmpty)
        #expect(remote.record(player, of: "/players")?[member.key] == sent[member.key])
    }

    @Test("P8 P21.3 If such a change is discarded, the record keeps its value", arguments: ["name", "team_id"])
    func discarded(member: String) async throws {
        let remote = server(member, .null)
        let store = try await crew(remote)
        let parked = try #require(try await sync(store, remote).push().parked.first)
        try await store.outbox.discard(parked)
        #expect(try await local(store) == ["Bob", "7", "Reds"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P8 P21.3 If the delete of such a record is discarded, it is not restored, and nothing is sent")
    func discardedDelete() async throws {
        let remote = server("name", .null)
        let store = try await crew(remote)
        let sync = sync(store, remote)
        try await sync.push()
        try await store.perform { [playerID] context in
            context.delete(try #require(try Player.find(playerID, in: context)))
            try context.save()
        }
        try await store.outbox.discardAll()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await sync.push().sent == 0)
        #expect(try store.rows("SELECT name FROM player").isEmpty)
    }

    @Test("P8 P21.3 The same if the server has removed it from its owner, and has it in no other one")
    func discardedDeleteOfLeft() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        func respond(_ json: String) {
            remote.respondNext(.response(.accepted(body: Data(json.utf8))), to: .changes)
        }
        let store = try Store(ForestSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.merge(Data(#"[{"id": 1, "title": "oak"}, {"id": 3, "title": "elm"}]"#.utf8), into: Node.self)
        try await store.perform { context in
            let oak = try #require(try Node.find(1, in: context))
            Node(id: 2, title: "branch", parent: oak, context: context)
            try context.save()
        }
        respond(#"{"id": 1, "title": "oak", "children": [{"id": 2, "title": null}]}"#)
        #expect(try await sync.push().parked.count == 1)

        // It leaves the oak, and the elm is rejected.
        try await store.perform { context in
            try #require(try Node.find(2, in: context)).parent = try Node.find(3, in: context)
            try context.save()
        }
        respond(#"{"id": 1, "title": "oak", "children": []}"#)
        remote.respondNext(.refused(status: 422), to: .changes)
        #expect(try await sync.push().parked.map(\.parked?.status) == [422])

        try await store.perform { context in
            context.delete(try #require(try Node.find(2, in: context)))
            try context.save()
        }
        let deletion = try #require(try await store.outbox.pending().first)
        try await store.outbox.discard(deletion)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await sync.push().sent == 0)
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak", "elm"])
    }

    @Test("P21.3 The same for a text that the limits of its attribute exclude")
    func limits() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.writer.write { database in
            try database.execute(
                sql: "INSERT INTO person (created_at, name, country, number) VALUES (0, 'Ann', 'CH', 1)")
        }
        let parked = try #require(try await sync(store, server("name", "")).push().parked.first)
        #expect(parked.lastError?.contains("did not apply it: name;") == true)
        try await store.outbox.discard(parked)
        #expect(try store.rows("SELECT name FROM person") == ["Ann"])
    }

    @Test("C1 P21.3 A function that resolves a conflict gets such a record, too")
    func function() async throws {
        let remote = server("name", .null)
        let store = try await crew(remote)
        try await sync(store, remote).push()
        remote.edit(player, of: "/players", ["name": "Rob"])
        let policy = ConflictPolicy.custom(Player.self) { _, local, remote in
            var merged = local
            merged.name += " \(remote?.name ?? "")"
            return merged
        }
        try await sync(store, remote, conflicts: ConflictPolicies().using(policy, for: Player.self)).pull(Player.self)
        #expect(try await local(store) == ["Bob Rob", "7", "Reds"])
    }

    // MARK: Updates

    @Test("P21.8 P8 Its former value is the one that was returned: discarding restores a value that was sent before")
    func formerlySent() async throws {
        let remote = MemoryRemote(
            traits: RemoteTraits(), ignores: { member, value, _ in member == "name" && value == "Cleo" })
        let store = try await crew(remote)
        let sync = sync(store, remote)
        try await sync.push()
        func rename(_ name: String) async throws {
            try await store.perform { [playerID] context in
                try #require(try Player.find(playerID, in: context)).name = name
                try context.save()
            }
        }
        try await rename("Bea")
        remote.respondNext(.responseLost, to: .kind(.update))
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await rename("Cleo")
        clock.advance(by: 600)
        let parked = try #require(try await sync.push().parked.first)
        try await store.outbox.discard(parked)
        #expect(try await local(store)[0] == "Bea")
        #expect(remote.record(player, of: "/players")?["name"] == "Bea")
    }

    @Test("P5 P21.13 A date that comes back without its fraction of a second was applied")
    func fraction() async throws {
        let id = UUID()
        let key = id.uuidString.lowercased()
        let whole = "2026-03-01T08:25:00Z"
        let remote = MemoryRemote(
            traits: RemoteTraits(), fill: { record, _, _ in record["timestamp"] = .string(whole) })
        remote.set(
            ["identifier": .string(key), "title": "Monday", "timestamp": .string(whole)], id: key, in: "/entries")
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await sync.pull(Entry.self)
        try await store.perform { context in
            let entry = try #require(try Entry.find(id, in: context))
            entry.timestamp += 0.5
            try context.save()
        }
        let summary = try await sync.push()
        #expect(summary.updated == 1 && summary.parked.isEmpty && summary.remaining == 0)
        #expect(remote.log.last?.changes?["timestamp"] != .string(whole))
    }
}

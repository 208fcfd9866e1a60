import Foundation
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Testing

/// Servers that accept a change and do not apply it, or not all of it.
@Suite("Changes that were accepted and not applied")
struct UnappliedStories {
    private let clock = ManualClock()
    private let teamID = UUID()
    private let playerID = UUID()
    private var player: String { playerID.uuidString.lowercased() }

    private struct Stage {
        let server: FakeRails
        let store: Store
        let sync: Sync
    }

    /// A device and a server with a team and a player.
    private func stage(
        _ rules: RailsRules = RailsRules(), conflicts: ConflictPolicies = .localChangesWin
    ) async throws -> Stage {
        let server = FakeRails(rules, clock: clock)
        let store = try Store(CrewSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), conflicts: conflicts,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        let (team, id) = (teamID.uuidString.lowercased(), player)
        server.set(["id": .string(team), "name": "Reds", "captain_id": .null], in: "/teams")
        server.set(
            ["id": .string(id), "name": "Ann", "note": .null, "shirt": 7, "team_id": .string(team)], in: "/players")
        try await sync.pull()
        server.clearLog()
        return Stage(server: server, store: store, sync: sync)
    }

    private func edit(_ stage: Stage, _ body: @escaping @Sendable (Player) throws -> Void) async throws {
        try await stage.store.perform { [playerID] context in
            try body(try #require(try Player.find(playerID, in: context)))
            try context.save()
        }
    }

    private func local<Value: Sendable>(
        _ stage: Stage, _ value: @escaping @Sendable (Player) -> Value
    ) async throws -> Value {
        try await stage.store.perform { [playerID] in value(try #require(try Player.find(playerID, in: $0))) }
    }

    private func ignoring(_ names: Set<String>) -> RailsRules {
        RailsRules(ignores: { _, member, _, _ in names.contains(member) })
    }

    @Test("P21.1 A member that comes back with its former value was not applied: the local value stays, parked by name")
    func unpermitted() async throws {
        let stage = try await stage(ignoring(["name"]))
        try await edit(stage) { $0.name = "Anna" }
        let summary = try await stage.sync.push()
        #expect(summary.updated == 0)
        let parked = try #require(summary.parked.first)
        #expect(parked.lastError?.contains("did not apply it: name") == true)
        #expect(try await local(stage) { $0.name } == "Anna")
        #expect(stage.server.log == ["PATCH /players/\(player)"])
        // It is not sent again by itself, and a pull does not take it back.
        try await stage.sync.pull()
        #expect(try await stage.sync.push().sent == 0)
        #expect(try await local(stage) { $0.name } == "Anna")
    }

    @Test("P21.10 What was applied is confirmed")
    func partly() async throws {
        let stage = try await stage(ignoring(["name"]))
        try await edit(stage) { ($0.name, $0.shirt) = ("Anna", 9) }
        let summary = try await stage.sync.push()
        #expect(summary.updated == 1 && summary.parked.count == 1)
        #expect(stage.server.record(player, of: "/players")?["shirt"] == 9)
        try await stage.store.outbox.retryAll()
        try await stage.sync.push()
        #expect(String(decoding: stage.server.requests.last?.body ?? Data(), as: UTF8.self) == #"{"name":"Anna"}"#)
    }

    @Test("P21.10 What the response does not contain is confirmed beside what was not applied")
    func partlyShown() async throws {
        let stage = try await stage()
        try await edit(stage) { ($0.name, $0.shirt) = ("Anna", 9) }
        let response = ServerResponse(
            200, headers: [.contentType: "application/json"], body: Data(#"{"id":"\#(player)","name":"Ann"}"#.utf8))
        stage.server.respondNext(.response(response), to: .changes)
        #expect(try await stage.sync.push().parked.count == 1)
        try await stage.store.outbox.retryAll()
        try await stage.sync.push()
        #expect(String(decoding: stage.server.requests.last?.body ?? Data(), as: UTF8.self) == #"{"name":"Anna"}"#)
    }

    @Test("P21.12 A replica's response: the next pull that has the value settles the change")
    func replica() async throws {
        let stage = try await stage(RailsRules(respondsFromReplica: true))
        try await edit(stage) { $0.name = "Anna" }
        #expect(try await stage.sync.push().parked.count == 1)
        #expect(try await local(stage) { $0.name } == "Anna")
        try await stage.sync.pull()
        #expect(try await stage.store.outbox.pending().isEmpty)
        #expect(try await local(stage) { $0.name } == "Anna")
    }

    @Test("P21.8 The local value stays whatever the policy")
    func serverWins() async throws {
        let stage = try await stage(ignoring(["name"]), conflicts: .serverWins)
        try await edit(stage) { $0.name = "Anna" }
        #expect(try await stage.sync.push().parked.count == 1)
        #expect(try await local(stage) { $0.name } == "Anna")
    }

    @Test(
        "P5 P21.13 A value that the server writes in its own way was applied",
        arguments: [("Bob ", "Bob"), ("Ann ", "Ann"), (" Ann", "Ann"), ("A\r\nB", "A\nB")])
    func normalized(sent: String, stored: String) async throws {
        let rules = RailsRules(fill: { record, _, _ in
            if case .string(let name)? = record["name"] {
                record["name"] = .string(name.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespaces))
            }
        })
        let stage = try await stage(rules)
        try await edit(stage) { $0.name = sent }
        let summary = try await stage.sync.push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try await local(stage) { $0.name } == stored)
    }

    @Test("P5 P21.14 A response without the member proves nothing about it")
    func lacking() async throws {
        let rules = RailsRules(fill: { record, _, isNew in if !isNew { record["name"] = nil } })
        let stage = try await stage(rules)
        try await edit(stage) { $0.name = "Anna" }
        let summary = try await stage.sync.push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try await local(stage) { $0.name } == "Anna")
    }

    @Test("P21.2 A creation whose member comes back empty is confirmed, and the member stays a change")
    func creation() async throws {
        let rules = RailsRules(
            columns: ["/players": ["note"]], ignores: { _, member, _, _ in member == "note" })
        let stage = try await stage(rules)
        let id = UUID()
        try await stage.store.perform { [teamID] context in
            let team = try #require(try Team.find(teamID, in: context))
            Player(id: id, name: "Bob", note: "left", team: team, context: context)
            try context.save()
        }
        let summary = try await stage.sync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.map(\.kind) == [.update])
        #expect(summary.parked.first?.lastError?.contains("note") == true)
        let note = try await stage.store.perform { context in try Player.find(id, in: context)?.note }
        #expect(note == "left")
    }

    @Test(
        "P21.3 A text of a creation that comes back as \"\", the column's default, was not applied",
        arguments: ["name", "note"], [ConflictPolicies.localChangesWin, .serverWins])
    func emptyText(member: String, policy: ConflictPolicies) async throws {
        let isMended = Locked(false)
        let rules = RailsRules(
            fill: { record, _, isNew in if isNew, record[member] == nil { record[member] = "" } },
            ignores: { _, name, _, _ in name == member && !isMended.withLock { $0 } })
        let stage = try await stage(rules, conflicts: policy)
        let id = try await newPlayer(stage, name: "Bob", note: "left")
        let summary = try await stage.sync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.map(\.kind) == [.update])
        #expect(summary.parked.first?.lastError?.contains("did not apply it: \(member)") == true)
        #expect(try await texts(of: id, stage) == ["Bob", "left"])
        isMended.withLock { $0 = true }
        try await stage.store.outbox.retryAll()
        #expect(try await stage.sync.push().updated == 1)
        let text = member == "name" ? "Bob" : "left"
        #expect(lastBody(stage) == #"{"\#(member)":"\#(text)"}"#)
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    @Test("P8 P21 A text of a creation that is discarded is what the server returned", arguments: ["name", "note"])
    func discardedText(member: String) async throws {
        let rules = RailsRules(
            fill: { record, _, isNew in if isNew { record[member] = "" } },
            ignores: { _, name, _, _ in name == member })
        let stage = try await stage(rules)
        let id = try await newPlayer(stage, name: "Bob", note: "left")
        let parked = try #require(try await stage.sync.push().parked.first)
        try await stage.store.outbox.discard(parked)
        #expect(try await texts(of: id, stage) == (member == "name" ? ["", "left"] : ["Bob", ""]))
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    @Test("P5 P21.13 A blank text that a creation gets back empty was applied, and so was a number that is another one")
    func blankText() async throws {
        let rules = RailsRules(fill: { record, _, isNew in
            if isNew { (record["note"], record["shirt"]) = ("", 0) }
        })
        let stage = try await stage(rules)
        let id = try await newPlayer(stage, name: "Bob", note: "  ", shirt: 9)
        let summary = try await stage.sync.push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try await texts(of: id, stage) == ["Bob", ""])
        #expect(try await stage.store.perform { try Player.find(id, in: $0)?.shirt } == 0)
    }

    @Test(
        "P21.3 The former value null may come back as \"\"", arguments: [ConflictPolicies.localChangesWin, .serverWins])
    func emptyForNull(policy: ConflictPolicies) async throws {
        let rules = RailsRules(
            fill: { record, _, isNew in if !isNew { record["note"] = "" } },
            ignores: { _, name, _, _ in name == "note" })
        let stage = try await stage(rules, conflicts: policy)
        try await edit(stage) { $0.note = "left" }
        #expect(try await stage.sync.push().parked.count == 1)
        #expect(try await local(stage) { $0.note } == "left")
    }

    @Test("P4 P21.1 The former value may be one whose response was lost", arguments: [ConflictPolicies.serverWins])
    func formerlySent(policy: ConflictPolicies) async throws {
        let stage = try await stage(
            RailsRules(ignores: { _, _, value, _ in value == "Cleo" }), conflicts: policy)
        try await edit(stage) { $0.name = "Bea" }
        stage.server.respondNext(.responseLost, to: .method(.patch))
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        try await edit(stage) { $0.name = "Cleo" }
        clock.advance(by: 600)
        #expect(try await stage.sync.push().parked.count == 1)
        #expect(try await local(stage) { $0.name } == "Cleo")
    }

    private func newPlayer(
        _ stage: Stage, name: String, note: String?, shirt: Int? = nil
    ) async throws -> UUID {
        let id = UUID()
        try await stage.store.perform { [teamID] context in
            let team = try #require(try Team.find(teamID, in: context))
            Player(id: id, name: name, note: note, shirt: shirt, team: team, context: context)
            try context.save()
        }
        return id
    }

    /// The name and the note of a player.
    private func texts(of id: UUID, _ stage: Stage) async throws -> [String?] {
        try await stage.store.perform { context in
            let player = try #require(try Player.find(id, in: context))
            return [player.name, player.note]
        }
    }

    private func lastBody(_ stage: Stage) -> String {
        String(decoding: stage.server.requests.last?.body ?? Data(), as: UTF8.self)
    }

    @Test("P21.8 A link that was not applied stays, parked by name")
    func link() async throws {
        let stage = try await stage(ignoring(["captain_id"]))
        try await stage.store.perform { [teamID, playerID] context in
            try #require(try Team.find(teamID, in: context)).captain = try Player.find(playerID, in: context)
            try context.save()
        }
        let summary = try await stage.sync.push()
        #expect(summary.parked.first?.lastError?.contains("captain") == true)
        let captain = try await stage.store.perform { [teamID] in try Team.find(teamID, in: $0)?.captain?.name }
        #expect(captain == "Ann")
    }

    @Test("P8 P21 A corrected change is sent, and a discarded one is taken back", arguments: [false, true])
    func decided(isDiscarded: Bool) async throws {
        let isMended = Locked(false)
        let rules = RailsRules(ignores: { _, member, _, _ in member == "name" && !isMended.withLock { $0 } })
        let stage = try await stage(rules)
        try await edit(stage) { $0.name = "Anna" }
        let parked = try #require(try await stage.sync.push().parked.first)
        isMended.withLock { $0 = true }
        if isDiscarded {
            try await stage.store.outbox.discard(parked)
            #expect(try await local(stage) { $0.name } == "Ann")
        } else {
            try await edit(stage) { $0.name = "Annie" }
            #expect(try await stage.sync.push().updated == 1)
            #expect(stage.server.record(player, of: "/players")?["name"] == "Annie")
        }
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    @Test(
        "P4 P21.11 If the record was edited before the response came, all of it is sent again, and that response counts"
    )
    func editedMeanwhile() async throws {
        let stage = try await stage(ignoring(["name"]))
        let client = MeanwhileClient(client: stage.server.client)
        let sync = Sync(
            store: stage.store, remote: RESTRemote(stage.server.url, client: client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit(stage) { $0.name = "Anna" }
        client.meanwhile { [playerID] in
            try await stage.store.perform { context in
                try #require(try Player.find(playerID, in: context)).shirt = 9
                try context.save()
            }
        }
        let summary = try await sync.push()
        #expect(stage.server.log == ["PATCH /players/\(player)", "PATCH /players/\(player)"])
        #expect(lastBody(stage) == #"{"name":"Anna","shirt":9}"#)
        #expect(summary.parked.first?.lastError?.contains("did not apply it: name") == true)
        #expect(try await local(stage) { $0.name } == "Anna")
        #expect(stage.server.record(player, of: "/players")?["shirt"] == 9)
    }

    @Test("P4 P21 A value that is back to the former one was applied")
    func undone() async throws {
        let stage = try await stage()
        try await edit(stage) { $0.name = "Anna" }
        stage.server.respondNext(.responseLost, to: .method(.patch))
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        try await edit(stage) { $0.name = "Ann" }
        clock.advance(by: 600)
        let summary = try await stage.sync.push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(stage.server.record(player, of: "/players")?["name"] == "Ann")
    }
}

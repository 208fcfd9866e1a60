import Foundation
import HTTPTypes
import Journal
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Writes that have arrived, whose responses were lost, and that were undone locally before they were sent again.
@Suite("P4 A change sent without a response may be on the server")
struct UnconfirmedStories {
    private typealias Letter = LinkSamples.Letter

    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }
    private let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]))

    private func sync(
        _ store: Store, _ remote: any Remote, _ conflicts: ConflictPolicies = .localChangesWin
    ) -> Sync {
        Sync(
            store: store, remote: remote, conflicts: conflicts, retries: RetrySchedule(attemptsPerPush: 1),
            clock: clock, random: { 0.5 })
    }

    private func edit(_ store: Store, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    private func journal(_ conflicts: ConflictPolicies = .localChangesWin) async throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client), conflicts)
        try await make(store)
        try await sync.push()
        return (store, sync)
    }

    private func make(_ store: Store) async throws {
        try await edit(store) { [id] context in
            Entry(
                identifier: id, title: "Monday", bodyText: "Rain", timestamp: Date(timeIntervalSince1970: 0),
                context: context)
        }
    }

    private func setTitle(_ title: String, _ store: Store) async throws {
        try await edit(store) { [id] context in try #require(try Entry.find(id, in: context)).title = title }
    }

    private func lose(_ method: HTTPRequest.Method, _ sync: Sync) async {
        server.respondNext(.responseLost, to: .method(method))
        _ = try? await sync.push()
        clock.advance(by: 600)
        server.clearLog()
    }

    // MARK: Values

    @Test("P4 An edit undone after its response was lost is undone on the server", arguments: [true, false])
    func undone(isPulled: Bool) async throws {
        let (store, sync) = try await journal()
        try await setTitle("Tuesday", store)
        await lose(.patch, sync)
        try await setTitle("Monday", store)

        if isPulled { try await sync.pull(Entry.self) }
        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "Monday")
        #expect(server.record(key, of: "/entries")?["bodyText"] == "Rain")
        #expect(try await store.outbox.pending().isEmpty)
        try await sync.pull(Entry.self)
        #expect(try await store.representations(Entry.all()).map(\.title) == ["Monday"])
    }

    @Test("P4 C1 So is one if the server wins: no other client has changed anything")
    func undoneWhereTheServerWins() async throws {
        let (store, sync) = try await journal(.serverWins)
        try await setTitle("Tuesday", store)
        await lose(.patch, sync)
        try await setTitle("Wednesday", store)

        try await sync.pull(Entry.self)
        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "Wednesday")
    }

    @Test("C2 Later changes by others are kept")
    func changedByOthers() async throws {
        let (store, sync) = try await journal(.serverWins)
        try await setTitle("Tuesday", store)
        await lose(.patch, sync)
        try await setTitle("Monday", store)
        server.edit(key, of: "/entries", ["title": "Sunday"])

        try await sync.pull(Entry.self)
        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "Sunday")
        #expect(try await store.representations(Entry.all()).map(\.title) == ["Sunday"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 An undone edit is sent although a pull shows that it has not arrived: it may still arrive")
    func notArrivedYet() async throws {
        let (store, sync) = try await journal()
        try await setTitle("Tuesday", store)
        server.respondNext(.connectionFails, to: .method(.patch))
        _ = try? await sync.push()
        clock.advance(by: 600)
        try await setTitle("Monday", store)

        try await sync.pull(Entry.self)
        server.edit(key, of: "/entries", ["title": "Tuesday"])
        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "Monday")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 C4 A request that arrives after a pull does not replace what was sent since")
    func lateRequest() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let network = FaultyNetwork(seed: 1, faults: .none, clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, network.remote(remote))
        try await make(store)
        try await sync.push()
        try await setTitle("Tuesday", store)
        network.faults.late = 1
        _ = try? await sync.push()
        clock.advance(by: 600)
        network.faults.late = 0
        #expect(network.lateCount == 1)
        try await setTitle("Monday", store)

        // Late requests arrive before later ones, or after them.
        try await sync.pull(Entry.self)
        try await sync.push()
        await network.deliverLate()
        try await sync.push()
        try await sync.pull(Entry.self)
        #expect(remote.records(of: "/entries").map { $0["title"] } == ["Monday"])
        #expect(try await store.representations(Entry.all()).map(\.title) == ["Monday"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P3 C4 An edit that was undone before the server rejected it for its version is not sent")
    func rejectedForItsVersion() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store)
        try await sync.push()
        try await setTitle("Tuesday", store)
        remote.edit(key, of: "/entries", ["bodyText": "Snow"])
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: .changes)
        let push = Task { try await sync.push() }
        try await gate.reached()
        try await setTitle("Monday", store)
        gate.open()
        _ = try await push.value
        #expect(remote.changes.filter { $0.kind == .updated }.count == 1)
        #expect(try await store.representations(Entry.all()).map(\.bodyText) == ["Snow"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 R10 So is an edit of an embedded record")
    func embedded() async throws {
        let stage = try await EmbeddedIdentityStage.withBoltAndNut()
        try await stage.editLine("bolt") { $0.count = 9 }
        stage.server.respondNext(.responseLost, to: .method(.patch))
        _ = try? await stage.sync.push()
        stage.clock.advance(by: 600)
        try await stage.editLine("bolt") { $0.count = 1 }

        try await stage.sync.push()
        try await stage.sync.pull()
        let counts = try await stage.store.perform { context in
            try context.fetch(Line.all()).map { "\($0.title) \($0.count ?? 0)" }.sorted()
        }
        #expect(counts == ["bolt 1", "nut 1"])
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    @Test("P4 A link removed again after its response was lost is removed on the server")
    func link() async throws {
        let (store, remote, sync) = try await museum { context in
            Stamp(id: 7, text: "x", letter: Letter(id: 1, title: "A", context: context), context: context)
            Theme(id: 3, name: "post", context: context)
        }
        try await edit(store) { context in
            try #require(try Theme.find(3, in: context)).stamps.insert(try #require(try Stamp.find(7, in: context)))
        }
        await lose(remote, sync)
        try await edit(store) { context in
            try #require(try Theme.find(3, in: context)).stamps.remove(try #require(try Stamp.find(7, in: context)))
        }

        try await sync.push()
        try await sync.pull()
        let stamps = try await store.perform { try Theme.find(3, in: $0)?.stamps.map(\.id) }
        #expect(stamps == [])
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: Deletes

    @Test(
        "P4 C3 A delete undone after its response was lost is undone on the server, whichever side wins",
        arguments: [ConflictPolicies.localChangesWin, .serverWins], [true, false])
    func deletion(policies: ConflictPolicies, isPulled: Bool) async throws {
        for isDiscarded in [true, false] {
            let (store, sync) = try await journal(policies)
            try await edit(store) { [id] context in context.delete(try #require(try Entry.find(id, in: context))) }
            await lose(.delete, sync)
            if isDiscarded {
                try await store.outbox.discard(try #require(try await store.outbox.pending().first))
            } else {
                try await make(store)
            }

            if isPulled { try await sync.pull(Entry.self, options: MergeOptions(records: .all)) }
            try await sync.push()
            #expect(server.record(key, of: "/entries")?["title"] == "Monday")
            try await sync.pull(Entry.self, options: MergeOptions(records: .all))
            #expect(try await store.representations(Entry.all()).map(\.title) == ["Monday"])
            #expect(try await store.outbox.pending().isEmpty)
            server.remove(key, from: "/entries")
        }
    }

    @Test("P3 A delete that did not arrive leaves the record as it was")
    func deletionThatDidNotArrive() async throws {
        let (store, sync) = try await journal()
        try await edit(store) { [id] context in context.delete(try #require(try Entry.find(id, in: context))) }
        server.respondNext(.connectionFails, to: .method(.delete))
        _ = try? await sync.push()
        clock.advance(by: 600)
        try await store.outbox.discard(try #require(try await store.outbox.pending().first))

        try await sync.pull(Entry.self)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.representations(Entry.all()).map(\.title) == ["Monday"])
    }

    @Test("P4 P5 R10 An embedded record that was sent without a response and deleted is deleted on the server")
    func embeddedDeletion() async throws {
        let (store, remote, sync) = try await museum { Letter(id: 1, title: "A", context: $0) }
        try await edit(store) { context in
            Stamp(id: 7, text: "x", letter: try Letter.find(1, in: context), context: context)
        }
        await lose(remote, sync)
        try await edit(store) { context in context.delete(try #require(try Stamp.find(7, in: context))) }

        try await sync.push()
        try await sync.pull(Letter.self)
        #expect(try await store.perform { try $0.fetch(Stamp.all()).map(\.id) } == [])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 R10 One that was sent without a response and moved is in one record only", arguments: [true, false])
    func embeddedMove(isNew: Bool) async throws {
        let (store, remote, sync) = try await museum { context in
            let letter = Letter(id: 1, title: "A", context: context)
            Letter(id: 2, title: "B", context: context)
            Letter(id: 3, title: "C", context: context)
            if !isNew { Stamp(id: 7, text: "x", letter: letter, context: context) }
        }
        // To a second one, which may have arrived, and from there to a third.
        if isNew {
            try await edit(store) { context in
                Stamp(id: 7, text: "x", letter: try Letter.find(2, in: context), context: context)
            }
        } else {
            try await move(7, to: 2, store)
            try await sync.push()
            try await move(7, to: 1, store)
            try await sync.push()
            try await move(7, to: 2, store)
        }
        await lose(remote, sync)
        await lose(remote, sync)
        try await move(7, to: 3, store)

        try await sync.push()
        try await sync.push()
        let there = remote.records(of: "/letters").filter { letter in
            if case .array(let stamps)? = letter["stamps"] { !stamps.isEmpty } else { false }
        }
        #expect(there.map { $0["id"] } == [3])
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: The museum

    private func museum(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
    ) async throws -> (Store, MemoryRemote, Sync) {
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = sync(store, remote)
        try await edit(store, body)
        try await sync.push()
        return (store, remote, sync)
    }

    private func lose(_ remote: MemoryRemote, _ sync: Sync) async {
        remote.respondNext(.responseLost, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 600)
    }

    private func move(_ stamp: Int, to letter: Int, _ store: Store) async throws {
        try await edit(store) { context in
            try #require(try Stamp.find(stamp, in: context)).letter = try Letter.find(letter, in: context)
        }
    }
}

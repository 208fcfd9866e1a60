import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// One device that edits, and others that delete, while the server's events arrive late and repeatedly.
@Suite("C3 A record edited locally since the server had it exists in the end, whoever deletes it")
struct DeletedThereTests {
    @Test(
        "C3 A local edit that was not pushed survives deletes by others",
        arguments: Seeds.some(30, of: UInt64(0)...149))
    func deletes(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let stage = try DeletedThereStage()
        var trace: [String] = []
        for number in 0..<Int.random(in: 8...30, using: &random) {
            let place = Int.random(in: 0...1, using: &random)
            let id = stage.ids[place]
            switch Int.random(in: 0..<14, using: &random) {
            case ..<4: trace.append(try await stage.edit(place, "title \(number)"))
            case ..<7:
                let mishap = random.element(of: DeletedThereStage.mishaps)
                try await stage.push(mishap)
                trace.append("push, \(mishap.map { "\($0)" } ?? "heard")")
            case ..<9: trace.append(stage.deleteThere(id))
            case 9: trace.append(stage.editThere(id, "text \(number)"))
            case ..<13:
                let count = Int.random(in: 0...4, using: &random)
                try await stage.hear(again: count)
                trace.append("hear, the last \(count) again")
            default:
                try await stage.pull()
                trace.append("pull")
            }
            try await stage.check("seed \(seed): \(trace)")
        }
        try await stage.store.outbox.retryAll()
        for _ in 1...3 {
            try await stage.push(nil)
            try await stage.pull()
        }
        let state: Comment = "seed \(seed): \(trace)"
        try await stage.check(state)
        #expect(try await stage.store.outbox.pending().isEmpty, state)
        #expect(try await stage.here() == stage.there, state)
    }
}

private final class DeletedThereStage {
    static let mishaps: [ScriptedResponse?] = [
        nil, .responseLost, .connectionFails, .unavailable(), .refused(status: 422),
    ]
    /// The edited records: a deleted one is replaced by a new one.
    private(set) var ids: [UUID] = []
    let store: Store
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let sync: Sync
    private let clock = ManualClock()
    /// The last local values.
    private var titles: [UUID: String] = [:]
    /// The records deleted by others since their last local values had arrived.
    private var deleted: Set<UUID> = []
    /// The server's events, and how many of them were received.
    private var events: [RemoteEvent] = []
    private var heard = 0
    private var known: [JSONValue] = []

    init() throws {
        ids = (1...2).map(Self.id)
        store = try Store(JournalSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: remote, conflicts: .localChangesWin, retries: RetrySchedule(attemptsPerPush: 1),
            clock: clock, random: { 0.5 })
    }

    var there: [String] {
        remote.records(of: "/entries").map { "\($0.text("title")): \($0.text("bodyText"))" }.sorted()
    }

    func here() async throws -> [String] {
        try await store.representations(Entry.all()).map { "\($0.title): \($0.bodyText ?? "")" }.sorted()
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number))!
    }

    func edit(_ place: Int, _ title: String) async throws -> String {
        if deleted.contains(ids[place]),
            try await store.perform({ [id = ids[place]] in try Entry.find(id, in: $0) == nil })
        {
            ids[place] = Self.id(titles.count + 10)
        }
        let id = ids[place]
        titles[id] = title
        deleted.remove(id)
        return try await store.perform { context in
            let entry = try Entry.find(id, in: context)
            if let entry { entry.title = title } else { Entry(identifier: id, title: title, context: context) }
            try context.save()
            return "\(entry == nil ? "make" : "set") \(title) of \(id.name)"
        }
    }

    func push(_ mishap: ScriptedResponse?) async throws {
        if let mishap { remote.respondNext(mishap, to: .changes) }
        _ = try? await sync.push()
        remote.clearScripts()
        clock.advance(by: 100_000)
        noteEvents()
    }

    func deleteThere(_ id: UUID) -> String {
        guard let record = remote.record(id.key, of: "/entries") else { return "nothing to delete" }
        if record.text("title") == titles[id] { deleted.insert(id) }
        remote.remove(id.key, from: "/entries")
        noteEvents()
        return "others delete \(id.name)"
    }

    func editThere(_ id: UUID, _ text: String) -> String {
        guard remote.record(id.key, of: "/entries") != nil else { return "nothing to edit" }
        remote.edit(id.key, of: "/entries", ["bodyText": .string(text)])
        noteEvents()
        return "others write \(text) in \(id.name)"
    }

    func pull() async throws {
        try await sync.forgetValidators()
        try await sync.pull(Entry.self, options: MergeOptions(records: .all))
    }

    /// Receives the new events, and some of the earlier ones: streams deliver at least once.
    func hear(again count: Int) async throws {
        for event in events[max(0, heard - count)...] {
            try await sync.handle(event, of: Entry.self, options: MergeOptions())
        }
        heard = events.count
    }

    /// Local values exist locally, unless others have deleted exactly these.
    func check(_ state: Comment) async throws {
        let here = try await store.representations(Entry.all())
        for (id, title) in titles where !deleted.contains(id) {
            try #require(here.first { $0.identifier == id }?.title == title, "\(id.name), \(state)")
        }
    }

    private func noteEvents() {
        let now = remote.records(of: "/entries")
        for record in now where !known.contains(record) {
            if let json = try? JSONValue.array([record]).json() { events.append(.changed(json)) }
        }
        let keys = Set(now.map { $0.text("identifier") })
        for record in known where !keys.contains(record.text("identifier")) {
            events.append(.deleted([RemoteIdentity([record["identifier"] ?? .null])]))
        }
        known = now
    }
}

extension UUID {
    fileprivate var key: String { uuidString.lowercased() }
    fileprivate var name: Substring { uuidString.suffix(2) }
}

import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import TestSupport
import Testing

/// Values of which one means nothing without the others.
@Suite("C7 Attributes that belong together")
struct TogetherTests {
    @Test(
        "C7.1 If both sides have changed some of them, one side wins all, and what it overwrites is in the journal",
        arguments: [true, false])
    func both(isServers: Bool) async throws {
        let stage = try await AgendaStage(isServers ? .serverWins : .localChangesWin)
        try await stage.edit("end", to: 12)
        stage.editOthers("start", to: 8)
        try await stage.pull()
        #expect(try await stage.here("start", "end") == (isServers ? [8, 10] : [9, 12]))
        let lost = try await stage.store.conflicts.entries()
        #expect(lost.map(\.member) == [isServers ? "end" : "start"])
        #expect(lost.first?.lostValue == .integer(isServers ? 12 : 8))
        _ = try await stage.sync.push()
        #expect(try await stage.there("start", "end") == stage.here("start", "end"))
    }

    @Test("C7.1 Attributes of another group, and those of none, are decided by themselves")
    func apart() async throws {
        let stage = try await AgendaStage(.serverWins)
        try await stage.edit("street", to: 1)
        try await stage.edit("title", to: 2)
        stage.editOthers("start", to: 8)
        try await stage.pull()
        #expect(try await stage.here("street", "title", "start") == [1, 2, 8])
        #expect(try await stage.store.conflicts.entries().isEmpty)
    }

    @Test("C7.1 If a payload lacks one of them, and the server wins, the record gets back the value of the base")
    func partial() async throws {
        let stage = try await AgendaStage(.serverWins)
        try await stage.edit("end", to: 12)
        try await stage.store.merge(Data(#"[{"id": "\#(AgendaStage.id)", "start": 8}]"#.utf8), into: Event.self)
        #expect(try await stage.here("start", "end") == [8, 10])
        #expect(try await stage.store.conflicts.entries().map(\.member) == ["end"])
        #expect(try await stage.store.outbox.count() == 0)
    }

    @Test("C7.2 An update that changes one of them sends all of them")
    func sent() async throws {
        let stage = try await AgendaStage(.localChangesWin)
        try await stage.edit("end", to: 12)
        stage.editOthers("start", to: 8)
        stage.editOthers("city", to: 3)
        try await stage.sync.push()
        #expect(try stage.there("start", "end", "city") == [9, 12, 3])
    }

    @Test("C7.1 C7.2 With `all`, one side wins the whole record, except what it does not send or cannot change")
    func all() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(AgendaSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, conflicts: .serverWins, clock: ManualClock())
        let venue: JSONValue = ["id": .string(AgendaStage.id), "name": "A", "floor": 1, "area": 9]
        remote.set(venue, id: AgendaStage.id, in: "/venues")
        try await sync.pull(Venue.self)
        try await store.perform { context in
            let venue = try #require(try context.fetch(Venue.all()).first)
            (venue.name, venue.note) = ("B", "mine")
            try context.save()
        }
        remote.edit(AgendaStage.id, of: "/venues", ["floor": 2, "area": 8])
        try await sync.pull(Venue.self)
        let merged = try #require(try await store.representations(Venue.all()).first)
        #expect(merged.name == "A" && merged.floor == 2 && merged.area == 8)
        #expect(try await store.perform { try $0.fetch(Venue.all()).first?.note } == "mine")
        #expect(try await store.conflicts.entries().map(\.member) == ["name"])
    }

    @Test(
        "C7.1 C7.2 C6.1 Neither side ever has values that nobody wrote together, and each one that is lost is kept",
        arguments: Seeds.some(30, of: UInt64(0)...999))
    func random(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let policies: ConflictPolicies =
            switch seed % 3 {
            case 0: .serverWins
            case 1: .localChangesWin
            default: ConflictPolicies(.serverWins).using(.newestWins(by: "start"), for: Event.self)
            }
        let stage = try await AgendaStage(policies)
        for number in 11..<40 {
            let member = random.element(of: AgendaStage.members)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: try await stage.edit(member, to: number)
            case 2, 3: stage.editOthers(member, to: number)
            case 4: try await stage.pull()
            default:
                try await stage.pull()
                if random.isOne(in: 2) { stage.editOthers(random.element(of: AgendaStage.members), to: number + 100) }
                try await stage.sync.push()
                stage.edits = [:]
            }
            try await stage.check("seed \(seed), step \(number)")
        }
        try await stage.pull()
        try await stage.sync.push()
        #expect(stage.thereAll() == (try await stage.hereAll()), "seed \(seed)")
        #expect(try await stage.store.outbox.count() == 0)
    }
}

/// A device and a server with one event, which others edit. All values are numbers or their texts.
private final class AgendaStage {
    static let id = "00000000-0000-4000-8000-000000000001"
    static let groups = [["start", "end"], ["street", "city"]]
    static let members = groups.joined() + ["title"]

    let store: Store
    let sync: Sync
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let clock = ManualClock()
    /// What somebody has written together.
    private var written: Set<[Int]> = []
    /// What was edited here since the last push.
    var edits: [String: Int] = [:]

    init(_ policies: ConflictPolicies) async throws {
        store = try Store(AgendaSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, conflicts: policies, clock: clock, random: { 0 })
        remote.set(
            ["id": .string(Self.id), "title": "0", "start": 9, "end": 10, "street": "0", "city": "0"], id: Self.id,
            in: "/events")
        try await pull()
        note(thereAll())
    }

    private static func json(_ value: Int, of member: String) -> JSONValue {
        ["start", "end"].contains(member) ? .integer(Int64(value)) : .string("\(value)")
    }

    func edit(_ member: String, to value: Int) async throws {
        try await store.perform { context in
            let event = try #require(try context.fetch(Event.all()).first)
            switch member {
            case "start": event.start = value
            case "end": event.end = value
            case "street": event.street = "\(value)"
            case "city": event.city = "\(value)"
            default: event.title = "\(value)"
            }
            try context.save()
        }
        edits[member] = value
        note(try await hereAll())
    }

    func editOthers(_ member: String, to value: Int) {
        remote.edit(Self.id, of: "/events", [member: Self.json(value, of: member)])
        note(thereAll())
    }

    /// Pulls, and checks that each edit that is lost is in the journal.
    func pull() async throws {
        clock.advance(by: 600)
        try await sync.pull(Event.self, options: MergeOptions(records: .all))
        let (now, lost) = (try await hereAll(), try await store.conflicts.entries())
        for (member, value) in edits where now[member] != value {
            let isKept = lost.contains { $0.member == member && $0.lostValue == Self.json(value, of: member) }
            #expect(isKept, "\(member) \(value) is lost")
            edits[member] = nil
        }
    }

    private func note(_ values: [String: Int]) { written.formUnion(Self.parts(of: values)) }

    /// The values of each group.
    private static func parts(of values: [String: Int]) -> [[Int]] {
        groups.enumerated().map { [$0] + $1.map { values[$0] ?? -1 } }
    }

    func check(_ comment: Comment) async throws {
        #expect(Self.parts(of: try await hereAll()).allSatisfy(written.contains), comment)
        #expect(Self.parts(of: thereAll()).allSatisfy(written.contains), comment)
    }

    func here(_ members: String...) async throws -> [Int?] {
        let all = try await hereAll()
        return members.map { all[$0] }
    }

    func there(_ members: String...) throws -> [Int?] {
        let all = thereAll()
        return members.map { all[$0] }
    }

    func hereAll() async throws -> [String: Int] {
        try await store.perform { context in
            let event = try #require(try context.fetch(Event.all()).first)
            return [
                "start": event.start, "end": event.end, "street": Int(event.street ?? "") ?? 0,
                "city": Int(event.city ?? "") ?? 0, "title": Int(event.title) ?? 0,
            ]
        }
    }

    func thereAll() -> [String: Int] {
        var values: [String: Int] = [:]
        for member in Self.members {
            switch remote.record(Self.id, of: "/events")?[member] {
            case .integer(let number)?: values[member] = Int(number)
            case .string(let text)?: values[member] = Int(text)
            default: break
            }
        }
        return values
    }
}

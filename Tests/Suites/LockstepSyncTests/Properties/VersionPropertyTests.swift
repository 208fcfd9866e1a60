import Foundation
import Journal
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// A server with versions that checks each request, whatever it tells of them, and others who edit the same record.
@Suite("C4 Conditional writes to any server with versions")
struct VersionPropertyTests {
    @Test(
        """
        C4.1 C4.2 C4.3 C4.4 C4.5 C4.6 C4.8 C4.10 C4.11 Each change has the version that the server told last, none is \
        lost or parked because others have edited, and one that is rejected for another reason is
        """,
        arguments: Seeds.some(30, of: UInt64(0)...999))
    func edits(seed: UInt64) async throws {
        let stage = try VersionStage(seed: seed)
        try await stage.begin()
        for number in 1...15 { try await stage.act(number) }
        try await stage.end()
    }
}

/// A server with one record.
private final class VersionedServer: Remote {
    /// How it tells versions: as a number or a time in the record, or beside it.
    enum Form: CaseIterable { case number, time, tag }

    struct State {
        var record: JSONObject?
        var version: Int64 = 0
        /// What the device may know.
        var told: JSONValue?
        /// What a list has shown last of what others edit.
        var seen: JSONValue?
        var refuses = false
        var problem: String?
        var log: [String] = []
    }

    let form: Form
    let (status, respondsWithBody, returnsCurrent, canFetch): (Int, Bool, Bool, Bool)
    let traits: RemoteTraits
    let state = Locked(State())

    init(_ random: inout SeededRandom) {
        form = random.element(of: Form.allCases)
        status = random.element(of: [409, 412])
        (respondsWithBody, returnsCurrent) = (!random.isOne(in: 3), random.isOne(in: 2))
        canFetch = form == .tag || !random.isOne(in: 4)
        traits = RemoteTraits(hasVersions: form == .tag)
    }

    var own: String { form == .number ? "seat" : "title" }
    var theirs: String { form == .number ? "holder" : form == .time ? "author" : "bodyText" }
    private var versionKey: String { form == .number ? "lock_version" : "drawn_at" }

    func version(_ state: State) -> JSONValue {
        switch form {
        case .number: .integer(state.version)
        // The last digit is not kept by the store.
        case .time: .string("2026-03-01T08:25:00.\(String(1_000_000 + state.version).dropFirst())5Z")
        case .tag: .string("v\(state.version)")
        }
    }

    /// The record as a response has it.
    private func json(_ state: State) throws -> Data {
        var record = state.record ?? [:]
        if form != .tag { record[versionKey] = version(state) }
        return try JSONValue.object(record).json()
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try state.withLock { state in
            state.log.append("fetch \(request.target)")
            if case .record = request.target {
                guard canFetch else {
                    throw SyncError(.unsupported, reason: "there are lists only", remedy: "Pull them.")
                }
                guard state.record != nil else { return .absent }
                state.told = version(state)
                state.seen = state.record?[theirs]
                let body = HTTPBody.data(try json(state))
                return .records(FetchResponse.Records(body: body, version: form == .tag ? "v\(state.version)" : nil))
            }
            guard state.record != nil else { return .records(FetchResponse.Records(body: .data(Data("[]".utf8)))) }
            let hasChanged = state.seen != state.record?[theirs]
            if form != .tag { state.told = version(state) } else if hasChanged { state.told = nil }
            state.seen = state.record?[theirs]
            return .records(FetchResponse.Records(body: .data(Data("[".utf8) + (try json(state)) + Data("]".utf8))))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try state.withLock { state in
            let sent = change.version.map(JSONValue.string) ?? change.versionAttribute?.value
            state.log.append("\(change.kind) \(sent.map { "\($0)" } ?? "-")")
            check(change, sent, &state)
            if let sent, state.refuses || sent != version(state) { return try reject(&state) }
            switch change.kind {
            case .delete: state.record = nil
            case .create, .update:
                guard case .object(let members) = try JSONValue(json: change.changes) else { break }
                // A new record has what the device does not know.
                state.record = (state.record ?? [theirs: "s0"]).merging(
                    JSONObject(members.filter { $0.key != versionKey })
                ) { $1 }
            }
            state.version += 1
            let tells = respondsWithBody && change.kind != .delete
            state.told = tells ? version(state) : nil
            if tells { state.seen = state.record?[theirs] }
            return .accepted(
                body: tells ? try json(state) : nil, version: form == .tag && tells ? "v\(state.version)" : nil)
        }
    }

    private func reject(_ state: inout State) throws -> SendResponse {
        guard form == .tag else { return .refused(status: status, body: Data()) }
        guard returnsCurrent, state.record != nil else { return .outdated(current: nil) }
        state.told = version(state)
        state.seen = state.record?[theirs]
        return .outdated(current: try json(state), version: "v\(state.version)")
    }

    /// What each request must have.
    private func check(_ change: OutgoingChange, _ sent: JSONValue?, _ state: inout State) {
        let body = try? JSONValue(json: change.changes)
        switch change.kind {
        case .create:
            if sent != nil || body?[versionKey] != nil { state.problem = "a creation has a version" }
            if state.record != nil { state.problem = "the record is created twice" }
        case .update:
            if sent != state.told { state.problem = "an update has \(sent ?? .null), told was \(state.told ?? .null)" }
            if sent == nil, canFetch { state.problem = "an update has no version" }
            if form != .tag, body?[versionKey] != sent { state.problem = "the body of an update has another version" }
        case .delete:
            if sent != state.told { state.problem = "a delete has \(sent ?? .null), told was \(state.told ?? .null)" }
        }
    }
}

/// A device and others who edit one record.
private final class VersionStage {
    private static let id = UUID(uuidString: "6f1c0000-0000-4000-8000-000000000001")!

    private var random: SeededRandom
    private let server: VersionedServer
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private let isCustom: Bool
    /// The last values of both sides.
    private var (mine, theirs): (String, JSONValue) = ("m0", "s0")

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let server = VersionedServer(&random)
        let isCustom = server.form == .number && random.isOne(in: 2)
        (self.random, self.server, self.isCustom) = (random, server, isCustom)
        let schema: any StoreSchema.Type = server.form == .tag ? JournalSchema.self : MuseumSchema.self
        store = try Store(schema, at: .inMemory)
        let custom = ConflictPolicy.custom(Ticket.self) { _, local, _ in local }
        sync = Sync(
            store: store, remote: server,
            conflicts: isCustom ? ConflictPolicies().using(custom, for: Ticket.self) : .localChangesWin,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private var state: Comment { "\(server.form): \(server.state.withLock { $0.log })" }

    private func check() throws { try #require(server.state.withLock { $0.problem } == nil, state) }

    // MARK: Steps

    /// The record is made here, or there.
    func begin() async throws {
        if random.isOne(in: 2) {
            try await create()
            try await push()
        } else {
            let key = server.form == .tag ? "identifier" : "id"
            server.state.withLock { [server] state in
                state.record = [
                    key: .string(Self.id.uuidString.lowercased()), server.own: "m0", server.theirs: "s0",
                ]
            }
            try await pull()
        }
    }

    func act(_ number: Int) async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<3: try await edit("m\(number)")
        case ..<5:
            theirs = .string("s\(number)")
            // The function decides for what was edited here, too.
            let pending = try await store.outbox.pending()
            let isConflict = isCustom && !pending.isEmpty
            server.state.withLock { [server, theirs] state in
                state.record?[server.theirs] = theirs
                if isConflict { state.record?[server.own] = theirs }
                state.version += 1
                state.log.append("others edit")
            }
        case ..<8: try await push()
        case 8: try await refuse("r\(number)")
        default: try await pull()
        }
        try check()
    }

    private func push() async throws {
        var summary = try await sync.push()
        clock.advance(by: 1_000)
        if !server.canFetch, !summary.parked.isEmpty {
            // Only a list tells the version then.
            try await pull()
            try await store.outbox.retryAll()
            summary = try await sync.push()
        }
        #expect(summary.parked.isEmpty && summary.remaining == 0, state)
        try check()
    }

    private func pull() async throws {
        try await sync.forgetValidators()
        switch server.form {
        case .number: try await sync.pull(Ticket.self)
        case .time: try await sync.pull(Plan.self)
        case .tag: try await sync.pull(Entry.self)
        }
        if server.form == .number, server.state.withLock({ $0.told }) != nil {
            let version = try await store.representations(Ticket.all()).first?.lockVersion
            #expect(version.map { .integer(Int64($0)) } == server.state.withLock { $0.told }, state)
        }
    }

    /// The server rejects an edit, although it has the version that the device was told.
    private func refuse(_ text: String) async throws {
        try await push()
        try await edit(text)
        server.state.withLock { $0.refuses = true }
        let count = server.state.withLock { $0.log.count }
        let summary = try await sync.push()
        server.state.withLock { $0.refuses = false }
        let isConditional = server.state.withLock {
            $0.log[count...].contains { $0.hasPrefix("update") && !$0.hasSuffix("-") }
        }
        #expect(summary.parked.count == (isConditional ? 1 : 0), state)
        if !server.canFetch { try await pull() }
        try await store.outbox.retryAll()
        try await push()
    }

    /// Both have everything, and a delete reaches the server.
    func end() async throws {
        for _ in 1...2 {
            try await push()
            try await pull()
        }
        let record = server.state.withLock { $0.record }
        #expect(record?[server.own] == .string(mine), state)
        if !isCustom { #expect(record?[server.theirs] == theirs, state) }
        try await edit("last", isDelete: true)
        try await push()
        #expect(server.state.withLock { $0.record } == nil, state)
    }

    // MARK: Local edits

    private func create() async throws {
        try await store.perform { [form = server.form] context in
            switch form {
            case .number: Ticket(id: Self.id, holder: "s0", seat: "m0", context: context)
            case .time: Plan(id: Self.id, title: "m0", context: context)
            case .tag: Entry(identifier: Self.id, title: "m0", bodyText: "s0", context: context)
            }
            try context.save()
        }
    }

    private func edit(_ text: String, isDelete: Bool = false) async throws {
        mine = text
        try await store.perform { [form = server.form] context in
            switch form {
            case .number:
                let ticket = try #require(try Ticket.find(Self.id, in: context))
                if isDelete { context.delete(ticket) } else { ticket.seat = text }
            case .time:
                let plan = try #require(try Plan.find(Self.id, in: context))
                if isDelete { context.delete(plan) } else { plan.title = text }
            case .tag:
                let entry = try #require(try Entry.find(Self.id, in: context))
                if isDelete { context.delete(entry) } else { entry.title = text }
            }
            try context.save()
        }
    }
}

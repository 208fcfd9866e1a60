import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import ServerSamples
import TestSupport
import Testing

/// An order with lines and stamps that look alike, and get their identities from a server that responds in any way.
@Suite("R10 Embedded records that any server identifies")
struct EmbeddedPropertyTests {
    @Test(
        """
        R10.1 R10.2 R10.3 R10.4 R10.7 R10.8 R10.9 R10.11 R10.15 R10.16 P10.6 C3 M7.4 Each record is on the server once \
        in the end, with what it has here
        """,
        arguments: Seeds.some(25, of: UInt64(0)...999))
    func lines(seed: UInt64) async throws {
        let stage = try EmbeddedStage(seed: seed)
        for number in 1...Int.random(in: 6...16, using: &stage.random) { try await stage.act(number) }
        try await stage.end()
    }
}

/// A server with one order, whose lists it merges: what is sent without an identity gets one.
private final class OrderServer: Remote {
    struct Line: Sendable {
        var members: JSONObject
        var stamps: [JSONObject] = []

        /// What is compared: the title, the count and the stamps.
        var text: String {
            let texts = stamps.map { Self.text($0["text"]) }.sorted()
            return "\(Self.text(members["title"])) \(Self.text(members["count"])) \(texts)"
        }

        static func text(_ value: JSONValue?) -> String {
            switch value {
            case .string(let text): text
            case .integer(let number): "\(number)"
            default: "null"
            }
        }
    }

    /// What becomes of the next change.
    enum Answer: CaseIterable { case whole, reversed, withoutList, empty, leavesOut, lost, unsent, refused }

    struct State {
        var name: String?
        var lines: [Line] = []
        var number: Int64 = 10
        var answer = Answer.whole
        /// Whether others add a line like one whose request does not arrive, but with another title.
        var copies = false
        var copyCount = 0
        var shown: Set<Int64> = []
        var creations = 0
        var key = ""
        var problem: String?
        var log: [String] = []
    }

    let canFetch: Bool
    let state = Locked(State())
    let traits = RemoteTraits(sendsEmbedded: true, nestedDeletion: NestedDeletion("_destroy"))

    init(canFetch: Bool) { self.canFetch = canFetch }

    private func json(_ state: inout State, reversed: Bool = false) -> JSONValue {
        state.shown = Set(state.lines.compactMap { Self.id($0.members) })
        let lines = (reversed ? state.lines.reversed() : state.lines).map { line -> JSONValue in
            var members = line.members
            members["stamps"] = .array(line.stamps.map { .object($0) })
            return .object(members)
        }
        return ["id": 1, "name": .string(state.name ?? ""), "lines": .array(lines)]
    }

    private static func id(_ members: JSONObject) -> Int64? {
        if case .integer(let id)? = members["id"] { id } else { nil }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try state.withLock { state in
            state.log.append("fetch")
            if case .record = request.target, !canFetch {
                throw SyncError(.unsupported, reason: "there are lists only", remedy: "Pull them.")
            }
            guard state.name != nil else {
                if case .record = request.target { return .absent }
                return .records(FetchResponse.Records(body: .data(Data("[]".utf8))))
            }
            let json = json(&state)
            if case .record = request.target { return .records(FetchResponse.Records(body: .data(try json.json()))) }
            return .records(FetchResponse.Records(body: .data(try JSONValue.array([json]).json())))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try state.withLock { state in
            let body = try JSONValue(json: change.kind == .create ? change.body : change.changes)
            let answer = state.answer
            state.answer = .whole
            state.log.append("\(change.kind) \(String(decoding: try body.json(), as: UTF8.self)) \(answer)")
            if answer == .unsent {
                let new = Self.list(body["lines_attributes"]).filter { Self.id($0) == nil }
                if state.copies, state.name != nil, let first = new.first {
                    add(first.merging(["title": "cog"]) { $1 }, to: &state)
                    state.copyCount += 1
                }
                state.copies = false
                throw SyncError(.network, reason: "it did not arrive", remedy: "Try again.")
            }
            if change.kind == .create, state.name != nil, change.idempotencyKey == state.key {
                return .accepted(body: try json(&state).json())
            }
            if answer == .refused { return .refused(status: 422, body: Data()) }
            if change.kind == .update, state.name == nil { return .absent }
            if change.kind == .create {
                state.creations += 1
                state.key = change.idempotencyKey
            }
            guard apply(body, isNew: change.kind == .create, leavesOut: answer == .leavesOut, &state) else {
                return .absent
            }
            switch answer {
            case .lost, .unsent, .refused:
                throw SyncError(.network, reason: "the response was lost", remedy: "Try again.")
            case .whole, .leavesOut: return .accepted(body: try json(&state).json())
            case .reversed: return .accepted(body: try json(&state, reversed: true).json())
            case .withoutList: return .accepted(body: Data(#"{"id": 1, "name": "\#(state.name ?? "")"}"#.utf8))
            case .empty: return .accepted(body: nil, identity: change.kind == .create ? [1] : nil)
            }
        }
    }

    static func list(_ value: JSONValue?) -> [JSONObject] {
        guard case .array(let list)? = value else { return [] }
        return list.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    /// Returns whether it knows all that is named.
    private func apply(_ body: JSONValue, isNew: Bool, leavesOut: Bool, _ state: inout State) -> Bool {
        let lines = Self.list(body["lines_attributes"])
        if isNew, lines.contains(where: { Self.id($0) != nil }) { state.problem = "a new order has known lines" }
        let known = Set(state.lines.compactMap { Self.id($0.members) })
        for line in lines where !isNew {
            guard let id = Self.id(line), !known.contains(id) else { continue }
            if line["_destroy"] != nil, !state.shown.contains(id) { state.problem = "\(id) is deleted twice" }
            return false
        }
        if case .string(let name)? = body["name"] { state.name = name }
        for (index, line) in lines.enumerated() {
            if let id = Self.id(line), let place = state.lines.firstIndex(where: { Self.id($0.members) == id }) {
                if line["_destroy"] != nil { state.lines.remove(at: place) } else { merge(line, at: place, &state) }
            } else if !(leavesOut && index == lines.count - 1) {
                add(line, to: &state)
            }
        }
        return true
    }

    private func merge(_ line: JSONObject, at place: Int, _ state: inout State) {
        for (key, value) in line where key != "stamps_attributes" { state.lines[place].members[key] = value }
        for stamp in Self.list(line["stamps_attributes"]) {
            let other = state.lines[place].stamps.firstIndex { Self.id($0) != nil && Self.id($0) == Self.id(stamp) }
            if let other, stamp["_destroy"] != nil {
                state.lines[place].stamps.remove(at: other)
            } else if let other {
                state.lines[place].stamps[other] = state.lines[place].stamps[other].merging(stamp) { $1 }
            } else {
                state.number += 1
                state.lines[place].stamps.append(stamp.merging(["id": .integer(state.number)]) { $1 })
            }
        }
    }

    func add(_ line: JSONObject, to state: inout State) {
        state.number += 1
        var members = line
        members["stamps_attributes"] = nil
        members["id"] = .integer(state.number)
        state.lines.append(Line(members: members))
        merge(["stamps_attributes": line["stamps_attributes"] ?? []], at: state.lines.count - 1, &state)
    }
}

/// A device that changes the order, and what there must be in the end.
private final class EmbeddedStage {
    var random: SeededRandom
    private let server: OrderServer
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private var isMade = false
    /// How many lines devices and others have made and not deleted.
    private var lineCount = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        server = OrderServer(canFetch: !random.isOne(in: 4))
        store = try Store(OrdersSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private var state: Comment { "\(server.state.withLock { $0.log }), on the server \(there)" }

    private var there: [String] {
        server.state.withLock { $0.lines.map { "\(OrderServer.Line.text($0.members["id"])) \($0.text)" }.sorted() }
    }

    private func here() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Line.all()).map { line in
                let stamps = line.stamps.map(\.text).sorted()
                let texts = [line.remoteID, line.count].map { number in number.map { "\($0)" } ?? "null" }
                return "\(texts[0]) \(line.title) \(texts[1]) \(stamps)"
            }.sorted()
        }
    }

    func act(_ number: Int) async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<5: try await edit(number)
        case ..<8:
            let answer = random.element(of: OrderServer.Answer.allCases)
            // Nobody can tell whether a request has arrived if the server cannot be asked.
            try await push(answer == .lost && !server.canFetch ? .unsent : answer)
        case 8: try await pull()
        default: try await others()
        }
        try #require(server.state.withLock { $0.problem } == nil, state)
    }

    /// A few values, so that lines look alike.
    private func edit(_ number: Int) async throws {
        let (title, count) = (random.element(of: ["nut", "bolt"]), random.element(of: [1, 2, nil] as [Int?]))
        let stamps = (0..<random.element(of: [0, 0, 1, 2])).map { _ in random.element(of: ["a", "b"]) }
        let (kind, place) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<100, using: &random))
        isMade = true
        // The same in each run, since records are chosen by it.
        let id = UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", number))") ?? UUID()
        let log: String
        (lineCount, log) = try await store.perform { [lineCount] context in
            let order = try context.fetch(Order.all()).first ?? Order(name: "first", context: context)
            let lines = try context.fetch(Line.all()).sorted { $0.localID.uuidString < $1.localID.uuidString }
            if kind < 4 || lines.isEmpty {
                let line = Line(localID: id, title: title, count: count, context: context)
                for text in stamps { line.stamps.insert(Stamp(text: text, context: context)) }
                order.lines.insert(line)
            } else if kind == 4 {
                lines[place % lines.count].count = 100 + number
            } else {
                context.delete(lines[place % lines.count])
            }
            let text = kind < 4 || lines.isEmpty ? "add \(title)" : "\(kind == 4 ? "edit" : "delete") \(place % lines.count)"
            try context.save()
            return (lineCount + (try context.fetch(Line.all()).count - lines.count), text)
        }
        server.state.withLock { $0.log.append(log) }
    }

    private func push(_ answer: OrderServer.Answer) async throws {
        server.state.withLock { $0.answer = answer }
        let copies = answer == .unsent && random.isOne(in: 2)
        server.state.withLock { $0.copies = copies }
        _ = try? await sync.push()
        clock.advance(by: 100_000)
        server.state.withLock { ($0.answer, $0.copies) = (.whole, false) }
        // What waits is parked with a reason, or is sent.
        let count = server.state.withLock { $0.log.count }
        let pending = try await store.outbox.pending()
        guard !pending.isEmpty, pending.allSatisfy({ $0.parked == nil }) else { return }
        _ = try? await sync.push()
        clock.advance(by: 100_000)
        #expect(server.state.withLock { $0.log.count } > count, state)
    }

    private func pull() async throws {
        server.state.withLock { $0.log.append("pull") }
        try await sync.forgetValidators()
        try await sync.pull(Order.self)
    }

    /// Others delete a line or the order, and the device learns of it.
    private func others() async throws {
        guard isMade else { return }
        try await push(.whole)
        try await pull()
        guard try await store.outbox.pending().isEmpty else { return }
        let isOrder = random.isOne(in: 4)
        let place = Int.random(in: 0..<100, using: &random)
        if isOrder {
            let editsLine = random.isOne(in: 2)
            try await store.perform { context in
                let line = try context.fetch(Line.all()).first
                if editsLine, let line {
                    line.count = 200 + place
                } else {
                    try #require(try context.fetch(Order.all()).first).name = "name \(place)"
                }
                try context.save()
            }
            server.state.withLock { state in
                if state.name != nil, state.creations < 2 { (state.name, state.lines) = (nil, []) }
                state.log.append("others delete the order")
            }
            return try await push(.whole)
        }
        let isEdited = random.isOne(in: 2)
        let gone = server.state.withLock { state -> Int64? in
            guard !state.lines.isEmpty else { return nil }
            let line = state.lines.remove(at: place % state.lines.count)
            state.log.append("others delete \(line.text)")
            if case .integer(let id)? = line.members["id"] { return id }
            return nil
        }
        if gone != nil { lineCount -= 1 }
        // It may have been deleted here, too.
        if isEdited, let gone {
            try await store.perform { context in
                if let line = try context.fetch(Line.all()).first(where: { $0.remoteID == Int(gone) }) {
                    context.delete(line)
                }
                try context.save()
            }
        }
        try await pull()
    }

    /// If the server wins, what is embedded in a record that others have deleted is deleted with it.
    private func loseOrder() async throws {
        try await store.perform { context in
            let order = try #require(try context.fetch(Order.all()).first)
            order.lines.insert(Line(title: "new", context: context))
            try context.save()
        }
        server.state.withLock { ($0.name, $0.lines) = (nil, []) }
        try await sync.forgetValidators()
        var options = MergeOptions(records: .all)
        options.unlistedShareLimit = 1
        options.conflicts = .serverWins
        clock.advance(by: 100_000)
        try await sync.pull(Order.self, options: options)
        #expect(try store.rows("SELECT title FROM line") == [], state)
    }

    func end() async throws {
        for _ in 1...4 {
            try await store.outbox.retryAll()
            try await push(.whole)
            try await pull()
        }
        try #require(server.state.withLock { $0.problem } == nil, state)
        #expect(try await store.outbox.pending().isEmpty, state)
        #expect(try await here() == there, state)
        #expect(there.count == lineCount + server.state.withLock { $0.copyCount }, state)
        #expect(try store.rows("SELECT * FROM lockstep_outbox") == [], state)
        if isMade { try await loseOrder() }
    }
}

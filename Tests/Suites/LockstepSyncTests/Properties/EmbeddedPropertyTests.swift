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
            let text =
                kind < 4 || lines.isEmpty ? "add \(title)" : "\(kind == 4 ? "edit" : "delete") \(place % lines.count)"
            try context.save()
            return (lineCount + (try context.fetch(Line.all()).count - lines.count), text)
        }
        server.state.withLock { $0.log.append(log) }
    }

    private func push(_ answer: OrderServer.Answer) async throws {
        server.state.withLock { $0.answer = answer }
        let copies = answer == .unsent && random.isOne(in: 2)
        server.state.withLock { $0.copies = copies }
        let isDeleting = answer == .refused && random.isOne(in: 2)
        if isDeleting { server.meanwhile.withLock { $0 = { [store] in try await Self.deleteLine(in: store) } } }
        let before = try await stamps()
        _ = try? await sync.push()
        server.meanwhile.withLock { $0 = nil }
        if isDeleting {
            lineCount += try await stamps().count - before.count
            server.state.withLock { $0.log.append("delete meanwhile") }
        }
        if [.whole, .reversed].contains(answer) {
            let after = try await stamps()
            #expect(before.allSatisfy { after[$0] == nil || after[$0] == $1 }, state)
        }
        let parked = try store.rows("SELECT entity FROM lockstep_outbox WHERE parked_status IS NOT NULL")
        // The order tells of what is parked in it, unless it will be sent again.
        let isTold = try await !store.outbox.pending().isEmpty
        #expect(parked.isEmpty || isTold, "\(parked)")
        clock.advance(by: 100_000)
        server.state.withLock { ($0.answer, $0.copies) = (.whole, false) }
        if isDeleting { return }
        // What waits is parked with a reason, or is sent.
        let count = server.state.withLock { $0.log.count }
        let pending = try await store.outbox.pending()
        guard !pending.isEmpty, pending.allSatisfy({ $0.parked == nil }) else { return }
        _ = try? await sync.push()
        clock.advance(by: 100_000)
        #expect(server.state.withLock { $0.log.count } > count, state)
    }

    /// The stamps of each line, which keeps them whatever looks like it.
    private func stamps() async throws -> [UUID: [String]] {
        try await store.perform { context in
            let lines = try context.fetch(Line.all()).map { ($0.localID, $0.stamps.map(\.text).sorted()) }
            return Dictionary(uniqueKeysWithValues: lines)
        }
    }

    private static func deleteLine(in store: Store) async throws {
        try await store.perform { context in
            let lines = try context.fetch(Line.all())
            guard let line = lines.min(by: { $0.localID.uuidString < $1.localID.uuidString }) else { return }
            context.delete(line)
            try context.save()
        }
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
            // The device learns of it by the response to its change, or by a list.
            if random.isOne(in: 2) {
                clock.advance(by: 100_000)
                try await sync.forgetValidators()
                var options = MergeOptions(records: .all)
                options.unlistedShareLimit = 1
                try await sync.pull(Order.self, options: options)
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

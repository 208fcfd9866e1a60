import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing
import TestSupport

/// Two devices that each write their own fields, even of the same embedded records: nothing is in conflict.
@Suite("C1 C2 The fields of each device have its last values, on both devices and on the server")
struct OwnWordsTests {
    @Test("Fields of embedded records in a list that the server merges", arguments: Seeds.some(15, of: UInt64(0)...59))
    func lines(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = FakeRails(
            RailsRules(
                wrapKeys: ["/orders": "order"], respondsWithBody: seed % 3 > 0,
                nested: ["/orders": [RailsNesting("lines")]]))
        let lines = LineField.lines.map { JSONValue.object(["id": .integer(Int64($0)), "title": "a", "count": 0]) }
        server.set([["id": 1, "name": "first", "lines": .array(lines)]], in: "/orders")
        let policy = random.element(of: [ConflictPolicies(.localChangesWin), ConflictPolicies(.serverWins)])
        let writers = try LineWriter.Number.allCases.map { try LineWriter($0, server, policy) }
        for writer in writers { try await writer.pull() }

        var words = Dictionary(uniqueKeysWithValues: LineField.all.map { ($0, $0.word(0)) })
        var trace: [String] = []
        for _ in 0..<Int.random(in: 8...30, using: &random) {
            let writer = random.element(of: writers)
            switch Int.random(in: 0..<10, using: &random) {
            case ..<5:
                let (field, word) = (random.element(of: writer.fields), Int.random(in: 0...2, using: &random))
                try await writer.write(field, word)
                words[field] = field.word(word)
                trace.append("\(writer.number) writes \(words[field] ?? "")")
            case ..<8:
                let mishap = random.element(of: [nil, .responseLost, .connectionFails, .status(500)] as [Mishap?])
                if let mishap { server.respondNext(mishap, to: .changes) }
                _ = try? await writer.push()
                server.clearScripts()
                trace.append("\(writer.number) pushes, \(mishap.map { "\($0)" } ?? "heard")")
            case ..<9:
                try await writer.pull()
                trace.append("\(writer.number) pulls")
            default:
                try await writer.mergeByHand()
                trace.append("\(writer.number) merges without a sync")
            }
            let here = try await writer.words()
            for field in writer.fields { try #require(here[field] == words[field], "seed \(seed): \(trace)") }
        }
        for _ in 1...3 {
            for writer in writers {
                try await writer.push()
                try await writer.pull()
            }
        }
        for writer in writers {
            #expect(try await writer.store.outbox.pending().isEmpty, "seed \(seed): \(trace)")
            #expect(try await writer.words() == words, "seed \(seed): \(trace)")
        }
        #expect(words.values.sorted() == server.lineWords, "seed \(seed): \(trace)")
    }
}

private typealias Mishap = ScriptedServerResponse

/// A field of a line, which one of the devices writes.
private struct LineField: Hashable {
    static let lines = [1, 2, 3, 4]
    static let all = lines.flatMap { [LineField(line: $0, isTitle: true), LineField(line: $0, isTitle: false)] }

    let line: Int
    let isTitle: Bool

    /// Each device has the titles of every other line, and the counts of the rest.
    var writer: LineWriter.Number { (line % 2 == 0) == isTitle ? .first : .second }

    /// There are few values: a write can undo an earlier one.
    func word(_ number: Int) -> String { isTitle ? "\(line) \(title(number))" : "\(line) \(number)" }

    func title(_ number: Int) -> String { ["a", "b", "c"][number] }
}

/// A device that changes its fields of the only order's lines.
private struct LineWriter {
    enum Number: Int, CaseIterable { case first = 1, second }

    let number: Number
    let store: Store
    private let server: FakeRails
    private let sync: Sync
    private let clock = ManualClock()

    init(_ number: Number, _ server: FakeRails, _ policies: ConflictPolicies) throws {
        self.number = number
        self.server = server
        store = try Store(OrdersSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), conflicts: policies,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    var fields: [LineField] { LineField.all.filter { $0.writer == number } }

    func write(_ field: LineField, _ word: Int) async throws {
        try await store.perform { context in
            let line = try #require(try context.fetch(Line.all()).first { $0.remoteID == field.line })
            if field.isTitle { line.title = field.title(word) } else { line.count = word }
            try context.save()
        }
    }

    func push() async throws {
        defer { clock.advance(by: 100_000) }
        _ = try await sync.push()
    }

    func pull() async throws {
        try await sync.forgetValidators()
        try await sync.pull(Order.self, options: MergeOptions(records: .all))
    }

    /// An app that fetches by itself.
    func mergeByHand() async throws {
        try await store.merge(JSONValue.array(server.records(of: "/orders")).json(), into: Order.self)
    }

    func words() async throws -> [LineField: String] {
        try await store.perform { context in
            var words: [LineField: String] = [:]
            for line in try context.fetch(Line.all()) {
                let id = line.remoteID ?? 0
                words[LineField(line: id, isTitle: true)] = "\(id) \(line.title)"
                words[LineField(line: id, isTitle: false)] = "\(id) \(line.count ?? -1)"
            }
            return words
        }
    }
}

extension FakeRails {
    /// The values of all fields, in order.
    fileprivate var lineWords: [String] {
        records(of: "/orders").flatMap { $0.list("lines") }.flatMap { line in
            ["title", "count"].map { "\(line.text("id")) \(line.text($0))" }
        }.sorted()
    }
}

import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// Servers that apply any part of a change, and return what they have in any form.
@Suite("P21 What any server has not applied")
struct UnappliedPropertyTests {
    @Test(
        """
        P21.1 P21.2 P21.3 P21.4 P21.5 P21.6 P21.7 P21.8 P21.9 P21.10 P21.11 P21.12 P21.13 P21.14 Exactly what a \
        response shows as not applied stays, by name
        """,
        arguments: Seeds.some(40, of: UInt64(0)...999))
    func responses(seed: UInt64) async throws {
        let stage = try await UnappliedStage(seed: seed)
        try await stage.push()
        try await stage.settle()
    }
}

/// A device with a pen, and a server that returns what a seed says of each part of it.
private final class UnappliedStage {
    private var random: SeededRandom
    private let remote = RespondingRemote(traits: RemoteTraits(sendsEmbedded: true))
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    /// What the server has; `nil` if the pen is new.
    private var base: Pen?
    /// What was sent and had no response.
    private var lost: Pen?
    private var local: Pen
    private var trace: [String] = []
    /// What the response shows as not applied, and the members that have to be sent again.
    private var names: Set<String> = []
    private var keys: Set<String> = []
    private var isEditedMeanwhile = false
    /// Whether the response still has a part that was deleted here. Its change stays parked until it is tried again, even
    /// if a list lacks the part by then.
    private var hasIgnoredDeletion = false
    /// Whether the server's form of a value may replace one that was edited meanwhile.
    private let serverWins: Bool

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        store = try Store(Pens.self, at: .inMemory)
        serverWins = random.isOne(in: 2)
        sync = Sync(
            store: store, remote: remote, conflicts: serverWins ? .serverWins : .localChangesWin,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        local = Pen(&random)
        let others = (1...3).map { JSONValue.object(["id": .integer($0), "name": "n"]) }
        try await store.merge(JSONValue.array(others).json(), into: Word<Pens.Boxes>.self)
        try await store.merge(JSONValue.array(others).json(), into: Word<Pens.Caps>.self)
        if random.isOne(in: 3) {
            try await write(from: nil)
        } else {
            base = local
            try await store.merge(JSONValue.array([local.json()]).json(), into: Word<Pens.Pens>.self)
            if random.isOne(in: 2) { try await lose() }
            let before = local
            repeat { local.edit(&random) } while local == before || local == base
            try await write(from: before)
        }
        trace.append("base \(base.map { "\($0)" } ?? "none"), lost \(lost.map { "\($0)" } ?? "none"), local \(local)")
    }

    /// Sends values, and gets no response.
    private func lose() async throws {
        let before = local
        repeat { local.edit(&random, onlyValues: true) } while local == before
        try await write(from: before)
        lost = local
        remote.respondNothing()
        _ = try? await sync.push()
        clock.advance(by: 100_000)
    }

    /// Writes the local values with SQL.
    private func write(from before: Pen?) async throws {
        let pen = local
        try await store.writer.write { database in
            for sql in pen.statements(from: before) { try database.execute(sql: sql) }
        }
    }

    // MARK: The response

    func push() async throws {
        var response = JSONObject()
        response["id"] = 1
        for field in Pen.Field.allCases { answer(field, in: &response) }
        answerCaps(in: &response)
        answerParts(in: &response)
        let json = JSONValue.object(response)
        trace.append("response \(String(decoding: try json.json(), as: UTF8.self))")
        isEditedMeanwhile = !serverWins && random.isOne(in: 4)
        remote.respond { [isEditedMeanwhile, store] _ in
            if isEditedMeanwhile {
                try await store.writer.write { try $0.execute(sql: "UPDATE pen SET size = 55 WHERE id = 1") }
            }
            return .accepted(body: try json.json())
        }
        if isEditedMeanwhile { local.size = 55 }
        let summary = try await sync.push()
        let errors = summary.parked.compactMap(\.lastError).joined(separator: " ")
        let told = errors.split(separator: "did not apply it: ").dropFirst().flatMap {
            $0.prefix { $0 != ";" }.split(separator: ", ").map(String.init)
        }
        try #require(Set(told) == (isEditedMeanwhile ? [] : names), "\(trace): \(errors)")
        try await checkLocal()
    }

    /// Returns a value of the pen, or leaves it out.
    private func answer(_ field: Pen.Field, in response: inout JSONObject) {
        let sent = local[field]
        let formers = [base, lost].compactMap { $0?[field] }
        let isSent = base == nil ? sent != .null : formers.contains { $0 != sent }
        guard isSent else {
            if random.isOne(in: 2), base != nil { response[field.key] = sent }
            return
        }
        var returned: JSONValue?
        switch Int.random(in: 0..<6, using: &random) {
        case 0: returned = sent
        case 1: break
        case 2: returned = field.other(&random)
        case 3: returned = field == .title || base != nil && !formers.contains(.null) ? "" : .null
        default: returned = formers.isEmpty ? field == .title ? "" : .null : random.element(of: formers)
        }
        if field != .title, field != .note, returned == "" { returned = nil }
        guard var returned else { return }
        if field == .note, returned == .null, random.isOne(in: 2) { returned = "" }
        let isShown = isUnapplied(returned, sent, formers)
        if isShown {
            names.insert(field.name)
            keys.insert(field.key)
        } else {
            local[field] = returned
        }
        put(returned, field, in: &response)
    }

    /// As merges read it.
    private func put(_ value: JSONValue, _ field: Pen.Field, in response: inout JSONObject) {
        guard field == .box, case .integer(let id) = value else {
            response[random.isOne(in: 4) ? field.otherKey : field.key] = value
            return
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: response["box_id"] = value
        case 1: response["box_id"] = .string(String(id))
        default: response["box"] = ["id": .string(String(id)), "name": "n"]
        }
    }

    private func isUnapplied(_ returned: JSONValue, _ sent: JSONValue, _ formers: [JSONValue]) -> Bool {
        if Self.isSame(returned, sent) { return false }
        if case .string(let text) = sent, Self.isEmpty(returned), text.allSatisfy(\.isWhitespace) { return false }
        if case .string(let text) = sent, case .string(let other) = returned, Self.words(text) == Self.words(other) {
            return false
        }
        if formers.isEmpty { return Self.isEmpty(returned) }
        return formers.contains { Self.isSame($0, returned) }
    }

    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    private static func isEmpty(_ value: JSONValue) -> Bool { value == .null || value == "" }
    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        one == other || isEmpty(one) && isEmpty(other)
    }

    private func answerCaps(in response: inout JSONObject) {
        let changed = local.caps.symmetricDifference(base?.caps ?? [])
        guard !random.isOne(in: 4) else { return }
        let ignored = changed.filter { _ in random.isOne(in: 3) }
        if !ignored.isEmpty {
            names.insert("caps")
            keys.insert("cap_ids")
        }
        let listed = local.caps.symmetricDifference(ignored).sorted()
        let isText = random.isOne(in: 2)
        response["cap_ids"] = .array(listed.map { isText ? .string(String($0)) : .integer(Int64($0)) })
    }

    private func answerParts(in response: inout JSONObject) {
        guard !random.isOne(in: 4) else { return }
        var listed: [JSONValue] = []
        let known = base?.parts ?? [:]
        for id in Set(known.keys).union(local.parts.keys).sorted() {
            let (former, text) = (known[id], local.parts[id])
            let isIgnored = random.isOne(in: 3)
            guard former != text else {
                listed.append(Pen.part(id, text ?? ""))
                continue
            }
            if isIgnored { keys.insert("parts") }
            guard let text else {
                // It was deleted here.
                if isIgnored, let former {
                    hasIgnoredDeletion = true
                    names.insert("Part")
                    listed.append(Pen.part(id, former))
                }
                continue
            }
            guard isIgnored else {
                listed.append(Pen.part(id, text))
                continue
            }
            if let former {
                names.insert("Part.text")
                listed.append(Pen.part(id, former))
            } else if random.isOne(in: 2) {
                names.insert("Part.text")
                listed.append(Pen.part(id, ""))
            } else {
                names.insert("Part")
            }
        }
        response["parts"] = .array(listed)
    }

    // MARK: Afterwards

    private func checkLocal() async throws {
        let here = [
            try store.rows(
                "SELECT title || '|' || ifnull(note, '') || '|' || ifnull(size, '') || '|' || ifnull(box_id, '') FROM pen"
            ),
            try store.rows("SELECT cap_id FROM pen_cap ORDER BY cap_id"),
            try store.rows("SELECT id || ' ' || text FROM part ORDER BY id"),
        ]
        try #require(here == local.rows, "\(trace)")
    }

    /// The server applies what is sent again, or a pull shows that it has applied it.
    func settle() async throws {
        let count = remote.sent.count
        if isEditedMeanwhile {
            try #require(count == (lost == nil ? 2 : 3), "\(trace)")
            try checkSentAgain(with: ["size"])
        } else if !names.isEmpty, random.isOne(in: 2) || hasIgnoredDeletion {
            try await store.outbox.retryAll()
            try await sync.push()
            try #require(remote.sent.count == count + 1, "\(trace)")
            try checkSentAgain(with: [])
        } else if !names.isEmpty {
            try await store.merge(JSONValue.array([local.json()]).json(), into: Word<Pens.Pens>.self)
        }
        try await checkLocal()
        #expect(try await store.outbox.pending().isEmpty, "\(trace)")
        #expect(try store.rows("SELECT * FROM lockstep_outbox") == [], "\(trace)")
    }

    private func checkSentAgain(with others: Set<String>) throws {
        guard let change = remote.sent.last, case .object(let members) = try JSONValue(json: change.changes) else {
            return
        }
        try #require(Set(members.map(\.key)) == keys.union(others), "\(trace)")
    }
}

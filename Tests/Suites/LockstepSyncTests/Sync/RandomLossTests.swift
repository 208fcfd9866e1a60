import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// A device and others that edit the same records, compared with a small reference that knows what each merge loses.
@Suite("C6 Random edits on both sides, and what they lose")
struct RandomLossTests {
    @Test(
        "C6.1 C6.6 Every value that is overwritten is in the journal once, and restoring it converges",
        arguments: Seeds.some(30, of: 1...10_000))
    func random(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stage = try LossStage(Policy.allCases[seed % Policy.allCases.count])
        for _ in 0..<8 {
            for _ in 0..<Int.random(in: 0...5, using: &random) { stage.changeServer(&random) }
            for _ in 0..<Int.random(in: 0...5, using: &random) { try await stage.editLocally(&random) }
            try await stage.pull()
            let (rows, entries) = (try await stage.rows(), try await stage.journal())
            try #require(rows == stage.local.mapValues(\.text), "seed \(seed): \(rows), not \(stage.local)")
            try #require(entries == stage.losses.sorted(), "seed \(seed): \(entries), not \(stage.losses.sorted())")
            if random.isOne(in: 3) { try await stage.push() }
        }
        try await stage.push()
        #expect(stage.serverRows() == stage.local.mapValues(\.text), "seed \(seed)")
        try await stage.restoreAll("seed \(seed)")
    }
}

private enum Policy: String, CaseIterable {
    case localChangesWin, serverWins, newestWins, custom

    var policies: ConflictPolicies {
        switch self {
        case .localChangesWin: .localChangesWin
        case .serverWins: .serverWins
        case .newestWins: ConflictPolicies(.newestWins(by: "timestamp"))
        case .custom:
            ConflictPolicies().using(
                .custom(Entry.self) { _, local, remote in
                    let merged = Note(local).merged(with: remote.map(Note.init))
                    return merged?.representation(local.identifier)
                }, for: Entry.self)
        }
    }
}

/// The values of a record.
private struct Note: Equatable {
    var title: String
    var body: String?
    var mood: String
    var time: Int

    init(_ random: inout SeededRandom) {
        title = random.element(of: ["A", "B", "C"])
        body = random.element(of: ["x", "y", nil])
        mood = random.element(of: ["sad", "neutral"])
        time = Int.random(in: 1...9, using: &random)
    }

    init(_ value: EntryRepresentation) {
        (title, body, mood) = (value.title, value.bodyText, value.mood.rawValue)
        time = Int(value.timestamp.timeIntervalSince1970)
    }

    init?(_ json: JSONValue) {
        guard case .string(let title)? = json["title"], case .string(let mood)? = json["mood"],
            case .string(let date)? = json["timestamp"], let time = try? Date(date, strategy: .iso8601)
        else { return nil }
        (self.title, self.mood, self.time) = (title, mood, Int(time.timeIntervalSince1970))
        if case .string(let body)? = json["bodyText"] { self.body = body }
    }

    mutating func change(_ random: inout SeededRandom) {
        let other = Note(&random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: title = other.title
        case 1: body = other.body
        case 2: mood = other.mood
        default: time = other.time
        }
    }

    /// The app's policy, which sometimes deletes the record, and makes values that neither side has.
    func merged(with remote: Note?) -> Note? {
        guard var merged = remote else { return mood == "sad" ? nil : self }
        if time == 9, merged.time == 9 { return nil }
        merged.title = max(title, merged.title)
        merged.body = [body, merged.body].compactMap(\.self).joined()
        return merged
    }

    func representation(_ id: UUID) -> EntryRepresentation {
        EntryRepresentation(
            identifier: id, title: title, bodyText: body, mood: Mood(rawValue: mood),
            timestamp: Date(timeIntervalSince1970: Double(time)))
    }

    func json(_ id: Int) -> JSONValue {
        [
            "identifier": .string(LossStage.id(id)), "title": .string(title),
            "bodyText": body.map(JSONValue.string) ?? .null, "mood": .string(mood),
            "timestamp": .string(Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)),
        ]
    }

    static let members = ["title", "bodyText", "mood", "timestamp"]

    /// A value as the journal has it.
    subscript(member: String) -> String {
        get {
            switch member {
            case "title": title
            case "bodyText": body ?? "-"
            case "mood": mood
            default: "\(time).0"
            }
        }
        set {
            switch member {
            case "title": title = newValue
            case "bodyText": body = newValue == "-" ? nil : newValue
            case "mood": mood = newValue
            default: time = Int(Double(newValue) ?? 0)
            }
        }
    }

    var text: String { Self.members.map { self[$0] }.joined(separator: " ") }
}

/// A device with its server, and the reference: dictionaries by the number of a record.
private final class LossStage {
    private let policy: Policy
    private let store: Store
    private let sync: Sync
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let clock = ManualClock()
    private(set) var local: [Int: Note] = [:]
    private var base: [Int: Note] = [:]
    private var pending: [Int: String] = [:]
    private(set) var losses: [String] = []

    init(_ policy: Policy) throws {
        self.policy = policy
        store = try Store(JournalSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, conflicts: policy.policies, clock: clock, random: { 0 })
    }

    static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    private static func number(_ id: String) -> Int { id.last.flatMap { Int(String($0)) } ?? 0 }

    private var server: [Int: Note] {
        var notes: [Int: Note] = [:]
        for json in remote.records(of: "/entries") {
            guard case .string(let id)? = json["identifier"] else { continue }
            notes[Self.number(id)] = Note(json)
        }
        return notes
    }

    // MARK: Edits

    func changeServer(_ random: inout SeededRandom) {
        let number = Int.random(in: 1...4, using: &random)
        let old = server[number]
        if old != nil, random.isOne(in: 5) { return remote.remove(Self.id(number), from: "/entries") }
        var new = old ?? Note(&random)
        new.change(&random)
        remote.set(new.json(number), id: Self.id(number), in: "/entries")
    }

    func editLocally(_ random: inout SeededRandom) async throws {
        let number = Int.random(in: 1...4, using: &random)
        guard let old = local[number] else {
            let new = Note(&random)
            local[number] = new
            pending[number] = pending[number] == "delete" ? "update" : "create"
            return try await write(new, to: number, isNew: true)
        }
        if random.isOne(in: 5) {
            local[number] = nil
            if pending[number] == "create" {
                (pending[number], base[number]) = (nil, nil)
            } else {
                if pending[number] == nil { base[number] = old }
                pending[number] = "delete"
            }
            return try await store.perform { context in
                if let entry = try context.find(Entry.self, UUID(uuidString: Self.id(number)) ?? UUID()) {
                    context.delete(entry)
                }
                try context.save()
            }
        }
        var new = old
        new.change(&random)
        local[number] = new
        if new != old, pending[number] == nil { (pending[number], base[number]) = ("update", old) }
        try await write(new, to: number, isNew: false)
    }

    private func write(_ note: Note, to number: Int, isNew: Bool) async throws {
        let value = note.representation(UUID(uuidString: Self.id(number)) ?? UUID())
        try await store.perform { context in
            if isNew {
                _ = Entry(representation: value, context: context)
            } else {
                try context.find(Entry.self, value.identifier)?.update(from: value)
            }
            try context.save()
        }
    }

    // MARK: Merging

    func pull() async throws {
        // Deletes of what was confirmed a moment ago are doubtful. A list that was not modified decides nothing.
        clock.advance(by: 600)
        let server = server
        for (number, there) in server.sorted(by: { $0.key < $1.key }) { merge(there, into: number) }
        for number in local.keys.sorted() where server[number] == nil { mergeDelete(of: number) }
        try await sync.forgetValidators(of: Entry.self)
        try await sync.pull(Entry.self, options: MergeOptions(records: .all))
    }

    private func merge(_ there: Note, into number: Int) {
        if pending[number] == "delete" {
            if let base = base[number] {
                lose(number, base: base, local: nil, remote: there, result: nil, rule: "deletedLocally")
            }
            base[number] = there
            return
        }
        guard pending[number] != nil, let here = local[number] else {
            local[number] = there
            return
        }
        let merged = merged(base[number], here, there)
        lose(number, base: base[number], local: here, remote: there, result: merged, rule: policy.rawValue)
        local[number] = merged
        if merged == nil {
            (pending[number], base[number]) = ("delete", there)
        } else {
            (pending[number], base[number]) = merged == there ? (nil, nil) : ("update", there)
        }
    }

    private func mergeDelete(of number: Int) {
        guard let here = local[number] else { return }
        switch pending[number] {
        case nil: local[number] = nil
        case "update":
            var result: Note? = here
            if policy == .serverWins { result = nil }
            if policy == .custom { result = here.merged(with: nil) }
            if let base = base[number] {
                lose(number, base: base, local: here, remote: nil, result: result, rule: policy.rawValue)
            }
            local[number] = result
            if result == nil { (pending[number], base[number]) = (nil, nil) } else { pending[number] = "create" }
        default: break
        }
    }

    private func merged(_ base: Note?, _ here: Note, _ there: Note) -> Note? {
        var (merged, hasConflict) = (there, false)
        let isHere = policy == .localChangesWin || policy == .newestWins && here.time > there.time
        for member in Note.members {
            let (isChangedHere, isChangedThere) = (here[member] != base?[member], there[member] != base?[member])
            if isChangedHere, isChangedThere, here[member] != there[member] { hasConflict = true }
            if isChangedHere, !isChangedThere || isHere { merged[member] = here[member] }
        }
        return policy == .custom && hasConflict ? here.merged(with: there) : merged
    }

    /// What a side has changed, and the result does not have.
    private func lose(_ number: Int, base: Note?, local: Note?, remote: Note?, result: Note?, rule: String) {
        for member in Note.members {
            let (here, there) = (local?[member], remote?[member])
            if here == there { continue }
            for (side, value) in [("local", here), ("remote", there)] {
                guard let value, value != base?[member], value != result?[member] else { continue }
                losses.append(
                    "\(number) \(member) \(base?[member] ?? "none") \(here ?? "none") \(there ?? "none") \(side) \(rule)"
                )
            }
        }
    }

    // MARK: Sending

    func push() async throws {
        try await pull()
        try await sync.push()
        (pending, base) = ([:], [:])
        #expect(try await store.outbox.count() == 0)
    }

    /// Restores each value that is still lost, and lets the server have it.
    func restoreAll(_ comment: Comment) async throws {
        for entry in try await store.conflicts.entries() {
            let number = Self.number(entry.record)
            do {
                try await store.perform { [store] context in
                    try store.conflicts.restore(entry, in: context)
                    try context.save()
                }
            } catch let error as StoreError {
                #expect(error.code == .recordGone && local[number] == nil, comment)
                continue
            }
            try await sync.push()
            let value: String =
                switch entry.lostValue {
                case .string(let text): entry.member == "timestamp" ? Self.seconds(text) : text
                case let other: other == .null ? "-" : "\(other)"
                }
            local[number]?[entry.member] = value
            clock.advance(by: 600)
            try await sync.pull(Entry.self, options: MergeOptions(records: .all))
            #expect(try await rows() == local.mapValues(\.text), comment)
            #expect(serverRows() == local.mapValues(\.text), comment)
            #expect(try await !store.conflicts.entries().contains { $0.id == entry.id }, comment)
        }
        #expect(try await store.outbox.count() == 0, comment)
    }

    private static func seconds(_ date: String) -> String {
        (try? Date(date, strategy: .iso8601)).map { "\(Int($0.timeIntervalSince1970)).0" } ?? date
    }

    // MARK: Comparing

    func rows() async throws -> [Int: String] {
        let values = try await store.representations(Entry.all())
        return Dictionary(
            values.map { (Self.number($0.identifier.uuidString), Note($0).text) },
            uniquingKeysWith: { first, _ in first })
    }

    func serverRows() -> [Int: String] { server.mapValues(\.text) }

    /// All entries, whatever the records have now.
    func journal() async throws -> [String] {
        try await store.writer.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM lockstep_conflict").map { row -> String in
                let sides: Int = row["sides"]
                func value(_ column: String, side: Int) -> String {
                    if sides & side == 0 { return "none" }
                    return String.fromDatabaseValue(row[column]) ?? (row[column] as Double?).map { "\($0)" } ?? "-"
                }
                let values = [value("base", side: 1), value("local", side: 2), value("remote", side: 4)]
                return """
                    \(Self.number(row["record"])) \(row["member"] as String) \(values.joined(separator: " ")) \
                    \(row["lost"] as String) \(row["rule"] as String)
                    """
            }.sorted()
        }
    }
}

import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing
import TestSupport

/// Two devices that create the same unique values, and link to them, in any order of edits, pushes and pulls.
@Suite("C5 Devices that create the same unique values end with the same records and all their links")
struct LocalDuplicatePropertyTests {
    @Test(
        "C5 A value created twice becomes one record with the links of both",
        arguments: Seeds.some(20, of: UInt64(0)...59))
    func twins(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = UniqueRemote()
        let devices = try (1...2).map { try TwinDevice($0, server) }
        var made: Set<String> = []
        var links: [String: String] = [:]
        for number in 0..<Int.random(in: 8...24, using: &random) {
            let device = random.element(of: devices)
            switch Int.random(in: 0..<10, using: &random) {
            case ..<3:
                let text = random.element(of: ["vegan", "raw", "hot"])
                try device.make(text, number)
                made.insert(text)
            case ..<7:
                guard let mark = try device.marks().shuffled(using: &random).first else { continue }
                let own = links.keys.filter { $0.hasPrefix("\(device.number) ") }.sorted()
                if let note = own.shuffled(using: &random).first, random.isOne(in: 3) {
                    try device.link(note, to: mark)
                    links[note] = mark
                } else {
                    let note = "\(device.number) wrote \(number)"
                    try device.write(note, to: mark, number)
                    links[note] = mark
                }
            case ..<9: _ = try await device.sync.push()
            default: try await device.pull()
            }
        }
        for _ in 0..<4 {
            for device in devices {
                _ = try await device.sync.push()
                try await device.pull()
            }
        }
        #expect(server.texts == made.sorted())
        for device in devices {
            let pending = try await device.store.outbox.pending().map {
                "\($0.kind) \($0.entity): \($0.lastError ?? "")"
            }
            #expect(pending == [])
            #expect(try device.marks() == server.texts)
            #expect(try device.links() == links)
        }
    }
}

extension LocalDuplicatePropertyTests {
    @Test(
        "C5 A record of the server becomes one with a record that was never confirmed, and is refused beside a confirmed one",
        arguments: Seeds.some(10, of: UInt64(0)...299))
    func holders(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = try Store(ForestSchema.self, at: .inMemory)
        let texts = ["vegan", "raw", "hot", "cold"]
        // By their texts, whether they were confirmed.
        let holders = texts.filter { _ in random.isOne(in: 2) }.map { (text: $0, isConfirmed: random.isOne(in: 2)) }
        try await store.writer.write { try $0.execute(sql: "CREATE UNIQUE INDEX mark_text ON mark (text)") }
        for (number, holder) in holders.enumerated() where holder.isConfirmed {
            try await store.merge(
                Data(#"[{"id": \#(number + 1), "text": "\#(holder.text)"}]"#.utf8), into: Mark.self)
        }
        for (number, holder) in holders.enumerated() where !holder.isConfirmed {
            try await store.writer.write { database in
                try database.execute(
                    sql: "INSERT INTO mark (local_id, text) VALUES (?, ?)",
                    arguments: [String(format: "00000000-0000-4000-9000-%012d", number), holder.text])
            }
        }
        let wanted = texts.filter { _ in random.isOne(in: 2) }
        let records = wanted.enumerated().map { #"{"id": \#($0 + 100), "text": "\#($1)"}"# }
        try await store.merge(Data("[\(records.joined(separator: ","))]".utf8), into: Mark.self)
        var expected = Dictionary(uniqueKeysWithValues: wanted.enumerated().map { ($1, "\($0 + 100)") })
        for (number, holder) in holders.enumerated() {
            if holder.isConfirmed { expected[holder.text] = "\(number + 1)" }
            if expected[holder.text] == nil { expected[holder.text] = "-" }
        }
        let rows = try await store.writer.read { database in
            try String.fetchAll(database, sql: "SELECT text || ' ' || ifnull(remote_id, '-') FROM mark ORDER BY 1")
        }
        #expect(rows == expected.map { "\($0.key) \($0.value)" }.sorted())
    }
}

private struct TwinDevice {
    let number: Int
    let store: Store
    let sync: Sync

    init(_ number: Int, _ remote: UniqueRemote) throws {
        self.number = number
        store = try Store(ForestSchema.self, at: .inMemory)
        try store.writer.write { try $0.execute(sql: "CREATE UNIQUE INDEX mark_text ON mark (text)") }
        sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0.5 })
    }

    func pull() async throws {
        try await sync.pull(Mark.self)
        try await sync.pull(Note.self)
    }

    /// A key that no other device generates.
    private func key(_ edit: Int) -> String {
        String(format: "00000000-0000-4000-9000-%06d%06d", number, edit)
    }

    func make(_ text: String, _ edit: Int) throws {
        guard try !marks().contains(text) else { return }
        try store.writer.write {
            try $0.execute(sql: "INSERT INTO mark (local_id, text) VALUES (?, ?)", arguments: [key(edit), text])
        }
    }

    func write(_ note: String, to mark: String, _ edit: Int) throws {
        try store.writer.write {
            try $0.execute(
                sql: "INSERT INTO note (id, text, mark_id) SELECT ?, ?, local_id FROM mark WHERE text = ?",
                arguments: [key(edit), note, mark])
        }
    }

    func link(_ note: String, to mark: String) throws {
        try store.writer.write {
            try $0.execute(
                sql: "UPDATE note SET mark_id = (SELECT local_id FROM mark WHERE text = ?) WHERE text = ?",
                arguments: [mark, note])
        }
    }

    func marks() throws -> [String] {
        try store.writer.read { try String.fetchAll($0, sql: "SELECT text FROM mark ORDER BY text") }
    }

    func links() throws -> [String: String] {
        let sql = "SELECT note.text, mark.text FROM note LEFT JOIN mark ON mark.local_id = note.mark_id"
        let rows = try store.writer.read { try Row.fetchAll($0, sql: sql) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1] ?? "none") })
    }
}

/// A server that accepts each text once.
private struct UniqueRemote: Remote {
    private let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))

    var traits: RemoteTraits { remote.traits }

    /// The texts of its marks, in order.
    var texts: [String] {
        remote.records(of: "/marks").map { record in
            if case .string(let text)? = record["text"] { text } else { "?" }
        }.sorted()
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await remote.fetch(request) }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        if change.kind == .create, change.entity.path == "/marks",
            case .string(let text)? = try JSONValue(json: change.body)["text"], texts.contains(text)
        {
            return .refused(status: 422, body: Data(#"{"errors": {"text": ["has already been taken"]}}"#.utf8))
        }
        return try await remote.send(change)
    }
}

import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

@testable import LockstepTables

/// A server that spells UUIDs in any way, and compares them as texts.
@Suite("M5 Identities in any spelling")
struct SpellingPropertyTests {
    @Test(
        "M5.3 M5.4 M5.5 M5.6 M5.8 Each request, link and list has the spelling that was received last, and no other one",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func spellings(seed: UInt64) async throws {
        let stage = try SpellingStage(seed: seed)
        for _ in 1...20 { try await stage.act() }
        try await stage.checkPush()
    }

    @Test(
        "M5.7 If the case of new UUIDs changes, what was received keeps its spelling, and what was never sent has the new one",
        arguments: Seeds.some(10, of: UInt64(0)...199))
    func changedCase(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = try Store(Notebook.self, at: .inMemory)
        var expected: [String] = []
        for number in 1...Int.random(in: 1...6, using: &random) {
            let id = SpellingStage.id(number)
            if random.isOne(in: 3) {
                try await store.writer.write {
                    try $0.execute(sql: "INSERT INTO memo (id, text) VALUES ('\(id)', 'm')")
                }
                continue
            }
            let spelling = SpellingStage.spelling(of: id, &random)
            try await store.merge(
                JSONValue.array([["id": .string(spelling), "text": "m"]]).json(), into: NotebookMemo.self)
            // What has the usual spelling needs no row.
            if spelling != id.uppercased() { expected.append(spelling) }
        }
        try await store.writer.write {
            try IdentitySpellings.change(NotebookMemo.entity.plan, isUppercase: true, in: $0)
        }
        #expect(try Set(store.rows("SELECT spelling FROM lockstep_spelling")) == Set(expected))
    }
}

/// A device, what it has received, and what its requests must contain.
private final class SpellingStage {
    private var random: SeededRandom
    private let remote = RespondingRemote()
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    /// The spellings received last, of memos and folders that are here.
    private var spellings: [String: [Int: String]] = ["memo": [:], "folder": [:]]
    private var pins: Set<Int> = []
    private var folder: [Int: Int] = [:]
    private var trace: [String] = []
    private var count = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        store = try Store(Notebook.self, at: .inMemory)
        sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    static func id(_ number: Int) -> String { "6f1c2a3b-1d4e-4f22-8a33-0000000000a\(number)" }

    /// Lower or upper case, mixed if it must be.
    static func spelling(of id: String, _ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: id
        case 1: id.uppercased()
        default: String(id.enumerated().map { $0.offset % 2 == 0 ? Character($0.element.uppercased()) : $0.element })
        }
    }

    private func spell(_ number: Int) -> String { Self.spelling(of: Self.id(number), &random) }

    func act() async throws {
        count += 1
        let number = Int.random(in: 1...3, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case ..<3: try await receiveMemo(number)
        case 3: try await receiveFolder()
        case ..<6: try await edit(number)
        case 6: try await hearDeletion(number)
        case 7: try await delete(number)
        default: try await checkPush()
        }
    }

    private func note(_ what: String) { trace.append(what) }

    private var state: Comment { "\(trace)" }

    // MARK: What comes from the server

    /// In a list, or in a map whose key counts.
    private func receiveMemo(_ number: Int) async throws {
        // What is pending would be in conflict.
        try await checkPush()
        let (key, member) = (spell(number), spell(number))
        let isMap = random.isOne(in: 2)
        let memo: JSONValue = ["id": .string(member), "text": .string("t\(count)")]
        var options = MergeOptions()
        options.payload = isMap ? .map : .records
        let json: JSONValue = isMap ? .object([key: memo]) : .array([memo])
        note("memo \(isMap ? key + ": " : "")\(member)")
        spellings["memo"]?[number] = isMap ? key : member
        try await store.merge(json.json(), into: NotebookMemo.self, options: options)
    }

    private func receiveFolder() async throws {
        try await checkPush()
        let spelling = spell(9)
        note("folder \(spelling)")
        spellings["folder"]?[9] = spelling
        let listed = pins.sorted().map { JSONValue.string(spellings["memo"]?[$0] ?? "") }
        let json: JSONValue = [["id": .string(spelling), "title": .string("t\(count)"), "pin_ids": .array(listed)]]
        try await store.merge(json.json(), into: NotebookFolder.self)
    }

    /// A deletion that names another spelling is that of another record.
    private func hearDeletion(_ number: Int) async throws {
        guard let known = spellings["memo"]?[number] else { return }
        try await checkPush()
        let spelling = spell(number)
        note("deleted \(spelling)")
        let summary = try await store.applyServerDeletes(
            of: NotebookMemo.self, identities: [RemoteIdentity([.string(spelling)])])
        #expect(summary.deleted == (spelling == known ? 1 : 0), state)
        #expect(summary.notes.count == (spelling == known ? 0 : 1), state)
        if spelling == known { forget(number) }
    }

    private func forget(_ number: Int) {
        spellings["memo"]?[number] = nil
        folder[number] = nil
        pins.remove(number)
    }

    // MARK: What happens here

    /// Changes a memo, with its link and the list of the folder; makes one that is not here.
    private func edit(_ number: Int) async throws {
        let id = Self.id(number)
        note("edit \(number)")
        let isHere = spellings["memo"]?[number] != nil
        // A record that is made here has the usual spelling, whatever one with its identity had before.
        if !isHere { spellings["memo"]?[number] = id }
        let link = spellings["folder"]?[9] == nil ? nil : random.element(of: [nil, 9])
        let isPinned = spellings["folder"]?[9] != nil && random.isOne(in: 2)
        folder[number] = link
        let hadPin = pins.contains(number)
        if isPinned { pins.insert(number) } else { pins.remove(number) }
        let value = link.map { "'\(Self.id($0))'" } ?? "NULL"
        let text = "e\(count)"
        try await store.writer.write { database in
            try database.execute(
                sql: isHere
                    ? "UPDATE memo SET text = '\(text)', folder_id = \(value) WHERE id = '\(id)'"
                    : "INSERT INTO memo (id, text, folder_id) VALUES ('\(id)', '\(text)', \(value))")
            if isPinned, !hadPin {
                try database.execute(
                    sql: "INSERT INTO folder_pin (folder_id, memo_id) VALUES ('\(Self.id(9))', '\(id)')")
            } else if !isPinned, hadPin {
                try database.execute(sql: "DELETE FROM folder_pin WHERE memo_id = '\(id)'")
            }
        }
    }

    private func delete(_ number: Int) async throws {
        guard let known = spellings["memo"]?[number] else { return }
        try await checkPush()
        note("delete \(number)")
        try await store.writer.write { try $0.execute(sql: "DELETE FROM memo WHERE id = '\(Self.id(number))'") }
        forget(number)
        let count = remote.sent.count
        try await sync.push()
        clock.advance(by: 1_000)
        #expect(remote.sent[count...].first { $0.kind == .delete }?.identity?.text == known, state)
    }

    /// Everything that is sent has the spellings that were received.
    func checkPush() async throws {
        let count = remote.sent.count
        try await sync.push()
        clock.advance(by: 1_000)
        for change in remote.sent[count...] where change.kind != .delete {
            let table = change.entity.path == "/memos" ? "memo" : "folder"
            let known = spellings[table] ?? [:]
            let body = try JSONValue(json: change.body)
            let id = change.identity?.text ?? Self.text(body["id"])
            let number = known.first { $0.value == id }?.key
            try #require(number != nil, "\(change.kind) \(table) \(id), not \(known): \(trace)")
            #expect(Self.text(body["id"]) == id, state)
            if table == "memo" {
                let link = number.flatMap { folder[$0] }.flatMap { spellings["folder"]?[$0] }
                #expect(Self.text(body["folder_id"]) == link ?? "", state)
            } else if case .array(let list)? = body["pin_ids"] {
                #expect(Set(list.map { Self.text($0) }) == Set(pins.compactMap { spellings["memo"]?[$0] }), state)
            }
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        if case .string(let text)? = value { text } else { "" }
    }
}

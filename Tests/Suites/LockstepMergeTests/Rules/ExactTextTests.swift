import Foundation
import GRDB
import KitchenSink
import LockstepJSON
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// “é” as one scalar and as two: one text for Swift, two for servers and for SQLite.
@Suite("N9 Keys and texts are equal only if their scalars are")
struct ExactTextTests {
    private let one = "\u{E9}"
    private let two = "e\u{301}"

    /// A record of KitchenSink with this JSON, and a unique text.
    private func thing(_ id: Int, extra: String = "{}", sku: String = "") -> String {
        """
        {"id": \(id), "name": "E", "days": [], "slug": "s\(id)", "owner_country": "CH", "owner_number": 1,
         "extra": \(extra), "sku": "\(sku)"}
        """
    }

    // MARK: Values

    @Test("N9 An object has both members, and writes both")
    func members() throws {
        let json = #"{"\#(one)":1,"\#(two)":2}"#
        var value = try JSONValue(json: Data(json.utf8))
        #expect(value[one] == 1 && value[two] == 2)
        guard case .object(let members) = value else { throw CancellationError() }
        #expect(members.count == 2)
        let written = try value.json()
        #expect(try JSONValue(json: written) == value && written.count == json.utf8.count)
        #expect(try JSONValue(json: value.json(isPretty: true)) == value)
        #expect(JSONMembers.values(at: [[one], [two]], of: written) == [1, 2])
        value[one] = nil
        #expect(value == [two: 2] && value != [one: 2])
        value.set(3, at: [one, two])
        #expect(try value == JSONValue(json: Data(#"{"\#(one)":{"\#(two)":3},"\#(two)":2}"#.utf8)))
    }

    @Test("N9 Objects and texts that Swift finds equal are two elements of a set, and are stored as two texts")
    func equality() throws {
        let values: [JSONValue] = [.string(one), .string(two), [one: 1], [two: 1]]
        #expect(Set(values).count == 4)
        let both = try JSONValue(json: Data(#"{"\#(two)":{"a":2},"\#(one)":{"a":1}}"#.utf8))
        let other = try JSONValue(json: Data(#"{"\#(one)":{"a":1},"\#(two)":{"a":2}}"#.utf8))
        #expect(both == other && both.hashValue == other.hashValue)
        #expect(Array(StoredJSON.text(of: both).utf8) == Array(StoredJSON.text(of: other).utf8))
        #expect(StoredJSON.value(from: StoredJSON.text(of: both)) == both)
    }

    // MARK: Records

    @Test("N9 Keys that Swift finds equal have different hashes: a server can send many")
    func hashes() {
        let texts = (0..<512).map { number in
            (0..<9).map { number >> $0 & 1 == 0 ? "\u{E5}" : "a\u{30A}" }.joined()
        }
        #expect(Set(texts).count == 1)
        #expect(Set(texts.map { RecordKey($0.databaseValue).hashValue }).count > 500)
        #expect(Set(texts.map { RecordID(entity: "Ranger", key: $0).hashValue }).count > 500)
    }

    @Test("N9 M6 A json attribute keeps both members through a merge, and another order of them is no change")
    func attribute() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        try await sink.merge("[\(thing(1, extra: #"{"\#(one)": 1, "\#(two)": 2}"#))]", into: Everything.self)
        let lengths = "SELECT length(CAST(extra AS BLOB)) FROM everything"
        #expect(try sink.rows(lengths) == [String(#"{"é":1,"é":2}"#.utf8.count + 1)])
        let again = try await sink.merge(
            "[\(thing(1, extra: #"{"\#(two)": 2, "\#(one)": 1}"#))]", into: Everything.self)
        #expect(again[Everything.self].unchanged == 1, "\(again)")
        let other = try await sink.merge("[\(thing(1, extra: #"{"\#(two)": 2}"#))]", into: Everything.self)
        #expect(other[Everything.self].updated == 1, "\(other)")
    }

    @Test("N9 M14 A representation keeps both members, with hooks and without")
    func representation() async throws {
        let source = try RuleFixture(KitchenSinkSchema.self)
        try await source.merge("[\(thing(1, extra: #"{"\#(one)": 1, "\#(two)": 2}"#))]", into: Everything.self)
        let values = try await source.store.perform { try $0.fetch(Everything.all()).map(\.representation) }
        for hasHooks in [false, true] {
            let sink = try RuleFixture(KitchenSinkSchema.self)
            if hasHooks {
                sink.store.customizeMerge(of: Everything.self, MergeCustomization(willInsert: { json, _ in json }))
            }
            try await sink.store.merge(values)
            let extra = "SELECT hex(extra) FROM everything"
            #expect(try sink.rows(extra) == source.rows(extra))
        }
    }

    @Test("N9 M12 A unique value is taken only by the same text, also if its holder gives it up in the payload")
    func unique() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        try await sink.merge("[\(thing(1, sku: one)), \(thing(2, sku: two))]", into: Everything.self)
        let skus = "SELECT id, hex(sku) FROM everything ORDER BY id"
        #expect(try sink.rows(skus) == ["1 C3A9", "2 65CC81"])
        let things = [thing(3, sku: one), thing(4, sku: two), thing(1, sku: "a"), thing(2, sku: "b")]
        let summary = try await sink.merge("[\(things.joined(separator: ", "))]", into: Everything.self)
        #expect(summary.skipped.isEmpty, "\(summary)")
        #expect(try sink.rows(skus) == ["1 61", "2 62", "3 C3A9", "4 65CC81"])
    }

    @Test("N9 The keys of a Firebase tree are two records: each is edited and deleted by itself")
    func tree() async throws {
        let server = FakeFirebase()
        server.set(["colour": "red"], at: "/labels/\(one)")
        server.set(["colour": "blue"], at: "/labels/\(two)")
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let sync = Sync(store: sink.store, remote: FirebaseRemote(server.url, client: server.client))
        try await sync.pull(Label.self)
        let rows = "SELECT length(CAST(id AS BLOB)), colour FROM label ORDER BY 1"
        #expect(try sink.rows(rows) == ["2 red", "3 blue"])
        try await sink.edit("UPDATE label SET colour = 'green' WHERE length(CAST(id AS BLOB)) = 2")
        #expect(try await sync.push().updated == 1)
        #expect(server.record(one, of: "/labels")?["colour"] == "green")
        #expect(server.record(two, of: "/labels")?["colour"] == "blue")
        try await sink.edit("DELETE FROM label WHERE length(CAST(id AS BLOB)) = 3")
        #expect(try await sync.push().deleted == 1)
        #expect(server.records(of: "/labels").count == 1 && server.record(one, of: "/labels") != nil)
        try await sync.pull(Label.self, options: MergeOptions(records: .all))
        #expect(try sink.rows(rows) == ["2 green"])
    }

    @Test("N9 P13 Records with such identities are two records of a list, and of a map")
    func lists() async throws {
        for traits in [RemoteTraits(), RemoteTraits(payload: .map)] {
            let remote = MemoryRemote(traits: traits)
            for id in [one, two] { remote.set(["id": .string(id), "colour": "red"], id: id, in: "/labels") }
            #expect(remote.records(of: "/labels").count == 2)
            let sink = try RuleFixture(KitchenSinkSchema.self)
            let sync = Sync(store: sink.store, remote: remote)
            try await sync.pull(Label.self)
            #expect(try sink.rows("SELECT count(*) FROM label") == ["2"])
            try await sink.edit("UPDATE label SET colour = hex(id)")
            #expect(try await sync.push().updated == 2)
            #expect(remote.record(one, of: "/labels")?["colour"] == "C3A9")
            #expect(remote.record(two, of: "/labels")?["colour"] == "65CC81")
        }
    }

    @Test("N9 A file of records has both records")
    func file() throws {
        let labels = RemoteEntity(Label.entity.plan)
        let identities = [one, two].map { RemoteIdentity([.string($0)]) }
        var document = try RecordDocument()
        for identity in identities { _ = try document.put([:], identity: identity, of: labels) }
        #expect(try document.records(in: RecordDocument.name(of: labels)).count == 2)
        #expect(try document.delete(identities[1], of: labels))
        #expect(try document.record(identities[0], of: labels) == ["id": .string(one)])
    }

    // MARK: Edits

    @Test("N9 C1 P3 An edit that only changes the scalars of a text is an edit: it is sent, and can be discarded")
    func edit() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": "a", "colour": .string(one)], id: "a", in: "/labels")
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let sync = Sync(store: sink.store, remote: remote)
        try await sync.pull(Label.self)
        try await sink.edit("UPDATE label SET colour = 'e' || char(769)")
        #expect(try await sync.push().updated == 1)
        #expect(remote.record("a", of: "/labels")?["colour"] == .string(two))
        try await sink.edit("UPDATE label SET colour = char(233)")
        let change = try #require(try await sink.store.outbox.pending().first)
        try await sink.store.outbox.discard(change)
        #expect(try sink.rows("SELECT hex(colour) FROM label") == ["65CC81"])
    }

    @Test(
        "N9 C1 P3 An edit is one if the scalars of the text are others", arguments: Seeds.some(10, of: UInt64(0)...499))
    func edits(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        // Each has two forms that are equal in Swift.
        let forms = [("é", "e\u{301}"), ("Å", "\u{212B}"), ("가", "\u{1100}\u{1161}"), ("ñ", "n\u{303}"), ("x", "x")]
        func text() -> (String, String) {
            let letters = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.element(of: forms) }
            return (
                letters.map { random.isOne(in: 2) ? $0.0 : $0.1 }.joined(),
                letters.map { random.isOne(in: 2) ? $0.0 : $0.1 }.joined()
            )
        }
        let (former, edited) = text()
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": "a", "colour": .string(former)], id: "a", in: "/labels")
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let sync = Sync(store: sink.store, remote: remote)
        try await sync.pull(Label.self)
        try await sink.edit("UPDATE label SET colour = '\(edited)'")
        let isSame = Array(former.unicodeScalars) == Array(edited.unicodeScalars)
        #expect(try await sync.push().updated == (isSame ? 0 : 1), "\(former.unicodeScalars) \(edited.unicodeScalars)")
        #expect(remote.record("a", of: "/labels")?["colour"] == .string(edited))
    }

    @Test("N9 C1 An edit that changes only a key of a json value is sent")
    func editedKey() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let record = try JSONValue(json: Data(thing(1, extra: #"{"\#(one)": 1}"#).utf8))
        remote.set(record, id: "1", in: "/everything")
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let sync = Sync(store: sink.store, remote: remote)
        try await sync.pull(Everything.self)
        try await sink.edit("UPDATE everything SET extra = '{\"e' || char(769) || '\":1}'")
        #expect(try await sync.push().updated == 1)
        #expect(remote.record("1", of: "/everything")?["extra"] == [two: 1])
    }

    @Test("N9 The places of two records are two")
    func places() {
        let plan = Label.entity.plan
        let places = [one, two].map { RecordID(plan, key: RecordKey($0.databaseValue)) }
        #expect(Set(places).count == 2)
    }
}

extension RuleFixture {
    /// Changes rows locally.
    fileprivate func edit(_ sql: String) async throws { try await store.writer.write { try $0.execute(sql: sql) } }
}

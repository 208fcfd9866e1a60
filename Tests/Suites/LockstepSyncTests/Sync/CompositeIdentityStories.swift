import Foundation
import GRDB
@_spi(Generated) @testable import LockstepStore
import LockstepEvolution
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Testing

/// Identities of a UUID and values of every other type.
@Suite("Identities of several types")
struct CompositeIdentityStories {
    private static let lower = "6f1c2a3b-1d4e-4f22-8a33-0000000000ab"
    private static var upper: String { lower.uppercased() }

    private let store: Store
    private let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))

    init() throws { store = try Store(PartsSchema.self, at: .inMemory) }

    private func execute(_ sql: String) throws { try store.writer.write { try $0.execute(sql: sql) } }

    /// Puts a record on the server.
    ///
    /// - Returns: Its address.
    @discardableResult
    private func set(_ number: Int64) -> String {
        let record: JSONValue = [
            "number": .integer(number), "double": .double(1.5), "float": .double(2.5), "flag": true, "string": "x",
            "decimal": .double(3.5),
            "day": "2023-11-14T22:13:20Z", "id": .string(Self.upper), "url": "https://a.b/c", "kind": 3, "word": "w",
            "text": "one",
        ]
        let plan = PartsSchema.Parts.entity.plan
        let identity = plan.keyColumns.map { record[plan.columns[$0].name] ?? .null }
        let address = RemoteEntity(plan).text(of: RemoteIdentity(identity))
        remote.set(record, id: address, in: "/parts")
        return address
    }

    @Test("P6 C3 A delete is confirmed, whatever types the identity has")
    func deleted() async throws {
        set(7)
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(Word<PartsSchema.Parts>.self)
        try execute("DELETE FROM part")
        #expect(try await sync.push().deleted == 1)
        #expect(remote.records(of: "/parts").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C4 What is kept of a record goes with it, whichever side deletes it")
    func kept() async throws {
        set(7)
        let other = set(8)
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(Word<PartsSchema.Parts>.self)
        try await store.writer.write { database in
            let plan = PartsSchema.Parts.entity.plan
            let keys = try database.valueRows(plan.selectSQL, with: []).map { row in
                RecordKey(plan.keyColumns.map { row[$0] })
            }
            for key in keys { try VersionTable.keep("1", of: key, in: plan, database: database) }
            try ConfirmedTable.note(keys.map { (plan, $0) }, at: Date(), in: database)
        }
        try execute("DELETE FROM part WHERE number = 7")
        #expect(try await sync.push().deleted == 1)
        func kept() throws -> [String] {
            try ["spelling", "version", "confirmed"].flatMap {
                try store.rows("SELECT '\($0)', count(*) FROM lockstep_\($0)")
            }
        }
        // Both had the same UUID.
        #expect(try kept() == ["spelling 1", "version 1", "confirmed 1"])
        remote.remove(other, from: "/parts")
        try await sync.pull(Word<PartsSchema.Parts>.self, options: MergeOptions(records: .all))
        #expect(try store.rows("SELECT * FROM part") == [])
        #expect(try kept() == ["spelling 0", "version 0", "confirmed 0"])
    }

    @Test("M5 The usual spelling counts again, wherever the UUID is in the identity")
    func forgotten() async throws {
        set(7)
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(Word<PartsSchema.Parts>.self)
        #expect(try store.rows("SELECT spelling FROM lockstep_spelling") == [Self.upper])
        let record = try #require(remote.records(of: "/parts").first)
        let json = try JSONValue.array([record]).json()
        let lowercase = String(decoding: json, as: UTF8.self).replacing(Self.upper, with: Self.lower)
        try await store.merge(lowercase, into: Word<PartsSchema.Parts>.self)
        #expect(try store.rows("SELECT spelling FROM lockstep_spelling") == [])
    }
}

/// Records whose identity has a value of each type.
private enum PartsSchema: StructuredSchema {
    enum Parts: WordKind { static let entity = compiled.entity("Part") }

    static let entities: [any Model.Type] = [Word<Parts>.self]
    static let compiled = CompiledSchema(PartsSchema.self)
    static let tables: SchemaStructure = {
        let kind = AttributeStructure(
            name: "kind", column: "kind", type: .enumeration("Kind"), wire: WireStructure(path: ["kind"]))
        let word = AttributeStructure(
            name: "word", column: "word", type: .enumeration("Word"), wire: WireStructure(path: ["word"]))
        let key: [AttributeStructure] = [
            .attribute("number", as: .int), .attribute("double", as: .double), .attribute("float", as: .float),
            .attribute("flag", as: .bool), .attribute("string", as: .string), .attribute("decimal", as: .decimal),
            .attribute("day", as: .date), .attribute("id", as: .uuid), .attribute("url", as: .url), kind, word,
        ]
        return SchemaStructure(
            name: "Parts",
            enumerations: [
                EnumerationStructure(name: "Kind", isClosed: false, isInteger: true, cases: []),
                EnumerationStructure(name: "Word", isClosed: false, isInteger: false, cases: []),
            ],
            entities: [
                EntityStructure(
                    name: "Part", table: "part", identity: .attributes(key.map(\.name)),
                    attributes: key + [.attribute("text", as: .string)], remote: RemoteStructure(path: "/parts"))
            ])
    }()
}

import LinkSamples
import Foundation
import GRDB
import HTTPTypes
import LockstepEvolution
import LockstepHTTP
import LockstepJSON
import LockstepMerge
@_spi(Generated) import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// A server that has each record under the texts of its identity, as the record's own JSON has them.
private final class KeyedServer: HTTPClient {
    private let keys: [String]
    private let state = Locked<[String: JSONValue]>([:])

    init(_ keys: [String]) { self.keys = keys }

    var records: [String: JSONValue] { state.withLock { $0 } }

    func set(_ json: JSONValue) { state.withLock { $0[address(of: json)] = json } }

    private func address(of json: JSONValue) -> String {
        RemoteIdentity(keys.map { json[$0] ?? .null }).texts.joined(separator: "_")
    }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let path = (request.path ?? "").split(separator: "?")[0]
        let name = path.split(separator: "/").dropFirst().first.flatMap { String($0).removingPercentEncoding }
        let sent = try body.flatMap { $0.isEmpty ? nil : try JSONValue(json: $0) }
        return try state.withLock { records in
            switch (request.method, name) {
            case (.get, nil): return try response(200, .array(Array(records.values)))
            case (.post, _):
                let sent = sent ?? .null
                guard records.updateValue(sent, forKey: address(of: sent)) == nil else { return try response(409, [:]) }
                return try response(201, sent)
            case (_, let name?):
                guard var record = records[name] else { return try response(404, ["error": "not found"]) }
                if request.method == .delete {
                    records[name] = nil
                    return try response(204, nil)
                }
                if case .object(let members)? = sent { for (key, value) in members { record[key] = value } }
                records[name] = record
                return try response(200, record)
            default: return try response(405, ["error": "no"])
            }
        }
    }

    private func response(_ status: Int, _ json: JSONValue?) throws -> HTTPClientResponse {
        let fields: HTTPFields = json == nil ? [:] : [.contentType: "application/json"]
        let response = HTTPResponse(status: .init(code: status), headerFields: fields)
        return HTTPClientResponse(response, body: .data(try json?.json() ?? Data()))
    }
}

private enum KeysSchema: StructuredSchema {
    enum Days: WordKind { static let entity = compiled.entity("Day") }
    enum Stamps: WordKind { static let entity = compiled.entity("Stamp") }
    enum Flags: WordKind { static let entity = compiled.entity("Flag") }
    enum Ratios: WordKind { static let entity = compiled.entity("Ratio") }

    static let entities: [any Model.Type] = [
        Word<Days>.self, Word<Stamps>.self, Word<Flags>.self, Word<Ratios>.self,
    ]
    static let compiled = CompiledSchema(KeysSchema.self)
    static let tables = SchemaStructure(
        name: "Keys",
        entities: [
            entity("Day", key: .date, format: "yyyy-MM-dd"), entity("Stamp", key: .date), entity("Flag", key: .bool),
            entity("Ratio", key: .double),
        ])

    private static func entity(_ name: String, key type: ScalarType, format: String? = nil) -> EntityStructure {
        var key = AttributeStructure.attribute("key", as: type)
        key.wire?.format = format
        return EntityStructure(
            name: name, table: name.lowercased(), identity: .attributes(["name", "key"]),
            attributes: [.attribute("name", as: .string), key, .attribute("text", as: .string)],
            remote: RemoteStructure(path: "/\(name.lowercased())s"))
    }
}

/// Identities with a value that a store has in another form than JSON: a date, a Bool, a floating-point number.
@Suite("Identities of any type")
struct TypedIdentityStories {
    enum Kind: String, CaseIterable, Sendable {
        case day, stamp, flag, ratio

        var json: JSONValue {
            switch self {
            case .day: "2023-11-14"
            case .stamp: "2023-11-14T22:13:20Z"
            case .flag: true
            case .ratio: 2
            }
        }

        func json(_ random: inout SeededRandom) -> JSONValue {
            func two(_ range: ClosedRange<Int>) -> String {
                String(Int.random(in: range, using: &random) + 100).dropFirst().description
            }
            let day = "\(Int.random(in: 1970...2100, using: &random))-\(two(1...12))-\(two(1...28))"
            return switch self {
            case .day: .string(day)
            case .stamp: .string("\(day)T\(two(0...23)):\(two(0...59)):\(two(0...59))Z")
            case .flag: .bool(random.isOne(in: 2))
            case .ratio:
                random.element(of: [.integer(Int64(two(0...99)) ?? 0), .double((Double(two(0...99)) ?? 0) + 0.5)])
            }
        }

        var stored: String {
            switch self {
            case .day: "1699920000.0"
            case .stamp: "1700000000.0"
            case .flag: "1"
            case .ratio: "2.0"
            }
        }
    }

    private let server = KeyedServer(["name", "key"])
    private let store: Store
    private let sync: Sync

    init() throws {
        store = try Store(KeysSchema.self, at: .inMemory)
        sync = Self.sync(store, server)
    }

    private static func sync(_ store: Store, _ client: any HTTPClient) -> Sync {
        Sync(
            store: store, remote: RESTRemote(URL(string: "https://keys.example")!, client: client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: ManualClock(), random: { 0.5 })
    }

    private func execute(_ sql: String) async throws { try await store.writer.write { try $0.execute(sql: sql) } }

    private func texts(_ kind: Kind) async throws -> [String] {
        try await store.writer.read { try String.fetchAll($0, sql: "SELECT text FROM \(kind.rawValue)") }
    }

    private func pull(_ kind: Kind) async throws {
        switch kind {
        case .day: try await sync.pull(Word<KeysSchema.Days>.self)
        case .stamp: try await sync.pull(Word<KeysSchema.Stamps>.self)
        case .flag: try await sync.pull(Word<KeysSchema.Flags>.self)
        case .ratio: try await sync.pull(Word<KeysSchema.Ratios>.self)
        }
    }

    /// The server's only record, pulled.
    private func pullOne(_ kind: Kind, key: JSONValue? = nil) async throws {
        server.set(["name": "run", "key": key ?? kind.json, "text": "one"])
        try await pull(kind)
        #expect(try await texts(kind) == ["one"])
    }

    @Test("M5 P13 A creation is confirmed by its record, whatever type its identity has", arguments: Kind.allCases)
    func created(kind: Kind) async throws {
        try await execute("INSERT INTO \(kind.rawValue) VALUES ('run', \(kind.stored), 'one')")
        #expect(try await sync.push().created == 1)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(server.records.values.map { $0["key"] } == [kind.json])
    }

    @Test(
        "M5.2 P6 P13 An update and a delete reach their record, whatever value of whatever type its identity has",
        arguments: Seeds.some(10, of: UInt64(0)...199))
    func changed(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let kind = random.element(of: Kind.allCases)
        try await pullOne(kind, key: kind.json(&random))
        try await execute("UPDATE \(kind.rawValue) SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(server.records.values.map { $0["text"] } == ["two"])
        try await execute("DELETE FROM \(kind.rawValue)")
        #expect(try await sync.push().deleted == 1)
        #expect(server.records.isEmpty)
        try await pull(kind)
        #expect(try await texts(kind) == [])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "M5 P13 A Location names a new record, also if its identity has several values",
        arguments: ["https://keys.example/flags/run_true", "/flags/run_true"])
    func location(location: String) async throws {
        let client = ScriptedClient(.init(status: 201, fields: [.location: location]))
        try await execute("INSERT INTO flag VALUES ('run', 1, 'one')")
        let summary = try await Self.sync(store, client).push()
        #expect(summary.created == 1)
        #expect(summary.parked.isEmpty)
    }

    @Test(
        "M5 N4 P13 A number confirms an update if merges read it as the identity",
        arguments: ["1", #""1""#, "1.0", "1e0", #""1.0""#, #""01""#])
    func numbers(id: String) async throws {
        let store = try Store(ForestSchema.self, at: .inMemory)
        try await store.merge(Data(#"[{"id": 1, "title": "oak"}]"#.utf8), into: LinkSamples.Node.self)
        try await store.perform { context in
            try #require(try LinkSamples.Node.find(1, in: context)).title = "ash"
            try context.save()
        }
        let client = ScriptedClient(
            .init(fields: [.contentType: "application/json"], body: #"{"id": \#(id), "title": "ash"}"#))
        #expect(try await Self.sync(store, client).push().updated == 1)
    }
}

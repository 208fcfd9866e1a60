import Foundation
import GRDB
import LinkSamples
import LockstepEvolution
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import ServerSamples
import Testing
import TestSupport

/// Every link of the sample schemas, with remotes that take embedded records and remotes that do not: a link that one
/// end can send arrives, and one that neither end can send is reported.
@Suite("R9 P8 Each link that the schema sends arrives, or is reported by name")
struct EveryLinkTests {
    /// A link in the store: a foreign key or a join table, with both ends.
    struct Link: CustomTestStringConvertible, Sendable {
        let schema: any StoreSchema.Type
        /// The entity that holds the key, or has the first end of a join.
        let plan: EntityPlan
        let relationship: RelationshipDescription
        /// The columns of the key; empty for a join table.
        let columns: [Int]
        let takesEmbedded: Bool

        var destination: EntityPlan { relationship.destination }

        var testDescription: String {
            "\(schema) \(plan.name).\(relationship.name), \(takesEmbedded ? "embedding" : "flat")"
        }

        struct End {
            let plan: EntityPlan
            let relationship: RelationshipDescription
        }

        var ends: [End] {
            let inverse = relationship.inverse.flatMap { destination.relationship(named: $0) }
            let own = End(plan: plan, relationship: relationship)
            guard let inverse else { return [own] }
            return [own, End(plan: destination, relationship: destination.relationships[inverse])]
        }

        /// Whether an end is part of its record's JSON for this remote.
        func isSent(_ end: End) -> Bool {
            guard end.plan.reachesServer else { return false }
            switch end.relationship.wire {
            case .none: return false
            case .id, .ids: return true
            case .embedded: return takesEmbedded || !end.relationship.destination.isReachable
            }
        }

        var isSent: Bool { ends.contains(where: isSent) }

        /// Whether only a remote that takes embedded records can receive it.
        var needsEmbedding: Bool {
            !isSent && ends.contains { $0.plan.reachesServer && $0.relationship.wire != .none }
        }
    }

    private static let schemas: [any StoreSchema.Type] = [MuseumSchema.self, OrdersSchema.self, ForestSchema.self]

    static let links: [Link] = schemas.flatMap { schema in
        var joins: Set<String> = []
        return schema.plan.flatMap { plan in
            zip(plan.relationships, plan.foreignKeys).flatMap { relationship, columns -> [Link] in
                if case .manyToMany(let join) = relationship.kind {
                    guard joins.insert(join.table).inserted else { return [] }
                } else if columns.isEmpty {
                    return []
                }
                return [false, true].map {
                    Link(
                        schema: schema, plan: plan, relationship: relationship, columns: columns, takesEmbedded: $0)
                }
            }
        }
    }

    @Test("A link created together with its records", arguments: links)
    func madeWith(_ link: Link) async throws {
        let world = try LinkWorld(link)
        let (source, target) = try await world.store.writer.write { database in
            var maker = RowMaker(database)
            let target = try maker.make(link.destination)
            return (try maker.make(link.plan, linked: link, to: target), target)
        }
        try await world.expectArrival(source, target)
    }

    @Test("A link created when both records are on the server", arguments: links)
    func linkedLater(_ link: Link) async throws {
        let world = try LinkWorld(link)
        let (source, target) = try await world.store.writer.write { database in
            var maker = RowMaker(database)
            return (try maker.make(link.plan), try maker.make(link.destination))
        }
        try await world.sync.push()
        try await world.expectPending(isReported: false)
        world.server.forgetRequests()
        try await world.store.writer.write { try RowMaker($0).link(source, link, to: target) }
        try await world.expectArrival(source, target)
    }

    @Test(
        "Every collection that is not embedded in another one is pulled", arguments: schemas.indices,
        [false, true])
    func pulled(_ schema: Int, takesEmbedded: Bool) async throws {
        let schema = Self.schemas[schema]
        let server = LinkServer(takesEmbedded: takesEmbedded)
        let sync = Sync(store: try Store(schema, at: .inMemory), remote: server, clock: ManualClock())
        try await sync.pull()
        let plans = schema.plan.filter(\.isReachable)
        let embedded = plans.flatMap { plan in
            plan.relationships.filter(\.isEmbedded).map { $0.destination.name }
        }
        let expected = plans.filter { !takesEmbedded || !embedded.contains($0.name) }.compactMap(\.remote?.path)
        #expect(server.fetched == Set(expected))
    }
}

/// A store, a server that accepts everything and returns it, and a sync between them.
private struct LinkWorld {
    let link: EveryLinkTests.Link
    let store: Store
    let server: LinkServer
    let sync: Sync

    init(_ link: EveryLinkTests.Link) throws {
        self.link = link
        store = try Store(link.schema, at: .inMemory)
        server = LinkServer(takesEmbedded: link.takesEmbedded)
        sync = Sync(store: store, remote: server, clock: ManualClock())
    }

    /// Pushes; then a request contained both ends of the link, or the link is reported, as the schema defines.
    func expectArrival(_ source: MadeRow, _ target: MadeRow) async throws {
        let before = try await marks(source, target)
        try await sync.push()
        let after = try await marks(source, target)
        let (sources, targets) = (before.source.union(after.source), before.target.union(after.target))
        let isTold = server.requests.contains { !$0.isDisjoint(with: sources) && !$0.isDisjoint(with: targets) }
        if link.isSent { #expect(isTold, "no request has both \(sources) and \(targets): \(server.requests)") }
        try await expectPending(isReported: link.needsEmbedding)
    }

    func expectPending(isReported: Bool) async throws {
        let pending = try await store.outbox.pending()
        guard isReported else {
            #expect(pending.map { "\($0.kind) \($0.entity): \($0.lastError ?? "")" } == [])
            return
        }
        let names = link.ends.map { "\($0.plan.name).\($0.relationship.name)" }
        #expect(pending.contains { change in names.contains { change.lastError?.contains($0) == true } })
        #expect(pending.allSatisfy { $0.parked != nil })
    }

    /// The values that distinguish the two records from all others, wherever they are.
    private func marks(
        _ source: MadeRow, _ target: MadeRow
    ) async throws -> (source: Set<String>, target: Set<String>) {
        try await store.writer.read { (try source.marks($0), try target.marks($0)) }
    }
}

/// A row, found by its key.
private struct MadeRow: Sendable {
    let plan: EntityPlan
    let key: [DatabaseValue]

    /// The values of its attributes that no other row has.
    func marks(_ database: Database) throws -> Set<String> {
        let sql = "\(plan.selectSQL) WHERE \(plan.keyCondition)"
        let row = try #require(try Row.fetchOne(database, sql: sql, arguments: StatementArguments(key)))
        let values = Array(row.databaseValues)
        let attributes = plan.columns.indices.filter { column in
            if case .attribute = plan.columns[column].content { true } else { false }
        }
        return Set(
            attributes.compactMap { column in
                switch values[column].storage {
                case .int64(let number) where number > RowMaker.firstNumber: String(number)
                case .string(let text) where text.count > 6: text.lowercased()
                default: nil
                }
            })
    }
}

/// Creates rows of any entity, with all that they require.
private struct RowMaker {
    static let firstNumber: Int64 = 4_000_000

    private let database: Database
    private var number = firstNumber

    init(_ database: Database) { self.database = database }

    /// Creates a row, with the owner that it is sent with.
    mutating func make(
        _ plan: EntityPlan, linked link: EveryLinkTests.Link? = nil, to target: MadeRow? = nil
    ) throws -> MadeRow {
        number += 1
        var values = plan.columns.indices.map { value(of: plan, $0) }
        let owner = plan.travels ? nil : plan.ownerColumns.first
        for (relationship, columns) in zip(plan.relationships, plan.foreignKeys) where !columns.isEmpty {
            let parent: MadeRow
            if let link, let target, link.plan === plan, link.columns == columns {
                parent = target
            } else if columns == owner || columns.contains(where: { !plan.columns[$0].isOptional }) {
                parent = try make(relationship.destination)
            } else {
                continue
            }
            for (column, value) in zip(columns, parent.key) { values[column] = value }
        }
        try database.execute(sql: plan.insertSQL, arguments: StatementArguments(values))
        let row = MadeRow(plan: plan, key: plan.keyColumns.map { values[$0] })
        if let link, let target, link.plan === plan, link.columns.isEmpty { try self.link(row, link, to: target) }
        return row
    }

    func link(_ source: MadeRow, _ link: EveryLinkTests.Link, to target: MadeRow) throws {
        if case .manyToMany(let join) = link.relationship.kind {
            let columns = (join.sourceColumns + join.destinationColumns).map(SQLName.quoted)
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            try database.execute(
                sql: "INSERT INTO \(SQLName.quoted(join.table)) (\(columns.joined(separator: ", "))) VALUES (\(marks))",
                arguments: StatementArguments(source.key + target.key))
        } else {
            try database.execute(
                sql: source.plan.updateSQL(link.columns), arguments: StatementArguments(target.key + source.key))
        }
    }

    private func value(of plan: EntityPlan, _ column: Int) -> DatabaseValue {
        let description = plan.columns[column]
        if description.isOptional, !plan.keyColumns.contains(column) { return .null }
        return switch description.type {
        case .int, .int32, .int64: number.databaseValue
        case .bool, .int16: 1.databaseValue
        case .uuid: String(format: "00000000-0000-4000-8000-%012d", number).databaseValue
        case .list: "[]".databaseValue
        case .date, .double, .float: Double(number).databaseValue
        default: "text-\(number)".databaseValue
        }
    }
}

/// A server that accepts everything, generates identities, and returns the whole record.
private final class LinkServer: Remote {
    private struct State {
        var records: [String: [String: JSONValue]] = [:]
        var number: Int64 = 7_000_000
        var requests: [Set<String>] = []
        var fetched: Set<String> = []
    }

    let traits: RemoteTraits
    private let state = Locked(State())

    init(takesEmbedded: Bool) { traits = RemoteTraits(sendsEmbedded: takesEmbedded) }

    /// The numbers and texts of each request, its record's identity included.
    var requests: [Set<String>] { state.withLock { $0.requests } }
    /// The paths of the requested collections.
    var fetched: Set<String> { state.withLock { $0.fetched } }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let path = request.entity.path
        guard case .record(let identity) = request.target else {
            state.withLock { _ = $0.fetched.insert(path) }
            return .records(.init(body: .data(Data("[]".utf8))))
        }
        let record = state.withLock { $0.records[path]?[identity.text] }
        return try record.map { .records(.init(body: .data(try $0.json()))) } ?? .absent
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        guard change.kind != .delete else { return .accepted(body: nil) }
        let sent = try JSONValue(json: change.kind == .create ? change.body : change.changes)
        return try state.withLock { state in
            var values = sent.values
            var record = sent
            var identity = change.identity
            if let identity {
                for value in identity.values { values.formUnion(value.values) }
                record = state.records[change.entity.path]?[identity.text] ?? .object([:])
                record = record.merging(sent)
            } else {
                state.number += 1
                let made = JSONValue.integer(state.number)
                record = record.merging(["id": made])
                identity = RemoteIdentity([made])
            }
            record = record.identified(&state.number)
            state.requests.append(values)
            state.records[change.entity.path, default: [:]][identity?.text ?? ""] = record
            return .accepted(body: try record.json(), identity: change.identity == nil ? identity : nil)
        }
    }
}

extension JSONValue {
    /// The numbers and texts in it.
    fileprivate var values: Set<String> {
        switch self {
        case .object(let members): members.values.reduce(into: []) { $0.formUnion($1.values) }
        case .array(let list): list.reduce(into: []) { $0.formUnion($1.values) }
        case .integer(let number): [String(number)]
        case .string(let text): [text.lowercased()]
        default: []
        }
    }

    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = other else { return other }
        return .object(members.merging(others) { $1 })
    }

    /// With numbers for its records that have none.
    fileprivate func identified(_ number: inout Int64, isInside: Bool = false) -> JSONValue {
        switch self {
        case .array(let list): return .array(list.map { $0.identified(&number, isInside: isInside) })
        case .object(var members):
            if isInside, members["id"] == nil {
                number += 1
                members["id"] = .integer(number)
            }
            for (key, value) in members { members[key] = value.identified(&number, isInside: true) }
            return .object(members)
        default: return self
        }
    }
}

extension EntityPlan {
    /// Whether changes of the records are sent to the server, by themselves or embedded.
    fileprivate var reachesServer: Bool { isTracked || !ownerColumns.isEmpty }
}

import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Orders
import Testing

/// An order with lines, whose numbers a Rails-style server makes.
struct EmbeddedIdentityStage {
    static let lines = RailsNesting("lines", nested: [RailsNesting("stamps")])
    static let address = RailsNesting("address", isOne: true)

    let store: Store
    let server: FakeRails
    let client: MeanwhileClient
    let sync: Sync
    let clock = ManualClock()

    init(
        _ nestings: [RailsNesting] = [Self.lines, Self.address], answersWithBody: Bool = true,
        policies: ConflictPolicies = ConflictPolicies(.localChangesWin),
        conventions: RESTConventions = RESTConventions(), at location: StoreLocation = .inMemory,
        fill: MemoryRemote.Fill? = nil
    ) throws {
        server = FakeRails(
            RailsRules(
                wrapKeys: ["/orders": "order"], answersWithBody: answersWithBody, nested: ["/orders": nestings],
                fill: fill), clock: clock)
        client = MeanwhileClient(client: server.client)
        store = try Store(OrdersSchema.self, at: location)
        sync = Sync(
            store: store, remote: RESTRemote(server.url, client: client, conventions: conventions),
            conflicts: policies,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    /// One whose server has an order with a bolt and a nut.
    static func withBoltAndNut(
        policies: ConflictPolicies = ConflictPolicies(.localChangesWin),
        conventions: RESTConventions = RESTConventions()
    ) async throws -> EmbeddedIdentityStage {
        let stage = try EmbeddedIdentityStage(policies: policies, conventions: conventions)
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        return stage
    }

    /// Makes an order with lines of these titles.
    func order(_ titles: String...) async throws {
        try await edit { context in
            let order = Order(name: "first", context: context)
            for title in titles { order.lines.insert(Line(title: title, count: 1, context: context)) }
        }
    }

    func edit(_ body: @escaping @Sendable (Context) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    /// Changes the only order.
    func editOrder(_ body: @escaping @Sendable (Order) throws -> Void) async throws {
        try await edit { try body(#require(try $0.fetch(Order.all()).first)) }
    }

    /// Changes the line of this title.
    func editLine(_ title: String, _ body: @escaping @Sendable (Line) throws -> Void) async throws {
        try await edit { context in try body(#require(try context.fetch(Line.all()).first { $0.title == title })) }
    }

    /// `6 bolt`, in the order of the list; 0 for a line without a number.
    func here() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Order.all()).flatMap { $0.lines.map { "\($0.remoteID ?? 0) \($0.title)" } }
        }
    }

    func lineCount() async throws -> Int { try await store.perform { try $0.fetch(Line.all()).count } }

    /// The same, of the server.
    var there: [String] {
        server.records(of: "/orders").flatMap { order -> [String] in
            guard case .array(let lines)? = order["lines"] else { return [] }
            return lines.map { line in
                guard case .integer(let id)? = line["id"], case .string(let title)? = line["title"] else { return "?" }
                return "\(id) \(title)"
            }
        }
    }

    /// The lines of the last request that had some.
    var sentLines: [JSONValue] {
        get throws {
            for request in server.requests.reversed() where !request.body.isEmpty {
                if case .array(let lines)? = try JSONValue(json: request.body)["order"]?["lines_attributes"] {
                    return lines
                }
            }
            return []
        }
    }

    func pending() async throws -> [String] {
        try await store.outbox.pending().map { "\($0.kind) \($0.entity)\($0.parked == nil ? "" : " parked")" }
    }
}

/// A client that lets something happen between the server's answer and its arrival.
final class MeanwhileClient: HTTPClient {
    private let client: any HTTPClient
    private let script = Locked<[@Sendable () async throws -> Void]>([])

    init(client: any HTTPClient) { self.client = client }

    /// Does this once, while the answer to the next change is on its way.
    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) { script.withLock { $0.append(body) } }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
        let answer = try await client.send(request, body: body)
        if request.method != .get {
            let next = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            try await next?()
        }
        return answer
    }
}

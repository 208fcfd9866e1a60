import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import ServerSamples
import TestSupport
import Testing

/// Lines that move between orders, of which the server rejects any at any time.
@Suite("R10 Embedded records that move")
struct MovePropertyTests {
    @Test(
        "P1 R10.13 R10.14 R10.17 Each line is in one order in the end, with all that was created in it",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func moves(seed: UInt64) async throws {
        let stage = try await MoveStage(seed: seed)
        for number in 1...Int.random(in: 5...18, using: &stage.random) { try await stage.act(number) }
        try await stage.end()
    }
}

private final class MoveStage {
    private static let names = ["A", "B", "C"]

    var random: SeededRandom
    private let server: FakeRails
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private var trace: [String] = []
    /// The texts of stamps that were ever on the server.
    private var arrived: Set<String> = []

    /// A server that has the orders A and B with two lines each.
    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        server = FakeRails(
            RailsRules(
                wrapKeys: ["/orders": "order"],
                nested: ["/orders": [RailsNesting("lines", nested: [RailsNesting("stamps")])]],
                validate: { _, record in
                    if case .string(let name)? = record["name"], name.hasSuffix("!") {
                        ["name": ["is refused"]]
                    } else {
                        [:]
                    }
                }))
        store = try Store(OrdersSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit("make A and B") { context in
            for name in ["A", "B"] {
                let order = Order(name: name, context: context)
                for number in 1...2 { Line(title: "\(name)\(number)", order: order, context: context) }
            }
        }
        try await sync.push()
    }

    private var state: Comment { "\(trace), on the server \(there)" }

    private func edit(
        _ text: String, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
    ) async throws {
        trace.append(text)
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    func act(_ number: Int) async throws {
        let (name, other) = (random.element(of: Self.names), random.element(of: ["A1", "A2", "B1", "B2"]))
        switch Int.random(in: 0..<12, using: &random) {
        case ..<4:
            let former = try await order(of: other)
            try await edit("move \(other) to \(name)") { context in
                let orders = try context.fetch(Order.all())
                let order = orders.first { $0.name.hasPrefix(name) } ?? Order(name: name, context: context)
                try context.fetch(Line.all()).first { $0.title.hasPrefix(other) }?.order = order
            }
            let now = try await order(of: other)
            let pending = try await store.outbox.pending().map(\.record)
            #expect(now == former || now.map(pending.contains) == true, state)
        case 4:
            let isRefused = random.isOne(in: 2)
            try await edit("rename \(name)\(isRefused ? "!" : "")") { context in
                try context.fetch(Order.all()).first { $0.name.hasPrefix(name) }?.name = isRefused ? "\(name)!" : name
            }
        case 5:
            try await edit("retitle \(other)") { context in
                try context.fetch(Line.all()).first { $0.title.hasPrefix(other) }?.title = "\(other) \(number)"
            }
        case 6:
            try await edit("stamp \(other)") { context in
                guard let line = try context.fetch(Line.all()).first(where: { $0.title.hasPrefix(other) }) else {
                    return
                }
                line.stamps.insert(Stamp(text: "s\(number)", context: context))
            }
        case ..<10:
            try await push()
        case 10: try await pull()
        default:
            guard let change = try await store.outbox.pending().first(where: { $0.parked != nil }) else { return }
            trace.append("discard \(change.kind) \(change.entity)")
            try await store.outbox.discard(change)
        }
    }

    /// The order that a line is in.
    private func order(of line: String) async throws -> String? {
        try await store.perform { context in
            try context.fetch(Line.all()).first { $0.title.hasPrefix(line) }?.order?.localID.uuidString.lowercased()
        }
    }

    private func push() async throws {
        trace.append("push")
        _ = try? await sync.push()
        for change in server.newChanges() { trace.append("  \(change)") }
        clock.advance(by: 100_000)
        // What was never on the server is pending.
        arrived.formUnion(
            server.records(of: "/orders").flatMap { $0.list("lines").flatMap { $0.list("stamps") } }.map {
                $0.text("text")
            })
        let settled = try store.rows(
            "SELECT text FROM stamp WHERE local_id NOT IN (SELECT record FROM lockstep_outbox WHERE entity = 'Stamp')")
        #expect(arrived.isSuperset(of: settled), state)
    }

    private func pull() async throws {
        trace.append("pull")
        try await sync.forgetValidators()
        try await sync.pull(Order.self)
    }

    private func here() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Line.all()).map { line in
                "\(line.order?.name ?? "-"): \(line.title) \(line.stamps.map(\.text).sorted())"
            }.sorted()
        }
    }

    private var there: [String] {
        server.records(of: "/orders").flatMap { order in
            order.list("lines").map { line in
                "\(order.text("name")): \(line.text("title")) \(line.list("stamps").map { $0.text("text") }.sorted())"
            }
        }.sorted()
    }

    func end() async throws {
        try await edit("accept all") { context in
            for order in try context.fetch(Order.all()) where order.name.hasSuffix("!") {
                order.name = String(order.name.dropLast())
            }
        }
        for _ in 1...5 {
            try await store.outbox.retryAll()
            try await push()
            try await pull()
        }
        #expect(try await here() == there, state)
        #expect(there.count == 4, state)
        #expect(try await store.outbox.pending().isEmpty, state)
        #expect(try store.rows("SELECT * FROM lockstep_outbox") == [], state)
    }
}

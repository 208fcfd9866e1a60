import Foundation
import GRDB
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Records that move between two owners, one of which is rejected.
@Suite("R10 P8 A record that moves is in one owner, whichever of the two is rejected")
struct RefusedMoveStories {
    private typealias Letter = LinkSamples.Letter

    private let clock = ManualClock()

    private func edit(_ store: Store, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    /// Orders A and B, of which A has a bolt and a nut.
    private func orders() async throws -> (FakeRails, Store, Sync) {
        let server = FakeRails(
            RailsRules(wrapKeys: ["/orders": "order"], nested: ["/orders": [RailsNesting("lines")]]), clock: clock)
        let (store, sync) = try await orders(on: server)
        return (server, store, sync)
    }

    private func orders(
        on server: FakeRails, lines: [String] = ["bolt", "nut"], client: (any HTTPClient)? = nil
    ) async throws -> (Store, Sync) {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: client ?? server.client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit(store) { context in
            let order = Order(name: "A", context: context)
            for line in lines { order.lines.insert(Line(title: line, count: 1, context: context)) }
            Order(name: "B", context: context)
        }
        try await sync.push()
        return (store, sync)
    }

    private func moveNut(to name: String, _ store: Store) async throws {
        try await edit(store) { context in
            let order = try #require(try context.fetch(Order.all()).first { $0.name == name })
            try #require(try context.fetch(Line.all()).first { $0.title == "nut" }).order = order
        }
    }

    private func here(_ store: Store) async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Order.order(\.name)).map { order in
                "\(order.name): \(order.lines.map(\.title).joined(separator: " "))"
            }
        }
    }

    private func there(_ server: FakeRails) -> [String] {
        server.records(of: "/orders").map { order in
            var titles: [String] = []
            if case .array(let lines)? = order["lines"] {
                titles = lines.compactMap { if case .string(let title)? = $0["title"] { title } else { nil } }
            }
            return "\(name(order)): \(titles.joined(separator: " "))"
        }.sorted()
    }

    /// The entities of all changes in the outbox, including embedded ones.
    private func rows(_ store: Store) throws -> [String] {
        try store.writer.read {
            try String.fetchAll($0, sql: "SELECT entity FROM lockstep_outbox ORDER BY entity")
        }
    }

    private func name(_ order: JSONValue) -> String {
        if case .string(let name)? = order["name"] { name } else { "" }
    }

    enum Way: CaseIterable { case push, retry, edit, retryAll }

    private func goOn(_ way: Way, _ store: Store, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void)
        async throws
    {
        switch way {
        case .push: break
        case .retry:
            for change in try await store.outbox.pending() where change.parked != nil {
                try await store.outbox.retry(change)
            }
        case .edit: try await edit(store, body)
        case .retryAll: try await store.outbox.retryAll()
        }
    }

    @Test(
        "R10.13 R10.14 A record that returns to its former owner after that one was rejected is there once",
        arguments: ["A", "B"])
    func returned(to name: String) async throws {
        let (server, store, sync) = try await orders()
        try await edit(store) { try #require(try $0.fetch(Order.all()).first { $0.name == "A" }).name = "refused" }
        try await moveNut(to: "B", store)
        server.respondNext(.status(422), to: .method(.patch))
        _ = try? await sync.push()
        try await edit(store) { try #require(try $0.fetch(Order.all()).first { $0.name == "refused" }).name = "A" }
        try await moveNut(to: name, store)
        try await store.outbox.retryAll()
        for _ in 1...2 { try await sync.push() }
        #expect(there(server) == (name == "A" ? ["A: bolt nut", "B: "] : ["A: bolt", "B: nut"]))
        try await sync.pull(Order.self)
        #expect(try await here(store) == there(server))
        #expect(try rows(store) == [])
    }

    @Test("R10.14 P8 The former owner is rejected, in a list that the server merges", arguments: Way.allCases)
    func formerIsRefused(way: Way) async throws {
        let (server, store, sync) = try await orders()
        try await moveNut(to: "B", store)
        server.respondNext(.status(422), to: .method(.patch))
        #expect(try await sync.push().parked.count == 1)

        try await goOn(way, store) { context in
            try #require(try context.fetch(Order.all()).first { $0.name == "A" }).name = "A2"
        }
        try await sync.push()
        #expect(there(server).joined().split(separator: "nut", omittingEmptySubsequences: false).count == 2)
        if way == .push {
            #expect(there(server) == ["A: bolt nut", "B: "])
            #expect(try await store.outbox.pending().contains { $0.parked != nil })
            return
        }
        let name = way == .edit ? "A2" : "A"
        #expect(there(server) == ["\(name): bolt", "B: nut"])
        #expect(try await here(store) == ["\(name): bolt", "B: nut"])
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("R10.14 P8 Records created in a record that waits for its owner wait too", arguments: [true, false])
    func madeInsideOfMoved(isDiscarded: Bool) async throws {
        let lines = RailsNesting("lines", nested: [RailsNesting("stamps")])
        let server = FakeRails(RailsRules(wrapKeys: ["/orders": "order"], nested: ["/orders": [lines]]), clock: clock)
        let (store, sync) = try await orders(on: server, lines: [])
        try await edit(store) { context in
            Order(name: "C", context: context).lines.insert(Line(title: "nut", context: context))
        }
        server.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await edit(store) { context in
            let line = try #require(try context.fetch(Line.all()).first)
            line.stamps.insert(Stamp(text: "mine", context: context))
        }
        try await moveNut(to: "B", store)
        server.respondNext(.status(500), to: .method(.post))
        _ = try await sync.push()
        #expect(try rows(store).contains("Stamp"))
        clock.advance(by: 600)
        server.respondNext(.status(422), to: .method(.patch))
        try await sync.push()
        let stamps = {
            try await store.perform { context in
                try context.fetch(Stamp.all()).map { "\($0.text) of \($0.line?.order?.name ?? "none")" }
            }
        }
        if isDiscarded {
            try await store.outbox.discardAll()
            #expect(try await stamps() == [])
            #expect(try rows(store) == [])
            return
        }
        try await store.outbox.retryAll()
        try await sync.push()
        #expect(there(server) == ["A: ", "B: nut", "C: "])
        #expect(server.record("2", of: "/orders")?["lines"]?[0]?["stamps"] == [["id": 1, "text": "mine"]])
        #expect(try await stamps() == ["mine of B"])
        #expect(try rows(store) == [])
    }

    /// Letters A and B on a server that replaces lists; the stamp of A was moved to B, which is not sent yet.
    private func movedStamp() async throws -> (MemoryRemote, Store, Sync) {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit(store) { context in
            let letter = Letter(id: 1, title: "A", context: context)
            Letter(id: 2, title: "B", context: context)
            Stamp(id: 7, text: "x", letter: letter, context: context)
        }
        try await sync.push()
        try await edit(store) { context in
            try #require(try Stamp.find(7, in: context)).letter = try Letter.find(2, in: context)
        }
        return (remote, store, sync)
    }

    @Test("R10.14 P8 P12 The former owner is rejected, in a list that is replaced", arguments: Way.allCases)
    func formerIsRefusedOfReplacedList(way: Way) async throws {
        let (remote, store, sync) = try await movedStamp()
        remote.respondNext(.refused(status: 422), to: .changes)
        #expect(try await sync.push().parked.count == 1)

        try await goOn(way, store) { try #require(try Letter.find(1, in: $0)).title = "A2" }
        try await sync.push()
        let owners = remote.records(of: "/letters").filter { letter in
            if case .array(let stamps)? = letter["stamps"] { !stamps.isEmpty } else { false }
        }
        #expect(owners.map { $0["id"] } == [way == .push ? 1 : 2])
        #expect(try await store.outbox.pending().isEmpty == (way != .push))
        try await sync.pull(Letter.self)
        let letter = try await store.perform { try Stamp.find(7, in: $0)?.letter?.id }
        #expect(letter == 2)
    }

    @Test("P4 R10.13 When a pull shows that a record has arrived in its new owner, nothing is kept of its move")
    func movedAndPulled() async throws {
        let (remote, store, sync) = try await movedStamp()
        remote.respondNext(.responseLost, to: RemoteCallFilter { $0.isChange && $0.description.contains("/letters/2") })
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await sync.pull(Letter.self)
        #expect(try await store.outbox.pending().isEmpty)
        let kept = try await store.writer.read {
            try String.fetchAll($0, sql: "SELECT name FROM lockstep_outbox_former")
        }
        #expect(kept == [])
    }

    @Test("R10.17 The new owner is rejected and discarded: the record is in the former one again")
    func newIsDiscarded() async throws {
        let (server, store, sync) = try await orders()
        try await edit(store) { context in
            let order = Order(name: "C", context: context)
            try #require(try context.fetch(Line.all()).first { $0.title == "nut" }).order = order
        }
        server.respondNext(.status(422), to: .method(.post))
        #expect(try await sync.push().parked.count == 1)

        let refused = try #require(try await store.outbox.pending().first { $0.parked != nil })
        try await store.outbox.discard(refused)
        #expect(try await here(store) == ["A: bolt nut", "B: "])
        try await sync.push()
        #expect(there(server) == ["A: bolt nut", "B: "])
        #expect(try await store.outbox.pending().isEmpty)
        try await sync.pull(Order.self)
        #expect(try await here(store) == ["A: bolt nut", "B: "])
    }

    /// Surveys A and B on a server with embedded sheets only; A has a sheet, which moves to C. The server removes it
    /// from A, and rejects C.
    private func movedSheet() async throws -> (MemoryRemote, Store, Sync) {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock) { record, _, _ in
            guard case .object(var members) = record, case .array(let sheets)? = members["sheets"] else { return }
            members["sheets"] = .array(
                sheets.map { sheet in
                    guard case .object(var sheet) = sheet else { return sheet }
                    sheet["id"] = sheet["id"] ?? 7
                    return .object(sheet)
                })
            record = .object(members)
        }
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit(store) { context in
            Sheet(name: "x", survey: Survey(name: "A", context: context), context: context)
            Survey(name: "B", context: context)
        }
        try await sync.push()
        try await edit(store) { context in
            let sheet = try #require(try context.fetch(Sheet.all()).first)
            sheet.survey = Survey(name: "C", context: context)
        }
        remote.respondNext(.refused(status: 422), to: .kind(.create))
        try await sync.push()
        #expect(remote.record("1", of: "/surveys")?["sheets"] == [])
        return (remote, store, sync)
    }

    private func sheets(_ store: Store) async throws -> [String] {
        try await store.perform { try $0.fetch(Sheet.all()).map { "\($0.survey.name): \($0.name)" } }
    }

    @Test("R10 The same if lists are replaced and records have their own paths")
    func newIsDiscardedOfReplacedList() async throws {
        let (remote, store, sync) = try await movedSheet()
        let refused = try #require(try await store.outbox.pending().first { $0.entity == "Survey" && $0.parked != nil })
        try await store.outbox.discard(refused)
        #expect(try await sheets(store) == ["A: x"])
        try await sync.push()
        #expect(remote.record("1", of: "/surveys")?["sheets"] == [["id": 7, "name": "x"]])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("R10.17 With all changes discarded, it is deleted as on the server")
    func allDiscardedOfReplacedList() async throws {
        let (_, store, sync) = try await movedSheet()
        try await store.outbox.discardAll()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await sheets(store) == [])
        try await sync.pull(Survey.self)
        #expect(try await sheets(store) == [])
    }

    @Test("R10 If deleted then, nothing is left to send; if undone, it is where it was", arguments: [false, true])
    func deletedWhileNowhere(isUndone: Bool) async throws {
        let (remote, store, sync) = try await movedSheet()
        try await edit(store) { $0.delete(try #require(try $0.fetch(Sheet.all()).first)) }
        if isUndone {
            let deletion = try #require(try await store.outbox.pending().first { $0.kind == .delete })
            try await store.outbox.discard(deletion)
            #expect(try await sheets(store) == ["A: x"])
        }
        try await sync.push()
        #expect(remote.log.allSatisfy { $0.path == "/surveys" })
        #expect(remote.record("1", of: "/surveys")?["sheets"] == (isUndone ? [["id": 7, "name": "x"]] : []))
        #expect(try await store.outbox.pending().filter { $0.entity == "Sheet" }.isEmpty)
        try await store.outbox.discardAll()
        #expect(try await sheets(store) == (isUndone ? ["A: x"] : []))
    }

    @Test("R10 A record not yet named by the server is moved as a whole, even if its former owner was deleted")
    func unnamedMoves() async throws {
        let rules = RailsRules(
            wrapKeys: ["/orders": "order"], respondsWithBody: false, nested: ["/orders": [RailsNesting("lines")]])
        let server = FakeRails(rules, clock: clock)
        let (store, sync) = try await orders(on: server, lines: ["nut"])
        try await moveNut(to: "B", store)
        let former = server.records(of: "/orders").first { name($0) == "A" }?["id"]
        server.remove(former == 1 ? "1" : "2", from: "/orders")
        try await sync.pull(Order.self, options: MergeOptions(records: .all))
        for _ in 1...3 { try await sync.push() }
        #expect(there(server).last == "B: nut")
        try await sync.pull(Order.self)
        #expect(try await here(store).last == "B: nut")
        #expect(try await store.outbox.pending().isEmpty)
    }

    /// A client whose server does not respond to what is sent with a nut.
    private struct NutlessClient: HTTPClient {
        let client: any HTTPClient

        func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
            guard body.map({ String(decoding: $0, as: UTF8.self).contains("nut") }) ?? false else {
                return try await client.send(request, body: body)
            }
            return HTTPClientResponse(HTTPResponse(status: .init(code: 503)))
        }
    }

    @Test(
        "P8 R10.14 An owner tells of a record in it that is rejected or waits, though its other changes were taken before",
        arguments: [422, 503])
    func rejectedAfterOthers(status: Int) async throws {
        var rules = RailsRules(
            wrapKeys: ["/orders": "order"], respondsWithBody: false, nested: ["/orders": [RailsNesting("lines")]])
        rules.validate = { _, order in
            let isTaken = order["lines"]?[0]?["title"] != "nut" && order["lines"]?[1]?["title"] != "nut"
            return isTaken ? [:] : ["lines": ["are not taken"]]
        }
        let server = FakeRails(rules, clock: clock)
        let client: any HTTPClient = status == 422 ? server.client : NutlessClient(client: server.client)
        let (store, sync) = try await orders(on: server, lines: [], client: client)
        for (name, line) in [("B", "bolt"), ("A", "nut")] {
            try await edit(store) { context in
                let order = try #require(try context.fetch(Order.all()).first { $0.name == name })
                order.lines.insert(Line(title: line, count: 1, context: context))
            }
        }
        server.respondNext(.status(500), to: .method(.patch))
        server.respondNext(.responseLost, to: .method(.patch))
        _ = try? await sync.push()
        clock.advance(by: 600)
        try await moveNut(to: "B", store)
        for _ in 1...3 { _ = try? await sync.push() }
        #expect(there(server) == ["A: ", "B: bolt"])
        let pending = try await store.outbox.pending()
        #expect(pending.map(\.entity) == ["Order"] && pending.first?.parked?.status == (status == 422 ? 422 : nil))
        #expect(pending.first?.lastError != nil)
        #expect(try await store.outbox.count() == 1)

        try await store.outbox.discardAll()
        #expect(try rows(store) == [])
        try await sync.pull(Order.self)
        #expect(try await here(store) == ["A: ", "B: bolt"])
    }

    @Test("R10 A move back after its response was lost leaves the record where it was")
    func movedBack() async throws {
        let (server, store, sync) = try await orders()
        try await moveNut(to: "B", store)
        server.respondNext(.responseLost, to: .method(.patch))
        _ = try? await sync.push()
        clock.advance(by: 600)
        try await moveNut(to: "A", store)

        for _ in 1...3 { try await sync.push() }
        #expect(there(server) == ["A: bolt nut", "B: "])
        #expect(try await here(store) == ["A: bolt nut", "B: "])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("R10.11 A deleted record with its own identity is sent by it, in a list that the server merges")
    func ownIdentity() async throws {
        let server = FakeRails(clock: clock)
        var conventions = RESTConventions()
        conventions.writes.nestedDeletion = NestedDeletion("_destroy", listSuffix: nil)
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client, conventions: conventions), clock: clock,
            random: { 0.5 })
        try await edit(store) { context in
            let letter = Letter(id: 1, title: "A", context: context)
            Stamp(id: 7, text: "x", letter: letter, context: context)
            Stamp(id: 8, text: "y", letter: letter, context: context)
        }
        try await sync.push()
        try await edit(store) { context in context.delete(try #require(try Stamp.find(7, in: context))) }

        try await sync.push()
        let body = try #require(server.requests.last.map { try JSONValue(json: $0.body) })
        #expect(body == ["stamps": [["_destroy": true, "id": 7]]])
    }

    // MARK: Steps

    @Test("P12 An embedded record is sent with its owner, and is synced when the owner is")
    @MainActor func steps() async throws {
        let (server, store, sync) = try await orders()
        let line = try #require(try store.mainContext.fetch(Line.all()).first { $0.title == "nut" })
        line.count = 9
        try await store.mainContext.save()
        #expect(!line.isSynced)
        server.clearLog()

        #expect(try await sync.sendUpdated(line).updated == 1)
        #expect(server.log == ["PATCH /orders/1"])
        #expect(line.isSynced)

        try await sync.put(line)
        let body = try #require(server.requests.last.map { try JSONValue(json: $0.body) })
        guard case .array(let sent)? = body["order"]?["lines_attributes"] else {
            Issue.record("no lines: \(body)")
            return
        }
        #expect(sent.count == 1)
        #expect(sent.first?["count"] == 9 && sent.first?["title"] == "nut")
    }
}

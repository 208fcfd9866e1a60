import Foundation
import GRDB
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import ServerSamples
import Testing

/// Lost or empty responses to requests with new embedded records.
@Suite("R10 Embedded records whose identities were not received")
struct LostEmbeddedResponseStories {
    private func lose(_ stage: EmbeddedIdentityStage) async throws {
        stage.server.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        stage.clock.advance(by: 600)
    }

    @Test("R10.4 P10 The response to a POST is lost, and it is sent again")
    func post() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        try await lose(stage)
        try await stage.editLine("nut") { $0.title = "washer" }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 washer"])
        #expect(try await stage.here() == stage.there)
    }

    @Test("R10.4 P10 The response to a POST is lost, and a pull comes before its repetition")
    func pullInBetween() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        try await lose(stage)
        try await stage.sync.pull(Order.self)
        try await stage.sync.push()
        #expect(try await stage.here() == ["1 bolt", "2 nut"])
        #expect(try await stage.lineCount() == 2)
        #expect(stage.there == ["1 bolt", "2 nut"])
    }

    @Test("R10.4 A similar record of others is not the one whose request did not arrive")
    func othersMeanwhile() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "nut", count: 1, context: $0.context)) }
        stage.server.respondNext(.connectionFails)
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        guard case .array(let lines)? = stage.server.record("1", of: "/orders")?["lines"] else {
            Issue.record("the server has no lines")
            return
        }
        let cog: JSONValue = ["id": 50, "title": "cog", "count": 1, "stamps": []]
        stage.server.edit("1", of: "/orders", ["lines": .array(lines + [cog])])
        stage.clock.advance(by: 600)
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "50 cog", "2 nut"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.pending() == [])
    }

    @Test(
        "R10.4 C4.2 A conditional request that arrives twice, and whose rejection is received, has brought its records",
        arguments: [412, 409], [true, false])
    func arrivesTwice(status: Int, isUpdate: Bool) async throws {
        var rules = RailsRules(
            wrapKeys: ["/orders": "order"], hasVersions: true, respondsWithBody: false,
            nested: ["/orders": [EmbeddedIdentityStage.lines]])
        rules.staleStatus = status
        let (server, clock) = (FakeRails(rules, clock: ManualClock()), ManualClock())
        var twice = Faults.none
        twice.duplicated = 1
        let network = FaultyNetwork(seed: 1, faults: twice, clock: clock)
        let store = try Store(OrdersSchema.self, at: .inMemory)
        func sync(_ client: any HTTPClient) -> Sync {
            Sync(
                store: store,
                remote: RESTRemote(server.url, client: client, usesVersions: true),
                retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        }
        let (once, doubled) = (sync(server.client), sync(network.client(server.client)))
        try await store.perform { context in
            let order = Order(name: "first", context: context)
            if !isUpdate { order.lines.insert(Line(title: "nut", count: 1, context: context)) }
            try context.save()
        }
        try await (isUpdate ? once : doubled).push()
        if isUpdate {
            try await store.perform { context in
                let order = try #require(try context.fetch(Order.all()).first)
                order.lines.insert(Line(title: "nut", count: 1, context: context))
                try context.save()
            }
            try await doubled.push()
        }
        for _ in 1...2 { try await once.push() }
        try await once.pull(Order.self)
        #expect(try await store.outbox.pending().isEmpty)
        let there = server.records(of: "/orders").flatMap { order -> [JSONValue] in
            if case .array(let lines)? = order["lines"] { lines } else { [] }
        }
        #expect(there.map { $0["title"] } == ["nut"])
        #expect(try await store.representations(Line.all()).map(\.remoteID) == [1])
    }

    @Test("R10.4 C4.2 A rejection whose record has only some of the new records of a list has brought none of them")
    func equalOneOfOthers() async throws {
        let rules = RailsRules(
            wrapKeys: ["/orders": "order"], hasVersions: true, nested: ["/orders": [EmbeddedIdentityStage.lines]])
        let (server, clock) = (FakeRails(rules, clock: ManualClock()), ManualClock())
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client, usesVersions: true),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Order(name: "first", context: context)
            try context.save()
        }
        try await sync.push()
        try await store.perform { context in
            let order = try #require(try context.fetch(Order.all()).first)
            for title in ["nut", "bolt"] { order.lines.insert(Line(title: title, count: 1, context: context)) }
            try context.save()
        }
        server.edit("1", of: "/orders", ["lines": [["id": 50, "title": "nut", "count": 1, "stamps": []]]])
        for _ in 1...2 { try await sync.push() }
        guard case .array(let lines)? = server.record("1", of: "/orders")?["lines"] else {
            Issue.record("the server has no lines")
            return
        }
        #expect(lines.compactMap { $0["title"] }.count { $0 == "nut" } == 2)
        #expect(lines.count == 3)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "R10.2 R10.4 C4.2 A request that arrives after the server was asked, and before its repetition, is found",
        arguments: LateEdit.allCases, [false, true])
    func arrivesLate(lateEdit: LateEdit, serverWins: Bool) async throws {
        let rules = RailsRules(
            wrapKeys: ["/orders": "order"], hasVersions: true, nested: ["/orders": [EmbeddedIdentityStage.lines]])
        let (server, clock) = (FakeRails(rules, clock: ManualClock()), ManualClock())
        let client = MeanwhileClient(client: server.client, while: { $0.method == .get })
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: client, usesVersions: true),
            conflicts: ConflictPolicies(serverWins ? .serverWins : .localChangesWin),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        func edit(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
            try await store.perform { context in
                try body(context)
                try context.save()
            }
        }
        try await edit { Order(name: "first", context: $0) }
        try await sync.push()
        try await edit { context in
            try #require(try context.fetch(Order.all()).first).lines.insert(
                Line(title: "nut", count: 1, context: context))
        }
        server.respondNext(.connectionFails)
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        try await edit { try lateEdit.apply(to: #require(try $0.fetch(Line.all()).first)) }
        if lateEdit == .twice {
            // The second attempt is lost as well, and the first one arrives after that.
            server.respondNext(.connectionFails)
            await #expect(throws: SyncError.self) { try await sync.push() }
            clock.advance(by: 600)
            try await edit { try #require(try $0.fetch(Line.all()).first).count = 3 }
        }
        client.meanwhile {
            server.edit("1", of: "/orders", ["lines": [["id": 50, "title": "nut", "count": 1, "stamps": []]]])
        }
        for _ in 1...2 { try await sync.push() }
        let lines = server.record("1", of: "/orders")?["lines"]
        #expect(lines?[0]?["id"] == 50 && (lines?[1] == nil) == (lateEdit != .added) && lines?[2] == nil)
        #expect(lateEdit.isIn(lines))
        let stored = try await store.representations(Line.all()).map(\.remoteID)
        #expect(stored.count == (lateEdit == .added ? 2 : 1) && stored.contains(50))
        #expect(try await store.outbox.pending().isEmpty)
        let remembered = try await store.writer.read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM lockstep_sent_member")
        }
        #expect(remembered == 0)
    }

    /// What is done to a record between two attempts to send it.
    enum LateEdit: String, CaseIterable, Sendable {
        case inside, value, twice, added

        func apply(to line: Line) throws {
            switch self {
            case .inside: line.stamps.insert(Stamp(text: "mine", context: line.context))
            case .value, .twice: line.count = 2
            case .added: line.order?.lines.insert(Line(title: "bolt", count: 1, context: line.context))
            }
        }

        func isIn(_ lines: JSONValue?) -> Bool {
            switch self {
            case .inside: lines?[0]?["stamps"]?[0]?["text"] == "mine"
            case .value: lines?[0]?["count"] == 2
            case .twice: lines?[0]?["count"] == 3
            case .added: lines?[1]?["title"] == "bolt"
            }
        }
    }

    @Test("R10 P10 Records created in the row inserted by such a pull are sent with the remaining row")
    func madeInSecondRow() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order()
        try await lose(stage)
        try await stage.sync.pull(Order.self)
        try await stage.edit { context in
            let brought = try #require(try context.fetch(Order.all()).first { $0.remoteID == 1 })
            brought.lines.insert(Line(title: "nut", context: context))
        }
        try await stage.sync.push()
        #expect(stage.there == ["1 nut"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.store.perform { try $0.count(Order.all()) } == 1)
        #expect(try await stage.pending() == [])
    }

    @Test(
        "R10 P10 Records sent with the row inserted by such a pull are known when the rows become one",
        arguments: [false, true])
    func sentWithSecondRow(isLost: Bool) async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order()
        try await lose(stage)
        try await stage.sync.pull(Order.self)
        try await stage.edit { context in
            let brought = try #require(try context.fetch(Order.all()).first { $0.remoteID == 1 })
            brought.lines.insert(Line(title: "nut", context: context))
        }
        // The repeated creation fails; the nut is sent with the other row.
        stage.server.respondNext(.status(503), to: .method(.post))
        if isLost { stage.server.respondNext(.responseLost, to: .method(.patch)) }
        _ = try? await stage.sync.push()
        #expect(stage.there == ["1 nut"])
        stage.clock.advance(by: 600)
        _ = try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "bolt", context: $0.context)) }
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        #expect(stage.there == ["1 nut", "2 bolt"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.lineCount() == 2)
        #expect(try await stage.store.perform { try $0.count(Order.all()) } == 1)
        #expect(try await stage.pending() == [])
    }

    @Test("R10.15 C3 Unnamed embedded records of a record that others have deleted are created again with it")
    func unnamedInsideDeleted() async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        try await stage.editLine("bolt") { $0.stamps.insert(Stamp(text: "a", context: $0.context)) }
        try await stage.sync.push()
        try await stage.edit { try #require(try $0.fetch(Stamp.all()).first).text = "b" }
        stage.server.edit("1", of: "/orders", ["lines": []])
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        #expect(stage.there == ["2 bolt"])
        #expect(stage.server.record("1", of: "/orders")?["lines"]?[0]?["stamps"] == [["id": 2, "text": "b"]])
        #expect(try await stage.store.perform { try $0.fetch(Stamp.all()).map(\.text) } == ["b"])
        #expect(try await stage.pending() == [])
    }

    /// An order on its way to a server that returns identities in lists only.
    private func unnamedBoltAndNut() async throws -> (EmbeddedIdentityStage, Sync) {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        let remote = NoSingleRecords(remote: RESTRemote(stage.server.url, client: stage.server.client))
        try await stage.order("bolt", "nut")
        return (stage, Sync(store: stage.store, remote: remote, clock: stage.clock, random: { 0.5 }))
    }

    @Test("R10.7 P8 The deletion of a record that the server does not name is parked, and sent when it is named")
    func deletedUnnamed() async throws {
        let (stage, sync) = try await unnamedBoltAndNut()
        try await stage.editLine("nut") { $0.stamps.insert(Stamp(text: "a", context: $0.context)) }
        try await sync.push()
        try await stage.editLine("nut") { $0.context.delete($0) }
        _ = try await sync.push()
        #expect(try await stage.pending() == ["update Order parked"])
        #expect(stage.there == ["1 bolt", "2 nut"])

        try await sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt"])
        try await stage.store.outbox.retryAll()
        _ = try await sync.push()
        #expect(stage.there == ["1 bolt"])
        #expect(try await stage.pending() == [])
    }

    @Test("R10.7 P8 A change of a record that the server never names is parked, and sent when it is named")
    func neverNamed() async throws {
        let (stage, sync) = try await unnamedBoltAndNut()
        try await sync.push()
        try await stage.editLine("nut") { nut in
            nut.title = "cog"
            nut.stamps.insert(Stamp(text: "a", context: nut.context))
        }
        try await stage.editOrder { $0.name = "second" }
        _ = try await sync.push()
        #expect(stage.server.record("1", of: "/orders")?["name"] == "second")
        #expect(stage.there == ["1 bolt", "2 nut"])
        let parked = try await stage.store.outbox.pending()
        #expect(parked.map(\.entity) == ["Order"] && parked[0].parked != nil)
        #expect(parked.first?.lastError?.contains("Line, Stamp") == true, "\(parked.first?.lastError ?? "")")
        _ = try await sync.push()
        #expect(stage.there == ["1 bolt", "2 nut"])

        try await sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt", "2 cog"])
        try await stage.store.outbox.retryAll()
        _ = try await sync.push()
        #expect(stage.there == ["1 bolt", "2 cog"])
        #expect(stage.server.record("1", of: "/orders")?["lines"]?[1]?["stamps"] == [["id": 1, "text": "a"]])
    }

    @Test("R10.7 R10.12 A list that the server replaces contains the records that it has not named")
    func unnamedInReplacedList() async throws {
        let server = ReplacingServer()
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: server, clock: ManualClock(), random: { 0.5 })
        let edit = { (body: @escaping @Sendable (Order) throws -> Void) in
            try await store.perform { context in
                try body(try context.fetch(Order.all()).first ?? Order(name: "first", context: context))
                try context.save()
            }
        }
        let line: @Sendable (String, Order) throws -> Line = { title, order in
            try #require(order.lines.first { $0.title == title })
        }
        try await edit { order in
            for title in ["bolt", "nut", "cog"] { order.lines.insert(Line(title: title, context: order.context)) }
        }
        try await sync.push()
        try await edit { try line("bolt", $0).title = "screw" }
        try await sync.push()
        #expect(server.there == ["4 screw", "5 nut", "6 cog"])

        try await edit { order in
            order.context.delete(try line("cog", order))
            let nut = try line("nut", order)
            nut.stamps.insert(Stamp(text: "a", context: nut.context))
        }
        try await sync.push()
        #expect(server.there == ["7 screw", "9 nut a"])
        #expect(try await store.outbox.pending().isEmpty)

        try await sync.pull(Order.self)
        try await edit { try line("nut", $0).title = "washer" }
        try await sync.push()
        #expect(server.there == ["7 screw", "9 washer a"])
        #expect(try await store.perform { try $0.fetch(Line.all()).compactMap(\.remoteID).sorted() } == [7, 9])
    }

    @Test("R10.6 The response to a PATCH is lost: the record is fetched before it is sent again")
    func patch() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "nut", context: $0.context)) }
        try await lose(stage)
        try await stage.editOrder { $0.lines.insert(Line(title: "washer", context: $0.context)) }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 nut", "3 washer"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.pending() == [])
    }

    @Test("R10.6 A PATCH that never arrived is sent again with newer changes")
    func patchThatNeverArrived() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "nut", context: $0.context)) }
        stage.server.respondNext(.connectionFails)
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        stage.clock.advance(by: 600)
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 nut"])
        #expect(try await stage.here() == stage.there)
    }

    @Test("R10.1 Responses without a body: the next pull provides the identities")
    func pulled() async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        #expect(try await stage.here() == ["0 bolt", "0 nut"])
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt", "2 nut"])
        #expect(try await stage.lineCount() == 2)
        let again = try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(again.inserted + again.updated + again.deleted == 0)
    }

    @Test("R10.6 Responses without a body: the record is fetched before it is sent again", arguments: [false, true])
    func asked(isEdited: Bool) async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        if isEdited { try await stage.editLine("nut") { $0.title = "washer" } }
        try await stage.editOrder { $0.name = "second" }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", isEdited ? "2 washer" : "2 nut"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.lineCount() == 2)
    }

    @Test("R10.7 A server that never returns their identities receives them once")
    func neverSaid() async throws {
        // It accepts lines and returns orders without them.
        let stage = try EmbeddedIdentityStage([], respondsWithBody: false) { order, _, _ in
            order["lines_attributes"] = nil
        }
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "nut", context: $0.context)) }
        try await stage.sync.push()
        #expect(try stage.sentLines.map { $0["title"] } == ["nut"])
        #expect(try await stage.here() == ["0 bolt", "0 nut"])
    }
}

/// A server whose records cannot be fetched individually.
private struct NoSingleRecords: Remote {
    let remote: any Remote

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        if case .record = request.target {
            throw SyncError(.unsupported, reason: "there are no single records", remedy: "Fetch the collection.")
        }
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
}

/// A server with one order that can be listed only. It replaces the order's lists with those that it receives, and
/// gives each record in them a number that it does not return.
private final class ReplacingServer: Remote {
    private let order = Locked<JSONObject>([:])
    private let number = Locked<Int64>(0)
    let traits = RemoteTraits(sendsEmbedded: true)

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        if case .record = request.target {
            throw SyncError(.unsupported, reason: "there are no single records", remedy: "Fetch the collection.")
        }
        let list = JSONValue.array([.object(order.withLock { $0 })])
        return .records(FetchResponse.Records(body: .data(try list.json())))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let json = try JSONValue(json: change.kind == .create ? change.body : change.changes)
        guard case .object(let members) = numbered(json) else { return .refused(status: 422, body: Data()) }
        order.withLock { $0 = $0.merging(members) { $1 }.merging(["id": 1]) { $1 } }
        return .accepted(body: nil, identity: change.kind == .create ? [1] : nil)
    }

    private func numbered(_ json: JSONValue) -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(
            JSONObject(
                members.map { name, value in
                    guard case .array(let list) = value else { return (name, value) }
                    return (name, .array(list.map { withNumber(numbered($0)) }))
                }))
    }

    private func withNumber(_ json: JSONValue) -> JSONValue {
        guard case .object(var members) = json, members["id"] == nil || members["id"] == .null else { return json }
        members["id"] = .integer(
            number.withLock {
                $0 += 1
                return $0
            })
        return .object(members)
    }

    /// `4 bolt a`: the number of a line, its title and the texts of its stamps.
    var there: [String] {
        guard case .array(let lines)? = order.withLock({ $0["lines_attributes"] }) else { return [] }
        return lines.map { line in
            var texts = [OrderServer.Line.text(line["id"]), OrderServer.Line.text(line["title"])]
            if case .array(let stamps)? = line["stamps_attributes"] {
                texts += stamps.map { OrderServer.Line.text($0["text"]) }
            }
            return texts.joined(separator: " ")
        }
    }
}

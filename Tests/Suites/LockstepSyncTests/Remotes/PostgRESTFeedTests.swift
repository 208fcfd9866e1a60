import Checklist
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// The functions of a database with a feed, as requests and responses.
@Suite("A feed through PostgREST")
struct PostgRESTFeedTests {
    private static let url = URL(string: "https://example.com/rest")!

    private static func server(pageSize: Int = 1_000) -> FakeFeed {
        let server = FakeFeed(
            FakeFeed.Rules(pageSize: pageSize) { entity, record, _ in
                let list = entity == "List" ? record["id"] : record["checklistID"]
                return list.map { $0 == .null ? "inbox" : "list:\(RemoteIdentity([$0]).text)" } ?? "inbox"
            })
        for user in ["anna", "ben"] { server.grant("inbox", to: user) }
        return server
    }

    private static func remote(_ gateway: FeedGateway) -> PostgRESTRemote { PostgRESTRemote(url, client: gateway) }

    @Test("Two devices have the same records after pulls and batches of changes")
    func devices() async throws {
        let server = Self.server(pageSize: 3)
        let gateways = [FeedGateway(server.remote(for: "anna")), FeedGateway(server.remote(for: "anna"))]
        let stages = try gateways.map { try FeedStage(Self.remote($0)) }
        try await stages[0].sync.pull()
        _ = gateways[0].requests()
        for id in 1...7 { try await stages[0].make(id, "T\(id)") }
        #expect(try await stages[0].sync.push().created == 7)
        #expect(gateways[0].requests().count == 1)
        try await stages[1].sync.pull()
        #expect(gateways[1].requests().count == 3)
        #expect(try await stages[1].tasks() == (1...7).map { "\($0) T\($0)" })

        try await stages[1].edit(1, "Edited")
        try await stages[1].delete(2)
        try await stages[1].sync.push()
        try await stages[0].sync.pull()
        #expect(try await stages[0].tasks() == ["1 Edited"] + (3...7).map { "\($0) T\($0)" })
        for stage in stages { #expect(try await stage.pending().isEmpty) }
    }

    @Test("A change has an operation, its members, and the version that it was made to")
    func requests() async throws {
        let server = Self.server()
        let gateway = FeedGateway(server.remote(for: "anna"))
        let stage = try FeedStage(Self.remote(gateway))
        server.set(["id": 1, "title": "One", "status": 0, "checklistID": .null], id: 1, of: "Task")
        try await stage.sync.pull()
        #expect(gateway.requests() == [#"POST /rest/rpc/lockstep_changes {"cursor":null,"max":1000}"#])
        try await stage.edit(1, "Mine")
        try await stage.sync.push()
        let request = try #require(gateway.requests().first)
        let json = try JSONValue(json: Data(request.dropFirst("POST /rest/rpc/lockstep_push ".count).utf8))
        guard case .array(let changes)? = json["changes"], let change = changes.first else {
            Issue.record("\(request)")
            return
        }
        #expect(change["op"] == "update" && change["entity"] == "Task" && change["id"] == 1 && change["if"] == 1)
        #expect(change["members"] == ["title": "Mine"])
        let key: String? = if case .string(let text)? = change["key"] { text } else { nil }
        #expect(key.flatMap(UUID.init) != nil)
    }

    @Test("A change to an older version is rejected with the record, merged and sent again")
    func outdated() async throws {
        let server = Self.server()
        let gateway = FeedGateway(server.remote(for: "anna"))
        let stage = try FeedStage(Self.remote(gateway))
        server.set(["id": 1, "title": "One", "status": 0, "checklistID": .null], id: 1, of: "Task")
        try await stage.sync.pull()
        server.edit(1, of: "Task", members: ["status": 1])
        try await stage.edit(1, "Mine")
        try await stage.sync.push()
        #expect(server.records(of: "Task", for: "anna").first?["title"] == "Mine")
        #expect(server.records(of: "Task", for: "anna").first?["status"] == 1)
        #expect(try await stage.pending().isEmpty)
    }

    @Test("Each change of a batch is applied or refused by itself, with the database's reason")
    func refused() async throws {
        let server = Self.server()
        let gateway = FeedGateway(server.remote(for: "anna"))
        let stage = try FeedStage(Self.remote(gateway))
        server.grant("list:5", to: "ben")
        try await stage.store.merge(#"[{"id": 5, "name": "Of others"}]"#, into: List.self)
        try await stage.make(1, "Mine")
        try await stage.make(2, "Theirs", in: 5)
        try await stage.sync.push()
        #expect(try await stage.pending() == ["create 2 403"])
        let change = try #require(try await stage.store.outbox.pending().first)
        #expect(stage.sync.problem(of: change)?.message == "the scope belongs to others")
        #expect(server.records(of: "Task", for: "anna").count == 1)
    }

    @Test("A project of Supabase has an address, a key and a token")
    func supabase() async throws {
        let client = ScriptedClient(ScriptedClient.Response(body: #"{"cursor": "a", "more": false}"#))
        let remote = SupabaseRemote(URL(string: "https://abcd.supabase.co")!, key: "public", client: client) { _ in
            "secret"
        }
        #expect(try await remote.feed(after: nil).cursor == "a")
        let request = try #require(await client.requests.first)
        #expect(request.hasPrefix("POST https://abcd.supabase.co/rest/v1/rpc/lockstep_changes\n"))
        #expect(request.contains("apikey: public") && request.contains("Authorization: Bearer secret"))
    }

    @Test(
        "A response that is not a page is an error",
        arguments: [
            "[]", "null", "{}", #"{"cursor": 1, "more": false}"#, #"{"cursor": "a"}"#,
            #"{"cursor": "a", "more": 1}"#, #"{"cursor": "a", "more": false, "lost": "x"}"#,
            #"{"cursor": "a", "more": false, "lost": [1]}"#, #"{"cursor": "a", "more": false, "scopes": []}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": []}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"versions": ["1"]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"versions": [1.5]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"records": {}, "versions": []}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"records": [{}], "versions": []}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"deleted": [{"version": 1}]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"deleted": [{"id": [], "version": 1}]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"deleted": [{"id": 1}]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"deleted": [{"id": [1, 2], "version": 1}]}}}}"#,
            #"{"cursor": "a", "more": false, "scopes": {"s": {"Task": {"#, #"{"expired": "yes"}"#,
        ])
    func malformed(body: String) async throws {
        let client = ScriptedClient(ScriptedClient.Response(body: body))
        let stage = try FeedStage(PostgRESTRemote(Self.url, client: client))
        await #expect { try await stage.sync.pull() } throws: { ($0 as? SyncError)?.code == .malformed }
        #expect(try await stage.tasks().isEmpty)
    }

    @Test("A database without the functions, a sign-in page and a broken response are errors that reject nothing")
    func foreign() async throws {
        for response in [
            ScriptedClient.Response(status: 404, body: #"{"code": "PGRST202", "message": "no function"}"#),
            ScriptedClient.Response(body: "<html>"), ScriptedClient.Response(body: #"{"responses": []}"#),
            ScriptedClient.Response(body: #"{"error": 1}"#), ScriptedClient.Response(status: 503),
        ] {
            let stage = try FeedStage(PostgRESTRemote(Self.url, client: ScriptedClient(response)))
            try await stage.make(1, "Mine")
            _ = try? await stage.sync.push()
            #expect(try await stage.pending() == ["create 1"])
        }
        let client = ScriptedClient(ScriptedClient.Response(status: 404))
        await #expect { _ = try await PostgRESTRemote(Self.url, client: client).feed(after: nil) } throws: {
            ($0 as? SyncError)?.code == .notFound
        }
    }
}

import Foundation
import HTTPTypes
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("Firebase: the live stream")
struct FirebaseEventTests {
    private let url = URL(string: "https://journal.test")!

    /// The events of a stream, one per line, and the reason for its end.
    private func follow<Object: Model>(
        _ model: Object.Type, _ stream: String, _ responses: ScriptedClient.Response...
    ) async throws -> (requests: [String], events: [String], end: SyncError) {
        let client = ScriptedClient([.init(fields: [.contentType: "text/event-stream"], body: stream)] + responses)
        let events = try #require(
            try await FirebaseRemote(url, client: client).events(of: RemoteEntity(model)))
        var texts: [String] = []
        let end = try await syncError {
            for try await event in events { texts.append(event.text) }
        }
        return (await client.requests, texts, end)
    }

    @Test("It begins with a snapshot of everything, and continues with changes")
    func story() async throws {
        let (requests, events, end) = try await follow(
            Article.self,
            """
            event: put
            data: {"path":"/","data":{"7":{"title":"Monday"}}}

            event: keep-alive
            data: null

            event: put
            data: {"path":"/8","data":{"title":"Tuesday"}}

            event: put
            data: {"path":"/8/title","data":"Friday"}

            event: patch
            data: {"path":"/8","data":{"likes":3,"isRead":true}}

            event: put
            data: {"path":"/7","data":null}


            """)
        #expect(requests == ["GET https://journal.test/articles.json\nAccept: text/event-stream"])
        #expect(
            events == [
                #"snapshot {"7":{"title":"Monday"}}"#, #"changed {"8":{"title":"Tuesday"}}"#,
                #"patched {"8":{"title":"Friday"}}"#, #"patched {"8":{"isRead":true,"likes":3}}"#, "deleted 7",
            ])
        #expect(end.code == .network)
    }

    @Test("N9 Keys that are equal for Swift only are two records, changed, patched, read again and deleted")
    func exactKeys() async throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        let (_, events, _) = try await follow(
            KitchenSink.Label.self,
            """
            event: patch
            data: {"path":"/","data":{"\(one)":{"colour":"1"},"\(two)":{"colour":"2"}}}

            event: patch
            data: {"path":"/","data":{"\(one)/colour":"3","\(two)/colour":"4"}}

            event: patch
            data: {"path":"/","data":{"\(one)/colour":"5","\(two)/colour/x":"a"}}

            event: patch
            data: {"path":"/","data":{"\(one)":null,"\(two)":null}}


            """, .init(body: #"{"colour":"6"}"#))
        #expect(
            events.map { Array($0.utf8) }
                == [
                    #"changed {"\#(two)":{"colour":"2"},"\#(one)":{"colour":"1"}}"#,
                    #"patched {"\#(two)":{"colour":"4"},"\#(one)":{"colour":"3"}}"#,
                    #"changed {"\#(two)":{"colour":"6"}}"#, #"patched {"\#(one)":{"colour":"5"}}"#,
                    "deleted \(two), \(one)",
                ].map { Array($0.utf8) })
    }

    @Test("An empty collection and one with small integer keys are snapshots", arguments: ["null", "[null,{}]"])
    func snapshots(_ data: String) async throws {
        let (_, events, _) = try await follow(
            Article.self, "event: put\ndata: {\"data\": \(data), \"path\": \"/\"}\n\n")
        #expect(events == ["snapshot \(data)"])
    }

    @Test(
        "A record with a nested change or delete is fetched again",
        arguments: [
            #"put {"path":"/7/brand/url","data":"b"}"#, #"put {"path":"/7/title","data":null}"#,
            #"put {"path":"/7/brand","data":{"url":"b"}}"#, #"put {"path":"/7/words","data":["a"]}"#,
            #"patch {"path":"/7/brand","data":{"url":"b"}}"#, #"patch {"path":"/7","data":{"title":null,"likes":3}}"#,
            #"patch {"path":"/","data":{"7/brand/url":"b","7/likes":3}}"#,
        ])
    func deeper(_ event: String) async throws {
        let parts = event.split(separator: " ", maxSplits: 1)
        let stream = "event: \(parts[0])\ndata: \(parts[1])\n\n"
        let (requests, events, _) = try await follow(Article.self, stream, .init(body: #"{"likes":3}"#))
        #expect(requests.last == "GET https://journal.test/articles/7.json\nAccept: application/json")
        #expect(events == [#"changed {"7":{"likes":3}}"#])
        // Removing its last member removes a record.
        #expect(try await follow(Article.self, stream, .init(body: "null")).events == ["deleted 7"])
    }

    @Test("Simultaneous changes are delivered together, new records before deletes")
    func together() async throws {
        let (_, events, _) = try await follow(
            Article.self,
            """
            event: patch
            data: {"path":"/","data":{"1":null,"2":{"title":"a"},"3/title":"b","4":null}}


            """)
        #expect(events == [#"changed {"2":{"title":"a"}}"#, #"patched {"3":{"title":"b"}}"#, "deleted 1, 4"])
    }

    @Test("A composite key identifies the deleted record, or everything is fetched again")
    func composite() async throws {
        let plain = try await follow(Lender.self, "event: put\ndata: {\"path\":\"/DE_7\",\"data\":null}\n\n")
        #expect(plain.events == ["deleted DE_7"])
        let unclear = try await follow(
            Lender.self, "event: put\ndata: {\"path\":\"/D_E_7\",\"data\":null}\n\n", .init(body: "{}"))
        #expect(unclear.events == ["snapshot {}"])
    }

    @Test("A stream ended by the server reports the reason and whether to reconnect")
    func ends() async throws {
        let cancelled = try await follow(Article.self, "event: cancel\ndata: null\n\n").end
        #expect(cancelled.code == .refused(status: 403) && !cancelled.isTransient)
        let revoked = try await follow(Article.self, "event: auth_revoked\ndata: \"credential is no longer valid\"\n\n")
            .end
        #expect(revoked.isTransient)
    }

    @Test(
        "Unreadable events end the stream; unknown events do not",
        arguments: ["[]", "{", #"{"path":"/"}"#, #"{"data":1}"#, #"{"path":7,"data":1}"#])
    func malformed(_ data: String) async throws {
        let (_, events, end) = try await follow(
            Article.self,
            "event: news\ndata: \(data)\n\nevent: put\ndata: \(data)\n\n")
        #expect(events.isEmpty && end.code == .malformed)
    }

    @Test("If a record cannot be fetched again, the stream ends, so that reconnecting delivers it")
    func unreadable() async throws {
        let stream = "event: put\ndata: {\"path\":\"/7/a/b\",\"data\":1}\n\n"
        #expect(try await follow(Article.self, stream, .init(status: 503)).end.isTransient)
    }

    @Test("A rejected stream throws before it begins")
    func refused() async throws {
        let client = ScriptedClient(.init(status: 401))
        let error = try await syncError {
            try await FirebaseRemote(url, client: client).events(of: RemoteEntity(Article.self))
        }
        #expect(error.code == .unauthorized)
    }
}

extension RemoteEvent {
    fileprivate var text: String {
        switch self {
        case .snapshot(let data): "snapshot " + String(decoding: data, as: UTF8.self)
        case .changed(let data): "changed " + String(decoding: data, as: UTF8.self)
        case .patched(let data): "patched " + String(decoding: data, as: UTF8.self)
        case .deleted(let identities): "deleted " + identities.map(\.text).joined(separator: ", ")
        }
    }
}

import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("REST: envelopes")
struct EnvelopeTests {
    private let url = URL(string: "https://shop.test")!
    private let articles = RemoteEntity(Article.self)

    private func remote(
        _ client: ScriptedClient, _ envelope: RESTConventions.Envelope, usesVersions: Bool = false,
        _ modify: (inout RESTConventions) -> Void = { _ in }
    ) -> RESTRemote {
        var conventions = RESTConventions()
        conventions.envelope = envelope
        modify(&conventions)
        return RESTRemote(url, client: client, conventions: conventions, usesVersions: usesVersions)
    }

    private func fetch(
        _ body: String, _ envelope: RESTConventions.Envelope, one identity: RemoteIdentity? = nil
    ) async throws -> FetchResponse {
        let target: RemoteRequest.Target = identity.map { .record($0) } ?? .collection
        return try await remote(ScriptedClient(.init(body: body)), envelope)
            .fetch(RemoteRequest(entity: articles, target: target))
    }

    // MARK: Reading

    @Test("A list under one key is streamed, and merged from there")
    func list() async throws {
        let response = try await fetch(#"{"items": [{"id": 1}], "total": 1}"#, .init(list: "items"))
        #expect(response.records?.payload == .wrapped(key: "items"))
        #expect(try await response.text() == #"{"items": [{"id": 1}], "total": 1}"#)
    }

    @Test("A list under several keys is extracted, byte by byte; the last one of a repeated key counts")
    func nestedList() async throws {
        let body = #"{"_embedded": {"articles": 7}, "_embedded" : {"x": [], "articles": [{"id": 1.50}] }, "page": 1}"#
        let response = try await fetch(body, .init(list: ["_embedded", "articles"]))
        #expect(response.records?.payload == .records)
        #expect(try await response.text() == #"[{"id": 1.50}]"#)
    }

    @Test(
        "M7 A page without the list is malformed, and says where it was expected",
        arguments: ["{}", #"{"a": []}"#, #"{"a": {"b": null}}"#, #"{"a": {"b": {}}}"#, "[]", #"{"error": "no"}"#])
    func missingList(_ body: String) async throws {
        let error = try await syncError { try await fetch(body, .init(list: ["a", "b"])) }
        #expect(error.code == .malformed)
        #expect(error.reason.contains("no list under “a.b”"))
    }

    @Test("A record is extracted; one in another shape is malformed")
    func record() async throws {
        let response = try await fetch(#"{"data": {"id": 7}, "meta": {}}"#, .under("data"), one: 7)
        #expect(try await response.text() == #"{"id":7}"#)
        for body in [#"{"id": 7}"#, #"{"data": null, "error": "no"}"#, #"{"data": [{"id": 7}]}"#, "[]", "7"] {
            let error = try await syncError { try await fetch(body, .under("data"), one: 7) }
            #expect(error.code == .malformed)
            #expect(error.reason.contains("no record under “data”"))
        }
        #expect(try await syncError { try await fetch("<html>", .under("data"), one: 7) }.isTransient)
    }

    @Test(
        "M7 A list under a key that the conventions do not name changes nothing, and the error names the option",
        arguments: [#"{"data": [{"id": 1}]}"#, #"{"data": {"articles": [{"id": 1}]}}"#, #"{"articles": 7}"#])
    func unknownKey(_ body: String) async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: RESTRemote(url, client: ScriptedClient(.init(body: body))))
        let error = await #expect(throws: MergeError.self) { try await sync.pull(Article.self) }
        #expect(error?.code == .wrongShape)
        #expect(error?.remedy.contains("`envelope` of a `RESTRemote`'s conventions") == true)
    }

    @Test(
        "P8 A server may name members by their keys in the whole request",
        arguments: [
            "/payload/product/title", "/payload/title", "/product/title", "/title", "#/payload/title",
        ])
    func pointers(_ pointer: String) throws {
        let remote = remote(ScriptedClient(), .under("payload"))
        let body = Data(#"{"errors": [{"detail": "no", "source": {"pointer": "\#(pointer)"}}]}"#.utf8)
        let problem = remote.problem(in: body, status: 422, of: RemoteEntity(Product.self))
        #expect(problem?.members.map(\.path) == [["title"]])
    }

    // MARK: Writing

    @Test("Requests and responses have envelopes of their own")
    func apart() async throws {
        let client = ScriptedClient(.init(status: 201, body: #"{"result": {"article": {"id": 7, "title": "New"}}}"#))
        let envelope = RESTConventions.Envelope(record: ["result", "article"], request: "payload")
        let response = try await remote(client, envelope).send(.create(Article.self, #"{"title":"New"}"#))
        #expect(response.text == #"accepted {"id":7,"title":"New"}, no version, no identity"#)
        #expect(await client.requests[0].hasSuffix(#"{"payload":{"title":"New"}}"#))
    }

    @Test("With wrap, the wrapped record is inside of the envelope")
    func wrapped() async throws {
        let client = ScriptedClient(.init(body: #"{"data": {"product": {"id": 7, "name": "Shirt"}}}"#))
        let response = try await remote(client, .under("data"))
            .send(.update(Product.self, 7, #"{"name":"Shirt"}"#))
        #expect(response.text == #"accepted {"id":7,"name":"Shirt"}, no version, no identity"#)
        #expect(await client.requests[0].hasSuffix(#"{"data":{"product":{"name":"Shirt"}}}"#))
    }

    @Test(
        "P13 Only the record inside of the envelope proves a write",
        arguments: [
            #"{"id": 7, "title": "New"}"#, #"{"data": {"error": "sign in"}}"#, #"{"data": {"id": 8}}"#,
            #"{"data": null, "error": "sign in"}"#, #"{"data": [{"id": 7}]}"#, #"{"status": "ok"}"#, "<html>", "[]",
            #"{"data": {"id": 7}"#, "OK",
        ])
    func unproven(_ body: String) async throws {
        let error = try await syncError {
            try await remote(ScriptedClient(.init(body: body)), .under("data"))
                .send(.update(Article.self, 7, #"{"title":"New"}"#))
        }
        #expect(error.code == .unexpectedResponse(status: 200))
    }

    @Test(
        "P13 An empty body, and an envelope that is empty, confirm a write",
        arguments: ["", "null", #"{"data": null}"#, #"{"data": null, "errors": [], "meta": {}}"#])
    func empty(_ body: String) async throws {
        let response = try await remote(ScriptedClient(.init(body: body)), .under("data"))
            .send(.update(Article.self, 7, #"{"title":"New"}"#))
        #expect(response.text == "accepted nothing, no version, no identity")
    }

    @Test("P13 A Location is sufficient for a new record, whatever is in the body")
    func location() async throws {
        let scripted = ScriptedClient.Response(
            status: 201, fields: [.location: "/articles/7"], body: #"{"status": "created"}"#)
        let response = try await remote(ScriptedClient(scripted), .under("data")).send(.create(Article.self, "{}"))
        #expect(response.text == "accepted nothing, no version, 7")
    }

    @Test("C4.2 A rejected version comes with the record, or with an error that is not taken for it")
    func outdated() async throws {
        let change = OutgoingChange.update(Article.self, 7, "{}", version: "\"1\"")
        let responses = ScriptedClient(
            .init(status: 412, fields: [.eTag: "\"2\""], body: #"{"data": {"id": 7}}"#),
            .init(status: 412, body: #"{"title": "Precondition failed", "status": 412}"#))
        let remote = remote(responses, .under("data"), usesVersions: true)
        #expect(try await remote.send(change).text == #"outdated {"id":7}, "2""#)
        #expect(try await remote.send(change).text == "outdated nothing, no version")
    }

    @Test("P15 A whole record is read from its envelope, and written in it")
    func wholeRecord() async throws {
        let client = ScriptedClient(
            .init(body: #"{"data": {"id": 7, "stars": 5, "title": "Old"}}"#), .init(status: 204))
        let response = try await remote(client, .under("data")) { $0.writes.updates = .wholeRecord }
            .send(.update(Article.self, 7, #"{"title":"New"}"#))
        #expect(response.text == "accepted nothing, no version, no identity")
        #expect(await client.requests[1].hasSuffix(#"{"data":{"id":7,"stars":5,"title":"New"}}"#))
    }
}

import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

// The Swift of Remotes.md and of the doc comment of `Remote`, compiled and run.

// snippet
/// A server with two endpoints: `GET /export/articles`, and `POST /changes` for every change.
struct ChangesRemote: Remote {
    let host: String
    let client: any HTTPClient

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .collection = request.target else {
            throw SyncError(
                .unsupported, entity: request.entity.name, reason: "the server has whole collections only",
                remedy: "Pull the entity.")
        }
        let answer = try await client.send(
            HTTPRequest(method: .get, scheme: "https", authority: host, path: "/export" + request.entity.path),
            body: nil)
        switch answer.response.status.code {
        case 200: return .records(FetchResponse.Records(body: answer.body))
        case 404: return .absent
        case 401: throw failure(.unauthorized)
        case 408, 425, 429, 500...: throw failure(.unavailable(status: answer.response.status.code))
        default: throw failure(.refused(status: answer.response.status.code))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let message: JSONValue = [
            "key": .string(change.idempotencyKey),  // the server applies each key only once
            "type": .string(change.entity.name),
            "kind": .string("\(change.kind)"),
            "id": .array(change.identity?.values ?? []),
            "record": change.kind == .delete ? .null : try JSONValue(json: change.changes),
        ]
        let answer = try await client.send(
            HTTPRequest(
                method: .post, scheme: "https", authority: host, path: "/changes",
                headerFields: [.contentType: "application/json"]),
            body: message.json())
        let body = try await answer.body.collected(upTo: 1 << 20)
        switch answer.response.status.code {
        case 200..<300: return .accepted(body: body)  // the record or nothing; anything else confirms nothing
        case 404: return .absent
        case 401: throw failure(.unauthorized)
        case 408, 425, 429, 500...: return .unavailable(status: answer.response.status.code)
        default: return .refused(status: answer.response.status.code, body: body)
        }
    }

    private func failure(_ code: SyncError.Code) -> SyncError {
        SyncError(code, request: "https://\(host)", reason: "unexpected status", remedy: "Check the server.")
    }
}
// end

// snippet
/// A server of whole documents: `PUT /documents/articles/7`, with the `ETag` of the previous version.
struct DocumentsRemote: Remote {
    let host: String
    let client: any HTTPClient

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        if case .record(let identity) = request.target {
            guard let record = try await record(request.entity.path + "/" + identity.text) else { return .absent }
            return .records(FetchResponse.Records(body: .data(record.body), version: record.version))
        }
        let answer = try await ask(.get, request.entity.path)
        guard answer.response.status.code == 200 else { throw failure(answer) }
        return .records(FetchResponse.Records(body: answer.body))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let path = change.entity.path + "/" + (change.identity?.text ?? change.idempotencyKey)
        switch change.kind {
        case .create: return try await put(change.body, at: path, ["If-None-Match": "*"])
        case .delete: return try await response(to: ask(.delete, path))
        case .update:
            return try await change.writeWhole {
                try await record(path)
            } write: { record, version in
                try await put(record, at: path, version.map { ["If-Match": $0] } ?? [:])
            }
        }
    }

    /// The current record; `nil` only if the server reports that it does not exist.
    private func record(_ path: String) async throws -> CurrentRecord? {
        let answer = try await ask(.get, path)
        switch answer.response.status.code {
        case 200:
            let body = try await answer.body.collected(upTo: 1 << 20)
            return CurrentRecord(body: body, version: answer.response.headerFields[.eTag])
        case 404: return nil
        default: throw failure(answer)
        }
    }

    private func failure(_ answer: HTTPAnswer) -> SyncError {
        let status = answer.response.status.code
        return SyncError(
            status == 401 ? .unauthorized : status >= 500 ? .unavailable(status: status) : .refused(status: status),
            request: "https://\(host)", reason: "unexpected status \(status)", remedy: "Check the server.")
    }

    private func put(_ record: Data, at path: String, _ condition: [String: String]) async throws -> SendResponse {
        try await response(to: ask(.put, path, record, condition))
    }

    private func response(to answer: HTTPAnswer) async throws -> SendResponse {
        switch answer.response.status.code {
        case 200..<300: return .accepted(body: nil, version: answer.response.headerFields[.eTag])
        case 404: return .absent
        case 412: return .outdated(current: nil)  // the record is read again
        case 408, 425, 429, 500...: return .unavailable(status: answer.response.status.code)
        default:
            let body = try await answer.body.collected(upTo: 1 << 20)
            return .refused(status: answer.response.status.code, body: body)
        }
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: Data? = nil, _ fields: [String: String] = [:]
    ) async throws -> HTTPAnswer {
        var request = HTTPRequest(method: method, scheme: "https", authority: host, path: "/documents" + path)
        for (name, value) in fields { request.headerFields[HTTPField.Name(name)!] = value }
        return try await client.send(request, body: body)
    }
}
// end

@Suite("The Swift in Remotes.md")
struct RemotesSnippets {
    private func send(_ change: OutgoingChange, to remote: some Remote) async throws -> String {
        try await remote.send(change).text
    }

    @Test("Firebase")
    func firebase() async throws {
        let client = ScriptedClient()
        let user = SignedInUser()
        // snippet
        let url = URL(string: "https://journal-1234.firebaseio.com")!
        let remote = FirebaseRemote(url, client: client) { isFresh in
            try await user.idToken(forcingRefresh: isFresh)
        }
        // end
        #expect(remote.traits.payload == .map)
    }

    private struct SignedInUser {
        func idToken(forcingRefresh: Bool) async throws -> String { "token" }
    }

    @Test("REST: what acknowledges a write")
    func acknowledgements() async throws {
        var conventions = RESTConventions()
        // snippet
        conventions.acknowledgements.texts = ["OK", #"{"status":"ok"}"#]  // 200 text/plain, or an envelope
        conventions.acknowledgements.emptyStatuses.insert(202)  // “accepted”, processed later
        conventions.acknowledgements.includeErrorPages = true  // the API's own 404 is HTML
        // end
        let client = ScriptedClient(.init(body: "OK"))
        let remote = RESTRemote(URL(string: "https://shop.test")!, client: client, conventions: conventions)
        #expect(try await send(.delete(Article.self, 7), to: remote) == "accepted nothing, no version, no identity")
    }

    @Test("REST: only what has changed")
    func changes() async throws {
        var conventions = RESTConventions()
        // snippet
        conventions.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
        // end
        let server = FakeRails(RailsRules(changes: RailsChanges(deletions: .marked(by: "deleted_at"))))
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions)
        let sync = Sync(store: try Store(ShopSchema.self, at: .inMemory), remote: remote)
        for _ in 1...2 { try await sync.pull(Article.self) }
        #expect(server.requests.map { $0.parameter("updated_since") != nil } == [false, true])
    }

    @Test("REST")
    func rest() async throws {
        let client = ScriptedClient(.init(body: "[]"), .init(body: "{}"), .init(body: "{}"))
        // snippet
        var conventions = RESTConventions()
        conventions.headers[.acceptLanguage] = "de"
        conventions.paging = .pages(size: ("per_page", 100))  // ?page=1&per_page=100, until a page is empty

        let remote = RESTRemote(
            URL(string: "https://example.com/api")!, client: client, conventions: conventions, usesVersions: true
        )
        .overriding(Article.self) { article in
            article.collections = .wrapped(key: "data")
            article.collectionPath = { entity, method in "/v2" + entity.path }
            article.recordPath = { entity, identity, method in "/v2/article/\(identity)" }
        }
        // end
        _ = try await remote.fetch(RemoteRequest(entity: RemoteEntity(Tag.self)))
        _ = try await remote.fetch(RemoteRequest(entity: RemoteEntity(Article.self), target: .record([7])))
        let asked = await client.requests.compactMap { $0.split(separator: "\n").first }
        #expect(asked[0] == "GET https://example.com/api/tags?page=1&per_page=100")
        #expect(asked[1] == "GET https://example.com/api/v2/article/7")
    }

    @Test("A file")
    func file() async throws {
        try await withTemporaryFolder { folder in
            // snippet
            let remote = FileRemote(folder.appendingPathComponent("remote.json"))
            // end
            let made = try await send(.create(Article.self, "{}"), to: remote)
            #expect(made.hasSuffix(" 1"))
        }
    }

    @Test("A custom remote")
    func own() async throws {
        let client = ScriptedClient(
            .init(body: "[]"), .init(status: 503), .init(body: #"{"id":7}"#), .init(status: 422, body: "no"),
            .init(status: 404))
        let remote = ChangesRemote(host: "example.com", client: client)
        let request = RemoteRequest(entity: RemoteEntity(Article.self))
        #expect(try await remote.fetch(request).text() == "[]")
        #expect(try await syncError { try await remote.fetch(request) }.isTransient)
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#)
        #expect(try await send(change, to: remote) == #"accepted {"id":7}, no version, no identity"#)
        #expect(try await send(change, to: remote) == "refused 422 no")
        #expect(try await send(.delete(Article.self, 7), to: remote) == "absent")
        #expect(
            await client.requests[2] == """
                POST https://example.com/changes
                Content-Type: application/json
                {"id":[7],"key":"key-1","kind":"update","record":{"title":"New"},"type":"Article"}
                """)
        #expect(try await remote.events(of: request.entity) == nil)
    }

    @Test("P15 A custom remote that takes whole records")
    func documents() async throws {
        let client = ScriptedClient(
            .init(fields: [.eTag: "\"1\""], body: #"{"id":7,"author":"Ann","title":"Old"}"#), .init(status: 412),
            .init(fields: [.eTag: "\"2\""], body: #"{"id":7,"author":"Bo","title":"Old"}"#), .init(status: 204),
            .init(status: 201), .init(status: 404), .init(body: "[]"), .init(status: 503), .init(status: 404),
            .init(status: 401))
        let remote = DocumentsRemote(host: "example.com", client: client)
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#)
        #expect(try await send(change, to: remote) == "accepted nothing, no version, no identity")
        #expect(
            await client.requests.last == """
                PUT https://example.com/documents/articles/7
                If-Match: "2"
                {"author":"Bo","id":7,"title":"New"}
                """)
        #expect(try await send(.create(Article.self, [8], "{}"), to: remote).hasPrefix("accepted"))
        #expect(try await send(.delete(Article.self, 7), to: remote) == "absent")
        let request = RemoteRequest(entity: RemoteEntity(Article.self))
        #expect(try await remote.fetch(request).text() == "[]")
        #expect(try await syncError { try await remote.send(change) }.isTransient)
        let one = RemoteRequest(entity: request.entity, target: .record([7]))
        #expect(try await remote.fetch(one).isAbsent)
        #expect(try await syncError { try await remote.fetch(request) }.code == .unauthorized)
    }

    @Test("The doc comment of Remote has the same example")
    func docComment() throws {
        let source = try Documentation.text(of: "Sources/LockstepSync/Remotes/Remote.swift")
        let comment = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }.joined(separator: "\n")
        let example = try #require(
            Documentation.code("swift", in: Documentation.page("WritingARemote"))
                .first { $0.contains("struct ChangesRemote") })
        #expect(comment.contains(example))
    }
}

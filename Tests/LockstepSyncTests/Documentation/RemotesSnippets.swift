import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import Shop
import TestSupport
import Testing

// The Swift of Remotes.md and of the doc comment of `Remote`, compiled and run.

// snippet
/// A server with two addresses: `GET /export/articles`, and `POST /changes` for whatever changes.
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
            "key": .string(change.idempotencyKey),  // the server does what it has seen before only once
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
        case 200..<300: return .accepted(body: body)  // the record as it is now, or nothing
        case 404: return .absent
        case 401: throw failure(.unauthorized)
        case 408, 425, 429, 500...: return .unavailable(status: answer.response.status.code)
        default: return .refused(status: answer.response.status.code, body: body)
        }
    }

    private func failure(_ code: SyncError.Code) -> SyncError {
        SyncError(code, request: "https://\(host)", reason: "the server answers otherwise", remedy: "Ask its owner.")
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

    @Test("REST")
    func rest() async throws {
        let client = ScriptedClient(.init(body: "[]"), .init(body: "{}"), .init(body: "{}"))
        // snippet
        var conventions = RESTConventions()
        conventions.headers[.userAgent] = "Shop/1.0"
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

    @Test("A remote of one's own")
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

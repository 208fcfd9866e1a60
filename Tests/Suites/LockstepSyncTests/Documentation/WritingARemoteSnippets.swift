import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

// The Swift of WritingARemote.md, compiled and run.

// snippet
/// A server with two endpoints: `GET /export/articles`, and `POST /changes` for every change.
struct ChangesRemote: Remote {
    let server: JSONServer

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .collection = request.target else {
            throw SyncError(
                .unsupported, entity: request.entity.name, reason: "the server has whole collections only",
                remedy: "Pull the entity.")
        }
        return try await server.get("/export" + request.entity.path, for: request).fetchResponse()
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let message: JSONValue = [
            "key": .string(change.idempotencyKey),  // the server applies each key only once
            "type": .string(change.entity.name),
            "kind": .string("\(change.kind)"),
            "id": .array(change.identity?.values ?? []),
            "record": change.kind == .delete ? .null : try JSONValue(json: change.changes),
        ]
        return try await server.send(.post, "/changes", body: message.json(), for: change).sendResponse()
    }
}
// end

/// Step 2: a collection in pages.
private struct PagedRemote: Remote {
    let server: JSONServer

    // snippet
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        // {"data": […], "next": "c2"}, then ?cursor=c2, until "next" is null
        let paging = RESTPaging.cursor(in: "next", parameter: "cursor", size: ("per_page", 100))
        return try await server.get(request.entity.path, paging: paging, for: request)
            .fetchResponse(under: "data")
    }
    // end

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}

/// Step 2: a list of what has changed.
private struct ChangedRemote: Remote {
    let server: JSONServer

    // snippet
    func changes(of entity: RemoteEntity) -> RemoteChanges? {
        RemoteChanges(name: "updated_since", includesDeletions: true)
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let changes = RESTConventions.Changes.updatedSince(deletions: .marked(by: "deleted_at"))
        return try await server.get(request.entity.path, changes: changes, for: request).fetchResponse()
    }
    // end

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}

/// Steps 3 and 4: versions, and single records.
private struct VersionedRemote: Remote {
    // snippet
    let server: JSONServer  // JSONServer(url, client: client, usesVersions: true)

    var traits: RemoteTraits { RemoteTraits(hasVersions: true) }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let (entity, identity) = (change.entity, change.identity)
        let exchange =
            switch change.kind {
            case .create: try await server.send(.post, entity.path, record: change.body, under: "data", for: change)
            case .update:
                try await server.send(
                    .patch, entity.path(of: identity), record: change.changes, under: "data", for: change)
            case .delete: try await server.send(.delete, entity.path(of: identity), for: change)
            }
        return try await exchange.sendResponse(under: "data")
    }
    // end

    // snippet
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let path =
            switch request.target {
            case .collection: request.entity.path
            case .path(let path): path
            case .record(let identity): try request.entity.path(of: identity)
            }
        return try await server.get(path, for: request).fetchResponse(under: "data")
    }
    // end
}

/// Step 5: errors.
private struct StrictRemote: Remote {
    let server: JSONServer

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    // snippet
    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let exchange = try await server.send(.post, "/changes", body: change.body, for: change)
        switch exchange.status {
        case 423:  // somebody has opened the record on the server: try again
            return .unavailable(status: 423)
        case 402:  // no change is accepted
            throw exchange.error(.unauthorized, reason: "the subscription has ended", remedy: "Renew it.")
        default: return try await exchange.sendResponse()
        }
    }

    func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        // {"failure": {"text": "…", "fields": {"title": "…"}}}
        ErrorFormat(envelope: "failure", messages: ["text"]).problem(in: body)
    }
    // end
}

/// Step 6: whole records.
private struct DocumentsRemote: Remote {
    let server: JSONServer

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    // snippet
    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let path = try change.entity.path(of: change.identity)
        switch change.kind {
        case .create:
            return try await server.send(.put, path, record: change.body, fields: [.ifNoneMatch: "*"], for: change)
                .sendResponse()
        case .delete: return try await server.send(.delete, path, for: change).sendResponse()
        case .update:
            return try await change.writeWhole {
                try await server.currentRecord(path, for: change)
            } write: { record, version in
                try await server.send(.put, path, record: record, version: version, for: change).sendResponse()
            }
        }
    }
    // end
}

// snippet
/// A company API: `{"data": …}` around lists and records, a cursor in the body, `ETag` and `If-Match`, whole records,
/// and problem+json.
struct CompanyRemote: Remote {
    private let server: JSONServer

    init(_ url: URL, client: any HTTPClient) { server = JSONServer(url, client: client, usesVersions: true) }

    var traits: RemoteTraits { RemoteTraits(hasVersions: true) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        switch request.target {
        case .collection: try await list(request.entity.path, request)
        case .path(let path): try await list(path, request)
        case .record(let identity):
            try await server.get(request.entity.path(of: identity), for: request).fetchResponse(under: "data")
        }
    }

    private func list(_ path: String, _ request: RemoteRequest) async throws -> FetchResponse {
        let paging = RESTPaging.cursor(in: ["page", "next_cursor"], parameter: "cursor", size: ("limit", 100))
        return try await server.get(path, paging: paging, for: request).fetchResponse(under: "data")
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        if change.kind == .create {
            return try await server.send(.post, change.entity.path, record: change.body, under: "data", for: change)
                .sendResponse(under: "data")
        }
        let path = try change.entity.path(of: change.identity)
        if change.kind == .delete { return try await server.send(.delete, path, for: change).sendResponse() }
        return try await change.writeWhole {
            try await server.currentRecord(path, under: "data", for: change)
        } write: { record, version in
            try await server.send(.put, path, record: record, under: "data", version: version, for: change)
                .sendResponse(under: "data")
        }
    }
}
// end

@Suite("The Swift in WritingARemote.md")
struct WritingARemoteSnippets {
    private let url = URL(string: "https://example.com/api")!
    private let articles = RemoteRequest(entity: RemoteEntity(Article.self))

    private func server(_ rules: RailsRules) -> (FakeRails, JSONServer) {
        let server = FakeRails(rules)
        return (server, JSONServer(server.url, client: server.client, usesVersions: rules.hasVersions))
    }

    private func sync(_ remote: any Remote) throws -> (Store, Sync) {
        let store = try Store(ShopSchema.self, at: .inMemory)
        return (store, Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1)))
    }

    private func make(_ store: Store, _ id: Int, _ title: String) async throws {
        try await store.perform { context in
            Article(id: id, title: title, bodyText: "", context: context)
            try context.save()
        }
    }

    private func edit(_ store: Store, _ id: Int, _ title: String) async throws {
        try await store.perform { context in
            try #require(try Article.find(id, in: context)).title = title
            try context.save()
        }
    }

    @Test("1: two functions")
    func twoFunctions() async throws {
        let client = ScriptedClient(
            .init(body: "[]"), .init(status: 503), .init(body: #"{"id":7}"#), .init(status: 422, body: "no"),
            .init(status: 404))
        // snippet
        let url = URL(string: "https://example.com/api")!
        let remote = ChangesRemote(server: JSONServer(url, client: client))
        // end
        #expect(try await remote.fetch(articles).text() == "[]")
        #expect(try await syncError { try await remote.fetch(articles) }.code == .unavailable(status: 503))
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#)
        #expect(try await remote.send(change).text == #"accepted {"id":7}, no version, no identity"#)
        #expect(try await remote.send(change).text == "refused 422 no")
        #expect(try await remote.send(.delete(Article.self, 7)).text == "absent")
        #expect(
            await client.requests[2] == """
                POST https://example.com/api/changes
                Accept: application/json
                Content-Type: application/json
                {"id":[7],"key":"key-1","kind":"update","record":{"title":"New"},"type":"Article"}
                """)
        #expect(try await remote.events(of: articles.entity) == nil)
    }

    @Test("2: pages")
    func pages() async throws {
        let (rails, server) = server(RailsRules(pageSize: 2, envelope: RailsEnvelope()))
        rails.set((1...5).map { ["id": .integer($0), "title": .string("\($0)"), "body_text": ""] }, in: "/articles")
        let (store, sync) = try sync(PagedRemote(server: server))
        let pulled = try await sync.pull(Article.self)
        #expect(pulled.inserted == 5 && pulled.requests == 3)
        #expect(try await store.representations(Article.all()).count == 5)
        #expect(rails.log.last == "GET /articles?cursor=c3&per_page=100")
    }

    @Test("2: H2 only what has changed")
    func changes() async throws {
        let (rails, server) = server(RailsRules(changes: RailsChanges(deletions: .marked(by: "deleted_at"))))
        rails.set((1...2).map { ["id": .integer($0), "title": "Milk", "body_text": ""] }, in: "/articles")
        let (store, sync) = try sync(ChangedRemote(server: server))
        try await sync.pull(Article.self, options: MergeOptions(records: .all))
        rails.edit("1", of: "/articles", ["title": "Bread"])
        rails.remove("2", from: "/articles")
        try await sync.pull(Article.self, options: MergeOptions(records: .all))
        #expect(rails.requests.map { $0.parameter("updated_since") != nil } == [false, true])
        #expect(try await store.representations(Article.all()).map(\.title) == ["Bread"])
    }

    @Test("3, 4: versions, and single records")
    func versions() async throws {
        let (rails, server) = server(RailsRules(hasVersions: true, envelope: RailsEnvelope()))
        let (store, sync) = try sync(VersionedRemote(server: server))
        try await make(store, 1, "Milk")
        #expect(try await sync.push().created == 1)
        // Another client changes it: the version is outdated, the record is merged, and the edit is sent again.
        rails.edit("1", of: "/articles", ["body_text": "fresh"])
        try await edit(store, 1, "Bread")
        #expect(try await sync.push().updated == 1)
        #expect(rails.record("1", of: "/articles")?["title"] == "Bread")
        #expect(rails.record("1", of: "/articles")?["body_text"] == "fresh")
        #expect(rails.requests.filter { $0.method == .patch }.count == 2)
        // A list has no versions: the record is requested before it is written.
        rails.edit("1", of: "/articles", ["body_text": "old"])
        #expect(try await sync.pull(Article.self).updated == 1)
        rails.clearLog()
        try await store.perform { context in
            context.delete(try #require(try Article.find(1, in: context)))
            try context.save()
        }
        #expect(try await sync.push().deleted == 1)
        #expect(rails.record("1", of: "/articles") == nil)
        #expect(rails.log.last == "DELETE /articles/1")
        try await sync.pull(ArticleComment.self, path: "/articles/1/comments")
        #expect(rails.log.last == "GET /articles/1/comments")
    }

    @Test("5: errors")
    func errors() async throws {
        let failure = #"{"failure": {"text": "No.", "fields": {"title": "is taken"}}}"#
        let client = ScriptedClient(
            .init(status: 423), .init(status: 402), .init(status: 422, body: failure),
            .init(fields: [.contentType: "text/html"], body: "<html>Sign in"))
        let remote = StrictRemote(server: JSONServer(url, client: client))
        let change = OutgoingChange.create(Article.self, [7], #"{"id":7}"#)
        #expect(try await remote.send(change).text == "unavailable 423, no delay")
        let error = try await syncError { try await remote.send(change) }
        #expect(error.code == .unauthorized && error.request == "POST https://example.com/api/changes")
        guard case .refused(let status, let body) = try await remote.send(change) else {
            Issue.record("it is not refused")
            return
        }
        let problem = remote.problem(in: body, status: status, of: change.entity)
        #expect(problem?.description == "No.; title: is taken")
        #expect(try await syncError { try await remote.send(change) }.code == .unexpectedResponse(status: 200))
    }

    @Test("6: P15 whole records")
    func wholeRecords() async throws {
        let client = ScriptedClient(
            .init(fields: [.eTag: "\"1\""], body: #"{"id":7,"author":"Ann","title":"Old"}"#), .init(status: 412),
            .init(fields: [.eTag: "\"2\""], body: #"{"id":7,"author":"Bo","title":"Old"}"#),
            .init(status: 204, fields: [.eTag: "\"3\""]), .init(status: 201), .init(status: 404), .init(status: 404),
            .init(status: 503), .init(body: "[]"))
        let remote = DocumentsRemote(server: JSONServer(url, client: client))
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#)
        #expect(try await remote.send(change).text == "accepted nothing, \"3\", no identity")
        #expect(
            await client.requests.last == """
                PUT https://example.com/api/articles/7
                Accept: application/json
                Content-Type: application/json
                If-Match: "2"
                {"author":"Bo","id":7,"title":"New"}
                """)
        #expect(try await remote.send(.create(Article.self, [8], "{}")).text.hasPrefix("accepted"))
        #expect(await client.requests.last?.contains("If-None-Match: *") == true)
        #expect(try await remote.send(.delete(Article.self, 7)).text == "absent")
        #expect(try await remote.send(change).text == "absent")
        #expect(try await syncError { try await remote.send(change) }.code == .unavailable(status: 503))
        #expect(try await syncError { try await remote.send(change) }.code == .malformed)
    }

    @Test("The doc comment of Remote has the same example")
    func docComment() throws {
        let source = try Documentation.text(of: "Sources/LockstepRemotes/Remote/Remote.swift")
        let comment = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }.joined(separator: "\n")
        let example = try #require(
            Documentation.code("swift", in: Documentation.page("WritingARemote"))
                .first { $0.contains("struct ChangesRemote") })
        #expect(comment.contains(example))
    }
}

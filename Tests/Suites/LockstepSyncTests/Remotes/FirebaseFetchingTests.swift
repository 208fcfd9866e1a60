import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("Firebase: reading")
struct FirebaseFetchingTests {
    private let url = URL(string: "https://journal.test/users/7")!
    private let articles = RemoteEntity(Article.self)

    private func fetch(
        _ request: RemoteRequest, _ responses: ScriptedClient.Response..., auth: FirebaseRemote.Auth? = nil
    ) async throws -> (requests: [String], response: FetchResponse) {
        let client = ScriptedClient(responses)
        let response = try await FirebaseRemote(url, client: client, auth: auth).fetch(request)
        return (await client.requests, response)
    }

    @Test("It is a server of maps: a missing key is empty, and owners contain embedded records")
    func traits() {
        let client = ScriptedClient()
        #expect(
            FirebaseRemote(url, client: client).traits
                == RemoteTraits(
                    payload: .map, missingKeys: .empty, sendsEmbedded: true, hasVersions: true, hasEvents: true))
        #expect(!FirebaseRemote(url, client: client, updates: .unconditional).traits.hasVersions)
    }

    @Test(
        "A collection is a map of records, an array with gaps, or null if it is empty",
        arguments: [#"{"7": {"title": "Monday"}}"#, #"[null, {"title": "Monday"}]"#, "null"])
    func collection(_ body: String) async throws {
        let (requests, response) = try await fetch(
            RemoteRequest(entity: articles), .init(fields: [.eTag: "v1"], body: body))
        #expect(
            requests == [
                "GET https://journal.test/users/7/articles.json\nAccept: application/json\nX-Firebase-ETag: true"
            ])
        #expect(try await response.text() == body)
        #expect(response.records?.payload == .map && response.records?.next == nil)
    }

    @Test("The path / is the base address")
    func root() async throws {
        for (base, address) in [
            ("https://journal.test", "https://journal.test/.json"),
            ("https://journal.test/a/", "https://journal.test/a.json"),
        ] {
            let client = ScriptedClient(.init(body: "null"))
            let url = try #require(URL(string: base))
            _ = try await FirebaseRemote(url, client: client)
                .fetch(RemoteRequest(entity: articles, target: .path("/")))
            #expect(await client.requests.first?.hasPrefix("GET \(address)\n") == true)
        }
    }

    @Test("A record contains its identity, even if only its key has it")
    func record() async throws {
        let request = RemoteRequest(entity: articles, target: .record([7]))
        let (requests, response) = try await fetch(request, .init(fields: [.eTag: "v1"], body: #"{"title":"Monday"}"#))
        #expect(
            requests == [
                "GET https://journal.test/users/7/articles/7.json\nAccept: application/json\nX-Firebase-ETag: true"
            ])
        #expect(try await response.text() == #"{"id":7,"title":"Monday"}"#)
        #expect(response.records?.version == "v1" && response.records?.payload == .records)
        #expect(try await fetch(request, .init(body: "null")).response.isAbsent)
        #expect(try await fetch(request, .init(status: 404)).response.isAbsent)
    }

    @Test("H1 A collection with an unchanged tag is not downloaded again")
    func notModified() async throws {
        let address = "https://journal.test/users/7/articles.json"
        let first = try await fetch(RemoteRequest(entity: articles), .init(fields: [.eTag: "v1"], body: "null"))
        #expect(first.response.records?.validators == Validators(entityTag: "v1"))
        #expect(first.response.records?.address == address)
        let known = RemoteRequest(entity: articles) { $0 == address ? Validators(entityTag: "v1") : nil }
        let same = try await fetch(known, .init(fields: [.eTag: "v1"], body: "null"))
        #expect(same.response.notModified == address)
        let other = try await fetch(known, .init(fields: [.eTag: "v2"], body: "null"))
        #expect(other.response.records?.validators == Validators(entityTag: "v2"))
    }

    @Test("H1 A part of a collection has no tag")
    func query() async throws {
        let request = RemoteRequest(
            entity: articles, query: [URLQueryItem(name: "orderBy", value: "\"title\"")],
            validators: { _ in Validators(entityTag: "v1") })
        let (requests, response) = try await fetch(request, .init(fields: [.eTag: "v1"], body: "null"))
        #expect(
            requests == [
                "GET https://journal.test/users/7/articles.json?orderBy=%22title%22\nAccept: application/json"
            ])
        #expect(response.records?.validators == nil)
    }

    @Test("P9 A rejected token is replaced once, and is never shown")
    func token() async throws {
        let auth: FirebaseRemote.Auth = { isFresh in isFresh ? "n3w" : "0ld" }
        let (requests, response) = try await fetch(
            RemoteRequest(entity: articles), .init(status: 401), .init(body: "null"), auth: auth)
        #expect(requests.map { $0.split(separator: "\n")[0].suffix(9) } == ["?auth=0ld", "?auth=n3w"])
        #expect(response.records?.address == "https://journal.test/users/7/articles.json")
        let error = try await syncError {
            try await fetch(RemoteRequest(entity: articles), .init(status: 401), .init(status: 401), auth: auth)
        }
        #expect(error.code == .unauthorized)
        #expect(error.request == "GET https://journal.test/users/7/articles.json?auth=…")
    }

    @Test(
        "A record that is not JSON is malformed; any other response is not from the database",
        arguments: [
            ("{", SyncError.Code.malformed), ("<p>", .unexpectedResponse(status: 200)),
            ("[]", .unexpectedResponse(status: 200)),
        ])
    func malformed(_ body: String, _ code: SyncError.Code) async throws {
        let error = try await syncError {
            try await fetch(RemoteRequest(entity: articles, target: .record([7])), .init(body: body))
        }
        #expect(error.code == code && error.record == "7")
    }

    @Test("P7 An unavailable server's Retry-After is reported")
    func unavailable() async throws {
        let error = try await syncError {
            try await fetch(RemoteRequest(entity: articles), .init(status: 503, fields: [.retryAfter: "9"]))
        }
        #expect(error.code == .unavailable(status: 503) && error.retryAfter == 9)
    }
}

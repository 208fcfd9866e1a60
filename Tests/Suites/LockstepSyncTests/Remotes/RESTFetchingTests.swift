import Foundation
import HTTPTypes
import LockstepStore
import LockstepTesting
import Shop
import Testing

@testable import LockstepRemotes
@testable import LockstepSync

@Suite("REST: reading")
struct RESTFetchingTests {
    private let url = URL(string: "https://shop.test/api?api_key=s3cret")!
    private let articles = RemoteEntity(Article.self)

    private func fetch(
        _ request: RemoteRequest, _ scripted: ScriptedClient.Response, usesVersions: Bool = false,
        _ change: (inout RESTConventions) -> Void = { _ in }
    ) async throws -> (request: String?, response: FetchResponse) {
        var conventions = RESTConventions()
        change(&conventions)
        let client = ScriptedClient(scripted)
        let remote = RESTRemote(url, client: client, conventions: conventions, usesVersions: usesVersions)
        let response = try await remote.fetch(request)
        return (await client.requests.first, response)
    }

    @Test("A collection is read from its path, with the parameters of the base address and then those of the request")
    func collection() async throws {
        let (request, response) = try await fetch(
            RemoteRequest(
                entity: articles,
                query: [URLQueryItem(name: "q", value: "a+b & c"), URLQueryItem(name: "new", value: nil)]),
            .init(body: "[]")
        ) { $0.headers[.userAgent] = "Journal/1.0" }
        #expect(
            request == """
                GET https://shop.test/api/articles?api_key=s3cret&q=a%2Bb%20%26%20c&new
                User-Agent: Journal/1.0
                Accept: application/json
                """)
        #expect(try await response.text() == "[]" && response.records?.payload == .records)
        #expect(response.records?.next == nil && response.records?.validators == nil)
    }

    @Test(
        "A record is read by its identity, each character of which is escaped if necessary",
        arguments: [
            (RemoteIdentity([7]), "7"), (["a/b?c#d%"], "a%2Fb%3Fc%23d%25"), (["köln"], "k%C3%B6ln"),
            (["DE", 7], "DE_7"), (["a..b~-"], "a..b~-"),
        ] as [(RemoteIdentity, String)])
    func record(_ identity: RemoteIdentity, _ segment: String) async throws {
        let (request, response) = try await fetch(
            RemoteRequest(entity: articles, target: .record(identity)),
            .init(fields: [.eTag: "\"5\""], body: #"{"id": 7}"#), usesVersions: true)
        #expect(
            request == """
                GET https://shop.test/api/articles/\(segment)?api_key=s3cret
                Accept: application/json
                Accept-Encoding: identity
                """)
        #expect(try await response.text() == #"{"id": 7}"#)
        #expect(response.records?.version == "\"5\"")
    }

    @Test("An identity that would change the address is rejected before anything is sent", arguments: ["", ".", ".."])
    func invalidIdentity(_ text: String) async throws {
        let client = ScriptedClient()
        let remote = RESTRemote(url, client: client)
        let error = try await syncError {
            try await remote.fetch(RemoteRequest(entity: articles, target: .record(RemoteIdentity([.string(text)]))))
        }
        #expect(error.code == .invalidIdentity && error.entity == "Article")
        #expect(await client.requests.isEmpty)
    }

    @Test("Paths can be customized: of a collection, of a record, by method, and used unchanged")
    func paths() async throws {
        let client = ScriptedClient(.init(body: "[]"), .init(body: "{}"), .init(body: "[]"), .init(body: "[]"))
        let remote = RESTRemote(url, client: client).overriding(Article.self) { conventions in
            conventions.addresses.collectionPath = { entity, method in
                "/v2/\(method.rawValue.lowercased())\(entity.path)/"
            }
            conventions.addresses.recordPath = { _, identity, _ in "/v2/article/\(identity)/full" }
        }
        _ = try await remote.fetch(RemoteRequest(entity: articles))
        _ = try await remote.fetch(RemoteRequest(entity: articles, target: .record(["a/b"])))
        _ = try await remote.fetch(RemoteRequest(entity: articles, target: .path("/users/3/read articles")))
        _ = try await remote.fetch(RemoteRequest(entity: RemoteEntity(Tag.self)))
        #expect(
            await client.requests.compactMap { $0.split(separator: "\n").first } == [
                "GET https://shop.test/api/v2/get/articles?api_key=s3cret",
                "GET https://shop.test/api/v2/article/a%2Fb/full?api_key=s3cret",
                "GET https://shop.test/api/users/3/read%20articles?api_key=s3cret",
                "GET https://shop.test/api/tags?api_key=s3cret",
            ])
    }

    @Test(
        "A collection's records are the body, or under the collection's name, or as the conventions define",
        arguments: [
            (" [1]", RESTConventions.Collections.automatic, PayloadShape.records),
            ("\u{FEFF}\n{", .automatic, .wrapped(key: "articles")), ("null", .automatic, .records),
            ("", .automatic, .records), ("{", .bare, .records), ("[", .wrapped(key: "data"), .wrapped(key: "data")),
        ] as [(String, RESTConventions.Collections, PayloadShape)])
    func shapes(_ body: String, _ collections: RESTConventions.Collections, _ shape: PayloadShape) async throws {
        let (_, response) = try await fetch(RemoteRequest(entity: articles), .init(body: body)) {
            $0.reads.collections = collections
        }
        #expect(response.records?.payload == shape)
        #expect(try await response.text() == body)
    }

    @Test("A record under its key is unwrapped; one with a member of that name is not")
    func wrappedRecord() async throws {
        let request = RemoteRequest(entity: RemoteEntity(Product.self), target: .record(7))
        let (_, wrapped) = try await fetch(request, .init(body: #"{"product": {"id": 7}}"#))
        #expect(try await wrapped.text() == #"{"id":7}"#)
        let (_, bare) = try await fetch(request, .init(body: #"{"id": 7, "product": {}}"#))
        #expect(try await bare.text() == #"{"id": 7, "product": {}}"#)
    }

    @Test(
        "The elements of a collection are unwrapped like a record, whatever the collection is in",
        arguments: [
            (
                #"[{"product": {"id": 7}}, { "product" : {"id":8,"x":[{"a":"}"}]} } ]"#,
                #"[{"id": 7}, {"id":8,"x":[{"a":"}"}]} ]"#
            ),
            (
                #"{"meta": {"p": [1]}, "products": [{"product": {"n": 1.50}}]}"#,
                #"{"meta": {"p": [1]}, "products": [{"n": 1.50}]}"#
            ),
            // A record may have a member of that name.
            (
                #"[{"id": 7, "product": {}}, {"product": {"id": 8}}]"#,
                #"[{"id": 7, "product": {}}, {"product": {"id": 8}}]"#
            ),
            (#"[{"product": {"id": 7}, "id": 1}]"#, #"[{"product": {"id": 7}, "id": 1}]"#),
            (#"[{"product": 7}]"#, #"[{"product": 7}]"#), ("[]", "[]"), ("null", "null"),
            (#"[{"product": {"#, #"[{"product": {"#),
        ])
    func wrappedElements(_ body: String, _ expected: String) async throws {
        let products = RemoteEntity(Product.self)
        let (_, whole) = try await fetch(RemoteRequest(entity: products), .init(body: body))
        #expect(try await whole.text() == expected)
        guard (try? JSONValue(json: Data(body.utf8))) != nil else { return }
        let (_, paged) = try await fetch(RemoteRequest(entity: products), .init(body: body)) {
            $0.reads.paging = .pages(size: ("per_page", 100), end: .shortPage)
        }
        #expect(try await paged.text() == expected)
        #expect(paged.records?.next == nil)
        // Without a key in the schema, nothing is unwrapped.
        #expect(try await fetch(RemoteRequest(entity: articles), .init(body: body)).response.text() == body)
    }

    @Test("A collection whose elements are wrapped is read piece by piece", arguments: 1...7)
    func wrappedElementsInPieces(_ size: Int) throws {
        let body = Data(#"[{"pro\"duct": {"id": 7, "name": "a{\\\""}}, {"pro\"duct": {"id": 8}}]"#.utf8)
        var unwrapping = ElementUnwrapping("pro\"duct")
        var read = Data()
        for start in stride(from: 0, to: body.count, by: size) {
            read += unwrapping.feed(body[start..<min(start + size, body.count)])
        }
        read += unwrapping.takeRest()
        #expect(String(decoding: read, as: UTF8.self) == #"[{"id": 7, "name": "a{\\\""}, {"id": 8}]"#)
    }

    @Test("C4.9 A weak ETag is not a version: a condition requires a strong one")
    func weakVersion() async throws {
        let request = RemoteRequest(entity: articles, target: .record(7))
        let (_, weak) = try await fetch(
            request, .init(fields: [.eTag: "W/\"5\""], body: #"{"id": 7}"#), usesVersions: true)
        #expect(weak.records?.version == nil)
        // To find out whether something has changed, it is enough.
        #expect(weak.records?.validators?.entityTag == "W/\"5\"")
    }

    @Test("A collection that does not exist is an error with its path", arguments: [404, 410])
    func missingCollection(_ status: Int) async throws {
        for body in ["{}", "<p>Not Found"] {
            let error = try await syncError {
                try await fetch(RemoteRequest(entity: articles), .init(status: status, body: body))
            }
            #expect(error.code == .notFound && error.entity == "Article")
            #expect(error.reason == "the server has no collection at /api/articles (\(status))")
        }
        // A later page may have disappeared meanwhile.
        let page = try await fetch(RemoteRequest(entity: articles, page: "2"), .init(status: status)) {
            $0.reads.paging = .pages()
        }
        #expect(page.response.isAbsent)
    }

    @Test("H1 A response with ETag and Last-Modified is requested again only if it has changed")
    func validators() async throws {
        let clock = FixedClock(now: try #require(HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT", now: Date())))
        let client = ScriptedClient(
            .init(
                fields: [.eTag: "W/\"a\"", .lastModified: "Sat, 05 Nov 1994 08:49:37 GMT"], body: "[]"),
            .init(status: 304))
        let remote = RESTRemote(url, client: client, clock: clock)
        let first = try await remote.fetch(RemoteRequest(entity: articles)).records
        let address = "https://shop.test/api/articles?api_key=s3cret"
        #expect(first?.address == address)
        #expect(first?.validators == Validators(entityTag: "W/\"a\"", startedAt: clock.now))
        let again = try await remote.fetch(
            RemoteRequest(entity: articles) { asked in asked == address ? first?.validators : nil })
        #expect(again.notModified == address)
        #expect(
            await client.requests.last == """
                GET https://shop.test/api/articles?api_key=s3cret
                Accept: application/json
                If-None-Match: W/"a"
                If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT
                """)
    }

    @Test("H1 A device whose clock is ahead sends the start by the server's clock")
    func clockAhead() async throws {
        let clock = FixedClock(now: try #require(HTTPDate.date(from: "Sun, 06 Nov 1994 09:00:00 GMT", now: Date())))
        let client = ScriptedClient(
            .init(
                fields: [.date: "Sun, 06 Nov 1994 08:00:00 GMT", .lastModified: "Sat, 05 Nov 1994 08:49:37 GMT"],
                body: "[]"))
        let records = try await RESTRemote(url, client: client, clock: clock).fetch(RemoteRequest(entity: articles))
            .records
        #expect(records?.validators?.startedAt == HTTPDate.date(from: "Sun, 06 Nov 1994 08:00:00 GMT", now: Date()))
        #expect(records?.validators?.entityTag == nil)
    }

    @Test("H1 The start of the request counts, however long the response takes", arguments: [true, false])
    func slowResponse(isDated: Bool) async throws {
        let start = try #require(HTTPDate.date(from: "Sun, 06 Nov 1994 09:00:00 GMT", now: Date()))
        var fields: HTTPFields = [.lastModified: "Sat, 05 Nov 1994 08:49:37 GMT"]
        if isDated { fields[.date] = "Sun, 06 Nov 1994 09:01:00 GMT" }
        let clock = ManualClock(now: start)
        let client = SlowClient(client: ScriptedClient(.init(fields: fields, body: "[]")), clock: clock)
        let records = try await RESTRemote(url, client: client, clock: clock).fetch(RemoteRequest(entity: articles))
            .records
        #expect(clock.now == start + 60)
        #expect(records?.validators?.startedAt == start)
    }

    @Test("H1 Without Last-Modified no date is sent, and an unexpected 304 is an error")
    func unasked() async throws {
        let (_, response) = try await fetch(RemoteRequest(entity: articles), .init(fields: [.eTag: "x"], body: "[]"))
        #expect(response.records?.validators == Validators(entityTag: "x"))
        let error = try await syncError { try await fetch(RemoteRequest(entity: articles), .init(status: 304)) }
        #expect(error.code == .refused(status: 304))
    }

    @Test(
        "Error statuses report the request, and show no secret",
        arguments: [
            (400, SyncError.Code.refused(status: 400)), (302, .unexpectedResponse(status: 302)),
            (206, .unexpectedResponse(status: 206)), (103, .unexpectedResponse(status: 103)),
            (999, .unavailable(status: 999)),
            (401, .unauthorized), (403, .refused(status: 403)), (412, .refused(status: 412)),
            (408, .unavailable(status: 408)), (425, .unavailable(status: 425)), (429, .unavailable(status: 429)),
            (500, .unavailable(status: 500)), (503, .unavailable(status: 503)),
        ] as [(Int, SyncError.Code)])
    func statuses(_ status: Int, _ code: SyncError.Code) async throws {
        let error = try await syncError {
            try await fetch(
                RemoteRequest(entity: articles), .init(status: status, fields: [.retryAfter: "7"], body: "s3cret"))
        }
        #expect(error.code == code)
        #expect(error.request == "GET https://shop.test/api/articles?api_key=…")
        #expect(!error.description.contains("s3cret"))
        if case .unavailable = code { #expect(error.retryAfter == 7) }
    }

    @Test("A missing record is absent", arguments: [404, 410])
    func absent(_ status: Int) async throws {
        let request = RemoteRequest(entity: articles, target: .record(7))
        let response = try await fetch(request, .init(status: status)).response
        #expect(status == 410 ? response.isGone : response.isAbsent)
    }

    @Test("A truncated body throws when it is read")
    func truncated() async throws {
        let (_, response) = try await fetch(
            RemoteRequest(entity: articles), .init(body: #"[{"id": 1}, "#, breaksOff: true))
        let error = try await syncError { try await response.text() }
        #expect(error.code == .network)
    }
}

/// A client whose responses take a minute.
private struct SlowClient: HTTPClient {
    let client: ScriptedClient
    let clock: ManualClock

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        defer { clock.advance(by: 60) }
        return try await client.send(request, body: body)
    }
}

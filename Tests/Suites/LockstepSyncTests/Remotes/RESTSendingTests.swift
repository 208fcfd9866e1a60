import Foundation
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("REST: writing")
struct RESTSendingTests {
    private let url = URL(string: "https://shop.test")!

    private func send(
        _ change: OutgoingChange, _ scripted: ScriptedClient.Response, usesVersions: Bool = false,
        _ modify: (inout RESTConventions) -> Void = { _ in }
    ) async throws -> (request: String?, response: String) {
        var conventions = RESTConventions()
        modify(&conventions)
        let client = ScriptedClient(scripted)
        let clock = FixedClock(now: try #require(HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT", now: Date())))
        let remote = RESTRemote(
            url, client: client, conventions: conventions, usesVersions: usesVersions, clock: clock)
        let response = try await remote.send(change)
        return (await client.requests.first, response.text)
    }

    @Test("P10.1 A new record is posted under its key, with the change's own idempotency key")
    func create() async throws {
        let (request, response) = try await send(
            .create(Product.self, #"{"name":"Shirt"}"#, key: "0e5a"),
            .init(
                status: 201, fields: [.contentType: "application/json; charset=utf-8"], body: #"{"product":{"id":7}}"#))
        #expect(
            request == """
                POST https://shop.test/products
                Accept: application/json
                Content-Type: application/json
                Idempotency-Key: "0e5a"
                {"product":{"name":"Shirt"}}
                """)
        #expect(response == #"accepted {"id":7}, no version, no identity"#)
    }

    @Test("P10.1 The idempotency key is a structured string, or bare for a server that requires it")
    func idempotencyKey() async throws {
        let key = #"a "b" \c é"#
        let (quoted, _) = try await send(.create(Article.self, "{}", key: key), .init(status: 201))
        #expect(quoted?.contains(#"Idempotency-Key: "a \"b\" \\c %C3%A9""# + "\n") == true)
        let (bare, _) = try await send(.create(Article.self, "{}", key: "0e5a"), .init(status: 201)) {
            $0.writes.idempotencyKeys = .bare
        }
        #expect(bare?.contains("Idempotency-Key: 0e5a\n") == true)
    }

    @Test("C4.9 A weak ETag in a response is not kept as the version")
    func weakVersion() async throws {
        let (_, response) = try await send(
            .update(Article.self, 7, "{}", version: "\"1\""), .init(status: 204, fields: [.eTag: "W/\"2\""]),
            usesVersions: true)
        #expect(response == "accepted nothing, no version, no identity")
    }

    @Test(
        "P5 A new record's identity may only be in the Location field",
        arguments: [
            ("/products/7", "7"), ("https://shop.test/v1/products/a%2Fb", "a/b"), ("/products", "no identity"),
            ("/people/7", "no identity"), ("", "no identity"), ("/products/7/", "7"),
        ])
    func location(_ location: String, _ identity: String) async throws {
        let (_, response) = try await send(
            .create(Product.self, "{}"), .init(status: 201, fields: [.location: location]))
        #expect(response == "accepted nothing, no version, \(identity)")
    }

    @Test("An existing record is patched with its changes")
    func update() async throws {
        let (request, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#, body: #"{"id":7,"title":"New"}"#, version: "\"1\""),
            .init(fields: [.eTag: "\"2\""], body: #"{"id":7,"title":"New"}"#))
        #expect(
            request == """
                PATCH https://shop.test/articles/7
                Accept: application/json
                Content-Type: application/json
                {"title":"New"}
                """)
        #expect(response == #"accepted {"id":7,"title":"New"}, no version, no identity"#)
    }

    @Test("C4.1 With versions, a write is conditional on the version that it is based on")
    func versions() async throws {
        let (patch, accepted) = try await send(
            .update(Article.self, 7, "{}", version: "\"1\""), .init(status: 204, fields: [.eTag: "\"2\""]),
            usesVersions: true)
        #expect(patch?.contains("\nIf-Match: \"1\"\n") == true)
        #expect(accepted == "accepted nothing, \"2\", no identity")
        let (delete, outdated) = try await send(
            .delete(Article.self, 7, version: "\"1\""),
            .init(status: 412, fields: [.eTag: "\"2\""], body: #"{"id":7}"#), usesVersions: true)
        #expect(
            delete == """
                DELETE https://shop.test/articles/7
                Accept: application/json
                Accept-Encoding: identity
                If-Match: "1"
                """)
        #expect(outdated == #"outdated {"id":7}, "2""#)
        let (create, _) = try await send(.create(Article.self, "{}"), .init(status: 201), usesVersions: true)
        #expect(create?.contains("If-Match") == false)
    }

    @Test("C4.2 A rejection without the current record returns none")
    func outdatedWithoutBody() async throws {
        let (_, response) = try await send(
            .update(Article.self, 7, "{}", version: "1"),
            .init(status: 412, fields: [.contentType: "text/html"], body: "<p>{}"), usesVersions: true)
        #expect(response == "outdated nothing, no version")
    }

    @Test("A record with a composite identity has one address")
    func composite() async throws {
        let (request, _) = try await send(.delete(Lender.self, ["DE", 7]), .init(status: 204))
        #expect(request?.hasPrefix("DELETE https://shop.test/lenders/DE_7\n") == true)
    }

    @Test("P6 A missing record is absent, a missing collection is rejected", arguments: [404, 410])
    func absent(_ status: Int) async throws {
        #expect(try await send(.delete(Article.self, 7), .init(status: status)).response == "absent")
        #expect(try await send(.update(Article.self, 7, "{}"), .init(status: status)).response == "absent")
        let created = try await send(.create(Article.self, "{}"), .init(status: status, body: "none"))
        #expect(created.response == "refused \(status) none")
    }

    @Test("P7 A temporary failure is unavailable", arguments: [408, 425, 429, 500, 502, 503, 599])
    func unavailable(_ status: Int) async throws {
        let plain = try await send(.delete(Article.self, 7), .init(status: status))
        #expect(plain.response == "unavailable \(status), no delay")
        let seconds = try await send(.delete(Article.self, 7), .init(status: status, fields: [.retryAfter: " 120 "]))
        #expect(seconds.response == "unavailable \(status), 120.0 s")
        let date = try await send(
            .delete(Article.self, 7),
            .init(status: status, fields: [.retryAfter: "Sun, 06 Nov 1994 08:50:00 GMT"]))
        #expect(date.response == "unavailable \(status), 23.0 s")
    }

    @Test("P8 A permanent rejection is rejected, with its body", arguments: [400, 403, 409, 422])
    func refused(_ status: Int) async throws {
        let (_, response) = try await send(.create(Article.self, "{}"), .init(status: status, body: "because"))
        #expect(response == "refused \(status) because")
    }

    @Test("P8 The beginning of a long error body is kept, and the received part of a truncated one")
    func longRefusal() async throws {
        let long = try await send(
            .delete(Article.self, 7), .init(status: 422, body: String(repeating: "x", count: 1 << 20)))
        #expect(long.response.utf8.count == "refused 422 ".utf8.count + 64 << 10)
        let broken = try await send(.delete(Article.self, 7), .init(status: 422, body: "becau", breaksOff: true))
        #expect(broken.response == "refused 422 becau")
    }

    @Test("P9 401 is an error that shows no token")
    func unauthorized() async throws {
        let error = try await syncError { try await send(.delete(Article.self, 7), .init(status: 401, body: "s3cret")) }
        #expect(error.code == .unauthorized && error.record == "7")
        #expect(error.description.hasPrefix("DELETE https://shop.test/articles/7, Article 7: "))
        #expect(!error.description.contains("s3cret"))
    }

    @Test(
        "P5 A response without a record keeps the local values",
        arguments: [
            (204, "", ""), (200, "", ""), (201, "", "text/html"), (200, " ", "text/html"), (200, "null", ""),
        ])
    func noBody(_ status: Int, _ body: String, _ type: String) async throws {
        let scripted = ScriptedClient.Response(
            status: status, fields: type.isEmpty ? [:] : [.contentType: type], body: body)
        let (_, response) = try await send(.update(Article.self, 7, "{}"), scripted)
        #expect(response == "accepted nothing, no version, no identity")
    }

    @Test(
        "P13 A response that is not from the API is a temporary error",
        arguments: [
            (200, "OK", "text/plain"), (200, "<p>Done", "text/html"), (200, "[]", ""), (200, "true", ""),
            (201, "{", "application/json"), (202, "", ""), (301, "", ""), (302, "<p>", "text/html"), (304, "", ""),
            (403, "<p>Sign in", "text/html"), (404, " <p>", ""), (410, "\u{FEFF}<p>", ""),
        ])
    func foreign(_ status: Int, _ body: String, _ type: String) async throws {
        let response = ScriptedClient.Response(
            status: status, fields: type.isEmpty ? [:] : [.contentType: type], body: body)
        for change in [
            OutgoingChange.create(Article.self, "{}"), .update(Article.self, 7, "{}"), .delete(Article.self, 7),
        ] {
            let error = try await syncError { try await send(change, response) }
            #expect(error.code == .unexpectedResponse(status: status) && error.isTransient)
        }
    }

    @Test(
        "P13 After a redirect, only the record proves that it was written",
        arguments: [
            (201, "", true), (200, "", false), (200, #"{"id":7,"title":"New"}"#, true),
            (200, #"{"error":"sign in"}"#, false),
        ])
    func redirected(_ status: Int, _ body: String, _ isProof: Bool) async throws {
        let response = ScriptedClient.Response(
            status: status, body: body, address: URL(string: "https://shop.test/login"))
        if isProof {
            _ = try await send(.update(Article.self, 7, "{}"), response)
        } else {
            let error = try await syncError { try await send(.update(Article.self, 7, "{}"), response) }
            #expect(error.reason.contains("from https://shop.test/login"))
        }
    }

    @Test("P10 A truncated response is not a response")
    func brokenResponse() async throws {
        let error = try await syncError {
            try await send(.create(Article.self, "{}"), .init(status: 201, body: #"{"id"#, breaksOff: true))
        }
        #expect(error.isTransient)
    }

    @Test("A change of a record without identity is not sent", arguments: ["", ".", ".."])
    func invalidIdentity(_ text: String) async throws {
        let client = ScriptedClient()
        let error = try await syncError {
            try await RESTRemote(url, client: client).send(.delete(Article.self, RemoteIdentity([.string(text)])))
        }
        #expect(error.code == .invalidIdentity)
        #expect(await client.requests.isEmpty)
    }
}

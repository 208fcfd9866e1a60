import Foundation
import HTTPTypes
import Journal
import LinkSamples
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("Firebase: writing")
struct FirebaseSendingTests {
    private let url = URL(string: "https://journal.test")!

    private func send(
        _ change: OutgoingChange, updates: FirebaseRemote.Updates = .conditional,
        _ responses: ScriptedClient.Response...
    ) async throws -> (requests: [String], response: String) {
        let client = ScriptedClient(responses)
        let remote = FirebaseRemote(url, client: client, updates: updates)
        let response = try await remote.send(change)
        return (await client.requests, response.text)
    }

    @Test("A new record is written if none exists")
    func create() async throws {
        let (requests, response) = try await send(
            .create(Article.self, 7, #"{"id":7,"title":"Monday"}"#),
            .init(fields: [.eTag: "v1"], body: #"{"id":7,"title":"Monday"}"#))
        #expect(
            requests == [
                """
                PUT https://journal.test/articles/7.json
                Accept: application/json
                Content-Type: application/json
                X-Firebase-ETag: true
                If-Match: null_etag
                {"id":7,"title":"Monday"}
                """
            ])
        #expect(response == #"accepted {"id":7,"title":"Monday"}, v1, 7"#)
    }

    @Test("P10.3 An existing equal record is the one created before")
    func repeatedCreation() async throws {
        let (_, response) = try await send(
            .create(Article.self, 7, #"{"id":7,"title":"Monday","description":null,"words":["a"],"none":[]}"#),
            .init(status: 412, fields: [.eTag: "v1"], body: #"{"id":7,"words":{"0":"a"},"title":"Monday"}"#))
        #expect(response == #"accepted {"id":7,"title":"Monday","words":{"0":"a"}}, v1, 7"#)
    }

    @Test("C4 A new record does not replace another one")
    func occupied() async throws {
        let (_, response) = try await send(
            .create(Article.self, 7, #"{"id":7,"title":"Monday"}"#),
            .init(status: 412, fields: [.eTag: "v1"], body: #"{"title":"Tuesday"}"#))
        #expect(response == #"outdated {"id":7,"title":"Tuesday"}, v1"#)
    }

    @Test("P10 A record named by the server gets the change's key, every time the same")
    func serverMadeIdentity() async throws {
        let (requests, response) = try await send(
            .create(Article.self, #"{"title":"Monday"}"#, key: "0e5a-1c"),
            .init(fields: [.eTag: "v1"], body: #"{"id":"0e5a-1c","title":"Monday"}"#))
        #expect(requests[0].hasPrefix("PUT https://journal.test/articles/0e5a-1c.json\n"))
        #expect(requests[0].hasSuffix(#"{"id":"0e5a-1c","title":"Monday"}"#))
        #expect(response == #"accepted {"id":"0e5a-1c","title":"Monday"}, v1, 0e5a-1c"#)
    }

    @Test("C4 An update is written into the current record, and keeps members that the schema does not know")
    func update() async throws {
        let (requests, response) = try await send(
            .update(Article.self, 7, #"{"title":"New","description":null}"#, version: "v1"),
            .init(fields: [.eTag: "v1"], body: #"{"id":7,"title":"Old","description":"x","likes":3}"#),
            .init(fields: [.eTag: "v2"], body: #"{"id":7,"title":"New","likes":3}"#))
        #expect(
            requests == [
                "GET https://journal.test/articles/7.json\nAccept: application/json\nX-Firebase-ETag: true",
                """
                PUT https://journal.test/articles/7.json
                Accept: application/json
                Content-Type: application/json
                X-Firebase-ETag: true
                If-Match: v1
                {"description":null,"id":7,"likes":3,"title":"New"}
                """,
            ])
        #expect(response == #"accepted {"id":7,"likes":3,"title":"New"}, v2, no identity"#)
    }

    @Test("Other members in the object of a nested key are kept; an embedded record is replaced")
    func nestedKeys() async throws {
        let record = #"{"id":7,"brand":{"url":"a","name":"Acme"},"image":{"id":1,"title":"x"}}"#
        let changes = #"{"brand":{"url":"b"},"image":{"id":1}}"#
        let (requests, _) = try await send(
            .update(Product.self, 7, changes), .init(fields: [.eTag: "v1"], body: record),
            .init(fields: [.eTag: "v2"], body: changes))
        #expect(requests[1].hasSuffix(#"{"brand":{"name":"Acme","url":"b"},"id":7,"image":{"id":1}}"#))
        let (patches, _) = try await send(
            .update(Product.self, 7, changes), updates: .unconditional, .init(body: changes))
        #expect(patches[0].hasSuffix(#"{"brand/url":"b","image":{"id":1}}"#))
    }

    @Test("C4 A record changed in the meantime is not overwritten, and is returned")
    func changedSince() async throws {
        let (requests, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#, version: "v1"),
            .init(fields: [.eTag: "v2"], body: #"{"id":7,"title":"Theirs"}"#))
        #expect(requests.count == 1)
        #expect(response == #"outdated {"id":7,"title":"Theirs"}, v2"#)
    }

    @Test("C4 Nor is one that is changed between the read and the write")
    func changedInBetween() async throws {
        let (_, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#, version: "v1"),
            .init(fields: [.eTag: "v1"], body: #"{"id":7}"#),
            .init(status: 412, fields: [.eTag: "v2"], body: #"{"id":7,"title":"Theirs"}"#))
        #expect(response == #"outdated {"id":7,"title":"Theirs"}, v2"#)
    }

    @Test("Without a version, an update is applied to the current record")
    func withoutVersion() async throws {
        let (requests, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#),
            .init(fields: [.eTag: "v1"], body: #"{"id":7}"#),
            .init(status: 412, fields: [.eTag: "v2"], body: #"{"id":7,"likes":3}"#),
            .init(fields: [.eTag: "v3"], body: #"{"id":7,"likes":3,"title":"New"}"#))
        #expect(requests[2].contains("If-Match: v2") && requests[2].hasSuffix(#"{"id":7,"likes":3,"title":"New"}"#))
        #expect(response == #"accepted {"id":7,"likes":3,"title":"New"}, v3, no identity"#)
    }

    @Test("Without a version, it gives up after several attempts")
    func contended() async throws {
        let busy = ScriptedClient.Response(status: 412, fields: [.eTag: "v2"], body: #"{"id":7}"#)
        let (requests, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#), .init(fields: [.eTag: "v1"], body: #"{"id":7}"#), busy, busy,
            busy, busy, busy)
        #expect(requests.count == 5)
        #expect(response == #"outdated {"id":7}, v2"#)
    }

    @Test("C3 A deleted record is not partially created again")
    func deletedThere() async throws {
        let gone = try await send(.update(Article.self, 7, "{}"), .init(fields: [.eTag: "null_etag"], body: "null"))
        #expect(gone.response == "absent" && gone.requests.count == 1)
        let meanwhile = try await send(
            .update(Article.self, 7, "{}", version: "v1"), .init(fields: [.eTag: "v1"], body: #"{"id":7}"#),
            .init(status: 412, fields: [.eTag: "null_etag"], body: "null"))
        #expect(meanwhile.response == "absent")
    }

    @Test("Unconditional updates patch, and their response is not taken for the record")
    func patch() async throws {
        let (requests, response) = try await send(
            .update(Article.self, 7, #"{"title":"New"}"#, version: "v1"), updates: .unconditional,
            .init(body: #"{"title":"New"}"#))
        #expect(
            requests == [
                """
                PATCH https://journal.test/articles/7.json
                Accept: application/json
                Content-Type: application/json
                {"title":"New"}
                """
            ])
        #expect(response == "accepted nothing, no version, no identity")
    }

    @Test("A server without tags is patched")
    func withoutTags() async throws {
        let (requests, _) = try await send(
            .update(Article.self, 7, "{}"), .init(body: #"{"id":7}"#), .init(body: "{}"))
        #expect(requests[1].hasPrefix("PATCH "))
    }

    @Test("A record is deleted with its version, if that is known")
    func delete() async throws {
        let plain = try await send(.delete(Article.self, 7), .init(body: "null"))
        #expect(plain.requests == ["DELETE https://journal.test/articles/7.json\nAccept: application/json"])
        #expect(plain.response == "accepted nothing, no version, no identity")
        let outdated = try await send(
            .delete(Article.self, 7, version: "v1"), .init(status: 412, fields: [.eTag: "v2"], body: #"{"likes":3}"#))
        #expect(outdated.requests[0].hasSuffix("If-Match: v1\nX-Firebase-ETag: true"))
        #expect(outdated.response == #"outdated {"id":7,"likes":3}, v2"#)
        let gone = try await send(.delete(Article.self, 7, version: "v1"), .init(status: 412, body: "null"))
        #expect(gone.response == "absent")
    }

    @Test("P7 P8 The responses to a write", arguments: OutgoingChange.Kind.all)
    func statuses(_ kind: OutgoingChange.Kind) async throws {
        var change = OutgoingChange.create(Article.self, 7, "{}")
        change.kind = kind
        #expect(try await send(change, .init(status: 400, body: "no")).response == "refused 400 no")
        let busy = try await send(change, .init(status: 503, fields: [.retryAfter: "3"]))
        #expect(busy.response == "unavailable 503, 3.0 s")
        let denied = #"{"error" : "Permission denied"}"#
        #expect(try await send(change, .init(status: 401, body: denied)).response == "refused 401 \(denied)")
        let error = try await syncError { try await send(change, .init(status: 401, body: "s3cret")) }
        #expect(error.code == .unauthorized && !error.description.contains("s3cret"))
    }

    @Test(
        "Identities that cannot be keys are rejected before anything is sent",
        arguments: [
            "", "a.b", "a#b", "a$b", "a[b", "a]b", "a/b", "a\u{0}b", "a\u{7F}b", "a\nb",
            String(repeating: "ö", count: 385),
        ])
    func invalidIdentity(_ text: String) async throws {
        let client = ScriptedClient()
        let remote = FirebaseRemote(url, client: client)
        for kind in OutgoingChange.Kind.all {
            var change = OutgoingChange.create(Article.self, RemoteIdentity([.string(text)]), "{}")
            change.kind = kind
            let error = try await syncError { try await remote.send(change) }
            #expect(error.code == .invalidIdentity && error.entity == "Article")
        }
        #expect(await client.requests.isEmpty)
    }

    @Test("Any other character is part of a key, escaped in the address")
    func validIdentity() async throws {
        let (requests, _) = try await send(.delete(Article.self, ["a b?%ö"]), .init(body: "null"))
        #expect(requests[0].hasPrefix("DELETE https://journal.test/articles/a%20b%3F%25%C3%B6.json\n"))
        let long = String(repeating: "ö", count: 384)
        #expect(
            try await send(.delete(Article.self, [.string(long)]), .init(body: "null")).response.hasPrefix("accepted"))
    }

    @Test("A composite identity is one key, and a record contains each of its values")
    func composite() async throws {
        let (requests, response) = try await send(
            .create(Lender.self, ["DE", 7], "{}"),
            .init(fields: [.eTag: "v1"], body: #"{"country":"DE","number":7}"#))
        #expect(requests[0].hasPrefix("PUT https://journal.test/lenders/DE_7.json\n"))
        #expect(response == #"accepted {"country":"DE","number":7}, v1, DE_7"#)
    }
}

extension OutgoingChange.Kind {
    static let all: [OutgoingChange.Kind] = [.create, .update, .delete]
}

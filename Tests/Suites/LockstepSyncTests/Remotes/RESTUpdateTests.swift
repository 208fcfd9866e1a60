import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import ServerSamples
import Shop
import Testing

@Suite("REST: updates and versions")
struct RESTUpdateTests {
    private let id: RemoteIdentity = ["6f1f7e0a-95a7-4a3f-9d0f-0d6f0a7b7c11"]

    private func send(
        _ change: OutgoingChange, _ responses: ScriptedClient.Response...,
        updates: RESTConventions.Updates = .changedMembers, usesVersions: Bool = false, conflictStatuses: Set<Int> = []
    ) async throws -> (requests: [String], response: String) {
        var conventions = RESTConventions()
        conventions.writes.updates = updates
        conventions.writes.conflictStatuses = conflictStatuses
        let client = ScriptedClient(responses)
        let url = try #require(URL(string: "https://shop.test"))
        let remote = RESTRemote(url, client: client, conventions: conventions, usesVersions: usesVersions)
        let response = try await remote.send(change)
        return (await client.requests, response.text)
    }

    // MARK: Methods

    @Test("The method, what is sent, and its media type are options")
    func methods() async throws {
        let change = OutgoingChange.update(
            Article.self, 7, #"{"title":"New"}"#, body: #"{"body_text":"","id":7,"title":"New"}"#)
        let (patch, _) = try await send(change, .init(status: 204), updates: .mergePatch)
        #expect(
            patch == [
                """
                PATCH https://shop.test/articles/7
                Accept: application/json
                Content-Type: application/merge-patch+json
                {"title":"New"}
                """
            ])
        let (put, _) = try await send(change, .init(status: 204), updates: .init(.put, sending: .knownMembers))
        #expect(put[0].hasPrefix("PUT https://shop.test/articles/7\n"))
        #expect(put[0].hasSuffix("\n" + #"{"body_text":"","id":7,"title":"New"}"#))
        let (post, _) = try await send(change, .init(status: 204), updates: .init(.post, sending: .changedMembers))
        #expect(post[0].hasPrefix("POST https://shop.test/articles/7\n"))
        #expect(!post[0].contains("Idempotency-Key"))
    }

    // MARK: Merge patches

    @Test("A merge patch that replaces an object is made from the record, with null for what is removed")
    func replacedObject() async throws {
        let change = OutgoingChange.update(
            JobSheet.self, id, #"{"options":{"size":8,"deep":{"x":1}},"title":"New"}"#)
        let (requests, response) = try await send(
            change,
            .init(
                fields: [.eTag: "\"1\""],
                body: #"{"id":"x","options":{"color":"red","size":7,"deep":{"x":0,"y":[1]}},"stars":5}"#),
            .init(status: 204), updates: .mergePatch)
        #expect(response == "accepted nothing, no version, no identity")
        #expect(requests.count == 2 && requests[1].contains("If-Match: \"1\""))
        #expect(
            requests[1].hasSuffix(#"{"options":{"color":null,"deep":{"x":1,"y":null},"size":8},"title":"New"}"#))
    }

    @Test("A merge patch without objects, or with null for one, is sent at once")
    func withoutObjects() async throws {
        for changes in [#"{"title":"New"}"#, #"{"options":null}"#, #"{"skillIds":[1,2]}"#] {
            let change = OutgoingChange.update(JobSheet.self, id, changes)
            let (requests, _) = try await send(change, .init(status: 204), updates: .mergePatch)
            #expect(requests.count == 1 && requests[0].hasSuffix(changes))
        }
    }

    @Test("A merge patch is made again from what another writer wrote")
    func slower() async throws {
        let change = OutgoingChange.update(JobSheet.self, id, #"{"options":{"size":8}}"#)
        let (requests, _) = try await send(
            change, .init(fields: [.eTag: "\"1\""], body: #"{"options":{"a":1}}"#),
            .init(status: 412, fields: [.eTag: "\"2\""], body: #"{"options":{"b":1}}"#), .init(status: 204),
            updates: .mergePatch)
        #expect(requests.count == 3 && requests[2].contains("If-Match: \"2\""))
        #expect(requests[2].hasSuffix(#"{"options":{"b":null,"size":8}}"#))
    }

    // MARK: Conflicts

    @Test("C4.6 409 to an If-Match means another version if the record has one")
    func conflict() async throws {
        let change = OutgoingChange.update(Article.self, 7, "{}", version: "\"1\"")
        let (requests, response) = try await send(
            change, .init(status: 409, body: "{}"), .init(fields: [.eTag: "\"2\""], body: #"{"id":7}"#),
            usesVersions: true, conflictStatuses: [409])
        #expect(response == #"outdated {"id":7}, "2""#)
        #expect(requests.map { $0.prefix(5) } == ["PATCH", "GET h"])
    }

    @Test(
        "P8 C4.7 C4.8 409 is a rejection if the version is the same, the request has none, or it is not a conflict status"
    )
    func rejection() async throws {
        let change = OutgoingChange.update(Article.self, 7, "{}", version: "\"1\"")
        let taken = ScriptedClient.Response(status: 409, body: "taken")
        let same = ScriptedClient.Response(fields: [.eTag: "\"1\""], body: #"{"id":7}"#)
        #expect(
            try await send(change, taken, same, usesVersions: true, conflictStatuses: [409]).response
                == "refused 409 taken")
        let unversioned = OutgoingChange.update(Article.self, 7, "{}")
        #expect(
            try await send(unversioned, taken, usesVersions: true, conflictStatuses: [409]).response
                == "refused 409 taken")
        #expect(try await send(change, taken, usesVersions: true).response == "refused 409 taken")
    }

    @Test("C4.3 If the server requires a condition, the version is requested")
    func requiredCondition() async throws {
        let required = ScriptedClient.Response(status: 428, body: "If-Match, please")
        let known = ScriptedClient.Response(fields: [.eTag: "\"2\""], body: #"{"id":7}"#)
        let delete = OutgoingChange.delete(Article.self, 7)
        #expect(try await send(delete, required, known, usesVersions: true).response == #"outdated {"id":7}, "2""#)
        // A server without strong ETags cannot be satisfied, and a remote without versions does not try.
        let unknown = ScriptedClient.Response(body: #"{"id":7}"#)
        let refusal = "refused 428 If-Match, please"
        #expect(try await send(delete, required, unknown, usesVersions: true).response == refusal)
        #expect(try await send(delete, required).response == refusal)
    }

    @Test("C4.2 C3 A delete that is rejected with 409 because others have deleted the record has succeeded")
    func deleted() async throws {
        let (_, response) = try await send(
            .delete(Article.self, 7, version: "\"1\""), .init(status: 409), .init(status: 404), usesVersions: true,
            conflictStatuses: [409])
        #expect(response == "absent")
    }
}

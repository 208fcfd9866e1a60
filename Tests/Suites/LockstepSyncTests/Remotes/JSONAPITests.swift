import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import ServerSamples
import Testing

@Suite("REST: JSON:API")
struct JSONAPITests {
    private let id = "6f1f7e0a-95a7-4a3f-9d0f-0d6f0a7b7c11"
    private let url = URL(string: "https://workshop.test")!

    private func remote(_ client: ScriptedClient) -> RESTRemote {
        RESTRemote(url, client: client, conventions: .jsonAPI)
            .overriding(Worker.self) { $0.envelope = .jsonAPI(type: "people") }
    }

    @Test("Resources of a page become records, and links.next is the next page")
    func reading() async throws {
        let client = ScriptedClient(
            .init(
                body: """
                    {"data": [{"type": "job-sheets", "id": "\(id)", "attributes": {"title": "Saw", "dueAt": 1.50},
                      "relationships": {"worker": {"data": {"type": "people", "id": "9"}, "links": {}},
                        "skills": {"data": [{"type": "skills", "id": "1"}, {"type": "skills", "id": "2"}]}}},
                     {"type": "job-sheets", "id": "b", "relationships": {"worker": {"data": null}, "skills": {}}}],
                     "included": [{"type": "people", "id": "9"}],
                     "links": {"self": "/job-sheets", "next": "/job-sheets?page[number]=2"}}
                    """))
        let response = try await remote(client).fetch(RemoteRequest(entity: RemoteEntity(JobSheet.self)))
        let records = try JSONValue(json: Data(try #require(try await response.text()).utf8))
        #expect(
            records == [
                ["id": .string(id), "title": "Saw", "dueAt": .double(1.5), "workerId": "9", "skillIds": ["1", "2"]],
                ["id": "b", "workerId": .null],
            ])
        #expect(response.records?.next == "https://workshop.test/job-sheets?page%5Bnumber%5D=2")
        #expect(await client.requests == ["GET https://workshop.test/job-sheets\nAccept: application/vnd.api+json"])
    }

    @Test("Records are sent as resources, with the types of their links")
    func writing() async throws {
        let response = ScriptedClient.Response(
            status: 201,
            body: #"{"data": {"type": "job-sheets", "id": "\#(id)", "attributes": {"title": "Saw", "stars": 1}}}"#)
        let client = ScriptedClient(response, .init(status: 204), .init(status: 204))
        let remote = remote(client)
        let made = try await remote.send(
            .create(
                JobSheet.self, [.string(id)], #"{"id":"\#(id)","title":"Saw","workerId":9,"skillIds":[1,2]}"#))
        #expect(made.text == #"accepted {"id":"\#(id)","stars":1,"title":"Saw"}, no version, no identity"#)
        let sent = await client.requests[0]
        #expect(sent.contains("Content-Type: application/vnd.api+json\n"))
        #expect(
            try JSONValue(json: Data(sent.split(separator: "\n").last!.utf8)) == [
                "data": [
                    "type": "job-sheets", "id": .string(id), "attributes": ["title": "Saw"],
                    "relationships": [
                        "worker": ["data": ["type": "people", "id": "9"]],
                        "skills": ["data": [["type": "skills", "id": "1"], ["type": "skills", "id": "2"]]],
                    ],
                ]
            ])
        _ = try await remote.send(.update(JobSheet.self, [.string(id)], #"{"workerId":null}"#))
        #expect(
            await client.requests[1].hasSuffix(
                #"{"data":{"id":"\#(id)","relationships":{"worker":{"data":null}},"type":"job-sheets"}}"#))
        _ = try await remote.send(.delete(JobSheet.self, [.string(id)]))
        #expect(await client.requests[2].hasPrefix("DELETE https://workshop.test/job-sheets/\(id)\n"))
    }

    @Test("P13 A resource with another id, and a document of errors, prove nothing")
    func unproven() async throws {
        for body in [#"{"data": {"type": "job-sheets", "id": "other"}}"#, #"{"errors": [{"detail": "no"}]}"#] {
            let error = try await syncError {
                try await remote(ScriptedClient(.init(body: body)))
                    .send(.update(JobSheet.self, [.string(id)], #"{"title":"New"}"#))
            }
            #expect(error.code == .unexpectedResponse(status: 200))
        }
    }

    @Test("A store pulls and pushes")
    func story() async throws {
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let client = ScriptedClient(
            .init(body: #"{"data": [{"type": "people", "id": "9", "attributes": {"fullName": "Ann"}}]}"#),
            .init(
                body: """
                    {"data": [{"type": "job-sheets", "id": "\(id)", "attributes": {"title": "Saw"},
                      "relationships": {"worker": {"data": {"type": "people", "id": "9"}}}}], "links": {"next": null}}
                    """),
            .init(
                status: 422,
                body: #"{"errors": [{"detail": "is too short", "source": {"pointer": "/data/attributes/title"}}]}"#))
        let sync = Sync(store: store, remote: remote(client), retries: RetrySchedule(attemptsPerPush: 1))
        try await sync.pull(Worker.self)
        #expect(try await sync.pull(JobSheet.self).inserted == 1)
        let key = try #require(UUID(uuidString: id))
        try await store.perform { context in
            let sheet = try #require(try JobSheet.find(key, in: context))
            #expect(sheet.worker?.fullName == "Ann")
            sheet.title = "S"
            try context.save()
        }
        let parked = try #require(try await sync.push().parked.first)
        #expect(parked.lastError == "the server responded with 422: title: is too short")
    }
}

import Foundation
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Shop
import Testing
import TestSupport

/// Servers that accept whole records only, and have members that the schema does not know.
@Suite("P15 Members that the schema does not know are kept when whole records are written")
struct WholeRecordTests {
    @Test("P15 Members of the record, and of its objects, are kept")
    func members() throws {
        let change = OutgoingChange.update(Exhibit.self, 7, #"{"title":"New","lending":{"lender":null}}"#)
        let record = #"{"id":7,"title":"Old","author":"Ann","lending":{"lender":null,"since":1999}}"#
        let now = try JSONValue(json: change.applied(to: Data(record.utf8)))
        #expect(now == ["id": 7, "title": "New", "author": "Ann", "lending": ["lender": .null, "since": 1999]])
    }

    @Test("P15 Embedded records keep their members by identity, at any position in the list")
    func embedded() throws {
        let change = OutgoingChange.update(
            Room.self, 7, #"{"cameras":[{"id":2,"label":"b"},{"label":"new"},{"id":"1","label":"a"}]}"#)
        let record = #"{"id":7,"cameras":[{"id":1,"cost":10},{"id":2,"cost":20,"by":"Bo"},{"id":3,"by":"Cy"}]}"#
        let now = try JSONValue(json: change.applied(to: Data(record.utf8)))
        #expect(
            now["cameras"] == [
                ["id": 2, "cost": 20, "by": "Bo", "label": "b"], ["label": "new"],
                ["id": "1", "cost": 10, "label": "a"],
            ])
    }

    @Test("P15 An embedded to-one keeps its members while it is the same record")
    func embeddedOne() throws {
        func image(_ image: String) throws -> JSONValue? {
            let change = OutgoingChange.update(Product.self, 7, #"{"image":\#(image)}"#)
            let record = Data(#"{"id":7,"image":{"id":1,"title":"x","license":"free"}}"#.utf8)
            return try JSONValue(json: change.applied(to: record))["image"]
        }
        #expect(try image(#"{"id":1,"title":"y"}"#) == ["id": 1, "title": "y", "license": "free"])
        #expect(try image(#"{"id":1,"url":"a"}"#) == ["id": 1, "url": "a", "license": "free"])
        #expect(try image(#"{"id":2,"url":"a"}"#) == ["id": 2, "url": "a"])
        #expect(try image("null") == .null)
    }

    @Test(
        "P15 Without an identity, an embedded record is recognized by all of its values that were sent",
        arguments: Seeds.some(8, of: UInt64(0)...199))
    func withoutIdentity(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func sources() -> [String] {
            Array(["a", "b", "c", "d"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
        }
        let (there, sent) = (sources(), sources())
        let known = there.map { JSONValue.object(["src": .string($0), "by": .string("by \($0)")]) }
        let changes = JSONValue.object(["images": .array(sent.map { ["src": .string($0)] })])
        let change = OutgoingChange.update(Product.self, 7, String(decoding: try changes.json(), as: UTF8.self))
        let now = try change.applied(to: JSONValue.object(["id": 7, "images": .array(known)]).json())
        let expected = sent.map { source -> JSONValue in
            there.contains(source) ? ["src": .string(source), "by": .string("by \(source)")] : ["src": .string(source)]
        }
        #expect(try JSONValue(json: now)["images"] == .array(expected))
    }

    @Test("P15 A value that is not a record is not overwritten")
    func noRecord() async throws {
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#)
        let error = try #require(throws: SyncError.self) { try change.applied(to: Data("<html>".utf8)) }
        #expect(error.code == .malformed)
    }

    // MARK: Conditions

    @Test("P15 The slower of two writers starts again with what the other one wrote")
    func slower() async throws {
        let client = ScriptedClient(
            .init(fields: [.eTag: "\"1\""], body: #"{"id":7,"title":"Old","stars":1}"#),
            .init(status: 412, fields: [.eTag: "\"2\""], body: #"{"id":7,"title":"Old","stars":2}"#),
            .init(status: 204))
        var conventions = RESTConventions()
        conventions.writes.updates = .wholeRecord
        let url = try #require(URL(string: "https://shop.test"))
        let remote = RESTRemote(url, client: client, conventions: conventions)
        let response = try await remote.send(.update(Article.self, 7, #"{"title":"New"}"#))
        #expect(response.text.hasPrefix("accepted nothing"))
        let requests = await client.requests
        #expect(
            requests.map { $0.split(separator: "\n")[0] } == [
                "GET https://shop.test/articles/7", "PUT https://shop.test/articles/7",
                "PUT https://shop.test/articles/7",
            ])
        #expect(requests[1].contains("If-Match: \"1\""))
        #expect(requests[2].contains("If-Match: \"2\""))
        #expect(requests[2].hasSuffix(#"{"id":7,"stars":2,"title":"New"}"#))
    }

    @Test("P15 C4 A change based on another version is not written")
    func otherVersion() async throws {
        let change = OutgoingChange.update(Article.self, 7, #"{"title":"New"}"#, version: "1")
        let response = try await change.writeWhole {
            CurrentRecord(body: Data(#"{"id":7}"#.utf8), version: "2")
        } write: { _, _ in
            Issue.record("it is written")
            return .accepted(body: nil)
        }
        #expect(response.text == #"outdated {"id":7}, 2"#)
    }

    @Test("P15 A missing record is not created; a rejected read is returned")
    func absent() async throws {
        var conventions = RESTConventions()
        conventions.writes.updates = .wholeRecord
        let url = try #require(URL(string: "https://shop.test"))
        let client = ScriptedClient(.init(status: 404), .init(status: 503))
        let remote = RESTRemote(url, client: client, conventions: conventions)
        #expect(try await remote.send(.update(Article.self, 7, "{}")).text == "absent")
        #expect(try await remote.send(.update(Article.self, 7, "{}")).text == "unavailable 503, no delay")
    }

    // MARK: Stories

    @Test("P15 Members written by another client survive a local edit", arguments: [false, true])
    func secondClient(isFile: Bool) async throws {
        try await withTemporaryFolder { folder in
            let server = FakeRails(RailsRules(putReplaces: true))
            let file = folder.appendingPathComponent("remote.json")
            let record: JSONValue = [
                "id": 1, "name": "first", "allergens": ["nuts"],
                "items": [["id": 4, "title": "bolt", "author": "Ann"]],
            ]
            server.set(record, in: "/baskets")
            try JSONValue.object(["baskets": [record]]).json().write(to: file)
            var conventions = RESTConventions()
            conventions.writes.updates = .wholeRecord
            let remote: any Remote =
                isFile
                ? FileRemote(file, sendsEmbedded: true)
                : RESTRemote(server.url, client: server.client, conventions: conventions, sendsEmbedded: true)
            let store = try Store(OrdersSchema.self, at: .inMemory)
            let sync = Sync(store: store, remote: remote)
            try await sync.pull(Basket.self)
            try await store.perform { context in
                let basket = try #require(try context.fetch(Basket.all()).first)
                basket.name = "second"
                try #require(basket.items.first).title = "nut"
                try context.save()
            }
            try await sync.push()
            let now =
                isFile
                ? try JSONValue(json: Data(contentsOf: file))["baskets"]?[0] : server.record("1", of: "/baskets")
            #expect(now?["name"] == "second")
            #expect(now?["allergens"] == ["nuts"])
            #expect(now?["items"]?[0]?["title"] == "nut")
            #expect(now?["items"]?[0]?["author"] == "Ann")
        }
    }
}

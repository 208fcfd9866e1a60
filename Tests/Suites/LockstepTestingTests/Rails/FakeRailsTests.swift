import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

@Suite("A Rails-style server, in process and over a socket") struct FakeRailsTests {
    private func talk(
        _ transport: Transport, _ rules: RailsRules = RailsRules(), clock: ManualClock = ManualClock(),
        _ story: (Talk<FakeRails>) async throws -> Void
    ) async throws {
        try await Talk.with(FakeRails(rules, clock: clock), over: transport, story)
    }

    @Test("A task is created, read, changed and deleted", arguments: Transport.allCases)
    func wholeWay(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            #expect(try await talk.ask(.get, "/tasks").json == [])
            let made = try await talk.ask(.post, "/tasks", ["title": "Milk", "tag_ids": [1, 2], "list": ["id": 4]])
            #expect(made.status == 201)
            #expect(made.headers[.location] == "/tasks/1")
            #expect(made.json == ["id": 1, "title": "Milk", "tag_ids": [1, 2], "list": ["id": 4]])
            #expect(try await talk.ask(.get, "/tasks/1").json == made.json)
            let changed = try await talk.ask(.patch, "/tasks/1", ["title": "Bread", "id": 9])
            #expect(changed.status == 200)
            #expect(changed.json?["title"] == "Bread")
            #expect(changed.json?["id"] == 1)
            #expect(try await talk.ask(.delete, "/tasks/1").status == 204)
            #expect(try await talk.ask(.delete, "/tasks/1").status == 404)
            #expect(try await talk.ask(.patch, "/tasks/1", ["title": "Eggs"]).status == 404)
            #expect(try await talk.ask(.post, "/tasks", ["title": "Eggs"]).json?["id"] == 2)
            #expect(
                talk.server.changes.map(\.description) == [
                    "created /tasks/1", "updated /tasks/1", "deleted /tasks/1", "created /tasks/2",
                ])
        }
    }

    @Test("P10.1 The same key creates one record, and belongs to one request", arguments: Transport.allCases)
    func idempotency(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let key = ["Idempotency-Key": "k1"]
            talk.server.respondNext(.responseLost)
            await #expect(throws: (any Error).self) {
                try await talk.ask(.post, "/tasks", ["title": "Milk"], headers: key)
            }
            // With or without quotes, it is the same.
            let quoted = ["Idempotency-Key": "\"k1\""]
            let again = try await talk.ask(.post, "/tasks", ["title": "Milk"], headers: quoted)
            #expect(again.status == 201)
            #expect(again.json?["id"] == 1)
            #expect(talk.server.records(of: "/tasks").count == 1)
            #expect(try await talk.ask(.post, "/tasks", ["title": "Bread"], headers: key).status == 422)
            _ = try await talk.ask(.post, "/tasks", ["title": "Milk"])
            #expect(talk.server.records(of: "/tasks").count == 2)
        }
    }

    @Test("An envelope has a cursor, and is required in requests", arguments: Transport.allCases)
    func envelope(_ transport: Transport) async throws {
        try await talk(transport, RailsRules(pageSize: 2, hasVersions: true, envelope: RailsEnvelope())) { talk in
            for number: Int64 in 1...3 { talk.server.set(["id": .integer(number)], in: "/tasks") }
            let first = try await talk.ask(.get, "/tasks")
            #expect(first.json == ["data": [["id": 1], ["id": 2]], "next": "c2"])
            #expect(try await talk.ask(.get, "/tasks?cursor=c2").json == ["data": [["id": 3]], "next": .null])
            #expect(try await talk.ask(.post, "/tasks", ["id": 4]).status == 400)
            let made = try await talk.ask(.post, "/tasks", ["data": ["id": 4]])
            #expect(made.status == 201 && made.json == ["data": ["id": 4]])
            let stale = try await talk.ask(.patch, "/tasks/4", ["data": ["n": 1]], headers: ["If-Match": "\"0\""])
            #expect(stale.status == 412 && stale.json == ["data": ["id": 4]])
            #expect(try await talk.ask(.get, "/tasks/9").json?["error"] == "Not Found")
            #expect(try await talk.ask(.delete, "/tasks/4").status == 204)
        }
    }

    @Test("A lock version is incremented, and a different one is rejected", arguments: Transport.allCases)
    func lockVersions(_ transport: Transport) async throws {
        try await talk(transport, RailsRules(versionKeys: ["/tasks": "lock_version"])) { talk in
            let made = try await talk.ask(.post, "/tasks", ["title": "Milk"])
            #expect(made.json?["lock_version"] == 0)
            let change: JSONValue = ["title": "Bread", "lock_version": 0]
            #expect(try await talk.ask(.patch, "/tasks/1", change).json?["lock_version"] == 1)
            #expect(try await talk.ask(.patch, "/tasks/1", change).status == 409)
            #expect(try await talk.ask(.patch, "/tasks/1", ["title": "Eggs"]).json?["lock_version"] == 2)
            talk.server.edit("1", of: "/tasks", ["title": "Tea"])
            #expect(try await talk.ask(.delete, "/tasks/1?lock_version=2").status == 409)
            #expect(try await talk.ask(.delete, "/tasks/1?lock_version=3").status == 204)
        }
    }

    @Test("Without idempotency keys, duplicates are rejected; PUT creates new ones", arguments: Transport.allCases)
    func taken(_ transport: Transport) async throws {
        let rules = RailsRules(honoursIdempotencyKeys: false, takenStatus: 500, createsByPut: true)
        try await talk(transport, rules) { talk in
            let key = ["Idempotency-Key": "k1"]
            let made = try await talk.ask(.post, "/tasks", ["id": 5, "title": "Milk"], headers: key)
            #expect(made.status == 201)
            #expect(try await talk.ask(.post, "/tasks", ["id": 5, "title": "Milk"], headers: key).status == 500)
            #expect(try await talk.ask(.put, "/tasks/6", ["title": "Bread"]).status == 201)
            #expect(try await talk.ask(.put, "/tasks/6", ["title": "Eggs"]).status == 200)
            #expect(talk.server.record("6", of: "/tasks") == ["id": 6, "title": "Eggs"])
        }
    }

    @Test("Nested records get ids, are changed by them, and are deleted with _destroy", arguments: Transport.allCases)
    func nested(_ transport: Transport) async throws {
        let lines = RailsNesting("lines", rejects: { $0["title"] == "" }, nested: [RailsNesting("stamp", isOne: true)])
        try await talk(transport, RailsRules(nested: ["/orders": [lines]])) { talk in
            let nut: JSONValue = ["title": "nut", "stamp_attributes": ["text": "a"]]
            let sent: JSONValue = [["title": "bolt"], ["title": ""], nut]
            let made = try await talk.ask(.post, "/orders", ["lines_attributes": sent])
            #expect(
                made.json == [
                    "id": 1,
                    "lines": [
                        ["id": 1, "title": "bolt", "stamp": .null],
                        ["id": 2, "title": "nut", "stamp": ["id": 1, "text": "a"]],
                    ],
                ])
            let changes: JSONValue = [["id": 1, "_destroy": true], ["title": "nut"], ["id": 2, "title": "washer"]]
            let changed = try await talk.ask(.patch, "/orders/1", ["lines_attributes": changes])
            #expect(changed.json?["lines"]?[0]?["title"] == "washer")
            #expect(changed.json?["lines"]?[1]?["id"] == 3)
            #expect(changed.json?["lines"]?[2] == nil)
            #expect(try await talk.ask(.patch, "/orders/1", ["name": "x"]).json?["lines"] == changed.json?["lines"])
        }
    }

    @Test("A PUT replaces the whole record if the rules say so", arguments: [false, true])
    func put(replaces: Bool) async throws {
        try await talk(.inProcess, RailsRules(putReplaces: replaces)) { talk in
            talk.server.set(["id": 1, "title": "Milk", "author": "Ann"], in: "/tasks")
            _ = try await talk.ask(.put, "/tasks/1", ["title": "Bread"])
            #expect(
                talk.server.record("1", of: "/tasks")
                    == (replaces ? ["id": 1, "title": "Bread"] : ["id": 1, "title": "Bread", "author": "Ann"]))
        }
    }

    @Test("Pages are linked to the next, and the last has no link", arguments: Transport.allCases)
    func pages(_ transport: Transport) async throws {
        try await talk(transport, RailsRules(pageSize: 2)) { talk in
            talk.server.set((1...5).map { ["id": .integer($0), "title": "Task"] }, in: "/tasks")
            var target: String? = "/tasks?title=Task"
            var sizes: [Int] = []
            while let page = target {
                let heard = try await talk.ask(.get, page)
                guard case .array(let list)? = heard.json else { break }
                sizes.append(list.count)
                let link = heard.headers[.init("Link") ?? .accept] ?? ""
                let next = link.components(separatedBy: ", ").first { $0.hasSuffix("rel=\"next\"") }
                target = next.flatMap { URLComponents(string: String($0.dropFirst().prefix { $0 != ">" })) }
                    .map { $0.percentEncodedPath + "?" + ($0.percentEncodedQuery ?? "") }
            }
            #expect(sizes == [2, 2, 1])
            #expect(try await talk.ask(.get, "/tasks?page=2&per_page=1").json?[0]?["id"] == 2)
            #expect(try await talk.ask(.get, "/tasks?page=9").json == [])
        }
    }

    @Test("H1 An unchanged collection returns 304, by tag and by time", arguments: Transport.allCases)
    func unchanged(_ transport: Transport) async throws {
        let clock = ManualClock(now: Date(timeIntervalSince1970: 784_111_777))
        try await talk(transport, clock: clock) { talk in
            talk.server.set(["id": 1], in: "/tasks")
            let first = try await talk.ask(.get, "/tasks")
            #expect(first.headers[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
            let tag = ["If-None-Match": try #require(first.headers[.eTag])]
            let time = ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"]
            let same = try await talk.ask(.get, "/tasks", headers: tag)
            #expect(same.status == 304)
            #expect(same.json == nil)
            #expect(try await talk.ask(.get, "/tasks", headers: time).status == 304)
            #expect(try await talk.ask(.get, "/tasks?page=2", headers: tag).status == 200)
            clock.advance(by: 1)
            talk.server.remove("1", from: "/tasks")
            #expect(try await talk.ask(.get, "/tasks", headers: tag).status == 200)
            #expect(try await talk.ask(.get, "/tasks", headers: time).status == 200)
        }
    }

    @Test("C4.2 A change to another version is rejected with 412 and the current record", arguments: Transport.allCases)
    func versions(_ transport: Transport) async throws {
        try await talk(transport, RailsRules(hasVersions: true)) { talk in
            talk.server.set(["id": 1, "title": "Milk"], in: "/tasks")
            let tag = try #require(try await talk.ask(.get, "/tasks/1").headers[.eTag])
            #expect(talk.server.entityTag("1", of: "/tasks") == tag)
            talk.server.edit("1", of: "/tasks", ["title": "Bread"])
            let refused = try await talk.ask(.patch, "/tasks/1", ["title": "Eggs"], headers: ["If-Match": tag])
            #expect(refused.status == 412)
            #expect(refused.json?["title"] == "Bread")
            #expect(try await talk.ask(.delete, "/tasks/1", headers: ["If-Match": tag]).status == 412)
            let newer = ["If-Match": try #require(refused.headers[.eTag])]
            #expect(try await talk.ask(.patch, "/tasks/1", ["title": "Eggs"], headers: newer).status == 200)
        }
    }

    @Test(
        "P8 Invalid, non-JSON, unwrapped and unknown requests are rejected, and change nothing",
        arguments: Transport.allCases)
    func refusals(_ transport: Transport) async throws {
        let rules = RailsRules(
            paths: ["/products"], wrapKeys: ["/products": "product"], wrapsResponses: true, remembersDeleted: true,
            validate: { _, record in record["name"] == "" ? ["name": ["can't be blank"]] : [:] })
        try await talk(transport, rules) { talk in
            let blank = try await talk.ask(.post, "/products", ["product": ["name": ""]])
            #expect(blank.status == 422)
            #expect(blank.json == ["errors": ["name": ["can't be blank"]]])
            #expect(try await talk.ask(.post, "/products", ["name": "Pen"]).status == 400)
            #expect(try await talk.ask(.post, "/products").status == 415)
            #expect(try await talk.ask(.get, "/unknown").status == 404)
            #expect(try await talk.ask(.get, "/products", headers: ["Accept": "text/html"]).status == 406)
            #expect(talk.server.changes.isEmpty)
            let made = try await talk.ask(.post, "/products", ["product": ["name": "Pen"]])
            #expect(made.json == ["product": ["id": 1, "name": "Pen"]])
            #expect(try await talk.ask(.get, "/products").json == ["products": [["id": 1, "name": "Pen"]]])
            #expect(try await talk.ask(.post, "/products", ["product": ["id": 1, "name": "Cup"]]).status == 422)
            _ = try await talk.ask(.delete, "/products/1")
            #expect(try await talk.ask(.get, "/products/1").status == 410)
        }
    }

    @Test("P9 A bearer token is accepted until it expires", arguments: Transport.allCases)
    func tokens(_ transport: Transport) async throws {
        let clock = ManualClock()
        try await talk(transport, clock: clock) { talk in
            talk.server.require(tokens: ["fresh": clock.now + 60])
            #expect(try await talk.ask(.get, "/tasks").status == 401)
            #expect(try await talk.ask(.get, "/tasks", headers: ["Authorization": "Bearer fresh"]).status == 200)
            clock.advance(by: 61)
            let expired = try await talk.ask(.get, "/tasks", headers: ["Authorization": "Bearer fresh"])
            #expect(expired.status == 401)
            #expect(expired.json?["error"] == "The access token expired")
        }
    }

    @Test("Children are fetched under their parent, and records by their members", arguments: Transport.allCases)
    func filters(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            talk.server.set([["id": 1, "article_id": 3], ["id": 2, "article_id": 4], ["id": 3]], in: "/comments")
            let children = try await talk.ask(.get, "/articles/3/comments")
            #expect(children.json == [["id": 1, "article_id": 3]])
            #expect(try await talk.ask(.get, "/comments?article_id=4").json == [["id": 2, "article_id": 4]])
        }
    }

    @Test(
        "A scripted event happens once, and then the server is back to normal", arguments: Transport.allCases)
    func scripts(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            talk.server.set(["id": 1, "title": "a long title, so that there is something to cut"], in: "/tasks")
            talk.server.respondNext(.status(503, retryAfter: 7))
            let unavailable = try await talk.ask(.get, "/tasks")
            #expect(unavailable.status == 503)
            #expect(unavailable.headers[.retryAfter] == "7")
            talk.server.respondNext(.truncated, to: .path("/tasks"))
            await #expect(throws: (any Error).self) { try await talk.ask(.get, "/tasks") }
            talk.server.respondNext(.connectionFails, to: .method(.post))
            await #expect(throws: (any Error).self) { try await talk.ask(.post, "/tasks", ["title": "Milk"]) }
            #expect(talk.server.records(of: "/tasks").count == 1)
            let gate = Gate()
            talk.server.respondNext(.held(gate))
            async let held = talk.ask(.post, "/tasks", ["title": "Milk"])
            try await gate.reached()
            #expect(talk.server.records(of: "/tasks").count == 1)
            gate.open()
            #expect(try await held.status == 201)
            #expect(try await talk.ask(.get, "/tasks").status == 200)
        }
    }

    @Test("Unauthenticated requests are redirected to a page, if the rules say so", arguments: Transport.allCases)
    func signIn(_ transport: Transport) async throws {
        try await talk(transport, RailsRules(signInPath: "/sign_in")) { talk in
            talk.server.require(token: "secret")
            let response = try await talk.ask(.post, "/tasks", ["title": "Milk"])
            #expect(response.status == 200 && response.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(talk.server.log == ["POST /tasks", "GET /sign_in"])
            let headers = ["Authorization": "Bearer secret"]
            #expect(try await talk.ask(.post, "/tasks", ["title": "Milk"], headers: headers).status == 201)
        }
    }

    @Test("A list can be in the response for one record, but not for all", arguments: Transport.allCases)
    func nestedLists(_ transport: Transport) async throws {
        let rules = RailsRules(nestedLists: ["/projects": ["sheets": .init("/sheets", by: "project_id")]])
        try await talk(transport, rules) { talk in
            talk.server.set(["id": 3, "name": "Dam"], in: "/projects")
            talk.server.set([["id": 1, "project_id": 3], ["id": 2, "project_id": 4]], in: "/sheets")
            let index = try await talk.ask(.get, "/projects")
            #expect(index.json == [["id": 3, "name": "Dam"]])
            let shown = try await talk.ask(.get, "/projects/3")
            #expect(shown.json == ["id": 3, "name": "Dam", "sheets": [["id": 1, "project_id": 3]]])
            #expect(talk.server.records(of: "/sheets").count == 2)
        }
    }

    @Test("A large body is sent and received completely", arguments: Transport.allCases)
    func large(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let text = String(repeating: "Grüße ", count: 100_000)
            let made = try await talk.ask(.post, "/tasks", ["title": .string(text)])
            #expect(made.json?["title"] == .string(text))
        }
    }

    @Test("Concurrent creations get unique ids", arguments: Transport.allCases)
    func many(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask { _ = try await talk.ask(.post, "/tasks", ["number": .integer(Int64(number))]) }
                }
                try await group.waitForAll()
            }
            let ids = Set(talk.server.records(of: "/tasks").compactMap { $0["id"] })
            #expect(ids.count == 50)
        }
    }
}

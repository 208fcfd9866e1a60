import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// The habits that PostgREST's documentation describes.
@Suite("A PostgREST-style server, in process and over a socket")
struct FakePostgRESTTests {
    private let returning = ["Prefer": "return=representation"]

    private func talk(
        _ transport: Transport, _ rules: PostgRESTRules = PostgRESTRules(),
        _ story: (Talk<FakePostgREST>) async throws -> Void
    ) async throws {
        try await Talk.with(FakePostgREST(rules), over: transport, story)
    }

    @Test("Rows are inserted, read, updated and deleted by filters", arguments: Transport.allCases)
    func wholeWay(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let made = try await talk.ask(.post, "/tasks", ["title": "Milk"], headers: returning)
            #expect(made.status == 201 && made.json == [["id": 1, "title": "Milk"]])
            let silent = try await talk.ask(.post, "/tasks", [["title": "Bread"], ["title": "Eggs"]])
            #expect(silent.status == 201 && silent.json == nil)
            let read = try await talk.ask(.get, "/tasks?id=gte.2&order=id.desc&limit=1")
            #expect(read.json == [["id": 3, "title": "Eggs"]])
            #expect(read.headers[.contentRange] == "0-0/*" && read.headers[.eTag] == nil)
            let changed = try await talk.ask(.patch, "/tasks?id=eq.3", ["title": "Ham"], headers: returning)
            #expect(changed.status == 200 && changed.json == [["id": 3, "title": "Ham"]])
            #expect(try await talk.ask(.patch, "/tasks?id=eq.9", ["title": "Ham"], headers: returning).json == [])
            #expect(try await talk.ask(.delete, "/tasks?title=in.(Ham,Milk)").status == 204)
            #expect(try await talk.ask(.delete, "/tasks?id=eq.3", headers: returning).json == [])
            #expect(try await talk.ask(.get, "/tasks?title=is.null").json == [])
            #expect(talk.server.records(of: "/tasks") == [["id": 2, "title": "Bread"]])
        }
    }

    @Test("Without a filter, all rows are changed; without an order, an updated row comes last")
    func everything() async throws {
        try await talk(.inProcess) { talk in
            talk.server.set([["id": 1, "n": 1], ["id": 2, "n": 1]], in: "/tasks")
            talk.server.edit("1", of: "/tasks", ["n": 2])
            #expect(try await talk.ask(.get, "/tasks").json == [["id": 2, "n": 1], ["id": 1, "n": 2]])
            #expect(try await talk.ask(.get, "/tasks?order=id").json == [["id": 1, "n": 2], ["id": 2, "n": 1]])
            let ranged = try await talk.ask(.get, "/tasks?order=id", headers: ["Range": "1-1"])
            #expect(ranged.json == [["id": 2, "n": 1]])
            #expect(try await talk.ask(.patch, "/tasks", ["n": 0]).status == 204)
            #expect(talk.server.records(of: "/tasks").allSatisfy { $0["n"] == 0 })
            #expect(try await talk.ask(.delete, "/tasks").status == 204)
            #expect(talk.server.records(of: "/tasks").isEmpty)
        }
    }

    @Test("Duplicates are rejected, merged or ignored")
    func duplicates() async throws {
        try await talk(.inProcess) { talk in
            talk.server.set(["id": 1, "title": "Milk", "n": 1], in: "/tasks")
            let twice = try await talk.ask(.post, "/tasks", ["id": 1, "title": "Bread"])
            #expect(twice.status == 409 && twice.json?["code"] == "23505")
            #expect(twice.json?["details"] == "Key (id)=(1) already exists.")
            let ignored = try await talk.ask(
                .post, "/tasks", ["id": 1, "title": "Bread"],
                headers: ["Prefer": "resolution=ignore-duplicates, return=representation"])
            #expect(ignored.status == 201 && ignored.json == [])
            let merged = try await talk.ask(
                .post, "/tasks", ["id": 1, "title": "Bread"],
                headers: ["Prefer": "return=representation,resolution=merge-duplicates"])
            #expect(merged.status == 200 && merged.json == [["id": 1, "title": "Bread", "n": 1]])
        }
    }

    @Test("Requests that the database does not understand, and rows that it does not accept")
    func refusals() async throws {
        let rules = PostgRESTRules(
            tables: ["/tasks": ["id", "title"]], required: ["/tasks": ["title"]], maximumRows: 1,
            mayWrite: { _, row in row["title"] != "Locked" })
        try await talk(.inProcess, rules) { talk in
            #expect(try await talk.ask(.get, "/lists").json?["code"] == "PGRST205")
            #expect(try await talk.ask(.get, "/tasks?page=2").json?["code"] == "PGRST100")
            #expect(try await talk.ask(.get, "/tasks?page=eq.2").json?["code"] == "42703")
            #expect(try await talk.ask(.post, "/tasks", ["titel": "x"]).json?["code"] == "PGRST204")
            let rejected = try await talk.ask(.post, "/tasks", [["title": "Milk"], ["id": 7]])
            #expect(rejected.status == 400 && rejected.json?["code"] == "23502")
            // One statement: none of the rows was inserted.
            #expect(talk.server.records(of: "/tasks").isEmpty)
            talk.server.set([["id": 1, "title": "Locked"], ["id": 2, "title": "Free"]], in: "/tasks")
            #expect(try await talk.ask(.get, "/tasks?order=id").json == [["id": 1, "title": "Locked"]])
            #expect(try await talk.ask(.delete, "/tasks?id=eq.1", headers: returning).json == [])
            #expect(talk.server.records(of: "/tasks").count == 2)
        }
    }
}

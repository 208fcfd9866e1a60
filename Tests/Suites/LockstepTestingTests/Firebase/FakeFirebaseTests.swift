import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

@Suite("A Firebase-style server, in process and over a socket") struct FakeFirebaseTests {
    private func talk(_ transport: Transport, _ story: (Talk<FakeFirebase>) async throws -> Void) async throws {
        try await Talk.with(FakeFirebase(clock: ManualClock()), over: transport, story)
    }

    @Test(
        "Written values can be read, completely and in parts, and deleted ones are null", arguments: Transport.allCases)
    func wholeWay(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            #expect(try await talk.ask(.get, "/entries.json").json == .null)
            let put = try await talk.ask(.put, "/entries/7.json", ["title": "Monday", "mood": "sad"])
            #expect(put.status == 200)
            #expect(put.json == ["title": "Monday", "mood": "sad"])
            #expect(try await talk.ask(.get, "/entries.json").json == ["7": ["title": "Monday", "mood": "sad"]])
            #expect(try await talk.ask(.get, "/entries/7/title.json").json == "Monday")
            #expect(try await talk.ask(.get, "/entries/7/.json").json?["mood"] == "sad")
            #expect(try await talk.ask(.patch, "/entries/7.json", ["mood": "happy"]).json == ["mood": "happy"])
            #expect(talk.server.record("7", of: "/entries") == ["title": "Monday", "mood": "happy"])
            let gone = try await talk.ask(.delete, "/entries/7.json")
            #expect(gone.status == 200)
            #expect(gone.json == .null)
            #expect(try await talk.ask(.get, "/.json").json == .null)
            #expect(
                talk.server.changes.map(\.description) == [
                    "created /entries/7", "updated /entries/7", "deleted /entries/7",
                ])
        }
    }

    @Test("A port can be chosen; one that is in use is rejected")
    func ports() async throws {
        let first = try await FakeFirebase.start()
        let port = UInt16(try #require(first.url.port))
        let second = FakeFirebase()
        await #expect(throws: (any Error).self) { try await second.listen(port: port) }
        await first.stop()
        try await second.listen()
        #expect(second.url.port != Int(port))
        try await second.listen(port: port)
        #expect(second.url == first.url)
        await second.stop()
    }

    @Test("Empty values are not kept", arguments: Transport.allCases)
    func emptiness(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let sent: JSONValue = ["title": "Monday", "body": .null, "tags": [], "place": ["name": .null]]
            #expect(try await talk.ask(.put, "/entries/7.json", sent).json == ["title": "Monday"])
            #expect(talk.server.value(at: "/entries/7") == ["title": "Monday"])
            _ = try await talk.ask(.patch, "/entries/7.json", ["title": .null])
            #expect(talk.server.value(at: "/") == .null)
        }
    }

    @Test(
        "Small integer keys are returned as an array with gaps",
        arguments: [
            (#"{"0":"a","1":"b"}"#, #"["a","b"]"#), (#"{"1":"a"}"#, #"[null,"a"]"#),
            (#"{"1":"a","3":"b"}"#, #"[null,"a",null,"b"]"#),
            (#"{"2":"a"}"#, #"{"2":"a"}"#), (#"{"7":"a","8":"b"}"#, #"{"7":"a","8":"b"}"#),
            (#"{"01":"a"}"#, #"{"01":"a"}"#),
            (#"{"0":"a","x":"b"}"#, #"{"0":"a","x":"b"}"#), (#"["a",null,"b"]"#, #"["a",null,"b"]"#),
        ])
    func arrays(_ sent: String, _ shown: String) async throws {
        try await talk(.inProcess) { talk in
            _ = try await talk.ask(.put, "/list.json", JSONValue(parsing: sent))
            #expect(try await talk.ask(.get, "/list.json").json == JSONValue(parsing: shown))
        }
    }

    @Test(
        "C4 A conditional write is rejected if the value differs, with the value and its tag",
        arguments: Transport.allCases)
    func tags(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let wantsTag = ["X-Firebase-ETag": "true"]
            let empty = try await talk.ask(.get, "/entries/7.json", headers: wantsTag)
            #expect(empty.headers[.eTag] == "null_etag")
            #expect(try await talk.ask(.get, "/entries/7.json").headers[.eTag] == nil)
            let created = try await talk.ask(
                .put, "/entries/7.json", ["title": "Monday"],
                headers: ["if-match": "null_etag", "X-Firebase-ETag": "true"])
            let tag = try #require(created.headers[.eTag])
            let refused = try await talk.ask(
                .put, "/entries/7.json", ["title": "Tuesday"], headers: ["if-match": "null_etag"])
            #expect(refused.status == 412)
            #expect(refused.json == ["title": "Monday"])
            #expect(refused.headers[.eTag] == tag)
            #expect(try await talk.ask(.delete, "/entries/7.json", headers: ["if-match": "old"]).status == 412)
            #expect(talk.server.changes.count == 1)
            #expect(try await talk.ask(.delete, "/entries/7.json", headers: ["if-match": tag]).status == 200)
            #expect(try await talk.ask(.patch, "/entries/7.json", ["a": 1], headers: ["if-match": tag]).status == 400)
        }
    }

    @Test("POST orders its keys; print=silent returns nothing; shallow only keys", arguments: Transport.allCases)
    func parameters(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let first = try await talk.ask(.post, "/entries.json", ["title": "Monday"])
            let second = try await talk.ask(.post, "/entries.json", ["title": "Tuesday"])
            guard case .string(let one)? = first.json?["name"], case .string(let two)? = second.json?["name"] else {
                Issue.record("no names")
                return
            }
            #expect(one < two)
            #expect(talk.server.records(of: "/entries") == [["title": "Monday"], ["title": "Tuesday"]])
            let silent = try await talk.ask(.put, "/entries/x.json?print=silent", ["title": "Sunday"])
            #expect(silent.status == 204)
            #expect(silent.json == nil)
            let shallow = try await talk.ask(.get, "/.json?shallow=true")
            #expect(shallow.json == ["entries": true])
        }
    }

    @Test(
        "Invalid JSON, and invalid keys, are rejected and change nothing", arguments: Transport.allCases)
    func refusals(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            let dotted = try await talk.ask(.put, "/entries/a.b.json", 1)
            #expect(dotted.status == 400)
            #expect(try await talk.ask(.put, "/entries/7.json", ["a/b": 1]).status == 400)
            #expect(try await talk.ask(.put, "/entries/7.json", ["": 1]).status == 400)
            #expect(try await talk.ask(.put, "/entries/7.json").status == 400)
            #expect(try await talk.ask(.patch, "/entries/7.json", 5).status == 400)
            #expect(try await talk.ask(.get, "/entries").status == 404)
            #expect(talk.server.value(at: "/") == .null)
        }
    }

    @Test(
        "P9 A token is required, in the query or as a bearer, and expires", arguments: Transport.allCases)
    func tokens(_ transport: Transport) async throws {
        let clock = ManualClock()
        try await Talk.with(FakeFirebase(clock: clock), over: transport) { talk in
            talk.server.require(tokens: ["secret+1": clock.now + 60])
            #expect(try await talk.ask(.get, "/entries.json").status == 401)
            #expect(try await talk.ask(.get, "/entries.json?auth=wrong").status == 401)
            #expect(try await talk.ask(.get, "/entries.json?auth=secret%2B1").status == 200)
            #expect(
                try await talk.ask(.get, "/entries.json", headers: ["Authorization": "Bearer secret+1"]).status == 200)
            clock.advance(by: 60)
            let expired = try await talk.ask(.get, "/entries.json?auth=secret%2B1")
            #expect(expired.status == 401)
            #expect(expired.json?["error"] == "Auth token is expired")
            #expect(talk.server.log.allSatisfy { !$0.contains("secret") })
        }
    }

    @Test("A stream sends a snapshot, then each change with its relative path", arguments: Transport.allCases)
    func stream(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            talk.server.set(["title": "Monday"], at: "/entries/7")
            let response = try await talk.open(.get, "/entries.json", headers: ["Accept": "text/event-stream"])
            #expect(response.head.status.code == 200)
            var events = EventReader(response.body)
            #expect(try await events.next() == #"put {"data":{"7":{"title":"Monday"}},"path":"/"}"#)
            _ = try await talk.ask(.put, "/entries/8.json", ["title": "Tuesday"])
            #expect(try await events.next() == #"put {"data":{"title":"Tuesday"},"path":"/8"}"#)
            _ = try await talk.ask(.patch, "/entries/7.json", ["mood": "sad"])
            #expect(try await events.next() == #"patch {"data":{"mood":"sad"},"path":"/7"}"#)
            _ = try await talk.ask(.put, "/other/1.json", 1)
            _ = try await talk.ask(.delete, "/entries/7.json")
            #expect(try await events.next() == #"put {"data":null,"path":"/7"}"#)
            talk.server.keepStreamsAlive()
            #expect(try await events.next() == "keep-alive null")
            talk.server.set(.null, at: "/")
            #expect(try await events.next() == #"put {"data":null,"path":"/"}"#)
            talk.server.revokeStreams()
            #expect(try await events.next() == #"auth_revoked "credential is no longer valid""#)
            #expect(try await events.next() == nil)
        }
    }

    @Test("A stream follows redirects", arguments: Transport.allCases)
    func redirect(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            _ = try await talk.open(.get, "/entries.json", headers: ["Accept": "text/event-stream"])
            #expect(talk.server.log == ["GET /entries.json", "GET /entries.json?ns=lockstep"])
            #expect(talk.server.requests.map(\.status) == [307, 200])
        }
    }

    @Test("A restart breaks the streams, and keeps all data, at the same address", arguments: Transport.allCases)
    func restart(_ transport: Transport) async throws {
        try await talk(transport) { talk in
            talk.server.set(1, at: "/a")
            let url = talk.server.url
            let response = try await talk.open(.get, "/a.json", headers: ["Accept": "text/event-stream"])
            var events = EventReader(response.body)
            _ = try await events.next()
            try await talk.server.restart()
            await #expect(throws: (any Error).self) { while try await events.next() != nil {} }
            #expect(talk.server.url == url)
            #expect(try await talk.ask(.get, "/a.json").json == 1)
            await talk.server.stop()
            await #expect(throws: (any Error).self) { try await talk.ask(.get, "/a.json") }
        }
    }
}

import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Shop
import Testing

@Suite("What a rejection says")
struct ErrorFormatTests {
    @Test(
        "The usual forms are read, by member where the server says so",
        arguments: [
            // problem+json (RFC 9457), with its example of errors, and that of RFC 7807.
            (
                ##"""
                {"type": "https://x.test/age", "title": "Invalid", "detail": "Not valid.", "errors":
                [{"detail": "must be positive", "pointer": "#/age"}, {"detail": "no", "pointer": "#/profile/color"}]}
                """##, "Not valid.; age: must be positive; profile.color: no"
            ),
            (
                #"{"title": "Invalid", "invalid-params": [{"name": "age", "reason": "must be positive"}]}"#,
                "Invalid; age: must be positive"
            ),
            (#"{"type": "about:blank", "title": "Not Found", "status": 404}"#, "Not Found"),
            // Rails.
            (
                #"{"errors": {"title": ["can't be blank", "is too short"], "base": ["no"], "lines.count": ["odd"]}}"#,
                "no; lines.count: odd; title: can't be blank, is too short"
            ),
            (#"{"errors": ["Title can't be blank", "no"]}"#, "Title can't be blank, no"),
            (#"{"errors": "is not taken"}"#, "is not taken"),
            (#"{"status": 404, "error": "Not Found"}"#, "Not Found"),
            // JSON:API.
            (
                #"{"errors": [{"title": "Invalid", "detail": "is blank", "source": {"pointer": "/data/attributes/a"}}]}"#,
                "a: is blank"
            ),
            // PostgREST.
            (
                #"{"code": "42501", "details": null, "hint": "Log in.", "message": "permission denied"}"#,
                "permission denied; Log in."
            ),
            // Spring, Laravel, FastAPI, Django, and others.
            (
                #"{"message": "Bad", "errors": [{"field": "title", "message": "must not be null"}]}"#,
                "Bad; title: must not be null"
            ),
            (#"{"message": "Invalid.", "errors": {"a.b": ["no"]}}"#, "Invalid.; a.b: no"),
            (#"{"detail": [{"loc": ["body", "lines", 0, "count"], "msg": "too few"}]}"#, "lines.0.count: too few"),
            (
                #"{"title": ["This field may not be blank."], "non_field_errors": ["No."]}"#,
                "No.; title: This field may not be blank."
            ),
            (#"{"error": {"code": 7, "message": "Bad", "fields": {"title": "no"}}}"#, "Bad; title: no"),
            // Nothing.
            ("{}", nil), ("[]", nil), (#"{"errors": {}}"#, nil), ("<html>", nil), ("", nil), (#"{"ok": true}"#, nil),
        ])
    func automatic(_ body: String, _ expected: String?) throws {
        #expect(ErrorFormat.automatic.problem(in: Data(body.utf8))?.description == expected)
    }

    @Test("The code of a problem, and a form of one's own")
    func own() throws {
        #expect(ErrorFormat().problem(in: Data(#"{"code": 7, "message": "no"}"#.utf8))?.code == "7")
        var format = ErrorFormat(envelope: ["result", "failure"], messages: ["text"], members: ["by_field"])
        let body = Data(#"{"result": {"failure": {"text": "No", "by_field": {"title": "blank"}}}}"#.utf8)
        #expect(format.problem(in: body)?.description == "No; title: blank")
        format.envelope = "other"
        #expect(format.problem(in: body) == nil)
    }

    @Test("PostgreSQL names columns in its texts")
    func columns() throws {
        let format = ErrorFormat(namesColumns: true)
        let taken = #"{"code": "23505", "message": "duplicate key", "details": "Key (a, b)=(1, 2) already exists."}"#
        let problem = try #require(format.problem(in: Data(taken.utf8)))
        #expect(problem.members.map(\.path) == [["a"], ["b"]])
        #expect(problem.members[0].messages == ["duplicate key; Key (a, b)=(1, 2) already exists."])
        let missing = #"{"code": "23502", "message": "null value in column \"title\" of relation \"tasks\""}"#
        #expect(format.problem(in: Data(missing.utf8))?.members.map(\.path) == [["title"]])
        #expect(format.problem(in: Data(#"{"message": "no"}"#.utf8))?.message == "no")
    }

    @Test("P8 A parked change has the server's reasons, with the names of the schema")
    func parked() async throws {
        let server = FakeRails(
            RailsRules(validate: { _, _ in ["due_at": ["is in the past"], "worker": ["must exist"], "x": ["no"]] }))
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client),
            retries: RetrySchedule(attemptsPerPush: 1))
        try await store.perform { context in
            JobSheet(title: "Saw", context: context)
            try context.save()
        }
        let change = try #require(try await sync.push().parked.first)
        let problem = try #require(sync.problem(of: change))
        #expect(problem.attributes == ["dueAt": ["is in the past"], "worker": ["must exist"]])
        #expect(problem.members.map { $0.attribute ?? "none" } == ["dueAt", "worker", "none"])
        #expect(
            change.lastError
                == "the server responded with 422: dueAt: is in the past; worker: must exist; x: no")
    }

    @Test("C4 A change that is parked with 428 names the option with which versions are sent")
    func versionRequired() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let client = ScriptedClient(.init(status: 428, body: #"{"error": "If-Match, please"}"#))
        let remote = RESTRemote(URL(string: "https://shop.test")!, client: client)
        let sync = Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1))
        try await store.merge(Data(#"[{"id": 1, "name": "vegan"}]"#.utf8), into: Tag.self)
        try await store.perform { context in
            try #require(try context.find(Tag.self, 1)).name = "vegetarian"
            try context.save()
        }
        let change = try #require(try await sync.push().parked.first)
        #expect(
            change.lastError == """
                the server responded with 428: If-Match, please; it requires the version of the record: set the \
                remote's `usesVersions`
                """)
    }

    @Test("P9 A reason contains no secrets")
    func secrets() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let client = ScriptedClient(
            .init(status: 422, body: #"{"message": "Bearer abc.def is not valid"}"#), .init(status: 404))
        let remote = RESTRemote(URL(string: "https://shop.test")!, client: client)
        let sync = Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1))
        try await store.perform { context in
            Tag(id: 1, name: "vegan", context: context)
            try context.save()
        }
        let change = try #require(try await sync.push().parked.first)
        let reason = try #require(change.lastError)
        #expect(reason.contains("422") && !reason.contains("abc.def"))
    }
}

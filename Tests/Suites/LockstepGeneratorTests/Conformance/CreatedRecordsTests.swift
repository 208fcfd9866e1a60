import Foundation
import LockstepJSON
import LockstepSchema
import LockstepSync
import LockstepSystem
import LockstepTesting
import ServerTestSupport
import Testing

@testable import LockstepConformance

/// Which records a run deletes, and how it reads the responses to other users.
@Suite("Records that lockstep conformance has created")
struct CreatedRecordsTests {
    private let remote = MemoryRemote()
    private let maker: SampleMaker
    private let subject: SampleSubject

    init() throws {
        maker = SampleMaker(try PostgreSQLFeed.schema("Notes.yaml").structure, user: nil)
        subject = try maker.subject("Note")
    }

    private func record() throws -> SampleRecord { try maker.record(of: subject.entity.plan, linkedTo: [:]) }

    private func answer(of name: String, other: MemoryRemote) async throws -> ConformanceCase.Answer {
        let stage = ConformanceStage(
            subject, maker: maker, owner: ServerUser(remote), other: ServerUser(other), database: nil)
        return try await #require(ConformanceCase.all.first { $0.name == name }).ask(stage)
    }

    // MARK: Deletions

    @Test(
        "A record of somebody else with the same identity is kept if the creation was refused",
        arguments: [true, false])
    func taken(isSettled: Bool) async throws {
        let record = try record()
        var foreign = record
        foreign.body.set("Monday", at: ["title"])
        let user = ServerUser(remote)
        #expect(try await user.send(try foreign.creation()).isAccepted)
        let created = CreatedRecords(owner: user)
        await created.expect(record)
        let response = try await user.send(try record.creation())
        #expect(!response.isAccepted)
        if isSettled { await created.settle(record, isAccepted: false) }
        #expect(await created.delete() == [])
        #expect(remote.records(of: "/note").map { $0["title"] } == ["Monday"])
    }

    @Test("A record is deleted if the response to its creation was lost")
    func lost() async throws {
        let user = ServerUser(remote)
        let created = CreatedRecords(owner: user)
        let record = try record()
        await created.expect(record)
        remote.respondNext(.responseLost, to: .changes)
        await #expect(throws: SyncError.self) { try await user.send(try record.creation()) }
        #expect(remote.records(of: "/note").count == 1)
        #expect(await created.delete() == [])
        #expect(remote.records(of: "/note").isEmpty)
    }

    @Test("A record of the other user is deleted by this user, and named if neither finds it")
    func others() async throws {
        let others = MemoryRemote()
        let other = ServerUser(others)
        let (created, record, hidden) = (CreatedRecords(owner: ServerUser(remote)), try record(), try record())
        for one in [record, hidden] { await created.expect(one, by: other) }
        #expect(try await other.send(try record.creation()).isAccepted)
        for one in [record, hidden] { await created.settle(one, isAccepted: true) }
        #expect(await created.delete() == [hidden.name])
        #expect(others.records(of: "/note").isEmpty)
    }

    @Test("A record without a known identity is named by its text")
    func unknownIdentity() async throws {
        let created = CreatedRecords(owner: ServerUser(remote))
        var record = try record()
        record.identity = nil
        await created.expect(record)
        await created.settle(record, isAccepted: true)
        #expect(await created.delete() == ["Note with the text “\(record.mark)”"])
    }

    @Test("A record whose creation was not sent, or was refused, is not named if the server cannot be read")
    func unsent() async throws {
        let refused = ScriptedResponse.refused(status: 400)
        let rows: [(ScriptedResponse, SyncError.Code?)] = [(.unauthorized, .unauthorized), (refused, nil)]
        for (response, error) in rows {
            let remote = MemoryRemote()
            remote.respondNext(response, to: .changes)
            remote.respondNext(.unauthorized, to: .fetches)
            let stage = ConformanceStage(subject, maker: maker, owner: ServerUser(remote), other: nil, database: nil)
            let thrown = await #expect(throws: (any Error).self) { try await stage.create() }
            #expect((thrown as? SyncError)?.code == error)
            #expect(await stage.created.delete { Issue.record("there are no \($0) records") } == [])
        }
    }

    @Test("After a request without a response, no other one is sent, and what may exist is named")
    func lostServer() async throws {
        let user = ServerUser(remote)
        let created = CreatedRecords(owner: user)
        let records = [try record(), try record(), try record()]
        for record in records {
            await created.expect(record)
            #expect(try await user.send(try record.creation()).isAccepted)
            await created.settle(record, isAccepted: true)
        }
        let refused = try record()
        await created.expect(refused)
        await created.settle(refused, isAccepted: false)
        remote.respondNext(.connectionFails, to: .changes, times: 1)
        let counts = Locked<[Int]>([])
        let remaining = await created.delete { count in counts.withLock { $0.append(count) } }
        #expect(remaining == records.reversed().map(\.name))
        #expect(counts.withLock { $0 } == [3])
        // A second request would have been answered.
        #expect(remote.records(of: "/note").count == 3)
    }

    // MARK: Identities

    private func samples(_ members: String) throws -> SampleMaker {
        let text = """
            lockstep: 1
            schema: Keys
            entities:
              Thing: { remote: { path: /things }, attributes: { \(members), title: string } }
            """
        let reading = readSchemas([SchemaSource(path: "Keys.yaml", bytes: Array(text.utf8))])
        return SampleMaker(try #require(reading.schemas.first, "\(reading.diagnostics)").structure, user: nil)
    }

    @Test(
        "An entity whose identity has few values is not used",
        arguments: ["id: int16", "id: { type: string, maxLength: 8 }", "id: { type: int, max: 1000 }"])
    func fewValues(members: String) throws {
        let maker = try samples(members)
        let failure = #expect(throws: ConformanceFailure.self) { try maker.subject("Thing") }
        #expect(failure?.reason == "the identity of 'Thing' has too few values for new records")
    }

    @Test("New identities respect the limits of the schema")
    func limits() throws {
        let maker = try samples("id: { type: int, min: 5000000000, max: 9000000000 }")
        let plan = try maker.subject("Thing").entity.plan
        for _ in 1...100 {
            guard case .integer(let id)? = try maker.record(of: plan, linkedTo: [:]).body["id"] else {
                Issue.record("the identity is not an integer")
                return
            }
            #expect((5_000_000_000...9_000_000_000).contains(id))
        }
    }

    // MARK: Other users

    @Test("Records and changes of others are not asked if their own user cannot do it", arguments: [true, false])
    func control(canReadAndWrite: Bool) async throws {
        let other = MemoryRemote()
        if !canReadAndWrite {
            remote.respondNext(.refused(status: 403), to: RemoteCallFilter { $0.kind == .update })
            remote.respondNext(.refused(status: 403), to: RemoteCallFilter { $0.kind == .fetch && $0.identity != nil })
        }
        for name in ["others' records", "others' changes"] {
            switch try await answer(of: name, other: other) {
            case .passed(let seen): #expect(canReadAndWrite, "\(seen)")
            case .notAsked(let reason): #expect(!canReadAndWrite, "\(reason)")
            case .failed(let seen): Issue.record("\(name): \(seen)")
            }
        }
    }

    @Test("401 is the refusal of a change if the token was accepted before")
    func unauthorized() async throws {
        let record = try record()
        let user = ServerUser(remote)
        remote.respondNext(.unauthorized, to: .changes, times: 2)
        await #expect(throws: SyncError.self) { try await user.attempt(record.deletion()) }
        user.confirmToken()
        #expect(try await user.attempt(record.deletion()) == nil)
    }

    // MARK: The report

    @Test("The grade says how many cases were asked")
    func grade() throws {
        var report = ConformanceReport(address: "https://example.com", dialect: "feed", entity: "Note")
        for (name, outcome) in [("one", ConformanceReport.Outcome.passed), ("two", .notAsked), ("three", .passed)] {
            report.cases.append(
                ConformanceReport.Case(
                    name: name, question: "", outcome: outcome, seen: "", grade: .losesChanges, remedy: ""))
        }
        #expect("\(report.text)".contains("Grade: safe, as far as 2 of 3 cases were asked"))
        #expect(try JSONValue(json: report.json())["notAsked"] == ["two"])
        report.cases.remove(at: 1)
        #expect("\(report.text)".hasSuffix("Grade: safe"))
    }
}

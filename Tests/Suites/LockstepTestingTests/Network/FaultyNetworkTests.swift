import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Testing

@Suite("A faulty network") struct FaultyNetworkTests {
    private let tasks = RemoteEntity(OfflineTasks.Task.entity.plan)

    private func creation(_ number: Int) throws -> OutgoingChange {
        let body = try JSONValue.object(["title": .integer(Int64(number))]).json()
        return OutgoingChange(
            kind: .create, entity: tasks, identity: nil, body: body, changes: body, idempotencyKey: "key \(number)")
    }

    private func network(_ faults: Faults, seed: UInt64 = 1) -> FaultyNetwork {
        FaultyNetwork(seed: seed, faults: faults, clock: ManualClock())
    }

    private func only(_ kind: Fault.Kind) -> Faults {
        var faults = Faults.none
        faults[kind] = 1
        return faults
    }

    @Test("One seed has the same faults each time, another one has different faults")
    func seeds() async throws {
        func run(_ seed: UInt64) async throws -> ([String], Int) {
            let remote = MemoryRemote()
            let clock = ManualClock()
            let network = FaultyNetwork(seed: seed, faults: .terrible, clock: clock)
            let far = network.remote(remote)
            for number in 0..<200 {
                let change = try creation(number)
                await clock.whilePassing { _ = try? await far.send(change) }
            }
            await network.deliverLate()
            return (network.log.map(\.description), remote.records(of: "/tasks").count)
        }
        let first = try await run(7)
        let second = try await run(7)
        #expect(first == second)
        #expect(try await run(8) != first)
        #expect(Set(first.0).count == Fault.Kind.allCases.count)
        #expect(first.1 < 200)
    }

    @Test("The fault of a request does not depend on concurrent ones")
    func independence() async throws {
        func faults(of path: String, among others: Int) async -> [Fault] {
            let server = FakeRails()
            let network = FaultyNetwork(seed: 3, faults: .all(0.1), clock: ManualClock())
            network.faults.delayed = 0
            let client = network.client(server.client)
            for number in 0..<50 {
                _ = try? await client.send(
                    HTTPRequest(method: .get, scheme: "http", authority: "x", path: path), body: nil)
                for _ in 0..<others {
                    let other = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/other\(number)")
                    _ = try? await client.send(other, body: nil)
                }
            }
            return network.log.filter { $0.request.hasSuffix(path) }
        }
        let alone = await faults(of: "/tasks", among: 0)
        let busy = await faults(of: "/tasks", among: 3)
        #expect(alone == busy)
        #expect(!alone.isEmpty)
    }

    @Test("P10 Each fault leaves the server and the client as documented", arguments: Fault.Kind.allCases)
    func eachFault(_ kind: Fault.Kind) async throws {
        let remote = MemoryRemote()
        let clock = ManualClock()
        let network = FaultyNetwork(seed: 1, faults: only(kind), clock: clock)
        let far = network.remote(remote)
        let change = try creation(1)
        let result = await clock.whilePassing { try? await far.send(change) }
        let hasResponse = if case .accepted? = result { true } else { false }
        let acted = remote.records(of: "/tasks").count
        #expect(hasResponse == [.duplicated, .duplicatedLate, .delayed, .portal].contains(kind))
        #expect(acted == ([.requestLost, .late, .unavailable, .portal].contains(kind) ? 0 : 1))
        #expect(network.lateCount == ([.late, .duplicatedLate].contains(kind) ? 1 : 0))
        await network.deliverLate()
        #expect(remote.records(of: "/tasks").count == ([.requestLost, .unavailable, .portal].contains(kind) ? 0 : 1))
        #expect(network.log.map(\.kind) == [kind])
        #expect((clock.now > ManualClock().now) == (kind == .delayed))
        network.faults = .none
        guard case .accepted = try await far.send(change) else {
            Issue.record("all is well again")
            return
        }
        #expect(remote.records(of: "/tasks").count == 1)
    }

    @Test("An HTTP client gets the same faults as a remote", arguments: Fault.Kind.allCases)
    func client(_ kind: Fault.Kind) async throws {
        let server = FakeRails()
        let clock = ManualClock()
        let network = FaultyNetwork(seed: 1, faults: only(kind), clock: clock)
        let client = network.client(server.client)
        var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/tasks")
        request.headerFields = [.contentType: "application/json"]
        let body = Data(#"{"title":"Milk"}"#.utf8)
        let asked = request
        let response = await clock.whilePassing { try? await client.send(asked, body: body) }
        let bytes = try? await response?.body.collected(upTo: 1000)
        switch kind {
        case .requestLost, .responseLost, .late: #expect(response == nil)
        case .duplicated, .duplicatedLate, .delayed: #expect(response?.head.status.code == 201)
        case .truncated: #expect(response != nil && bytes == nil)
        case .portal: #expect(bytes == ServerResponse.page.body)
        case .unavailable: #expect([429, 500, 502, 503, 504].contains(response?.head.status.code ?? 0))
        case .badGateway: #expect([502, 504].contains(response?.head.status.code ?? 0))
        }
        await network.deliverLate()
        let expected =
            switch kind {
            case .requestLost, .unavailable, .portal: 0
            case .duplicated, .duplicatedLate: 2
            default: 1
            }
        // Without an idempotency key, a repeated request has two effects.
        #expect(server.records(of: "/tasks").count == expected)
    }

    @Test("Offline no request succeeds, and streams break; online everything works")
    func offline() async throws {
        let remote = MemoryRemote()
        let network = network(.none)
        let far = network.remote(remote)
        var events = try #require(try await far.events(of: tasks)).makeAsyncIterator()
        _ = try await events.next()
        network.goOffline()
        await #expect { try await events.next() } throws: { ($0 as? SyncError)?.code == .network }
        await #expect { try await far.send(creation(1)) } throws: { ($0 as? SyncError)?.code == .network }
        #expect(remote.records(of: "/tasks").isEmpty)
        network.goOnline()
        _ = try await far.send(creation(1))
        #expect(remote.records(of: "/tasks").count == 1)
    }

    @Test("A delayed change arrives after later ones")
    func late() async throws {
        let remote = MemoryRemote()
        let network = network(only(.late))
        let far = network.remote(remote)
        _ = try? await far.send(creation(1))
        network.faults = .none
        for number in 2...6 { _ = try await far.send(creation(number)) }
        let titles = remote.records(of: "/tasks").compactMap { $0["title"] }
        #expect(Set(titles).count == 6)
        #expect(network.lateCount == 0)
    }
}

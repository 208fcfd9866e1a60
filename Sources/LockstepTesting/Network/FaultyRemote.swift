import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// A remote behind an unreliable network.
struct FaultyRemote: Remote {
    let remote: any Remote
    let network: FaultyNetwork

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let plan = try await network.plan(RemoteCall(request).description)
        switch plan.fault {
        case .requestLost, .late: throw SyncError.gaveUp
        case .unavailable, .badGateway:
            throw SyncError(
                .unavailable(status: plan.status), reason: "the server responded with \(plan.status)",
                remedy: "Try again later.")
        case .portal: return .records(FetchResponse.Records(body: .data(ServerResponse.page.body)))
        case .responseLost:
            _ = try await remote.fetch(request)
            throw SyncError.lostConnection(reading: "the response")
        case .duplicated, .duplicatedLate: _ = try await remote.fetch(request)
        case .truncated:
            guard case .records(var records) = try await remote.fetch(request) else {
                throw SyncError.lostConnection(reading: "the response")
            }
            try network.checkOnline()
            records.body = .brokenOff(try await records.body.collected(upTo: .max))
            return .records(records)
        case nil, .delayed: break
        }
        let response = try await remote.fetch(request)
        try network.checkOnline()
        return response
    }

    func feed(after cursor: String?) async throws -> FeedPage {
        let plan = try await network.plan("feed after \(cursor ?? "nothing")")
        switch plan.fault {
        case .requestLost, .late, .portal: throw SyncError.gaveUp
        case .unavailable, .badGateway:
            throw SyncError(
                .unavailable(status: plan.status), reason: "the server responded with \(plan.status)",
                remedy: "Try again later.")
        case .responseLost, .truncated:
            _ = try await remote.feed(after: cursor)
            throw SyncError.lostConnection(reading: "the feed")
        case nil, .delayed, .duplicated, .duplicatedLate: break
        }
        let page = try await remote.feed(after: cursor)
        try network.checkOnline()
        return page
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try await passing(RemoteCall(change).description) {
            try await remote.send(change)
        } instead: {
            $0
        }
    }

    /// A fault concerns all changes of a batch.
    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        try await passing(changes.map { RemoteCall($0).description }.joined(separator: ", ")) {
            try await remote.send(batch: changes)
        } instead: { response in
            changes.map { _ in .response(response) }
        }
    }

    /// - Parameter instead: The result of a request whose response is another one.
    private func passing<Value: Sendable>(
        _ text: String, send: @escaping @Sendable () async throws -> Value, instead: (SendResponse) -> Value
    ) async throws -> Value {
        let plan = try await network.plan(text)
        switch plan.fault {
        case .requestLost: throw SyncError.gaveUp
        case .late:
            network.addLate(plan) { _ = try? await send() }
            throw SyncError.gaveUp
        case .unavailable:
            let seconds = plan.retryAfterSeconds.map(TimeInterval.init)
            return instead(.unavailable(status: plan.status, retryAfter: seconds))
        case .badGateway:
            _ = try await send()
            return instead(.unavailable(status: plan.status))
        // Like a remote that returns the response as it is.
        case .portal: return instead(.accepted(body: ServerResponse.page.body))
        case .responseLost, .truncated:
            _ = try await send()
            throw SyncError.lostConnection(reading: "the response")
        case .duplicated: _ = try await send()
        case .duplicatedLate: network.addLate(plan) { _ = try? await send() }
        case nil, .delayed: break
        }
        let value = try await send()
        try network.checkOnline()
        return value
    }

    func changes(of entity: RemoteEntity) -> RemoteChanges? { remote.changes(of: entity) }

    func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        remote.problem(in: body, status: status, of: entity)
    }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        let plan = try await network.plan(RemoteCall(eventsOf: entity).description)
        switch plan.fault {
        case nil, .delayed, .duplicated, .duplicatedLate: break
        case .truncated:
            return try await remote.events(of: entity).map { network.passing($0, breakingAfter: plan.piecesBefore) }
        default: throw SyncError.gaveUp
        }
        return try await remote.events(of: entity).map { network.passing($0, breakingAfter: nil) }
    }
}

extension FaultyNetwork {
    /// A stream that breaks after some elements, and when the network goes offline.
    func passing<Element: Sendable>(
        _ stream: AsyncThrowingStream<Element, any Error>, breakingAfter limit: Int?
    ) -> AsyncThrowingStream<Element, any Error> {
        let (passed, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
        let task = Task {
            do {
                var count = 0
                for try await element in stream {
                    continuation.yield(element)
                    count += 1
                    if let limit, count >= limit { throw SyncError.lostConnection(reading: "the next event") }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        let number = state.withLock { state in
            state.lastStream += 1
            state.streams[state.lastStream] = {
                continuation.finish(throwing: SyncError.lostConnection(reading: "the next event"))
                task.cancel()
            }
            return state.lastStream
        }
        continuation.onTermination = { [weak self] _ in
            task.cancel()
            self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return passed
    }
}

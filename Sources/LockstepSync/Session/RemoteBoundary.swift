import Foundation
import LockstepStore
import LockstepSystem

/// A remote as a sync calls it. A remote is code of the app, with a client and a token provider that may be the app's
/// too, and throws errors of any type: behind this boundary, there are only a `SyncError` and the cancellation of the
/// calling task (rule P20).
///
/// It is not a `Remote` itself, so that no default of the protocol takes the place of what a remote implements.
struct RemoteBoundary: Sendable {
    let wrapped: any Remote
    /// Where each request is reported.
    private let diagnostics: Diagnostics

    init(_ wrapped: any Remote, diagnostics: Diagnostics) {
        self.wrapped = wrapped
        self.diagnostics = diagnostics
    }

    var traits: RemoteTraits { wrapped.traits }

    func changes(of entity: RemoteEntity) -> RemoteChanges? { wrapped.changes(of: entity) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let entity = request.entity.name
        let measured = MeasuredExchange(request, diagnostics: diagnostics)
        let ownFailure = Locked<(any Error)?>(nil)
        var noted = request
        noted.validators = { address in
            do { return try await request.validators(address) } catch {
                ownFailure.withLock { $0 = error }
                throw error
            }
        }
        do {
            let response = try await wrapped.fetch(noted)
            measured.end(response.outcome)
            guard case .records(var records) = response else { return response }
            records.body = records.body.mappingErrors { measured.failing(SyncError.meaning(of: $0, entity: entity)) }
            return .records(records)
        } catch {
            // What the store has thrown is not the remote's, whatever that makes of it.
            throw ownFailure.withLock { $0 } ?? measured.failing(SyncError.meaning(of: error, entity: entity))
        }
    }

    func feed(after cursor: String?) async throws -> FeedPage {
        let measured = MeasuredExchange(.fetchChanges, entity: nil, record: nil, diagnostics: diagnostics)
        do {
            let page = try await wrapped.feed(after: cursor)
            measured.end(page.isExpired ? .rejected(status: nil) : .success)
            return page
        } catch {
            throw measured.failing(SyncError.meaning(of: error))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let measured = MeasuredExchange(change, diagnostics: diagnostics)
        do {
            let response = try await wrapped.send(change)
            measured.end(response.outcome)
            return response
        } catch {
            throw measured.failing(
                SyncError.meaning(of: error, entity: change.entity.name, record: change.identity?.text))
        }
    }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        let entity = changes.first?.entity.name
        let batch = MeasuredExchange(.batch, entity: entity, record: nil, diagnostics: diagnostics)
        let measured = changes.map { MeasuredExchange($0, diagnostics: diagnostics) }
        do {
            let results = try await wrapped.send(batch: changes).map { result in
                guard case .failure(let error) = result else { return result }
                return BatchResult.failure(SyncError.meaning(of: error, entity: entity))
            }
            batch.end(.success)
            for (exchange, result) in zip(measured, results) {
                if let outcome = result.outcome { exchange.end(outcome) }
            }
            return results
        } catch {
            throw batch.failing(SyncError.meaning(of: error, entity: entity))
        }
    }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        let measured = MeasuredExchange(.listen, entity: entity.name, record: nil, diagnostics: diagnostics)
        do {
            guard let events = try await wrapped.events(of: entity) else { return nil }
            measured.end(.success)
            return AsyncThrowingStream {
                // Each iterator continues where the last one has ended.
                var iterator = events.makeAsyncIterator()
                do { return try await iterator.next() } catch {
                    throw SyncError.meaning(of: error, entity: entity.name)
                }
            }
        } catch {
            throw measured.failing(SyncError.meaning(of: error, entity: entity.name))
        }
    }

    func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        wrapped.problem(in: body, status: status, of: entity)
    }
}

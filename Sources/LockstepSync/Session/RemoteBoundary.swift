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

    init(_ wrapped: any Remote) { self.wrapped = wrapped }

    var traits: RemoteTraits { wrapped.traits }

    func changes(of entity: RemoteEntity) -> RemoteChanges? { wrapped.changes(of: entity) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let entity = request.entity.name
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
            guard case .records(var records) = response else { return response }
            records.body = records.body.mappingErrors { SyncError.meaning(of: $0, entity: entity) }
            return .records(records)
        } catch {
            // What the store has thrown is not the remote's, whatever that makes of it.
            throw ownFailure.withLock { $0 } ?? SyncError.meaning(of: error, entity: entity)
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        do { return try await wrapped.send(change) } catch {
            throw SyncError.meaning(of: error, entity: change.entity.name, record: change.identity?.text)
        }
    }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        let entity = changes.first?.entity.name
        do {
            return try await wrapped.send(batch: changes).map { result in
                guard case .failure(let error) = result else { return result }
                return .failure(SyncError.meaning(of: error, entity: entity))
            }
        } catch {
            throw SyncError.meaning(of: error, entity: entity)
        }
    }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        do {
            guard let events = try await wrapped.events(of: entity) else { return nil }
            return AsyncThrowingStream {
                // Each iterator continues where the last one has ended.
                var iterator = events.makeAsyncIterator()
                do { return try await iterator.next() } catch {
                    throw SyncError.meaning(of: error, entity: entity.name)
                }
            }
        } catch {
            throw SyncError.meaning(of: error, entity: entity.name)
        }
    }

    func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        wrapped.problem(in: body, status: status, of: entity)
    }
}

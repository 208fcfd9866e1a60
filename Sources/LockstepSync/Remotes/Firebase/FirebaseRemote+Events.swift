import Foundation
import HTTPTypes
import LockstepStore

extension FirebaseRemote {
    /// Opens a stream of events (`Accept: text/event-stream`).
    ///
    /// It begins with all of the collection. A value deeper in a record than its own members makes the record be read
    /// anew. The stream ends by throwing: `network` where the connection ends or the token has run out, after which
    /// connecting again may help; `refused` where the database's rules allow no more reading.
    ///
    /// - Throws: As `fetch(_:)`.
    public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        let address = try address(ofCollection: entity.path)
        let exchange = try await HTTPTimeouts.$current.withValue(.eventStream) {
            try await self.exchange(.get, address, [.accept: "text/event-stream"], entity)
        }
        guard case .success = exchange.meaning else { throw exchange.failure }
        return AsyncThrowingStream { continuation in
            let following = Task {
                do {
                    try await follow(exchange, entity) { continuation.yield($0) }
                    throw exchange.error(
                        .network, "the stream of events has ended", "Connect again: what was missed comes first.")
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in following.cancel() }
        }
    }

    private func follow(
        _ exchange: RemoteExchange, _ entity: RemoteEntity, _ give: (RemoteEvent) -> Void
    ) async throws {
        for try await event in exchange.answer.body.events() {
            switch try firebaseEvent(event, exchange) {
            case nil, .keepAlive?: continue
            case .snapshot(let json)?: give(.snapshot(json))
            case .changes(let changes)?:
                for event in try await remoteEvents(of: FirebaseNews(changes), entity) { give(event) }
            case .cancelled?:
                throw exchange.error(
                    .refused(status: 403), "the database's rules allow no more reading", "Check its security rules.")
            case .revoked?:
                throw exchange.error(.network, "the token has run out", "Connect again, with a fresh token.")
            }
        }
    }

    private func firebaseEvent(_ event: ServerSentEvent, _ exchange: RemoteExchange) throws -> FirebaseEvent? {
        do {
            return try FirebaseEvent(name: event.name, data: Data(event.data.utf8))
        } catch {
            throw exchange.error(
                .malformed, "an event cannot be read: \(error)",
                "Check that the address is that of a Firebase database.", underlyingError: error)
        }
    }

    /// New records come before others go, so that what moves to another owner is not gone in between.
    private func remoteEvents(of news: FirebaseNews, _ entity: RemoteEntity) async throws -> [RemoteEvent] {
        var news = news
        for key in news.unclear {
            guard let record = try await record(under: key, entity) else {
                news.deleted.append(key)
                continue
            }
            news.changed[key] = record
        }
        var events: [RemoteEvent] = []
        if !news.changed.isEmpty { events.append(.changed(try JSONValue.object(news.changed).json())) }
        if !news.patched.isEmpty { events.append(.patched(try JSONValue.object(news.patched).json())) }
        guard !news.deleted.isEmpty else { return events }
        let identities = news.deleted.map { FirebaseKey.identity(of: $0, in: entity) }
        if identities.contains(nil) { return [.snapshot(try await snapshot(of: entity))] }
        return events + [.deleted(identities.compactMap(\.self))]
    }

    private func record(under key: String, _ entity: RemoteEntity) async throws -> JSONValue? {
        let exchange = try await exchange(
            .get, address(of: key, in: entity), [.accept: "application/json"], entity,
            RemoteIdentity([.string(key)]))
        guard case .success = exchange.meaning else { throw exchange.failure }
        return try await exchange.firebaseValue()
    }

    /// All of the collection, where an event does not tell which record it is about.
    private func snapshot(of entity: RemoteEntity) async throws -> Data {
        let exchange = try await exchange(
            .get, address(ofCollection: entity.path), [.accept: "application/json"], entity)
        guard case .success = exchange.meaning else { throw exchange.failure }
        return try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
    }
}

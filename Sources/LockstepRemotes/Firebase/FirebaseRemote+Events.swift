import Foundation
import HTTPTypes
import LockstepTables

extension FirebaseRemote {
    /// Opens a stream of events (`Accept: text/event-stream`).
    ///
    /// It begins with the whole collection. If a value at a deeper level than a record's members changes, the record is
    /// read again. The stream ends by throwing: `network` if the connection ends or the token has expired, after which
    /// reconnecting may succeed; `refused` if the database's rules do not allow reading any more.
    ///
    /// - Throws: As `fetch(_:)`.
    @_spi(Requirements) public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<
        RemoteEvent, any Error
    >? {
        let address = try address(ofCollection: entity.path)
        let exchange = try await HTTPTimeouts.$current.withValue(.eventStream) {
            try await self.exchange(.get, address: address, fields: [.accept: "text/event-stream"], of: entity)
        }
        guard case .success = exchange.meaning else { throw exchange.failure }
        // Requested one by one, so that the server waits while an event is merged.
        let source = FirebaseEventSource(remote: self, exchange: exchange, entity: entity)
        return AsyncThrowingStream { try await source.next() }
    }

    /// The remote events of an event of the stream; empty for one that only keeps the connection alive.
    fileprivate func remoteEvents(
        of event: ServerSentEvent, in exchange: RemoteExchange, entity: RemoteEntity
    ) async throws -> [RemoteEvent] {
        switch try firebaseEvent(event, in: exchange) {
        case nil, .keepAlive?: return []
        case .snapshot(let json)?: return [.snapshot(json)]
        case .changes(let changes)?: return try await remoteEvents(of: FirebaseNews(changes), entity: entity)
        case .cancelled?:
            throw exchange.error(
                .refused(status: 403), reason: "the database's rules do not allow reading any more",
                remedy: "Check its security rules.")
        case .revoked?:
            throw exchange.error(.network, reason: "the token has expired", remedy: "Connect again with a new token.")
        }
    }

    private func firebaseEvent(_ event: ServerSentEvent, in exchange: RemoteExchange) throws -> FirebaseEvent? {
        do {
            return try FirebaseEvent(name: event.name, data: Data(event.data.utf8))
        } catch {
            throw exchange.error(
                .malformed, reason: "an event cannot be read: \(error)",
                remedy: "Check that the address is that of a Firebase database.", underlyingError: error)
        }
    }

    /// Inserts come before deletes, so that a record which moves to another owner is not deleted in between.
    private func remoteEvents(of news: FirebaseNews, entity: RemoteEntity) async throws -> [RemoteEvent] {
        var news = news
        for key in news.unclear {
            guard let record = try await record(under: key, of: entity) else {
                news.deleted.append(key)
                continue
            }
            news.changed[key] = record
        }
        var events: [RemoteEvent] = []
        if !news.changed.isEmpty { events.append(.changed(try JSONValue.object(news.changed).json())) }
        if !news.patched.isEmpty { events.append(.patched(try JSONValue.object(news.patched).json())) }
        guard !news.deleted.isEmpty else { return events }
        let identities = news.deleted.map { entity.identity(of: $0) }
        if identities.contains(nil) { return [.snapshot(try await snapshot(of: entity))] }
        return events + [.deleted(identities.compactMap(\.self))]
    }

    private func record(under key: String, of entity: RemoteEntity) async throws -> JSONValue? {
        let exchange = try await exchange(
            .get, address: address(of: key, in: entity), fields: [.accept: "application/json"], of: entity,
            identity: RemoteIdentity([.string(key)]))
        guard case .success = exchange.meaning else { throw exchange.failure }
        return try await exchange.firebaseValue()
    }

    /// The whole collection, if an event does not identify its record.
    private func snapshot(of entity: RemoteEntity) async throws -> Data {
        let exchange = try await exchange(
            .get, address: address(ofCollection: entity.path), fields: [.accept: "application/json"], of: entity)
        guard case .success = exchange.meaning else { throw exchange.failure }
        return try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
    }
}

/// Reads a stream, for one reader, as events are requested.
private actor FirebaseEventSource {
    private let remote: FirebaseRemote
    private let exchange: RemoteExchange
    private let entity: RemoteEntity
    private var steps: EventStreamSteps
    private var read: ArraySlice<ServerSentEvent> = []
    private var meant: ArraySlice<RemoteEvent> = []

    init(remote: FirebaseRemote, exchange: RemoteExchange, entity: RemoteEntity) {
        (self.remote, self.exchange, self.entity) = (remote, exchange, entity)
        steps = EventStreamSteps(limits: remote.eventLimits)
    }

    /// Returns the next event.
    ///
    /// - Throws: If the stream ends, for any reason.
    func next() async throws -> RemoteEvent? {
        while true {
            // A server may send endless events, so check for a cancellation between any two.
            try Task.checkCancellation()
            if let event = meant.popFirst() { return event }
            if let event = read.popFirst() {
                meant = try await remote.remoteEvents(of: event, in: exchange, entity: entity)[...]
                continue
            }
            if steps.isOver {
                var pieces = exchange.response.body.makeAsyncIterator()
                guard let piece = try await pieces.next() else {
                    throw exchange.error(
                        .network, reason: "the stream of events has ended",
                        remedy: "Connect again. Missed changes are sent first.")
                }
                steps.add(piece)
            }
            var steps = steps
            read = try await steps.next()[...]
            self.steps = steps
        }
    }
}

public import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// An in-memory server for tests and previews. It behaves like a real server, logs its requests, and can be scripted.
///
/// It makes ids and versions, applies a change once for each idempotency key, and notifies subscribers. Any number of
/// tasks, syncs and tests can use it concurrently. Its lists begin with the newest record, so that no app depends on
/// the order in which records were created.
///
/// ```swift
/// let remote = MemoryRemote()
/// remote.set(["id": 1, "title": "Monday"], id: "1", in: "/entries")
/// remote.respondNext(.unavailable(status: 503), to: .changes)
/// // … sync with it …
/// #expect(remote.log.map(\.description) == ["fetch /entries", "update /entries/1", "update /entries/1"])
/// #expect(remote.record("1", of: "/entries")?["title"] == "Tuesday")
/// ```
public final class MemoryRemote: Remote {
    /// Changes a record before it is stored, as servers do: timestamps, defaults.
    ///
    /// - Parameters: The record, the server's time, and whether it is new.
    public typealias Fill = @Sendable (_ record: inout JSONValue, _ now: Date, _ isNew: Bool) -> Void

    @_spi(Requirements) public let traits: RemoteTraits
    let clock: any SyncClock
    let dialect: MemoryDialect
    let state = Locked(MemoryRemoteState())

    /// Creates a server without records.
    ///
    /// - Parameters:
    ///   - traits: How it differs from the default. With `missingKeys` `.empty`, it does not store `null`, `{}` and
    ///     `[]`. If `hasEvents` is `false`, `events(of:)` returns `nil`.
    ///   - clock: The server's time.
    ///   - pageSize: The maximum number of records in a response; `nil` for all records of the collection.
    ///   - respondsWithBody: Whether the response to a change contains the changed record. Otherwise it is empty, as
    ///     with 204.
    ///   - maximumConcurrentChanges: How many changes it takes at the same time; `nil` for as many as a sync sends. By
    ///     default one, so that the log has the same order each time. It takes the place of that of `traits`.
    ///   - columns: The members that each record of a collection has, by path, as the columns of a table: `null` unless
    ///     they are sent.
    ///   - fill: What the server adds to each created or changed record.
    ///   - ignores: Whether the server ignores a member of a request, as one that it does not permit. The parameters
    ///     are the member, its value, and whether the record is new.
    public init(
        traits: RemoteTraits = RemoteTraits(hasVersions: true, hasEvents: true),
        clock: any SyncClock = SystemClock(), pageSize: Int? = nil, respondsWithBody: Bool = true,
        maximumConcurrentChanges: Int? = 1, columns: [String: Set<String>] = [:],
        fill: Fill? = nil,
        ignores: @escaping @Sendable (_ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool = { _, _, _ in
            false
        }
    ) {
        var traits = traits
        traits.maximumConcurrentChanges = maximumConcurrentChanges
        self.traits = traits
        self.clock = clock
        dialect = MemoryDialect(
            traits: traits, pageSize: pageSize, respondsWithBody: respondsWithBody, columns: columns,
            ignores: ignores, fill: fill)
    }

    @available(*, deprecated, message: "Use 'respondsWithBody' instead of 'answersWithBody'.")
    public convenience init(
        traits: RemoteTraits = RemoteTraits(hasVersions: true, hasEvents: true),
        clock: any SyncClock = SystemClock(), pageSize: Int? = nil, answersWithBody: Bool
    ) {
        self.init(traits: traits, clock: clock, pageSize: pageSize, respondsWithBody: answersWithBody)
    }

    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let call = begin(RemoteCall(request))
        return try await failing(call) {
            let address = dialect.address(of: request)
            let validators = try await request.validators(address)
            let script = try await stand(call)
            let response = act { dialect.response(to: request, knowing: validators, in: &$0) }
            try await standAfter(script)
            switch response {
            case .absent:
                finish(call, outcome: "absent")
                return .absent
            case .notModified:
                finish(call, outcome: "not modified")
                return .notModified(address: address)
            case .records(let json, let payload, let next, let tag, let version):
                finish(call, outcome: "records")
                let body = try json.json()
                return .records(
                    FetchResponse.Records(
                        body: script.isTruncated ? .brokenOff(body) : .data(body), payload: payload, next: next,
                        version: version, address: address, validators: Validators(entityTag: tag, next: next)))
            }
        }
    }

    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        let call = begin(RemoteCall(change))
        return try await failing(call) {
            let script = try await stand(call)
            if let response = script.response {
                finish(call, outcome: response.outcome)
                return response
            }
            let response = act { dialect.response(to: change, in: &$0) }
            if script.isTruncated { throw SyncError.lostConnection(reading: "the response") }
            try await standAfter(script)
            finish(call, outcome: response.outcome)
            return response
        }
    }

    @_spi(Requirements) public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<
        RemoteEvent, any Error
    >? {
        guard traits.hasEvents else { return nil }
        let call = begin(RemoteCall(eventsOf: entity))
        return try await failing(call) {
            let script = try await stand(call)
            let stream = listen(to: entity.path)
            try await standAfter(script)
            finish(call, outcome: "stream")
            return stream
        }
    }

    /// Changes the state, and notifies subscribers.
    @discardableResult
    func act<Response>(_ body: (inout ServerState) -> Response) -> Response {
        state.withLock { state in
            state.server.now = clock.now
            let known = state.server.changes.count
            let response = body(&state.server)
            // Subscribers are notified while the lock is held, so that they receive changes in order. Yielding does not
            // run any of their code.
            state.notify(changesFrom: known, dialect: dialect)
            return response
        }
    }
}

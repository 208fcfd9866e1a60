public import Foundation
public import LockstepStore
public import LockstepSync

/// A server in memory, for tests and previews: it behaves as one does, tells what it was asked, and answers as a test
/// wants it to.
///
/// It makes ids and versions, takes a change once for each idempotency key, and tells everyone who listens. Any number
/// of tasks, syncs and tests may use it at once.
///
/// ```swift
/// let remote = MemoryRemote()
/// remote.set(["id": 1, "title": "Monday"], id: "1", in: "/entries")
/// remote.answerNext(.unavailable(status: 503), to: .changes)
/// // … sync with it …
/// #expect(remote.log.map(\.description) == ["fetch /entries", "update /entries/1", "update /entries/1"])
/// #expect(remote.record("1", of: "/entries")?["title"] == "Tuesday")
/// ```
public final class MemoryRemote: Remote {
    /// Changes a record as servers do, before it is kept: timestamps, defaults.
    ///
    /// - Parameters: The record, the server's time, and whether it is new.
    public typealias Fill = @Sendable (_ record: inout JSONValue, _ now: Date, _ isNew: Bool) -> Void

    public let traits: RemoteTraits
    let clock: any SyncClock
    let dialect: MemoryDialect
    let state = Locked(MemoryRemoteState())

    /// A server that has nothing.
    ///
    /// - Parameters:
    ///   - traits: How it differs from others. With `missingKeys` `.empty` it keeps no `null`, `{}` and
    ///     `[]`. With `hasEvents` false, ``events(of:)`` gives `nil`.
    ///   - clock: The server's time.
    ///   - pageSize: How many records of a collection an answer has; `nil` for all.
    ///   - answersWithBody: Whether the answer to a change has the record as it is now; else it is empty, as with 204.
    ///   - fill: What the server adds to each record that is made or changed.
    public init(
        traits: RemoteTraits = RemoteTraits(hasVersions: true, hasEvents: true),
        clock: any SyncClock = SystemClock(), pageSize: Int? = nil, answersWithBody: Bool = true, fill: Fill? = nil
    ) {
        self.traits = traits
        self.clock = clock
        dialect = MemoryDialect(
            traits: traits, pageSize: pageSize, answersWithBody: answersWithBody, fill: fill)
    }

    public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let call = begin(RemoteCall(request))
        return try await failing(call) {
            let address = dialect.address(of: request)
            let validators = try await request.validators(address)
            let script = try await stand(call)
            let answer = act { dialect.answer(request, knowing: validators, &$0) }
            try await standAfter(script)
            switch answer {
            case .absent:
                finish(call, "absent")
                return .absent
            case .notModified:
                finish(call, "not modified")
                return .notModified(address: address)
            case .records(let json, let payload, let next, let tag, let version):
                finish(call, "records")
                let body = try json.json()
                return .records(
                    FetchResponse.Records(
                        body: script.isTruncated ? .brokenOff(body) : .data(body), payload: payload, next: next,
                        version: version, address: address, validators: Validators(entityTag: tag, next: next)))
            }
        }
    }

    public func send(_ change: OutgoingChange) async throws -> SendResponse {
        let call = begin(RemoteCall(change))
        return try await failing(call) {
            let script = try await stand(call)
            if let response = script.response {
                finish(call, response.outcome)
                return response
            }
            let response = act { dialect.answer(change, &$0) }
            if script.isTruncated { throw SyncError.lostConnection(reading: "the answer") }
            try await standAfter(script)
            finish(call, response.outcome)
            return response
        }
    }

    public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        guard traits.hasEvents else { return nil }
        let call = begin(RemoteCall(eventsOf: entity))
        return try await failing(call) {
            let script = try await stand(call)
            let stream = listen(to: entity.path)
            try await standAfter(script)
            finish(call, "stream")
            return stream
        }
    }

    /// Changes the state, and tells everyone who listens.
    @discardableResult
    func act<Answer>(_ body: (inout ServerState) -> Answer) -> Answer {
        state.withLock { state in
            state.server.now = clock.now
            let told = state.server.changes.count
            let answer = body(&state.server)
            // Told while the lock is held, so that everyone hears of changes in their order. Yielding runs nobody's
            // code.
            state.tell(changesFrom: told, dialect)
            return answer
        }
    }
}

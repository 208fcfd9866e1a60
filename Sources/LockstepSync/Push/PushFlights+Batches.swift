import LockstepSystem

/// A change of a flight that is sent together with others.
struct QueuedChange: Sendable {
    let change: OutgoingChange
    /// Whether it is sent by itself: an earlier attempt has failed, and must not make others fail.
    let isAlone: Bool
    let result: Locked<Result<SendResponse, any Error>?>
    let flight: PushFlights.Turn
}

// Several changes in one request (Rules.md, P19).
extension PushFlights {
    /// Sends a change together with those of others, while they have the turn.
    ///
    /// - Throws: ``PushInterrupted`` if nothing more is sent; what the remote throws.
    func travel(_ change: OutgoingChange, isAlone: Bool) async throws -> SendResponse {
        let result = Locked<Result<SendResponse, any Error>?>(nil)
        await withCheckedContinuation { flight in
            enqueue(QueuedChange(change: change, isAlone: isAlone, result: result, flight: flight))?.resume()
        }
        guard let outcome = result.withLock({ $0 }) else { throw PushInterrupted() }
        return try outcome.get()
    }

    /// The changes that are sent now, by request.
    ///
    /// - Parameter count: How many changes a request has at most.
    func takeBatches(of count: Int) -> [[QueuedChange]] {
        func batches(_ queue: [QueuedChange]) -> [[QueuedChange]] {
            let shared = queue.filter { !$0.isAlone }
            return queue.filter(\.isAlone).map { [$0] }
                + stride(from: 0, to: shared.count, by: count).map { Array(shared[$0..<min($0 + count, shared.count)]) }
        }
        return batches(takeQueue { batches($0).count })
    }

    /// Sends the changes of one request.
    func send(_ batch: [QueuedChange], to remote: RemoteBoundary) async {
        let results: [Result<SendResponse, any Error>]
        do {
            results = try await remote.responses(to: batch.map(\.change))
        } catch {
            results = batch.map { _ in .failure(error) }
        }
        for (queued, result) in zip(batch, results) { queued.result.withLock { $0 = result } }
        arrive(batch.map(\.flight))
    }
}

extension RemoteBoundary {
    /// The result for each change of a request.
    ///
    /// - Throws: `SyncError` if the remote does not return one for each.
    fileprivate func responses(to changes: [OutgoingChange]) async throws -> [Result<SendResponse, any Error>] {
        if changes.count == 1 { return [.success(try await send(changes[0]))] }
        let results = try await send(batch: changes)
        guard results.count == changes.count else {
            throw SyncError(
                .malformed, entity: changes[0].entity.name,
                reason: "the remote returned \(results.count) results for a batch of \(changes.count) changes",
                remedy: "Return a result for each change, in the same order.")
        }
        return results.map { $0.mapError { $0 } }
    }
}

import LockstepSystem

/// A change of a flight that is sent together with others.
struct QueuedChange: Sendable {
    let change: OutgoingChange
    /// Whether it is sent by itself: it has failed, and must not make others fail, or it cannot be part of a batch.
    var isAlone: Bool
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
        takeQueue { queue in
            let shared = queue.filter { !$0.isAlone }
            return queue.filter(\.isAlone).map { [$0] }
                + stride(from: 0, to: shared.count, by: count).map { Array(shared[$0..<min($0 + count, shared.count)]) }
        }
    }

    /// Sends the changes of one request.
    func send(_ batch: [QueuedChange], to remote: RemoteBoundary) async {
        var flights: [Turn] = []
        var unsent: [QueuedChange] = []
        let departure = departure
        let results = await remote.results(of: batch)
        note(isOverloaded: results.contains(where: \.isOverloaded), since: departure)
        for (queued, result) in zip(batch, results) {
            let outcome: Result<SendResponse, any Error>
            switch result {
            case .response(let response): outcome = .success(response)
            case .failure(let error): outcome = .failure(error)
            case .unsent:
                var single = queued
                single.isAlone = true
                unsent.append(single)
                continue
            }
            queued.result.withLock { $0 = outcome }
            flights.append(queued.flight)
        }
        arrive(flights, unsent: unsent)
    }
}

extension RemoteBoundary {
    /// The result for each change of a request.
    fileprivate func results(of batch: [QueuedChange]) async -> [BatchResult] {
        let changes = batch.map(\.change)
        do {
            if batch.count == 1, batch[0].isAlone { return [.response(try await send(changes[0]))] }
            let results = try await send(batch: changes)
            guard results.count == changes.count else {
                throw SyncError(
                    .malformed, entity: changes[0].entity.name,
                    reason: "the remote returned \(results.count) results for a batch of \(changes.count) changes",
                    remedy: "Return a result for each change, in the same order.")
            }
            return results
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }
}

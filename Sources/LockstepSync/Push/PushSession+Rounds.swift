import Foundation
import GRDB
import LockstepStore
import LockstepSystem

// Several changes at the same time (Rules.md, P18).
extension PushSession {
    /// Sends what can be sent of a batch.
    ///
    /// If there is no response to a change that has failed before, it may be the reason: the server does not respond to
    /// this request. So the others are not held back until one of them gets no response either, and not at all if the
    /// server has responded to other requests.
    ///
    /// - Returns: Whether anything was sent.
    func send(_ batch: PushBatch, pass: inout Pass, idle: inout Set<RecordID>) async throws -> PushRound {
        var round = PushRound(batch, pass: pass, idle: idle)
        flights.reopen()
        serverPause.withLock { $0 = nil }
        let paced = environment.remote.wrapped as? any PacedRemote
        await withDiscardingTaskGroup { group in
            while true {
                for completion in flights.takeCompleted() { await note(completion, round: &round) }
                await begin(&round, group: &group)
                sendQueued(&group)
                if flights.haveCompleted { continue }
                if flights.count == 0 { return }
                await flights.waitForArrival(paced)
                await flights.proceed()
                await flights.settle(record)
            }
        }
        try await conclude(&round)
        (pass, idle) = (round.pass, round.idle)
        return round
    }

    /// Begins as many requests as may travel.
    private func begin(_ round: inout PushRound, group: inout DiscardingTaskGroup) async {
        var indexes: [Int] = []
        while !round.isStopping, flights.count + indexes.count < flights.limit * environment.batchCount,
            let index = round.batch.next(at: environment.clock.now)
        {
            indexes.append(index)
        }
        if indexes.isEmpty { return }
        let items = indexes.map { round.batch.items[$0] }
        let claims: [Claim?]
        do {
            try Task.checkCancellation()
            environment.board.show(.pushing(done: round.done, count: round.batch.items.count))
            claims = try await claim(items)
        } catch {
            return stop(&round, error: error)
        }
        for (index, (item, claim)) in zip(indexes, zip(items, claims)) {
            guard let claim else {
                round.leave(index)
                continue
            }
            await flights.giveTurn {
                group.addTask { [self] in
                    let result: Result<Outcome, any Error>
                    do { result = .success(try await send(item, claim: claim)) } catch { result = .failure(error) }
                    flights.complete(PushFlights.Completion(index: index, result: result))
                }
            }
        }
    }

    /// Sends the changes that are to travel together.
    private func sendQueued(_ group: inout DiscardingTaskGroup) {
        for batch in flights.takeBatches(of: environment.batchCount) {
            group.addTask { [flights, environment] in await flights.send(batch, to: environment.remote) }
        }
    }

    /// Ends the round as soon as what travels has its responses.
    private func stop(_ round: inout PushRound, error: any Error) {
        round.stop(error)
        flights.stop()
    }

    private func note(_ completion: PushFlights.Completion, round: inout PushRound) async {
        do {
            round.note(completion.index, outcome: try completion.result.get())
            if let last = round.takeUnconfirmed() {
                // The server responds to others.
                let date = try await delayUnconfirmed(last.record, error: last.error)
                round.batch.delay(last.index, until: date)
                if !round.pass.isPaused { round.pass.wait(until: date, because: last.error) }
            }
            if round.isStopping { flights.stop() }
        } catch {
            stop(&round, error: error)
        }
    }

    /// Decides about the changes that got no response.
    private func conclude(_ round: inout PushRound) async throws {
        if let problem = round.problem { throw problem }
        guard let error = round.unconfirmed.last?.error else { return }
        let records = round.unconfirmed.map(\.record)
        if round.pass.isPaused {
            for record in records { _ = try await delayUnconfirmed(record, error: error) }
            return
        }
        // If the server has responded to others, each waits for itself.
        let areAlone = records.allSatisfy(\.isSuspicious) ? try await isDespiteResponses() : false
        if !areAlone { return try await pause(records, error: error, pass: &round.pass) }
        for last in round.unconfirmed {
            let date = try await delayUnconfirmed(last.record, error: last.error)
            round.batch.delay(last.index, until: date)
            round.pass.wait(until: date, because: last.error)
        }
        // The others wait a little: the server may not respond to them either.
        if round.isStopping { try await pause([], error: error, attempts: 1, pass: &round.pass) }
    }

    /// Whether the server has responded to another request before the last attempt.
    private func isDespiteResponses() async throws -> Bool {
        try await environment.store.reading("reading the store") { try SyncPause.read($0)?.isDespiteResponses ?? false }
    }

    /// A change that had no response waits alone.
    private func delayUnconfirmed(_ record: PushRecord, error: SyncError) async throws -> Date {
        let seconds = environment.retries.delaySeconds(after: record.attempts + 1, random: environment.random())
        return try await delay(record, seconds: seconds, error: error)
    }

    /// The server does not respond: nothing is sent for a while.
    private func pause(_ records: [PushRecord], error: SyncError, attempts: Int? = nil, pass: inout Pass) async throws {
        pass.isPaused = true
        pass.wait = (try await pause(records, error: error, attempts: attempts), error)
    }
}

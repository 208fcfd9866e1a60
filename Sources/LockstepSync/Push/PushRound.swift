import Foundation
import LockstepStore

/// A batch of changes that is being sent, and what the responses have shown so far.
struct PushRound {
    /// A change that got no response.
    struct Unconfirmed {
        let index: Int
        let record: PushRecord
        let error: SyncError
    }

    var batch: PushBatch
    var pass: PushSession.Pass
    /// Records that there was nothing to send of: twice in a row is no progress.
    var idle: Set<RecordID>
    var hasSent = false
    private(set) var done = 0
    /// Whether the server has responded to anything.
    private(set) var hasResponse = false
    private(set) var unconfirmed: [Unconfirmed] = []
    /// Whether nothing more is sent.
    private(set) var isStopping = false
    /// The error that ends the push.
    private(set) var problem: (any Error)?

    init(_ batch: PushBatch, pass: PushSession.Pass, idle: Set<RecordID>) {
        (self.batch, self.pass, self.idle) = (batch, pass, idle)
    }

    mutating func stop(_ error: any Error) {
        isStopping = true
        if problem == nil, !(error is PushInterrupted) { problem = error }
    }

    mutating func note(_ index: Int, outcome: PushSession.Outcome) {
        done += 1
        switch outcome {
        case .done(let kind):
            batch.finish(index)
            let record = RecordID(batch.items[index].plan, key: batch.items[index].key)
            if let kind {
                pass.summary.count(kind)
                idle.remove(record)
                hasSent = true
            } else if idle.insert(record).inserted {
                hasSent = true
            }
            hasResponse = hasResponse || kind != nil
        case .parked(let isResponse):
            batch.hold(index)
            hasResponse = hasResponse || isResponse
        case .later(let date, let error):
            batch.delay(index, until: date)
            pass.wait(until: date, because: error)
            hasResponse = hasResponse || error.isFromServer
        case .unreachable(let record, let error):
            batch.delay(index, until: .distantFuture)
            unconfirmed.append(Unconfirmed(index: index, record: record, error: error))
            isStopping = isStopping || !record.isSuspicious || unconfirmed.count > 1
        case .paused(let date, let error):
            if let wait = pass.wait, pass.isPaused, wait.date > date { break }
            (pass.isPaused, pass.wait) = (true, (date, error))
            (hasResponse, isStopping) = (true, true)
        }
    }

    /// Leaves a change to the next round, which finds out anew what it depends on.
    mutating func leave(_ index: Int) {
        batch.delay(index, until: .distantFuture)
        hasSent = true
    }

    /// The change without a response that need not hold back the others, because the server responds to them.
    mutating func takeUnconfirmed() -> Unconfirmed? {
        guard hasResponse, unconfirmed.count == 1, !isStopping || pass.isPaused else { return nil }
        return unconfirmed.removeFirst()
    }
}

extension PushRecord {
    /// Whether it has failed so often that the lack of a response may be due to the change itself.
    var isSuspicious: Bool { attempts >= 3 }
}

import Foundation
import LockstepSystem

/// Limits the rate of status values: a user interface needs a few per second, and always the latest.
///
/// A few values may follow each other immediately, such as those of a short push. After that, there is one every half
/// second: at most 124 in a minute.
final class StatusPace: Sendable {
    /// The number of values that may follow each other immediately.
    static let burstCount = 4.0
    /// The number of values per second after that.
    static let valuesPerSecond = 2.0

    private struct State {
        var tokens = StatusPace.burstCount
        var date: Date?
    }

    private let board: SyncStatusBoard
    private let clock: any SyncClock
    private let state = Locked(State())

    init(_ board: SyncStatusBoard, clock: any SyncClock) {
        self.board = board
        self.clock = clock
    }

    /// The current status, followed by each new one that is the latest when its time has come.
    func values() -> AsyncStream<SyncStatus> {
        let updates = board.updates()
        let last = Locked<SyncStatus?>(nil)
        return AsyncStream { [self] in
            // Each iterator continues where the last one has ended.
            var iterator = updates.makeAsyncIterator()
            while let value = await iterator.next() {
                let known = last.withLock(\.self)
                if known?.isSame(as: value) == true { continue }
                if let date = takeTurn(at: clock.now) {
                    do { try await clock.sleep(until: date) } catch { return nil }
                }
                let latest = board.status
                if known?.isSame(as: latest) == true { continue }
                last.withLock { $0 = latest }
                return latest
            }
            return nil
        }
    }

    /// - Returns: When the value may be sent; `nil` for now.
    private func takeTurn(at now: Date) -> Date? {
        state.withLock { state in
            let elapsed = max(0, state.date.map { now.timeIntervalSince($0) } ?? 0)
            state.tokens = min(Self.burstCount, state.tokens + elapsed * Self.valuesPerSecond) - 1
            state.date = now
            return state.tokens >= 0 ? nil : now.addingTimeInterval(-state.tokens / Self.valuesPerSecond)
        }
    }
}

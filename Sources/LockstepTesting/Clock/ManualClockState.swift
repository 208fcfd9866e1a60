import Foundation

/// The tasks that wait for a clock, and its time. It only decides: tasks to be woken are returned.
struct ManualClockState {
    typealias Continuation = CheckedContinuation<Void, any Error>

    var now: Date
    /// In the order in which they are woken.
    private(set) var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    /// Tasks that were cancelled before they started to wait.
    var cancelled: Set<Int> = []
    private var lastID = 0

    struct Sleeper {
        let id: Int
        let deadline: Date
        let continuation: Continuation
    }

    /// Waits until a number of tasks are sleeping.
    struct Watcher {
        let id: Int
        let count: Int
        let continuation: Continuation
    }

    struct Woken {
        let continuation: Continuation
        let result: Result<Void, any Error>
    }

    init(now: Date) { self.now = now }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func add(_ sleeper: Sleeper) -> [Woken] {
        if cancelled.remove(sleeper.id) != nil { return [cancellation(of: sleeper.continuation)] }
        if sleeper.deadline <= now { return [Woken(continuation: sleeper.continuation, result: .success(()))] }
        let index = sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.endIndex
        sleepers.insert(sleeper, at: index)
        return satisfiedWatchers()
    }

    mutating func add(_ watcher: Watcher) -> [Woken] {
        if cancelled.remove(watcher.id) != nil { return [cancellation(of: watcher.continuation)] }
        watchers.append(watcher)
        return satisfiedWatchers()
    }

    /// Removes the first sleeper whose deadline is not after a time, and sets the time to that deadline.
    mutating func wakeNext(until time: Date) -> [Woken]? {
        guard let first = sleepers.first, first.deadline <= time else { return nil }
        sleepers.removeFirst()
        now = max(now, first.deadline)
        return [Woken(continuation: first.continuation, result: .success(()))]
    }

    /// Cancels a sleeper or a watcher, which may not have started to wait yet.
    mutating func cancel(_ id: Int) -> [Woken] {
        if let index = sleepers.firstIndex(where: { $0.id == id }) {
            return [cancellation(of: sleepers.remove(at: index).continuation)]
        }
        if let index = watchers.firstIndex(where: { $0.id == id }) {
            return [cancellation(of: watchers.remove(at: index).continuation)]
        }
        cancelled.insert(id)
        return []
    }

    private mutating func satisfiedWatchers() -> [Woken] {
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return satisfied.map { Woken(continuation: $0.continuation, result: .success(())) }
    }

    private func cancellation(of continuation: Continuation) -> Woken {
        Woken(continuation: continuation, result: .failure(CancellationError()))
    }
}

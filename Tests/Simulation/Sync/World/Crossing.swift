import LockstepSystem
import TestSupport

/// The way of a device's requests to the server and of the responses back. A seed decides who is first where several
/// travel at the same time.
final class Crossing: Sendable {
    private struct Passage {
        /// The request, by which passages are told apart: they are begun in any order.
        let text: String
        /// Lets the server handle it; `nil` once it has.
        var handle: (@Sendable (_ survives: Bool) async -> Void)?
        let arrive: @Sendable () -> Void
    }

    private struct State {
        var random: SeededRandom
        var isPaced = false
        var passages: [Passage] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SeededRandom(seed: seed))) }

    /// Decides about the requests of what is done meanwhile: a push.
    func pacing<Value>(_ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.isPaced = true }
        defer { state.withLock { $0.isPaced = false } }
        return try await body()
    }

    /// Lets a request pass when its turn comes.
    ///
    /// - Parameter body: Asks the server. It is told whether the request survives the death of its device.
    func pass<Value: Sendable>(
        _ text: String, _ body: @escaping @Sendable (_ survives: Bool) async throws -> Value
    ) async throws -> Value {
        guard state.withLock({ $0.isPaced }) else { return try await body(false) }
        let result = Locked<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            add(
                Passage(text: text) { survives in
                    let outcome: Result<Value, any Error>
                    do { outcome = .success(try await body(survives)) } catch { outcome = .failure(error) }
                    result.withLock { $0 = outcome }
                } arrive: {
                    continuation.resume()
                })
        }
        guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
        return try outcome.get()
    }

    private func add(_ passage: Passage) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            let place = state.passages.firstIndex { $0.text > passage.text } ?? state.passages.endIndex
            state.passages.insert(passage, at: place)
            guard let waiting = state.waiting, state.passages.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.continuation
        }?.resume()
    }

    /// Lets the server handle requests, until it is the turn of a response.
    ///
    /// - Returns: Whether another one arrives at the same time.
    func letOneArrive(of travelling: Int) async -> Bool {
        await waitForPassages(travelling)
        while true {
            let (place, survives) = state.withLock { state in
                (Int.random(in: state.passages.indices, using: &state.random), state.random.isOne(in: 2))
            }
            if let handle = state.withLock({ $0.passages[place].handle }) {
                await handle(survives)
                state.withLock { $0.passages[place].handle = nil }
            } else {
                let (passage, isMore) = state.withLock { ($0.passages.remove(at: place), $0.random.isOne(in: 3)) }
                passage.arrive()
                return isMore
            }
        }
    }

    private func waitForPassages(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let areHere = state.withLock { state in
                if state.passages.count >= count { return true }
                state.waiting = (count, continuation)
                return false
            }
            if areHere { continuation.resume() }
        }
    }
}

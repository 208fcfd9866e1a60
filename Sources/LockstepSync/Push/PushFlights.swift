import LockstepSystem

/// The requests of a push that travel at the same time.
///
/// Each is a task of its own, a flight, which reads, writes and decides as if it was alone. Only while it waits for the
/// server, the others go on: the turn is passed between the push and its flights, so that one of them works at a time.
/// Responses get their turn in the order in which they arrive.
final class PushFlights: Sendable {
    typealias Turn = CheckedContinuation<Void, Never>

    /// How a flight has ended.
    struct Completion: Sendable {
        /// The index of its change in the batch.
        let index: Int
        let result: Result<PushSession.Outcome, any Error>
    }

    fileprivate struct State {
        /// How many wait for the server.
        var travelling = 0
        /// In how many requests, apart from those in the queue.
        var requests = 0
        /// Changes that travel together as soon as the push sends them.
        var queue: [QueuedChange] = []
        /// Those that wait until fewer requests travel.
        var held: [CheckedContinuation<Departure, Never>] = []
        /// Those whose response has arrived.
        var arrived: [Turn] = []
        var settling: [(settlement: PushSettlement, flight: CheckedContinuation<Result<Void, any Error>, Never>)] = []
        var completed: [Completion] = []
        /// The push, while a flight has the turn or all of them travel.
        var push: Turn?
        /// How many requests had their response.
        var responses = 0
        /// The condition that the push waits for.
        var awaited: (@Sendable (State) -> Bool)?
        var isStopping = false
    }

    /// The next step of a flight that is ready.
    fileprivate enum Departure: Sendable {
        case leave
        /// Nothing more is sent.
        case stay(hasTurn: Bool)
    }

    private let state = Locked(State())
    private let window: Locked<PushWindow>

    /// - Parameter window: How many requests travel at most, which their responses change.
    init(_ window: Locked<PushWindow>) { self.window = window }

    /// How many requests travel at most now.
    var limit: Int { window.withLock(\.limit) }

    /// How many wait for the server, or for their turn after it.
    var count: Int { state.withLock { $0.travelling + $0.arrived.count + $0.settling.count } }

    /// Whether nothing more is sent.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    func reopen() { state.withLock { $0.isStopping = false } }

    /// Sends nothing more. What travels ends with its response.
    func stop() {
        let held = state.withLock { state in
            state.isStopping = true
            defer { state.held = [] }
            return state.held
        }
        for flight in held { flight.resume(returning: .stay(hasTurn: false)) }
    }

    // MARK: The push

    /// Lets a flight work until it gives the turn back.
    ///
    /// - Parameter resume: Gives it the turn.
    func giveTurn(_ resume: () -> Void) async {
        await withCheckedContinuation { push in
            state.withLock { $0.push = push }
            resume()
        }
    }

    /// Waits until a response has arrived, or something can be sent.
    func waitForArrival(_ paced: (any PacedRemote)?) async {
        let isDue: @Sendable (State) -> Bool = { [self] in !$0.arrived.isEmpty || $0.mayDispatch(limit) }
        guard let paced else { return await wait(until: isDue) }
        var isMore = true
        while isMore, !state.withLock({ $0.mayDispatch(limit) }) {
            let (requests, responses) = state.withLock { ($0.requests, $0.responses) }
            if requests == 0 { return await wait(until: isDue) }
            isMore = await paced.letOneArrive(of: requests)
            await wait { $0.responses > responses }
        }
    }

    private func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { (push: Turn) in
            let isDue = state.withLock { state in
                if condition(state) { return true }
                (state.push, state.awaited) = (push, condition)
                return false
            }
            if isDue { push.resume() }
        }
    }

    /// Gives the turn to each flight whose response has arrived, in order.
    func proceed() async {
        let arrived = state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
        for flight in arrived { await giveTurn { flight.resume() } }
    }

    /// Records what the flights want to be recorded, and lets them go on.
    ///
    /// - Parameter body: Records all of it, in order, and returns the result of each.
    func settle(_ body: ([PushSettlement]) async -> [Result<Void, any Error>]) async {
        while true {
            let settling = state.withLock { state in
                defer { state.settling = [] }
                return state.settling
            }
            if settling.isEmpty { return }
            let results = await body(settling.map(\.settlement))
            for (waiting, result) in zip(settling, results) {
                await giveTurn { waiting.flight.resume(returning: result) }
            }
        }
    }

    var haveCompleted: Bool { state.withLock { !$0.completed.isEmpty } }

    func takeCompleted() -> [Completion] {
        state.withLock { state in
            defer { state.completed = [] }
            return state.completed
        }
    }

    // MARK: A flight

    /// Asks the server, while others have the turn.
    ///
    /// - Parameter isOverloaded: Whether the response to a change shows that the server is overloaded; `nil` for a
    ///   request to read, which does not show how many changes the server can process.
    /// - Throws: ``PushInterrupted`` if nothing more is sent; what `body` throws.
    func travel<Value: Sendable>(
        isOverloaded: ((Value) -> Bool)? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        switch await depart() {
        case .leave:
            let departure = departure
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            if let isOverloaded {
                let isTooMuch: Bool
                switch result {
                case .success(let value): isTooMuch = isOverloaded(value)
                case .failure(let error): isTooMuch = (error as? SyncError)?.isOverloaded ?? false
                }
                note(isOverloaded: isTooMuch, since: departure)
            }
            await withCheckedContinuation { arrive([$0]) }
            return try result.get()
        case .stay(let hasTurn):
            if !hasTurn { await withCheckedContinuation { arrive([$0], isRequest: false) } }
            throw PushInterrupted()
        }
    }

    /// The number of the limit with which a request leaves now.
    var departure: Int { window.withLock(\.halvings) }

    /// Notes what a response says about the server's load, before ``arrive(_:isRequest:unsent:)``.
    func note(isOverloaded: Bool, since departure: Int) {
        window.withLock { $0.note(isOverloaded: isOverloaded, since: departure) }
    }

    /// Passes the turn on, and waits until the request may leave.
    private func depart() async -> Departure {
        await withCheckedContinuation { flight in
            let (departure, push) = state.withLock { state -> (Departure?, Turn?) in
                if state.isStopping { return (.stay(hasTurn: true), nil) }
                state.travelling += 1
                guard state.requests < limit else {
                    state.held.append(flight)
                    return (nil, state.takePush())
                }
                state.requests += 1
                return (.leave, state.takePush())
            }
            if let departure { flight.resume(returning: departure) }
            push?.resume()
        }
    }

    /// The response to a request has arrived.
    ///
    /// - Parameters:
    ///   - flights: Those that wait for it.
    ///   - isRequest: Whether there was a request; otherwise, they could not leave any more.
    ///   - unsent: Changes that were not sent with it.
    func arrive(_ flights: [Turn], isRequest: Bool = true, unsent: [QueuedChange] = []) {
        let (leaving, push) = state.withLock { state -> ([CheckedContinuation<Departure, Never>], Turn?) in
            state.travelling -= flights.count
            state.arrived += flights
            state.queue += unsent
            if isRequest {
                state.requests -= 1
                state.responses += 1
            }
            // None, one, or two, depending on what the response says about the limit.
            let leaving = Array(state.held.prefix(max(0, limit - state.requests)))
            state.held.removeFirst(leaving.count)
            state.requests += leaving.count
            guard let awaited = state.awaited, awaited(state) else { return (leaving, nil) }
            state.awaited = nil
            return (leaving, state.takePush())
        }
        for next in leaving { next.resume(returning: .leave) }
        push?.resume()
    }

    /// Adds a change to those that travel together.
    ///
    /// - Returns: Who has the turn then.
    func enqueue(_ queued: QueuedChange) -> Turn? {
        state.withLock { state in
            if state.isStopping { return queued.flight }
            state.travelling += 1
            state.queue.append(queued)
            return state.takePush()
        }
    }

    /// The changes that travel together now, by request. If nothing more is sent, their flights end.
    ///
    /// - Parameter batches: Divides the changes of the queue into requests.
    func takeQueue(_ batches: ([QueuedChange]) -> [[QueuedChange]]) -> [[QueuedChange]] {
        state.withLock { state in
            if state.isStopping {
                state.travelling -= state.queue.count
                state.arrived += state.queue.map(\.flight)
                state.queue = []
                return []
            }
            let all = batches(state.queue)
            let now = all.prefix(max(0, limit - state.requests))
            state.requests += now.count
            state.queue = all.dropFirst(now.count).flatMap(\.self)
            return Array(now)
        }
    }

    /// Has something recorded, together with what others want to be recorded.
    func settle(_ settlement: PushSettlement) async throws {
        try await withCheckedContinuation { flight in
            state.withLock { state in
                state.settling.append((settlement, flight))
                return state.takePush()
            }?.resume()
        }.get()
    }

    /// The flight has ended.
    func complete(_ completion: Completion) {
        state.withLock { state in
            state.completed.append(completion)
            return state.takePush()
        }?.resume()
    }
}

extension PushFlights.State {
    /// Whether changes of the queue can be sent.
    func mayDispatch(_ limit: Int) -> Bool { !queue.isEmpty && requests < limit }

    mutating func takePush() -> PushFlights.Turn? {
        defer { push = nil }
        return push
    }
}

/// A change was not sent, because another request has shown that nothing can be sent now.
struct PushInterrupted: Error {}

/// A remote that decides in which order the responses to requests arrive that travel at the same time, so that a
/// simulation can be repeated.
package protocol PacedRemote: Remote {
    /// Lets one more response arrive. The push does nothing until then.
    ///
    /// - Parameter travelling: The number of requests that have no response yet.
    /// - Returns: Whether another one arrives before the push goes on.
    func letOneArrive(of travelling: Int) async -> Bool
}

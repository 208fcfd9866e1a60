import Foundation
import LockstepStore
public import LockstepSync

/// A network that misbehaves, by seed: it loses, delays, doubles and cuts what passes through it.
///
/// What happens to a request depends on the seed, on what is asked, and on how often it was asked before: not on what
/// else is under way. So one seed does the same each time, as long as the same is asked. A request that is late arrives
/// before one of the next that pass; ``deliverLate()`` lets the rest arrive.
///
/// ```swift
/// let network = FaultyNetwork(seed: 7, faults: .train, clock: clock)
/// let sync = Sync(store: store, remote: network.remote(server))
/// // … sync until all is quiet …
/// network.faults = .none
/// await network.deliverLate()
/// ```
public final class FaultyNetwork: Sendable {
    private let seed: UInt64
    let clock: any SyncClock
    let state: Locked<State>

    struct State {
        var faults: Faults
        var isOnline = true
        var log: [Fault] = []
        var occurrences: [String: Int] = [:]
        var late: [LateRequest] = []
        var streams: [Int: @Sendable () -> Void] = [:]
        var lastStream = 0
    }

    /// A request that is under way while the client has gone on.
    struct LateRequest: Sendable {
        /// How many requests go before it.
        var requestsBefore: Int
        let deliver: @Sendable () async -> Void
    }

    /// A network that is online.
    ///
    /// - Parameters:
    ///   - seed: What decides about all faults.
    ///   - faults: How often which happens.
    ///   - clock: What delays are waited for.
    public init(seed: UInt64, faults: Faults = .train, clock: any SyncClock = SystemClock()) {
        self.seed = seed
        self.clock = clock
        state = Locked(State(faults: faults))
    }

    /// How often which fault happens, from the next request on.
    public var faults: Faults {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Every fault, in order.
    public var log: [Fault] { state.withLock { $0.log } }

    /// Whether anything gets through.
    public var isOnline: Bool { state.withLock { $0.isOnline } }

    /// How many requests are under way while their clients have gone on.
    public var lateCount: Int { state.withLock { $0.late.count } }

    /// Lets nothing through any more, and breaks every stream. What is under way arrives, but its answer does not.
    public func goOffline() {
        let streams = state.withLock { state in
            state.isOnline = false
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for breakStream in streams { breakStream() }
    }

    public func goOnline() { state.withLock { $0.isOnline = true } }

    /// Lets everything arrive that is still under way, in the order in which it was sent.
    public func deliverLate() async {
        while let request = state.withLock({ $0.late.isEmpty ? nil : $0.late.removeFirst() }) {
            await request.deliver()
        }
    }

    /// The same remote, through this network.
    public func remote(_ remote: any Remote) -> any Remote { FaultyRemote(remote: remote, network: self) }

    /// The same client, through this network.
    public func client(_ client: any HTTPClient) -> any HTTPClient { FaultyClient(client: client, network: self) }

    /// Takes a request: lets those that are late go first, waits, and says what is to happen.
    ///
    /// - Throws: A ``SyncError`` with the code `network` where the network is offline, and `CancellationError`.
    func plan(_ label: String) async throws -> FaultPlan {
        try Task.checkCancellation()
        for request in state.withLock({ $0.takeLate() }) { await request.deliver() }
        guard isOnline else { throw offline() }
        let plan = state.withLock { state in
            let occurrence = state.occurrences[label, default: 0]
            state.occurrences[label] = occurrence + 1
            var numbers = SeededNumbers(seed: seed, label: label, occurrence: occurrence)
            let plan = FaultPlan(state.faults, &numbers)
            if plan.delaySeconds != nil { state.log.append(Fault(kind: .delayed, request: label)) }
            if let fault = plan.fault { state.log.append(Fault(kind: fault, request: label)) }
            return plan
        }
        if let seconds = plan.delaySeconds { try await clock.sleep(until: clock.now + seconds) }
        guard isOnline else { throw offline() }
        return plan
    }

    /// An answer comes back.
    ///
    /// - Throws: A ``SyncError`` with the code `network` where the network is offline.
    func checkOnline() throws {
        guard isOnline else { throw offline() }
    }

    func addLate(_ plan: FaultPlan, _ deliver: @escaping @Sendable () async -> Void) {
        state.withLock { $0.late.append(LateRequest(requestsBefore: plan.requestsBefore, deliver: deliver)) }
    }

    private func offline() -> SyncError {
        SyncError(.network, reason: "the network is offline", remedy: "Try again when it is online.")
    }
}

extension FaultyNetwork.State {
    /// Counts a request, and takes those that are to arrive before it.
    fileprivate mutating func takeLate() -> [FaultyNetwork.LateRequest] {
        guard !late.isEmpty else { return [] }
        for place in late.indices { late[place].requestsBefore -= 1 }
        defer { late.removeAll { $0.requestsBefore <= 0 } }
        return late.filter { $0.requestsBefore <= 0 }
    }
}

extension SyncError {
    static var gaveUp: SyncError {
        SyncError(.timeout, reason: "no answer came in time", remedy: "Try again.")
    }
}

import Foundation
import LockstepStore
public import LockstepSync
import LockstepSystem

/// An unreliable network. By seed, it loses, delays, duplicates and truncates requests and responses.
///
/// The fault of a request depends on the seed, on the request, and on how often it was sent before, but not on
/// concurrent requests. So a seed gives the same faults each time, as long as the requests are the same. A late request
/// arrives before one of the next requests; ``deliverLate()`` delivers the rest.
///
/// ```swift
/// let network = FaultyNetwork(seed: 7, faults: .train, clock: clock)
/// let sync = Sync(store: store, remote: network.remote(server))
/// // … sync until nothing is pending …
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

    /// A request that has not arrived, although the client has given up on it.
    struct LateRequest: Sendable {
        /// The number of requests that pass before it.
        var requestsBefore: Int
        let deliver: @Sendable () async -> Void
    }

    /// Creates a network that is online.
    ///
    /// - Parameters:
    ///   - seed: The seed of all faults.
    ///   - faults: How often each fault happens.
    ///   - clock: The clock of delays.
    public init(seed: UInt64, faults: Faults = .train, clock: any SyncClock = SystemClock()) {
        self.seed = seed
        self.clock = clock
        state = Locked(State(faults: faults))
    }

    /// How often each fault happens, from the next request on.
    public var faults: Faults {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// All faults, in order.
    public var log: [Fault] { state.withLock { $0.log } }

    /// Whether the network is online.
    package var isOnline: Bool { state.withLock { $0.isOnline } }

    /// The number of late requests that have not arrived.
    package var lateCount: Int { state.withLock { $0.late.count } }

    /// Blocks all requests, and breaks every stream. Requests that were sent before arrive, but their responses do not.
    public func goOffline() {
        let streams = state.withLock { state in
            state.isOnline = false
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for breakStream in streams { breakStream() }
    }

    public func goOnline() { state.withLock { $0.isOnline = true } }

    /// Delivers all late requests, in the order in which they were sent.
    public func deliverLate() async {
        while let request = state.withLock({ $0.late.isEmpty ? nil : $0.late.removeFirst() }) {
            await request.deliver()
        }
    }

    /// A remote that uses this network.
    public func remote(_ remote: any Remote) -> any Remote { FaultyRemote(remote: remote, network: self) }

    /// A client that uses this network.
    public func client(_ client: any HTTPClient) -> any HTTPClient { FaultyClient(client: client, network: self) }

    /// Accepts a request: delivers late requests first, waits, and decides what happens to it.
    ///
    /// - Throws: A ``/LockstepHTTP/SyncError`` with the code `network` if the network is offline, and
    ///   `CancellationError`.
    func plan(_ label: String) async throws -> FaultPlan {
        try Task.checkCancellation()
        for request in state.withLock({ $0.takeLate() }) { await request.deliver() }
        guard isOnline else { throw offline() }
        let plan = state.withLock { state in
            let occurrence = state.occurrences[label, default: 0]
            state.occurrences[label] = occurrence + 1
            var numbers = SeededNumbers(seed: seed, label: label, occurrence: occurrence)
            let plan = FaultPlan(state.faults, numbers: &numbers)
            if plan.delaySeconds != nil { state.log.append(Fault(kind: .delayed, request: label)) }
            if let fault = plan.fault { state.log.append(Fault(kind: fault, request: label)) }
            return plan
        }
        if let seconds = plan.delaySeconds { try await clock.sleep(until: clock.now + seconds) }
        guard isOnline else { throw offline() }
        return plan
    }

    /// Lets a response pass.
    ///
    /// - Throws: A ``/LockstepHTTP/SyncError`` with the code `network` if the network is offline.
    func checkOnline() throws {
        guard isOnline else { throw offline() }
    }

    func addLate(_ plan: FaultPlan, deliver: @escaping @Sendable () async -> Void) {
        state.withLock { $0.late.append(LateRequest(requestsBefore: plan.requestsBefore, deliver: deliver)) }
    }

    private func offline() -> SyncError {
        SyncError(.network, reason: "the network is offline", remedy: "Try again when it is online.")
    }
}

extension FaultyNetwork.State {
    /// Counts a request, and removes the late requests that must arrive before it.
    fileprivate mutating func takeLate() -> [FaultyNetwork.LateRequest] {
        guard !late.isEmpty else { return [] }
        for index in late.indices { late[index].requestsBefore -= 1 }
        defer { late.removeAll { $0.requestsBefore <= 0 } }
        return late.filter { $0.requestsBefore <= 0 }
    }
}

extension SyncError {
    static var gaveUp: SyncError {
        SyncError(.timeout, reason: "no response arrived in time", remedy: "Try again.")
    }
}

import LockstepHTTP

/// Reports whether a network is available.
///
/// It is only a hint: a sync sends its requests in any case, and retries everything immediately when the network
/// becomes available again. On Apple platforms, use `SystemNetworkPath`.
///
/// ```swift
/// try await sync.run(RunOptions(network: SystemNetworkPath()))
/// ```
public protocol NetworkPath: Sendable {
    /// Whether a network is available now, followed by each change. The stream ends when its reader is cancelled.
    var availability: AsyncStream<Bool> { get }
}

extension SyncError {
    static let noNetwork = SyncError(
        .network, reason: "the device has no network", remedy: "The request is retried when a network is available.")
}

#if canImport(Network)
    import Dispatch
    import Network

    /// The system's network path, as `NWPathMonitor` reports it.
    public struct SystemNetworkPath: NetworkPath {
        public init() {}

        @_spi(Requirements) public var availability: AsyncStream<Bool> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { continuation.yield($0.status == .satisfied) }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "lockstep.network"))
            }
        }
    }
#endif

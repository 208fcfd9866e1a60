import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// The queue on which the session calls its delegate: synchronously, on the thread that receives.
    ///
    /// On any other thread, events would pile up in memory if handling them takes longer than receiving, and receiving
    /// cannot wait, because all sessions of a process receive on one thread. So the delegate must not block, neither
    /// for a reader nor for the session.
    ///
    /// It is unchecked because `OperationQueue` is; it has no state of its own.
    final class DeliveryQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif

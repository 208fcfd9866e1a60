import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// The queue on which the session tells what has come: at once, on the thread that receives.
    ///
    /// On any other thread what is told would pile up in memory where telling takes longer than receiving does, and
    /// receiving cannot wait for it: all sessions of a process receive on one thread. So nothing that is told here may
    /// wait, neither for a reader nor for the session.
    ///
    /// Unchecked, because that is how `OperationQueue` is; it has no state of its own.
    final class DeliveryQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif

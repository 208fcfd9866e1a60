import Dispatch
import Foundation

/// An event that happens once, and that threads and tasks can wait for. Tests use it to control a server.
///
/// Waiting has no time limit, which would prove nothing on a busy machine. A test that hangs is the one that was
/// started and never ended.
public final class TestSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    public func fire() { semaphore.signal() }

    /// Waits on this thread, not in a task.
    public func wait() {
        semaphore.wait()
        // Other waiters continue as well.
        semaphore.signal()
    }

    /// Waits in a task.
    public func fired() async {
        await withCheckedContinuation { continuation in
            Thread {
                self.wait()
                continuation.resume()
            }.start()
        }
    }
}

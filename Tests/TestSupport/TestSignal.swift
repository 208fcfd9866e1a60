import Dispatch
import Foundation

/// Something that happens once, and that threads and tasks can wait for. Tests decide with it how a server goes on.
///
/// Waiting has no time limit: on a busy machine it is no measure of anything. A test that hangs is the one that was
/// started and never ended.
public final class TestSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    public func fire() { semaphore.signal() }

    /// Waits on this thread, not in a task.
    public func wait() {
        semaphore.wait()
        // Whoever else waits may go on as well.
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

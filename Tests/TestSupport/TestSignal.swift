import Dispatch
import Foundation

/// Something that happens once, and that threads and tasks can wait for. Tests decide with it how a server goes on.
public final class TestSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    public func fire() { semaphore.signal() }

    /// Waits on this thread, not in a task. It gives up where a test hangs: after `seconds`.
    @discardableResult
    public func wait(seconds: Double = 300) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        // Whoever else waits may go on as well.
        semaphore.signal()
        return true
    }

    /// Waits in a task.
    @discardableResult
    public func fired(seconds: Double = 300) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: self.wait(seconds: seconds)) }.start()
        }
    }
}

#if Inspect
    import Foundation
    import LockstepSystem

    /// Work of a command that is asynchronous.
    enum AwaitedWork {
        /// Waits for the work. If the user ends the command, the work is cancelled, and still waited for.
        static func result<Value: Sendable>(of work: @escaping @Sendable () async throws -> Value) throws -> Value {
            let result = Locked<Result<Value, any Error>?>(nil)
            let done = DispatchSemaphore(value: 0)
            Interruption.observe()
            let task = Task.detached {
                let value: Result<Value, any Error>
                do { value = .success(try await work()) } catch { value = .failure(error) }
                result.withLock { $0 = value }
                done.signal()
            }
            while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
                if !Interruption.pause(milliseconds: 0) { task.cancel() }
            }
            guard let value = result.withLock({ $0 }) else { throw CancellationError() }
            return try value.get()
        }
    }
#endif

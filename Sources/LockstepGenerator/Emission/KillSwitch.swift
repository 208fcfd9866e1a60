import Foundation

/// Ends the process before its n-th change of the disk, like a crash, to test the resulting state.
package final class KillSwitch: FileSystemFaults {
    private let lock = NSLock()
    /// Used while ``lock`` is held.
    private nonisolated(unsafe) var changesLeft: Int

    /// The one that `LOCKSTEP_KILL_AT` requests in a debug build; otherwise `nil`.
    package static var ofEnvironment: (any FileSystemFaults)? {
        #if DEBUG
            ProcessInfo.processInfo.environment["LOCKSTEP_KILL_AT"].flatMap { Int($0) }.map(KillSwitch.init)
        #else
            nil
        #endif
    }

    private init(_ number: Int) { changesLeft = number }

    package func errorNumber(before change: FileSystem.Change, at path: String) -> Int32 {
        let isDue = lock.withLock {
            changesLeft -= 1
            return changesLeft == 0
        }
        if isDue { kill(getpid(), SIGKILL) }
        return 0
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lock on an output folder that a run holds while it reads and writes. The folder itself is locked, so that no
/// file remains, and the system releases the lock when the process ends for any reason.
struct OutputLock {
    enum Kind { case shared, exclusive }

    private let descriptor: Int32
    /// Whether the file system supports locks. Some network file systems do not.
    let isHeld: Bool

    /// Locks a folder, and waits if another run has locked it.
    ///
    /// - Parameter whenWaiting: Called before it waits.
    /// - Returns: `nil` if there is no such folder.
    init?(_ path: String, kind: Kind, whenWaiting: () -> Void) throws(SystemFailure) {
        while true {
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let failure = SystemFailure(number: errno)
                if failure.number == ENOENT { return nil }
                throw failure
            }
            let isHeld = Self.lock(descriptor, kind: kind, whenWaiting: whenWaiting)
            // A failed run may have removed the folder that it created, and another one may have created it again.
            if Self.isSame(descriptor, at: path) {
                (self.descriptor, self.isHeld) = (descriptor, isHeld)
                return
            }
            close(descriptor)
        }
    }

    func release() { close(descriptor) }

    private static func lock(_ descriptor: Int32, kind: Kind, whenWaiting: () -> Void) -> Bool {
        let operation = kind == .shared ? LOCK_SH : LOCK_EX
        if flock(descriptor, operation | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { return false }
        whenWaiting()
        while true {
            if flock(descriptor, operation) == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    private static func isSame(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An advisory lock on a folder, between threads and between processes. It leaves no file behind, and ends with the
/// process.
package enum FolderLock {
    package enum Mode: Sendable {
        /// With others that share it.
        case shared
        /// Alone.
        case exclusive
    }

    /// Runs a function with the lock. A folder that cannot be opened, or on a file system without locks, is not
    /// locked.
    package static func with<Value>(_ folder: String, mode: Mode, body: () throws -> Value) rethrows -> Value {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return try body() }
        defer { close(descriptor) }
        while flock(descriptor, mode == .shared ? LOCK_SH : LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }
}

package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Flushes what was written to a file or folder to the disk.
///
/// On Apple platforms, `fsync` leaves it in the cache of the drive, which may write it later, and in any order. After a
/// loss of power, a name can exist without the bytes that were written before it (`man 2 fsync`).
package enum DiskFlush: Sendable {
    /// It survives a loss of power from now on, with everything that was flushed before, of any file.
    case durable
    /// It is on the disk before what is flushed later. This is faster, and sufficient for one of many files.
    case ordered

    /// Flushes an open file or folder.
    ///
    /// - Throws: `POSIXError`.
    package func callAsFunction(_ descriptor: Int32) throws {
        #if canImport(Darwin)
            // Not every file system has these: network volumes and some formats do not.
            if fcntl(descriptor, self == .durable ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    /// Flushes a file that is being written.
    ///
    /// - Throws: `POSIXError`.
    package func callAsFunction(_ file: FileHandle) throws { try self(file.fileDescriptor) }
}

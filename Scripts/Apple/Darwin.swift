// Darwin as far as it differs from Glibc in what is used here: the names are those of xnu (bsd/sys/fcntl.h, stat.h). The
// rest is Glibc's, because the Foundation that is checked against exports it. So the widths of types are Linux's.
@_exported public import Glibc
public import Foundation

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

public struct fstore_t {
    public var fst_flags: UInt32
    public var fst_posmode: Int32
    public var fst_offset: off_t
    public var fst_length: off_t
    public var fst_bytesalloc: off_t

    public init(fst_flags: UInt32, fst_posmode: Int32, fst_offset: off_t, fst_length: off_t, fst_bytesalloc: off_t) {
        (self.fst_flags, self.fst_posmode) = (fst_flags, fst_posmode)
        (self.fst_offset, self.fst_length, self.fst_bytesalloc) = (fst_offset, fst_length, fst_bytesalloc)
    }
}

public var F_ALLOCATEALL: Int32 { 0x4 }
public var F_PEOFPOSMODE: Int32 { 3 }
public var F_PREALLOCATE: Int32 { 42 }

// Sockets. Glibc declares these with types of its own.
public var SOCK_STREAM: Int32 { 1 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }

public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 { 0 }
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 { 0 }

public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { 0 }

public func getsockname(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { 0 }
public var F_FULLFSYNC: Int32 { 51 }
public var F_BARRIERFSYNC: Int32 { 85 }

// Part of Foundation on iOS, tvOS, watchOS and visionOS (NSProcessInfo.h).
extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

// Part of Foundation on Apple platforms (NSFileManager.h).
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

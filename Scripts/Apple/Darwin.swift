// Darwin as far as it differs from Glibc in what is used here: the names are those of xnu (bsd/sys/fcntl.h, stat.h). The
// rest is Glibc's, because the Foundation that is checked against exports it. So the widths of types are Linux's.
@_exported public import Glibc

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

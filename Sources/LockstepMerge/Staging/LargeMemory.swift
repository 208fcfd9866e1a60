import Foundation
import LockstepSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory that may be large. Beyond a few megabytes it is that of a temporary file without a name, so that the system
/// can write it out instead of running out of memory; `rest()` lets go of what is not used for a while.
///
/// Its bytes are as they were made: none is initialized.
struct LargeMemory {
    private(set) var pointer: UnsafeMutableRawPointer
    private(set) var byteCount: Int
    /// The file; -1 where it is ordinary memory.
    private let descriptor: Int32

    /// What a merge of 100,000 records takes is ordinary memory, which costs nothing.
    static let ordinaryLimitBytes = 16 * 1024 * 1024

    init(byteCount: Int, ordinaryLimit: Int = Self.ordinaryLimitBytes) {
        self.byteCount = byteCount
        if byteCount > ordinaryLimit, let (descriptor, pointer) = Self.map(byteCount) {
            (self.descriptor, self.pointer) = (descriptor, pointer)
        } else {
            descriptor = -1
            pointer = .allocate(byteCount: byteCount, alignment: 16)
        }
    }

    func deallocate() {
        guard descriptor >= 0 else { return pointer.deallocate() }
        munmap(pointer, byteCount)
        close(descriptor)
    }

    /// Lets the system take the pages out of this process's memory: they come back as they are used.
    func rest() {
        guard descriptor >= 0 else { return }
        madvise(pointer, byteCount, Int32(MADV_DONTNEED))
    }

    /// Makes it larger; what is in it stays. It may be elsewhere then.
    mutating func grow(to larger: Int, used: Int, ordinaryLimit: Int = Self.ordinaryLimitBytes) {
        if descriptor >= 0, Self.reserve(descriptor, larger, after: byteCount),
            let moved = Self.mapped(descriptor, larger)
        {
            munmap(pointer, byteCount)
            (pointer, byteCount) = (moved, larger)
            return
        }
        let next = LargeMemory(byteCount: larger, ordinaryLimit: ordinaryLimit)
        next.pointer.copyMemory(from: pointer, byteCount: used)
        deallocate()
        self = next
    }

    // MARK: The file

    /// - Returns: `nil` where there is no room for it, or no folder: memory is there still.
    private static func map(_ byteCount: Int) -> (Int32, UnsafeMutableRawPointer)? {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)").path
        guard let descriptor = OpenFile.descriptor(ofTemporaryFileAt: path) else { return nil }
        guard reserve(descriptor, byteCount, after: 0), let pointer = mapped(descriptor, byteCount) else {
            close(descriptor)
            return nil
        }
        return (descriptor, pointer)
    }

    /// Takes the room on the disk now: a page that cannot be written later would end the process.
    ///
    /// - Parameter size: How large the file is.
    private static func reserve(_ descriptor: Int32, _ byteCount: Int, after size: Int) -> Bool {
        #if canImport(Darwin)
            var store = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
                fst_length: off_t(byteCount - size), fst_bytesalloc: 0)
            guard fcntl(descriptor, F_PREALLOCATE, &store) == 0 else { return false }
            return ftruncate(descriptor, off_t(byteCount)) == 0
        #else
            return posix_fallocate(descriptor, off_t(size), off_t(byteCount - size)) == 0
        #endif
    }

    private static func mapped(_ descriptor: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
        let pointer = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        return pointer == MAP_FAILED ? nil : pointer
    }
}

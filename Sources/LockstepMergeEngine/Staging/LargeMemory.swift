import Foundation
import LockstepSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory that may be large. Beyond a few megabytes it is mapped to a temporary file without a name, so that the system
/// can page it out instead of running out of memory. `rest()` releases pages that are not used for a while.
///
/// Its bytes are not initialized.
struct LargeMemory {
    private(set) var pointer: UnsafeMutableRawPointer
    private(set) var byteCount: Int
    /// The file; -1 for ordinary memory.
    private let descriptor: Int32

    /// Merging 100,000 records needs only ordinary memory, which has no overhead.
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

    /// Allows the system to page the memory out: pages are loaded again when they are used.
    func rest() {
        guard descriptor >= 0 else { return }
        madvise(pointer, byteCount, Int32(MADV_DONTNEED))
    }

    /// Enlarges the memory and keeps its content. The address may change.
    mutating func grow(to larger: Int, used: Int, ordinaryLimit: Int = Self.ordinaryLimitBytes) {
        if descriptor >= 0, Self.reserve(descriptor, byteCount: larger, after: byteCount),
            let moved = Self.mapped(descriptor, byteCount: larger)
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

    /// - Returns: `nil` if there is no space or no folder for the file. Ordinary memory is used instead.
    private static func map(_ byteCount: Int) -> (Int32, UnsafeMutableRawPointer)? {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)").path
        guard let descriptor = OpenFile.descriptor(ofTemporaryFileAt: path) else { return nil }
        guard reserve(descriptor, byteCount: byteCount, after: 0),
            let pointer = mapped(descriptor, byteCount: byteCount)
        else {
            close(descriptor)
            return nil
        }
        return (descriptor, pointer)
    }

    /// Allocates the space on the disk now: if a page could not be written later, the process would be terminated.
    ///
    /// - Parameter size: The current size of the file.
    private static func reserve(_ descriptor: Int32, byteCount: Int, after size: Int) -> Bool {
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

    private static func mapped(_ descriptor: Int32, byteCount: Int) -> UnsafeMutableRawPointer? {
        let pointer = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        return pointer == MAP_FAILED ? nil : pointer
    }
}

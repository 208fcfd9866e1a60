import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

/// The merge's data about very many records, in memory that the system can page out.
@Suite("Large memory")
struct LargeMemoryTests {
    @Test("Its contents are kept when it grows and when it is idle", arguments: [0, 1 << 12, 1 << 30])
    func stays(_ ordinaryLimit: Int) {
        var memory = LargeMemory(byteCount: 1 << 10, ordinaryLimit: ordinaryLimit)
        defer { memory.deallocate() }
        var written = 0
        for size in [1 << 10, 1 << 13, (1 << 16) + 1, 1 << 20] {
            if size > memory.byteCount { memory.grow(to: size, used: written, ordinaryLimit: ordinaryLimit) }
            #expect(memory.byteCount == size)
            while written < size {
                memory.pointer.storeBytes(of: UInt8(written % 251), toByteOffset: written, as: UInt8.self)
                written += 1
            }
            memory.rest()
            let bytes = UnsafeRawBufferPointer(start: memory.pointer, count: written)
            #expect(bytes.indices.allSatisfy { bytes[$0] == UInt8($0 % 251) })
        }
    }
}

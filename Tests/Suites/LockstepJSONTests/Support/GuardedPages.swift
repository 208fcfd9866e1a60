import Foundation

/// Memory with a guard page behind it: reading one byte too many crashes.
final class GuardedPages {
    private let base: UnsafeMutableRawPointer
    private let readable: Int
    private let size: Int

    init() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        readable = 16 * page
        size = readable + page
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), base != MAP_FAILED,
            mprotect(base + readable, page, PROT_NONE) == 0
        else { fatalError("There are no pages to read from.") }
        self.base = base
    }

    deinit { munmap(base, size) }

    /// Runs `body` with a copy of the bytes that ends at the last readable byte.
    func holding<Result>(_ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        precondition(bytes.count <= readable)
        let target = UnsafeMutableRawBufferPointer(start: base + readable - bytes.count, count: bytes.count)
        target.copyBytes(from: bytes)
        return body(UnsafeBufferPointer(target.bindMemory(to: UInt8.self)))
    }
}

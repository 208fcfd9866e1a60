/// Memory for texts that are encoded differently in the payload than in the store. It is released as a whole.
///
/// Addresses are stable until `reset`.
final class TextArena {
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0
    /// The number of allocated bytes.
    private(set) var size = 0

    /// The size of a few thousand short texts. A longer text gets a block of its own.
    private static let blockSize = 256 * 1024

    init() {}

    deinit { blocks.forEach { $0.deallocate() } }

    /// Allocates uninitialized memory for `count` bytes.
    func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if let block = blocks.last, block.count - used >= count {
            defer { used += count }
            return UnsafeMutableBufferPointer(rebasing: block[used..<used + count])
        }
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, Self.blockSize))
        blocks.append(block)
        size += block.count
        used = count
        return UnsafeMutableBufferPointer(rebasing: block[..<count])
    }

    /// Releases the last bytes of the latest allocation.
    func giveBack(_ count: Int) { used -= count }

    /// A copy of a text's bytes.
    func copy(_ text: String) -> UnsafeBufferPointer<UInt8> {
        var text = text
        return text.withUTF8 { copy($0) }
    }

    /// A copy of some bytes.
    func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let target = allocate(bytes.count)
        _ = target.initialize(from: bytes)
        return UnsafeBufferPointer(target)
    }

    /// Releases everything except one block.
    func reset() {
        let kept = blocks.last { $0.count == Self.blockSize }
        for block in blocks where block.baseAddress != kept?.baseAddress { block.deallocate() }
        blocks = kept.map { [$0] } ?? []
        size = kept?.count ?? 0
        used = 0
    }
}

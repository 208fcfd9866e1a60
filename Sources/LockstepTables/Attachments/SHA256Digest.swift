package import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// Computes the SHA-256 of bytes that arrive in pieces, using the system's implementation if there is one.
package struct ContentHasher {
    #if canImport(CryptoKit)
        private var digest = SHA256()
    #else
        private var digest = SHA256Digest()
    #endif
    /// The number of bytes so far.
    package private(set) var byteCount = 0

    package init() {}

    package mutating func update(_ piece: Data) {
        byteCount += piece.count
        digest.update(data: piece)
    }

    /// The lowercase hash, and the number of bytes.
    package func finished() -> AttachmentReference {
        var hash = ""
        hash.reserveCapacity(64)
        for byte in digest.finalize() {
            for digit in [byte >> 4, byte & 15] { hash.unicodeScalars.append(Self.digits[Int(digit)]) }
        }
        return AttachmentReference(hash: hash, byteCount: byteCount)
    }

    private static let digits = Array("0123456789abcdef".unicodeScalars)
}

/// SHA-256 according to FIPS 180-4, for systems without CryptoKit.
///
/// It is implemented here because a package of cryptography would add minutes to every user's first build. It hashes
/// contents and not secrets, so it need not run in constant time.
struct SHA256Digest {
    private var state: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes of a block that is not full yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    mutating func update(data: Data) {
        byteCount &+= UInt64(data.count)
        data.withUnsafeBytes { bytes in
            var bytes = bytes[...]
            if !rest.isEmpty {
                let taken = bytes.prefix(64 - rest.count)
                rest += taken
                bytes = bytes.dropFirst(taken.count)
                guard rest.count == 64 else { return }
                rest.withUnsafeBytes { block in state = Self.state(after: block, in: state) }
                rest.removeAll(keepingCapacity: true)
            }
            while bytes.count >= 64 {
                state = Self.state(after: UnsafeRawBufferPointer(rebasing: bytes.prefix(64)), in: state)
                bytes = bytes.dropFirst(64)
            }
            rest += bytes
        }
    }

    func finalize() -> [UInt8] {
        var last = self
        var padding = Data([0x80])
        padding.append(contentsOf: [UInt8](repeating: 0, count: (119 - rest.count) % 64))
        withUnsafeBytes(of: (byteCount &* 8).bigEndian) { padding.append(contentsOf: $0) }
        last.update(data: padding)
        return (0..<8).flatMap { index in withUnsafeBytes(of: last.state[index].bigEndian) { Array($0) } }
    }

    /// The compression of one block, as in section 6.2.2 of the standard, with its names.
    private static func state(after block: UnsafeRawBufferPointer, in state: SIMD8<UInt32>) -> SIMD8<UInt32> {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
            for t in 0..<16 {
                w.initializeElement(
                    at: t, to: UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t * 4, as: UInt32.self)))
            }
            for t in 16..<64 {
                let s0 = right(w[t - 15], count: 7) ^ right(w[t - 15], count: 18) ^ (w[t - 15] &>> 3)
                let s1 = right(w[t - 2], count: 17) ^ right(w[t - 2], count: 19) ^ (w[t - 2] &>> 10)
                w.initializeElement(at: t, to: w[t - 16] &+ s0 &+ w[t - 7] &+ s1)
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            k.withUnsafeBufferPointer { k in
                for t in 0..<64 {
                    let sum1 = right(e, count: 6) ^ right(e, count: 11) ^ right(e, count: 25)
                    let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ k[t] &+ w[t]
                    let sum0 = right(a, count: 2) ^ right(a, count: 13) ^ right(a, count: 22)
                    let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
                    (h, g, f, e) = (g, f, e, d &+ first)
                    (d, c, b, a) = (c, b, a, first &+ second)
                }
            }
            return state &+ SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    @inline(__always)
    private static func right(_ word: UInt32, count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let k: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

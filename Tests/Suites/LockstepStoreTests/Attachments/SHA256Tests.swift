import Foundation
@testable import LockstepStore
@testable import LockstepTables
import TestSupport
import Testing

@Suite("Hashing by SHA-256")
struct SHA256Tests {
    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func hash(_ data: Data) -> String {
        var digest = SHA256Digest()
        digest.update(data: data)
        return hex(digest.finalize())
    }

    @Test(
        "The vectors of the standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, expected: String) {
        #expect(hash(Data(text.utf8)) == expected)
    }

    @Test("A hundred thousand letters, where the number of bits needs more than two bytes")
    func longVector() {
        let expected = "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
        #expect(hash(Data(repeating: UInt8(ascii: "a"), count: 100_000)) == expected)
    }

    @Test("Lengths around the block's, where the padding needs another block")
    func lengths() {
        // SHA-256 of the hashes of 0 to 130 letters, one after the other; made with another implementation.
        var all = SHA256Digest()
        for count in 0...130 {
            all.update(data: Data(hash(Data(repeating: UInt8(ascii: "x"), count: count)).utf8))
        }
        #expect(hex(all.finalize()) == "87aca1c44bc7ba8897768170211f0a02063de70801131ff86c7edb9ce32c6a50")
    }

    @Test("However the bytes are cut in pieces, the hash is the same; and that of the system, where it has one")
    func pieces() {
        for seed in 0..<60 {
            var random = SeededRandom(seed: UInt64(seed))
            let data = Data(
                (0..<Int.random(in: 0...500, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            var hasher = ContentHasher()
            var digest = SHA256Digest()
            var rest = data[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...150, using: &random))
                hasher.update(piece)
                digest.update(data: piece)
                rest = rest.dropFirst(piece.count)
            }
            let expected = hash(data)
            #expect(hex(digest.finalize()) == expected, "seed \(seed)")
            #expect(hasher.finished() == AttachmentReference(hash: expected, byteCount: data.count), "seed \(seed)")
        }
    }
}

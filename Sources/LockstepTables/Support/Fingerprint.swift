/// Computes hashes that distinguish texts.
package enum Fingerprint {
    package static func text(of texts: [String]) -> String {
        // FNV-1a: two schemas with the same name and version differ by accident, not by an attack.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            hash = hash &* 0x0000_0100_0000_01b3
        }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

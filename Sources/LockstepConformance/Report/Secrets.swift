/// The tokens and keys of a run. A server can repeat them in its responses, and thereby in what is reported.
package struct Secrets: Sendable {
    private let values: [[UInt8]]

    package init(_ values: [String]) { self.values = values.filter { !$0.isEmpty }.map { Array($0.utf8) } }

    /// A text with a mark in place of each secret, also of one that is percent-encoded, or truncated.
    package func hidden(in text: String) -> String {
        let bytes = Array(text.utf8)
        var (kept, index) = ([UInt8](), 0)
        while index < bytes.count {
            let ends = values.flatMap { secret in
                [false, true].compactMap { Self.end(of: secret, isEncoded: $0, in: bytes, from: index) }
            }
            if let end = ends.max() {
                kept += Self.mark
                index = end
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static let mark = Array("…".utf8)
    /// From this length on, the beginning of a secret is also hidden, because texts are truncated.
    private static let beginningLength = 12

    /// Where a secret ends that begins at an index; `nil` if there is another text.
    private static func end(of secret: [UInt8], isEncoded: Bool, in text: [UInt8], from start: Int) -> Int? {
        var index = start
        for (count, byte) in secret.enumerated() {
            guard let next = end(of: byte, isEncoded: isEncoded, in: text, from: index) else {
                return count >= beginningLength ? index : nil
            }
            index = next
        }
        return index
    }

    private static func end(of byte: UInt8, isEncoded: Bool, in text: [UInt8], from index: Int) -> Int? {
        guard index < text.count else { return nil }
        guard isEncoded, text[index] == UInt8(ascii: "%") else { return text[index] == byte ? index + 1 : nil }
        let digits = String(decoding: text[(index + 1)...].prefix(2), as: UTF8.self)
        return digits.utf8.count == 2 && UInt8(digits, radix: 16) == byte ? index + 3 : nil
    }
}

/// The reference to an attachment that a record stores and sends to the server: the SHA-256 of its bytes and their
/// number.
///
/// It is encoded as `sha256-<64 digits>-<bytes>`. There is only one encoding, so equal texts are equal references.
package struct AttachmentReference: Hashable, Sendable {
    /// 64 lowercase hexadecimal digits.
    package let hash: String
    package let byteCount: Int

    package static let refusal = "is not a reference to an attachment (sha256-…-bytes)"

    package init(hash: String, byteCount: Int) {
        self.hash = hash
        self.byteCount = byteCount
    }

    /// Parses the text; `nil` if it is not a reference.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "sha256", let hash = Self.hash(parts[1]), let count = Int(parts[2]),
            count >= 0, String(count).utf8.elementsEqual(parts[2].utf8)
        else { return nil }
        self.init(hash: hash, byteCount: count)
    }

    /// The text as a hash; `nil` if it is not one.
    package static func hash(_ text: some StringProtocol) -> String? {
        let isHash =
            text.utf8.count == 64
            && text.utf8.allSatisfy { byte in
                byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                    || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f")
            }
        return isHash ? String(text) : nil
    }

    package var text: String { "sha256-\(hash)-\(byteCount)" }
}

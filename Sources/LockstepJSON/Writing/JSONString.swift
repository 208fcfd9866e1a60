/// Strings as JSON text (RFC 8259, section 7): quotes, backslashes and control characters are escaped, as briefly as
/// the grammar allows; everything else is unchanged.
package enum JSONString {
    /// The string with its quotes.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the string with its quotes, in UTF-8.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { content in
            bytes.append(UInt8(ascii: "\""))
            var index = 0
            while index < content.count {
                let first = index
                while index < content.count, !needsEscape(content[index]) { index += 1 }
                bytes.append(contentsOf: content[first..<index])
                if index < content.count { append(escaped: content[index], to: &bytes) }
                index += 1
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}

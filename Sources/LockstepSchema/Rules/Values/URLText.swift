/// Whether a text is a URL that every parser accepts: only characters of RFC 3986, percent signs with two digits, a
/// valid host and port.
enum URLText {
    static func isPlausible(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, hasOnlyURLCharacters(bytes) else { return false }
        var rest = bytes[...]
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            !rest[..<colon].contains(where: { "/?#".utf8.contains($0) })
        {
            guard isScheme(rest[..<colon]) else { return false }
            rest = rest[(colon + 1)...]
            // A scheme alone is not a URL.
            guard !rest.isEmpty else { return false }
        }
        guard rest.starts(with: "//".utf8) else { return !rest.contains { "[]".utf8.contains($0) } }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        return isAuthority(rest[..<end]) && !rest[end...].contains { "[]".utf8.contains($0) }
    }

    private static func hasOnlyURLCharacters(_ bytes: [UInt8]) -> Bool {
        var index = 0
        var hashes = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].isHexDigit, bytes[index + 2].isHexDigit else {
                    return false
                }
            } else if !byte.isASCIILetter, !byte.isASCIIDigit, !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
            if byte == UInt8(ascii: "#") { hashes += 1 }
            index += 1
        }
        return hashes <= 1
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isASCIILetter else { return false }
        return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        let host = bytes.lastIndex(of: UInt8(ascii: "@")).map { bytes[($0 + 1)...] } ?? bytes
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = host[(host.startIndex + 1)..<end]
            return !address.isEmpty
                && address.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
                && isPort(host[(end + 1)...])
        }
        let colon = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
        // `file:///path` has an empty host.
        return !host.contains { "[]".utf8.contains($0) } && isPort(host[colon...])
    }

    /// Whether it is empty, or a colon and digits.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.isEmpty
            || bytes.first == UInt8(ascii: ":") && bytes.count <= 6 && bytes.dropFirst().allSatisfy(\.isASCIIDigit)
    }
}

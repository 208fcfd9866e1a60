/// Text that is not our own, such as a name in a schema, a value in a file or what a server says, where people and
/// programs read it line by line: in comments, in terminals and on pages.
extension Unicode.Scalar {
    /// Whether it breaks a line, commands a terminal, or changes the direction of the text around it, so that the text
    /// looks like another: control characters except tabs, the separators of lines and paragraphs, and those of
    /// UAX #9 (https://trojansource.codes).
    package var isHidden: Bool {
        switch value {
        case 0x09: false
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x2029: true
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether it has characters that ``visible`` escapes.
    package var hasHidden: Bool { !isPlain() && unicodeScalars.contains(where: \.isHidden) }

    /// The text in one line, with what is hidden as in a literal of Swift: `\u{1B}`.
    package var visible: String {
        if isPlain() { return String(self) }
        return String(self).replacingHidden { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    /// JSON with what is hidden in its strings as their escapes: `\u001b`.
    package var visibleJSON: String {
        if isPlain(or: UInt8(ascii: "\n")) { return String(self) }
        return String(self).replacingHidden { scalar in
            let digits = String(scalar.value, radix: 16)
            return scalar == "\n" ? "\n" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Whether all bytes are visible ASCII or the given one.
    ///
    /// Bytes in memory are read without a call for each, since this is generic and in another module than its callers.
    private func isPlain(or control: UInt8 = UInt8(ascii: " ")) -> Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { 0x20..<0x7F ~= $0 || $0 == control }
        } ?? false
    }
}

extension String {
    fileprivate func replacingHidden(_ replacement: (Unicode.Scalar) -> String) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isHidden { result += replacement(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

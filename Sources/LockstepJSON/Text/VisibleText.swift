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
    package var hasHidden: Bool {
        !utf8.allSatisfy { 0x20..<0x7F ~= $0 } && unicodeScalars.contains(where: \.isHidden)
    }

    /// The text in one line, with what is hidden as in a literal of Swift: `\u{1B}`.
    package var visible: String {
        escapingHidden { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    /// JSON with what is hidden in its strings as their escapes: `\u001b`.
    package var visibleJSON: String {
        escapingHidden { scalar in
            let digits = String(scalar.value, radix: 16)
            return scalar == "\n" ? "\n" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private func escapingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
        guard hasHidden else { return String(self) }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isHidden { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

import LockstepJSON

/// Defaults of JSON attributes (RFC 8259): checks whether a text is valid JSON, and encodes a YAML value as JSON.
enum JSONDefault {
    /// More deeply nested values are rejected, because every level uses stack space.
    private static let depthLimit = 64

    static func isWellFormed(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(bytes, depthLimit: depthLimit)
            return (try? scanner.skipValue()) != nil && scanner.isAtEnd()
        }
    }

    fileprivate static func isLiteral(_ text: String) -> Bool {
        if text == "true" || text == "false" || text == "null" { return true }
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        // JSON allows no zero before another digit, and no plus.
        let hasNeedlessZero = digits.first == UInt8(ascii: "0") && (digits.dropFirst().first?.isASCIIDigit ?? false)
        return NumberText(text) != nil && !hasNeedlessZero && text.utf8.first != UInt8(ascii: "+")
    }
}

extension JSONDefault {
    /// The JSON for a YAML value: plain scalars that are valid in JSON are used as such, all others become strings.
    static func json(of node: Node) -> String {
        switch node.content {
        case .scalar(let text, isPlain: true) where isLiteral(text): text
        case .scalar(let text, isPlain: true) where text.isEmpty || text == "~": "null"
        case .scalar(let text, isPlain: _): JSONString.quoted(text)
        case .sequence(let nodes): "[" + nodes.map(json).joined(separator: ",") + "]"
        case .mapping(let entries):
            "{"
                + entries.map { JSONString.quoted($0.key.scalarText ?? "") + ":" + json(of: $0.value) }.joined(
                    separator: ",")
                + "}"
        }
    }
}

extension Node {
    /// The text of a scalar, plain or quoted.
    fileprivate var scalarText: String? {
        if case .scalar(let text, isPlain: _) = content { text } else { nil }
    }
}

/// JSON texts (RFC 8259): whether one is well formed, and the one that a YAML value means.
struct JSONReader {
    /// Deeper values than this are no defaults, and every level takes stack.
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var offset = 0

    static func isWellFormed(_ text: String) -> Bool {
        var reader = JSONReader(bytes: Array(text.utf8))
        guard reader.value(depth: 0) else { return false }
        reader.skipSpace()
        return reader.offset == reader.bytes.count
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string()
        default: return word()
        }
    }

    private mutating func object(depth: Int) -> Bool {
        offset += 1
        skipSpace()
        if take("}") { return true }
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\""), string() else { return false }
            skipSpace()
            guard take(":"), value(depth: depth + 1) else { return false }
            skipSpace()
        } while take(",")
        return take("}")
    }

    private mutating func array(depth: Int) -> Bool {
        offset += 1
        skipSpace()
        if take("]") { return true }
        repeat {
            guard value(depth: depth + 1) else { return false }
            skipSpace()
        } while take(",")
        return take("]")
    }

    private mutating func string() -> Bool {
        offset += 1
        while let byte {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte else { return false }
        offset += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        guard offset + 4 <= bytes.count, bytes[offset..<(offset + 4)].allSatisfy(\.isHexDigit) else { return false }
        offset += 4
        return true
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() -> Bool {
        let start = offset
        while let byte, byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte) { offset += 1 }
        return Self.isLiteral(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    fileprivate static func isLiteral(_ text: String) -> Bool {
        if text == "true" || text == "false" || text == "null" { return true }
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        // JSON writes no zero before another digit, and no plus.
        let hasNeedlessZero = digits.first == UInt8(ascii: "0") && (digits.dropFirst().first?.isASCIIDigit ?? false)
        return NumberText(text) != nil && !hasNeedlessZero && text.utf8.first != UInt8(ascii: "+")
    }
}

extension JSONReader {
    /// The JSON that a YAML value means: plain scalars that JSON knows are those, all others are strings.
    static func json(of node: Node) -> String {
        switch node.content {
        case .scalar(let text, isPlain: true) where isLiteral(text): text
        case .scalar(let text, isPlain: true) where text.isEmpty || text == "~": "null"
        case .scalar(let text, isPlain: _): quoted(text)
        case .sequence(let nodes): "[" + nodes.map(json).joined(separator: ",") + "]"
        case .mapping(let entries):
            "{" + entries.map { quoted($0.key.scalarText ?? "") + ":" + json(of: $0.value) }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Node {
    /// The text of a scalar, plain or quoted.
    fileprivate var scalarText: String? {
        if case .scalar(let text, isPlain: _) = content { text } else { nil }
    }
}

/// Reads JSON text (RFC 8259) that a column holds.
struct JSONTextParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func document() -> JSONValue? {
        guard let value = value() else { return nil }
        skipSpace()
        return position == bytes.count ? value : nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func value() -> JSONValue? {
        skipSpace()
        guard let byte = current else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func nested(_ body: (inout JSONTextParser) -> JSONValue?) -> JSONValue? {
        guard depth < JSONText.textDepthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return body(&self)
    }

    private mutating func array() -> JSONValue? {
        var elements: [JSONValue] = []
        skipSpace()
        if takeByte(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            guard let element = value() else { return nil }
            elements.append(element)
            skipSpace()
            if takeByte(UInt8(ascii: "]")) { return .array(elements) }
            guard takeByte(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func object() -> JSONValue? {
        var members: [String: JSONValue] = [:]
        skipSpace()
        if takeByte(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\""), let key = string() else { return nil }
            skipSpace()
            guard takeByte(UInt8(ascii: ":")), let member = value() else { return nil }
            members[key] = member
            skipSpace()
            if takeByte(UInt8(ascii: "}")) { return .object(members) }
            guard takeByte(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func number() -> JSONValue? {
        let start = position
        while let byte = current, Self.isPartOfNumber(byte) { position += 1 }
        guard position > start, bytes[start] != UInt8(ascii: "+") else { return nil }
        let firstDigit = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        if position > firstDigit + 1, bytes[firstDigit] == UInt8(ascii: "0"),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[firstDigit + 1])
        {
            return nil
        }
        return JSONText.number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func string() -> String? {
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if current == UInt8(ascii: "\"") {
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        return escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) -> String? {
        var content = Array(bytes[start..<position])
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): guard appendEscape(to: &content) else { return nil }
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func appendEscape(to content: inout [UInt8]) -> Bool {
        guard let byte = current else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(8)
        case UInt8(ascii: "f"): content.append(12)
        case UInt8(ascii: "n"): content.append(10)
        case UInt8(ascii: "r"): content.append(13)
        case UInt8(ascii: "t"): content.append(9)
        case UInt8(ascii: "u"):
            guard let scalar = unicodeScalar() else { return false }
            content.append(contentsOf: String(Character(scalar)).utf8)
        default: return false
        }
        return true
    }

    private mutating func unicodeScalar() -> Unicode.Scalar? {
        guard let first = hexadecimal() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard takeByte(UInt8(ascii: "\\")), takeByte(UInt8(ascii: "u")), let second = hexadecimal(),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        guard position + word.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
            return false
        }
        position += word.utf8CodeUnitCount
        return true
    }
}

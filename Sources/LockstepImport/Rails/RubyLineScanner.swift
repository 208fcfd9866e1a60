/// Reads a statement of `schema.rb`: a call with literals as arguments. Anything else is no such statement.
struct RubyLineScanner {
    private let bytes: [UInt8]
    private var index = 0

    /// The deepest array or hash that is read.
    private static let depthLimit = 16

    private init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The call in a statement; `nil` if it is of another shape.
    static func call(_ text: String, line: Int) -> RubyCall? {
        var scanner = RubyLineScanner(text)
        return scanner.call(line)
    }

    /// The values of an enum as MySQL has it in a type: `enum('new','paid')`; `nil` for any other type.
    static func enumValues(_ type: String) -> [String]? {
        var scanner = RubyLineScanner(type)
        guard scanner.take("enum("), let first = scanner.string() else { return nil }
        var values = [first]
        while scanner.take(",") {
            scanner.skipSpace()
            guard let next = scanner.string() else { return nil }
            values.append(next)
        }
        return scanner.take(")") && scanner.isAtEnd ? values : nil
    }

    private mutating func call(_ line: Int) -> RubyCall? {
        skipSpace()
        guard var method = name() else { return nil }
        var receiver: String?
        if take(".") {
            guard let next = name() else { return nil }
            (receiver, method) = (method, next)
        }
        var arguments: [RubyValue] = []
        var options: [RubyOption] = []
        skipSpace()
        let isInParentheses = take("(")
        skipSpace()
        if !isAtEnd, !(isInParentheses && peek == UInt8(ascii: ")")), !startsBlock {
            repeat {
                skipSpace()
                if let option = option(depth: 0) {
                    options.append(option)
                } else if options.isEmpty, let value = value(depth: 0) {
                    arguments.append(value)
                } else {
                    return nil
                }
                skipSpace()
            } while take(",")
        }
        if isInParentheses, !take(")") { return nil }
        skipSpace()
        let hasBlock = takeBlock()
        guard isAtEnd else { return nil }
        return RubyCall(
            receiver: receiver, method: method, arguments: arguments, options: options, hasBlock: hasBlock, line: line)
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether only a comment follows.
    private var isAtEnd: Bool { peek == nil || peek == UInt8(ascii: "#") }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D { index += 1 }
    }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard starts(text) else { return false }
        index += text.utf8.count
        return true
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: byte >= 0x80
        }
    }

    private mutating func name() -> String? {
        let start = index
        while let byte = peek, Self.isWord(byte) { index += 1 }
        guard start < index, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) else {
            index = start
            return nil
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    // MARK: Blocks

    private var startsBlock: Bool { starts("do ") || starts("do|") || bytes[index...].elementsEqual("do".utf8) }

    private mutating func takeBlock() -> Bool {
        guard startsBlock else { return false }
        _ = take("do")
        skipSpace()
        guard take("|") else { return isAtEnd }
        _ = name()
        return take("|")
    }

    // MARK: Values

    private mutating func option(depth: Int) -> RubyOption? {
        let start = index
        var key: String?
        if peek == UInt8(ascii: "\"") { key = string() } else { key = name() }
        if let key, take(":"), peek != UInt8(ascii: ":") {
            skipSpace()
            if let value = value(depth: depth) { return RubyOption(key: key, value: value) }
        }
        index = start
        // `:null => false` and `"a" => 1`.
        if let value = value(depth: Self.depthLimit), let text = value.text {
            skipSpace()
            if take("=>") {
                skipSpace()
                if let other = self.value(depth: depth) { return RubyOption(key: text, value: other) }
            }
        }
        index = start
        return nil
    }

    private mutating func value(depth: Int) -> RubyValue? {
        guard depth <= Self.depthLimit, let byte = peek else { return nil }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string().map(RubyValue.string)
        case UInt8(ascii: ":"):
            index += 1
            if peek == UInt8(ascii: "\"") { return string().map(RubyValue.symbol) }
            return name().map(RubyValue.symbol)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "{"): return hash(depth: depth)
        case UInt8(ascii: "-") where starts("->"): return lambda()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        default:
            switch name() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "nil": return .null
            default: return nil
            }
        }
    }

    private mutating func array(depth: Int) -> RubyValue? {
        index += 1
        var elements: [RubyValue] = []
        skipSpace()
        while !take("]") {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
            skipSpace()
            if !take(","), peek != UInt8(ascii: "]") { return nil }
            skipSpace()
        }
        return .array(elements)
    }

    private mutating func hash(depth: Int) -> RubyValue? {
        guard depth < Self.depthLimit else { return nil }
        index += 1
        var options: [RubyOption] = []
        skipSpace()
        while !take("}") {
            guard let option = option(depth: depth + 1) else { return nil }
            options.append(option)
            skipSpace()
            if !take(","), peek != UInt8(ascii: "}") { return nil }
            skipSpace()
        }
        return .hash(options)
    }

    /// The text of `-> { "now()" }`, in which a string can have braces.
    private mutating func lambda() -> RubyValue? {
        index += 2
        skipSpace()
        guard take("{") else { return nil }
        skipSpace()
        if let text = string() {
            skipSpace()
            return take("}") ? .lambda(text) : nil
        }
        let start = index
        while let byte = peek, byte != UInt8(ascii: "}") { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return take("}") ? .lambda(text) : nil
    }

    private mutating func number() -> RubyValue? {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        while let byte = peek, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+") || Self.isWord(byte) {
            index += 1
        }
        let digits = String(decoding: bytes[start..<index].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        return DatabaseLiteral.number(digits) == nil ? nil : .number(digits)
    }

    /// A string without interpolation.
    private mutating func string() -> String? {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var result: [UInt8] = []
        index += 1
        while let byte = peek {
            index += 1
            if byte == quote { return String(decoding: result, as: UTF8.self) }
            if byte == UInt8(ascii: "#"), quote == UInt8(ascii: "\""), peek == UInt8(ascii: "{") { return nil }
            guard byte == UInt8(ascii: "\\"), let next = peek else {
                result.append(byte)
                continue
            }
            index += 1
            guard quote == UInt8(ascii: "\"") else {
                if next != UInt8(ascii: "'"), next != UInt8(ascii: "\\") { result.append(byte) }
                result.append(next)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "e"): result.append(0x1B)
            case UInt8(ascii: "u"):
                guard let scalar = escapedScalar() else { return nil }
                result += Array(String(scalar).utf8)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return nil
            default: result.append(next)
            }
        }
        return nil
    }

    /// The scalar after `\u`: four digits, or some in braces.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        let isInBraces = take("{")
        let start = index
        while let byte = peek, Self.isWord(byte), isInBraces || index < start + 4 { index += 1 }
        let digits = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInBraces, !take("}") { return nil }
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }
}

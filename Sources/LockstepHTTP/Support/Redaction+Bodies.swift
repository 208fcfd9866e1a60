package import Foundation

extension Redaction {
    /// The text of a response as it may be stored and shown: a rejection may repeat the request with everything that
    /// was sent.
    ///
    /// Removes the values of members, fields and parameters with the names of secrets, what follows `Bearer`, the user
    /// info of addresses, and JSON web tokens. Everything else is kept byte by byte, so that one can see why the server
    /// rejected it.
    package static func body(_ body: Data) -> Data {
        var scanner = BodyScanner(bytes: Array(body))
        return scanner.redacted()
    }

    /// Whether a member or a field with that name is a secret. There are fewer names than for query parameters, because
    /// many servers use `code` and `key` in their errors.
    package static func isSecret(member: some StringProtocol) -> Bool {
        let name = member.lowercased().filter(\.isLetter)
        return secretMembers.contains(name) || secretEndings.contains { name.hasSuffix($0) } || name.hasSuffix("cookie")
    }

    private static let secretMembers: Set = ["auth", "jwt", "sessionid", "pwd", "passwd", "passphrase"]
}

/// Scans a body once. It recognizes JSON, forms, header fields and addresses, even within strings, and tolerates
/// truncated and other text.
private struct BodyScanner {
    let bytes: [UInt8]
    private var index = 0
    private var output = Data()

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func redacted() -> Data {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            if isWordByte(bytes[index]) { takeWord() } else { takeOther() }
        }
        return output
    }

    private mutating func hide(upTo end: Int) {
        output.append(contentsOf: Redaction.mark.utf8)
        index = end
    }

    private mutating func copy(upTo end: Int) {
        output.append(contentsOf: bytes[index..<end])
        index = end
    }

    // MARK: Words

    private mutating func takeWord() {
        let start = index
        let end = self.end(from: index, while: isWordByte)
        let word = String(decoding: bytes[start..<end], as: UTF8.self)
        if word.hasPrefix("eyJ"), word.count > 16, word.contains(".") { return hide(upTo: end) }
        copy(upTo: end)
        if word.lowercased() == "bearer", end < bytes.count, bytes[end] == 0x20 {
            copy(upTo: self.end(from: end) { $0 == 0x20 })
            return hide(upTo: self.end(from: index, while: isTokenByte))
        }
        guard let valueStart = valueStart(behind: end) else { return }
        let isParameter = start > 0 && (bytes[start - 1] == 0x3F || bytes[start - 1] == 0x26)
        let isSecret = isParameter ? Redaction.isSecret(parameter: word) : Redaction.isSecret(member: word)
        guard isSecret, valueStart < bytes.count else { return }
        copy(upTo: valueStart)
        let isField = bytes[end] == 0x3A
        hideValue(isLine: isField && ["authorization", "cookie"].contains { word.lowercased().hasSuffix($0) })
    }

    /// Where the value of a name that ends at an index begins: after `: `, `=`, `": "` or `\":`. `nil` if it is not a
    /// name.
    private func valueStart(behind end: Int) -> Int? {
        var next = self.end(from: end) { $0 == 0x5C }
        if next < bytes.count, isQuote(bytes[next]) { next += 1 }
        next = self.end(from: next, while: isSpace)
        guard next < bytes.count, bytes[next] == 0x3A || bytes[next] == 0x3D else { return nil }
        // `https://` is not a name.
        if bytes[next...].starts(with: Self.authorityMark) { return nil }
        return self.end(from: next + 1, while: isSpace)
    }

    /// - Parameter isLine: Whether a value without quotation marks extends to the end of the line, because a field may
    ///   contain spaces.
    private mutating func hideValue(isLine: Bool) {
        let escapes = end(from: index) { $0 == 0x5C }
        let first = escapes < bytes.count ? bytes[escapes] : 0
        if isQuote(first) {
            let escapeCount = escapes - index
            copy(upTo: escapes + 1)
            hide(upTo: closing(first, escapeCount: escapeCount))
        } else if first == 0x5B || first == 0x7B {
            output.append(UInt8(ascii: "\""))
            hide(upTo: endOfContainer())
            output.append(UInt8(ascii: "\""))
        } else if isLine {
            hide(upTo: end(from: index) { $0 != 0x0A && $0 != 0x0D && $0 != 0x22 && $0 != 0x5C })
        } else {
            hide(upTo: end(from: index) { !isSpace($0) && !isQuote($0) && !Self.delimiters.contains($0) })
        }
    }

    /// Where a quoted text ends whose quotation marks are escaped this many times.
    private func closing(_ quote: UInt8, escapeCount: Int) -> Int {
        var next = index
        var escapes = 0
        while next < bytes.count {
            if bytes[next] == 0x5C {
                escapes += 1
            } else {
                // A mark that is escaped more often is part of the text; two escapes are a backslash.
                if bytes[next] == quote, escapeCount == 0, escapes.isMultiple(of: 2) { return next }
                if bytes[next] == quote, escapes <= escapeCount { return next - escapes }
                escapes = 0
            }
            next += 1
        }
        return next
    }

    /// Where a list or an object ends; the end of the body if it is truncated.
    private func endOfContainer() -> Int {
        var depth = 0
        var next = index
        var isText = false
        while next < bytes.count {
            let byte = bytes[next]
            if byte == 0x5C { next += 1 } else if byte == 0x22 { isText.toggle() }
            if !isText, byte == 0x5B || byte == 0x7B { depth += 1 }
            if !isText, byte == 0x5D || byte == 0x7D { depth -= 1 }
            next += 1
            if depth == 0 { return min(next, bytes.count) }
        }
        return bytes.count
    }

    // MARK: Addresses

    private mutating func takeOther() {
        guard bytes[index...].starts(with: Self.authorityMark) else { return copy(upTo: index + 1) }
        copy(upTo: index + 3)
        let end = end(from: index) { !isSpace($0) && !isQuote($0) && !Self.addressEnds.contains($0) }
        if let at = bytes[index..<end].lastIndex(of: 0x40) { hide(upTo: at) }
    }

    // MARK: Bytes

    private static let delimiters = Set(",;&<>()[]{}\\#".utf8)
    private static let authorityMark = Array("://".utf8)
    private static let addressEnds = Set("/?#<>\\,;".utf8)

    private func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
        var next = start
        while next < bytes.count, isPart(bytes[next]) { next += 1 }
        return next
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x25: true
        default: false
        }
    }

    private func isTokenByte(_ byte: UInt8) -> Bool { isWordByte(byte) || [0x2B, 0x2F, 0x3D, 0x7E].contains(byte) }
    private func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
    private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

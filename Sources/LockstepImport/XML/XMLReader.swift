import Foundation

/// Reads the elements of an XML file with their attributes, within limits. A DOCTYPE is refused: no model has one, and
/// the entities that it declares can expand without bound.
struct XMLReader {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 64 << 20
    /// The deepest element that is read.
    static let depthLimit = 64

    private let path: String
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var line = 1

    /// Returns the root element.
    ///
    /// - Throws: ``ImportFailure`` with the line, if the file is not well formed or exceeds a limit.
    static func read(_ data: Data, path: String) throws(ImportFailure) -> XMLNode {
        guard data.count <= sizeLimit else {
            throw ImportFailure(path, reason: "It has \(data.count) bytes; at most \(sizeLimit) are read.")
        }
        let hasNul = data.withUnsafeBytes { $0.baseAddress.flatMap { memchr($0, 0, data.count) } != nil }
        guard !hasNul, String(data: data, encoding: .utf8) != nil else {
            throw ImportFailure(path, reason: "It is not UTF-8 text.")
        }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(ImportFailure) in
                var reader = XMLReader(path: path, bytes: bytes)
                return try reader.read()
            }
        }
        return try result.get()
    }

    private init(path: String, bytes: UnsafeRawBufferPointer) { (self.path, self.bytes) = (path, bytes) }

    private mutating func read() throws(ImportFailure) -> XMLNode {
        _ = skip("\u{FEFF}")
        try skipToElement(isInElement: false)
        let root = try element(depth: 1)
        try skipToElement(isInElement: false)
        guard index == bytes.count else { throw malformed }
        return root
    }

    private func failure(_ reason: String) -> ImportFailure { ImportFailure(path, line: line, reason: reason) }

    private var malformed: ImportFailure {
        failure("It is not well-formed XML. Open it in Xcode, or get it from Git again.")
    }

    // MARK: Elements

    private mutating func element(depth: Int) throws(ImportFailure) -> XMLNode {
        guard depth <= Self.depthLimit else {
            throw failure("Its elements are nested more than \(Self.depthLimit) deep.")
        }
        let start = line
        guard skip("<") else { throw malformed }
        var node = XMLNode(name: try name(), attributes: try attributes(), line: start)
        if skip("/>") { return node }
        guard skip(">") else { throw malformed }
        while true {
            try skipToElement(isInElement: true)
            guard skip("</") else {
                node.children.append(try element(depth: depth + 1))
                continue
            }
            guard try name() == node.name else { throw malformed }
            skipSpaces()
            guard skip(">") else { throw malformed }
            return node
        }
    }

    private mutating func attributes() throws(ImportFailure) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while skipSpaces() < bytes.count, Self.isPartOfName(bytes[index]) {
            let name = try name()
            skipSpaces()
            guard skip("=") else { throw malformed }
            skipSpaces()
            if attributes.isEmpty { attributes.reserveCapacity(8) }
            attributes.append((name, try value()))
        }
        return attributes
    }

    private mutating func name() throws(ImportFailure) -> String {
        let start = index
        while index < bytes.count, Self.isPartOfName(bytes[index]) { index += 1 }
        // `-`, `.` and digits, which `/` is between, begin no name.
        guard start < index, !(UInt8(ascii: "-")...UInt8(ascii: "9")).contains(bytes[start]) else { throw malformed }
        return text(from: start)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    /// Reads the value of an attribute with its quotes. Each space in it is ` `.
    private mutating func value() throws(ImportFailure) -> String {
        guard index < bytes.count else { throw malformed }
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw malformed }
        index += 1
        let start = index
        var isPlain = true
        while index < bytes.count, bytes[index] != quote {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || !Self.isAllowed(UInt32(byte)) { throw malformed }
            if byte < UInt8(ascii: " ") || byte == UInt8(ascii: "&") { isPlain = false }
            if byte == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        guard index < bytes.count else { throw malformed }
        let raw = text(from: start)
        index += 1
        return isPlain ? raw : try unescaped(raw)
    }

    private func unescaped(_ raw: String) throws(ImportFailure) -> String {
        let spaced = String(raw.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        let parts = spaced.split(separator: "&", omittingEmptySubsequences: false)
        var text = String(parts[0])
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: ";"), let character = Self.character(part[..<end]) else {
                throw malformed
            }
            text.unicodeScalars.append(character)
            text += part[part.index(after: end)...]
        }
        return text
    }

    /// What `&name;` stands for.
    private static func character(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case _ where name.hasPrefix("#x"): character(UInt32(name.dropFirst(2), radix: 16))
        case _ where name.hasPrefix("#"): character(UInt32(name.dropFirst()))
        default: nil
        }
    }

    private static func character(_ number: UInt32?) -> Unicode.Scalar? {
        number.flatMap { isAllowed($0) ? Unicode.Scalar($0) : nil }
    }

    /// Whether a character is no control character, or a space.
    private static func isAllowed(_ number: UInt32) -> Bool { number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number) }

    private func text(from start: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
    }

    // MARK: What is skipped

    /// Moves to the beginning or the end of an element.
    ///
    /// - Parameter isInElement: Whether there can be text before it, which no model has.
    private mutating func skipToElement(isInElement: Bool) throws(ImportFailure) {
        while skipSpaces() < bytes.count {
            if isInElement, bytes[index] != UInt8(ascii: "<") {
                index += 1
            } else if skip("<!--") {
                try skip(through: "-->")
            } else if skip("<?") {
                try skip(through: "?>")
            } else if isInElement, skip("<![CDATA[") {
                try skip(through: "]]>")
            } else if skip("<!DOCTYPE") {
                throw failure("It has a DOCTYPE, which a Core Data model does not have. Remove it.")
            } else {
                return
            }
        }
    }

    /// Moves behind spaces.
    ///
    /// - Returns: The index behind them.
    @discardableResult
    private mutating func skipSpaces() -> Int {
        while index < bytes.count, bytes[index] <= UInt8(ascii: " ") {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        return index
    }
    /// Moves behind a text, if it is next.
    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard let base = bytes.baseAddress, bytes.count - index >= count,
            memcmp(base + index, text.utf8Start, count) == 0
        else { return false }
        index += count
        return true
    }

    /// Moves behind the end of what is not read.
    private mutating func skip(through end: StaticString) throws(ImportFailure) {
        while !skip(end) {
            guard index < bytes.count else { throw malformed }
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }
}

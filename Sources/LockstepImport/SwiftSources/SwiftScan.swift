/// Finds what is nested too deep for the parser, before it reads a text.
struct SwiftScan {
    /// A string that is open.
    private struct Literal {
        let hashes: Int
        let isMultiline: Bool
        /// The level of the brackets in its interpolation, while that is read.
        var interpolation: Int?
    }

    private let bytes: [UInt8]
    private var index = 0
    private var nesting = SwiftNesting()
    private var literals: [Literal] = []

    /// The deepest brackets, generic arguments and `#if` that are read.
    static let depthLimit = 64
    /// The same with those of strings and comments, of which regular expressions can be taken for the beginning.
    private static let textLimit = 1000

    /// The offset at which a text is nested too deep.
    static func end(in bytes: [UInt8]) -> Int? {
        var scan = SwiftScan(bytes)
        while scan.index < bytes.count {
            scan.step()
            if scan.nesting.depth > depthLimit { return scan.index - 1 }
        }
        var all = SwiftNesting()
        for index in bytes.indices {
            all.read(bytes, at: index)
            if all.depth > textLimit { return index }
        }
        return nil
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func step() {
        if let literal = literals.last, literal.interpolation == nil { return read(literal) }
        if starts(with: "//") { return skipLine() }
        if starts(with: "/*") { return skipComment() }
        if bytes[index] == UInt8(ascii: "\"") { return openLiteral() }
        nesting.read(bytes, at: index)
        index += 1
        if let level = literals.last?.interpolation, nesting.level < level {
            literals[literals.count - 1].interpolation = nil
        }
    }

    private func starts(with text: StaticString, at offset: Int? = nil) -> Bool {
        text.withUTF8Buffer { bytes[min(offset ?? index, bytes.count)...].starts(with: $0) }
    }

    // MARK: Comments

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    }

    /// Comments can contain others.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                index += 2
            } else if starts(with: "*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < bytes.count
    }

    // MARK: Strings

    private mutating func openLiteral() {
        let hashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "#") }.count
        let isMultiline = starts(with: "\"\"\"")
        literals.append(Literal(hashes: hashes, isMultiline: isMultiline))
        index += isMultiline ? 3 : 1
    }

    /// Reads a string to its end, or to its next interpolation.
    private mutating func read(_ literal: Literal) {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n"), !literal.isMultiline {
                literals.removeLast()
                return
            } else if byte == UInt8(ascii: "\\"), hasHashes(literal, at: index + 1) {
                index = min(index + 1 + literal.hashes, bytes.count)
                if starts(with: "(") { return openInterpolation() }
                if !starts(with: "\n") { index += 1 }
            } else if byte == UInt8(ascii: "\""), ends(literal) {
                index += (literal.isMultiline ? 3 : 1) + literal.hashes
                literals.removeLast()
                return
            } else {
                index += 1
            }
        }
    }

    private mutating func openInterpolation() {
        nesting.read(bytes, at: index)
        literals[literals.count - 1].interpolation = nesting.level
        index += 1
    }

    private func ends(_ literal: Literal) -> Bool {
        guard literal.isMultiline else { return hasHashes(literal, at: index + 1) }
        return starts(with: "\"\"\"") && hasHashes(literal, at: index + 3)
    }

    private func hasHashes(_ literal: Literal, at offset: Int) -> Bool {
        let rest = bytes[min(offset, bytes.count)...].prefix(literal.hashes)
        return rest.count == literal.hashes && rest.allSatisfy { $0 == UInt8(ascii: "#") }
    }
}

import Foundation
import LockstepSchema

/// Reads YAML or JSON into nodes, within limits.
struct OpenAPIReader {
    /// The largest file that is read, in bytes: the largest public descriptions have about 12 MB.
    static let sizeLimit = 16 << 20

    let path: String
    /// The number of the first line, of all files.
    private let firstLine: Int
    /// The lines by their numbers in YAML 1.1, where NEL, LS and PS end a line, too.
    private var lines: [Int32] = []
    /// The number of values, with those that aliases stand for.
    private(set) var count = 0
    /// The problems of values that could be read nevertheless, with the lines.
    private(set) var problems: [(line: Int, text: String)] = []

    init(path: String, firstLine: Int = 1) { (self.path, self.firstLine) = (path, firstLine) }

    /// - Throws: ``ImportFailure`` with the line, if it is neither YAML nor JSON, or exceeds a limit.
    mutating func read(_ data: Data) throws(ImportFailure) -> OpenAPINode {
        guard data.count <= Self.sizeLimit else {
            throw ImportFailure(
                path, reason: "It has \(data.count) bytes; at most \(Self.sizeLimit) are read. Split it.")
        }
        var diagnostics: [Diagnostic] = []
        let source = SchemaSource(path: path, bytes: Self.joiningSurrogates(Array(data)))
        lines = Self.lines(source.bytes)
        let root = parseYAML(source, diagnostics: &diagnostics)
        let errors = diagnostics.filter { $0.severity == .error }
        guard let root else {
            let first = errors.first
            throw ImportFailure(
                path, line: first.map { line($0.location.start.line) } ?? 1,
                reason: "\(first?.message ?? "It cannot be read"). Correct the file, and import it again.")
        }
        problems = errors.map { (line($0.location.start.line) + firstLine - 1, $0.message) }
        return try node(root, line: root.range.start.line)
    }

    /// - Parameter line: The line of the key, if it has one.
    private mutating func node(_ node: Node, line first: Int) throws(ImportFailure) -> OpenAPINode {
        count += 1
        let last = node.range.end
        let lastLine = self.line(max(first, last.column == 1 ? last.line - 1 : last.line)) + firstLine - 1
        let line = self.line(first) + firstLine - 1
        switch node.content {
        case .scalar(let text, let isPlain):
            return OpenAPINode(.scalar(text, isPlain: isPlain), line: line, lastLine: lastLine)
        case .sequence(let elements):
            var list: [OpenAPINode] = []
            for element in elements { list.append(try self.node(element, line: element.range.start.line)) }
            return OpenAPINode(.list(list), line: line, lastLine: lastLine)
        case .mapping(let entries):
            var object: [(key: String, value: OpenAPINode)] = []
            for entry in entries {
                guard case .scalar(let key, _) = entry.key.content else {
                    throw ImportFailure(
                        path, line: self.line(entry.key.range.start.line),
                        reason: "A key is not a string. Correct the file.")
                }
                object.append((key, try self.node(entry.value, line: entry.key.range.start.line)))
            }
            return OpenAPINode(.object(object), line: line, lastLine: lastLine)
        }
    }

    /// The number of lines, as editors count them.
    var lineCount: Int { Int(lines.last ?? 1) }

    private func line(_ number: Int) -> Int { Int(lines[min(number, lines.count) - 1]) }

    private static func lines(_ bytes: [UInt8]) -> [Int32] {
        var lines: [Int32] = [1]
        var (last, other) = (UInt8(0), UInt8(0))
        for byte in bytes {
            switch (other, last, byte) {
            case (_, 0x0D, 0x0A): break
            case (_, _, 0x0A), (_, _, 0x0D): lines.append(lines[lines.count - 1] + 1)
            case (_, 0xC2, 0x85), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): lines.append(lines[lines.count - 1])
            default: break
            }
            (other, last) = (last, byte)
        }
        return lines
    }

    /// JSON writes a character beyond U+FFFF as two escapes (RFC 8259, section 7), which YAML does not allow.
    private static func joiningSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.first(where: { !" \n\r\t".utf8.contains($0) && $0 < 0x80 }),
            first == UInt8(ascii: "{")
        else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if let high = escape(bytes, at: index), (0xD800...0xDBFF).contains(high),
                let low = escape(bytes, at: index + 6), (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            {
                result += Array(String(scalar).utf8)
                index += 12
            } else {
                result += bytes[index...index + 1]
                index += 2
            }
        }
        return result
    }

    /// The value of an escape: `\u` and four hexadecimal digits.
    private static func escape(_ bytes: [UInt8], at index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}

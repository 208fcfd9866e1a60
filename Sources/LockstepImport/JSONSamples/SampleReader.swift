import Foundation
import LockstepJSON

/// Reads JSON, or lines of JSON objects, and knows the line of each value.
struct SampleReader {
    private var scanner: JSONScanner
    private let bytes: UnsafeBufferPointer<UInt8>
    private let path: String
    /// The line of the byte at `counted`.
    private var line = 1
    private var counted = 0

    /// How deeply lists and objects may be nested. A schema has few levels.
    static let depthLimit = 128
    /// An object with more members is searched by a set.
    private static let linearLimit = 16

    /// The values at the top: one, or one for each line.
    static func read(_ data: Data, path: String) throws(ImportFailure) -> [SampleValue] {
        let result = data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(ImportFailure) in
                    var reader = SampleReader(bytes, path: path)
                    return try reader.values()
                }
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, path: String) {
        self.bytes = bytes
        self.path = path
        scanner = JSONScanner(bytes, depthLimit: Self.depthLimit)
    }

    private mutating func values() throws(ImportFailure) -> [SampleValue] {
        try checkBeginning()
        do {
            var values = [try value()]
            while !scanner.isAtEnd() {
                guard values[0].members != nil, scanner.peek() == UInt8(ascii: "{") else {
                    throw ImportFailure(
                        path, line: line(at: scanner.offset),
                        reason: "Something follows the JSON. Remove it, or write one object on each line.")
                }
                values.append(try value())
            }
            return values
        } catch let error as JSONSyntaxError {
            throw ImportFailure(
                path, line: line(at: min(error.offset, bytes.count)),
                reason: "It is not JSON that can be imported: \(error.reason). Save the whole response.")
        } catch {
            throw error as? ImportFailure ?? ImportFailure(path, reason: "\(error)")
        }
    }

    /// Rejects other formats that are sent instead of JSON.
    private mutating func checkBeginning() throws(ImportFailure) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw ImportFailure(path, line: 1, reason: "It is in UTF-16. Save it in UTF-8.")
        }
        let next = scanner.peek()
        let line = line(at: scanner.offset)
        if scanner.isAtEnd() {
            throw ImportFailure(path, line: line, reason: "It is empty. Save a response of the server.")
        }
        if next == UInt8(ascii: "<") {
            throw ImportFailure(
                path, line: line,
                reason: "It is a page in HTML or XML, not JSON. Save the response of the API; "
                    + "the server may require a login."
            )
        }
    }

    private mutating func value() throws -> SampleValue {
        let next = scanner.peek()
        let line = line(at: scanner.offset)
        let content: SampleValue.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try members())
        case UInt8(ascii: "["): content = .list(try elements())
        case UInt8(ascii: "\""): content = .text(try scanner.text().string)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): content = .bool(try scanner.bool())
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            content = .null
        default: content = try number()
        }
        return SampleValue(content: content, line: line)
    }

    private mutating func number() throws -> SampleValue.Content {
        let number = try scanner.number()
        if let integer = number.integer { return .number(.integer(integer), isWhole: true) }
        guard let value = StoredJSON.number(String(decoding: number.bytes, as: UTF8.self)) else {
            throw JSONSyntaxError(.numberTooGreat, at: scanner.offset - number.bytes.count)
        }
        return .number(value, isWhole: number.isWhole)
    }

    private mutating func elements() throws -> [SampleValue] {
        try scanner.open(UInt8(ascii: "["))
        var elements: [SampleValue] = []
        while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: elements.isEmpty) { elements.append(try value()) }
        return elements
    }

    private mutating func members() throws -> [SampleMember] {
        try scanner.open(UInt8(ascii: "{"))
        var members: [SampleMember] = []
        var known: Set<String> = []
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: members.isEmpty) {
            let key = try scanner.key().string
            let isKnown: Bool
            if members.count < Self.linearLimit {
                isKnown = members.contains { $0.key == key }
            } else {
                if known.isEmpty { known = Set(members.map(\.key)) }
                isKnown = !known.insert(key).inserted
            }
            if isKnown {
                throw ImportFailure(
                    path, line: line(at: scanner.offset),
                    reason: "The key '\(key)' is in the same object twice. Remove one, because only one could be read.")
            }
            members.append(SampleMember(key: key, value: try value()))
        }
        return members
    }

    private mutating func line(at offset: Int) -> Int {
        // An error can be before what was counted already.
        if offset < counted { (counted, line) = (0, 1) }
        while counted < offset {
            if bytes[counted] == 0x0A { line += 1 }
            counted += 1
        }
        return line
    }
}

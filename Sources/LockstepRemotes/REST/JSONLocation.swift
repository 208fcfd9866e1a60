package import Foundation
import LockstepJSON

/// Finds values in a JSON text by their paths, without reading them.
package enum JSONLocation {
    /// The range of the value that these keys lead to; `nil` if there is none. As in `JSONValue`, the last value of a
    /// repeated key counts.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not JSON.
    static func range(at path: [String], of text: Data) throws -> Range<Int>? {
        try scanning(text) { scanner in
            let range = try range(at: path[...], scanner: &scanner)
            try scanner.finish()
            return range
        }
    }

    /// The array that these keys lead to, as JSON; `nil` if there is none.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not JSON.
    static func array(at path: [String], of text: Data) throws -> Data? {
        guard let range = try range(at: path, of: text) else { return nil }
        let value = text.bytes(in: range)
        return value.first == UInt8(ascii: "[") ? value : nil
    }

    /// The ranges of an array's elements; `nil` if the text is no array.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not JSON.
    package static func elements(of text: Data) throws -> [Range<Int>]? {
        try scanning(text) { scanner in
            guard scanner.peek() == UInt8(ascii: "[") else { return nil }
            try scanner.open(UInt8(ascii: "["))
            var ranges: [Range<Int>] = []
            while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: ranges.isEmpty) {
                ranges.append(try value(&scanner))
            }
            try scanner.finish()
            return ranges
        }
    }

    /// The members of an object, as JSON; `nil` if the text is no object. The last value of a repeated key counts.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not JSON.
    static func members(of text: Data) throws -> [String: Data]? {
        try scanning(text) { scanner in
            guard scanner.peek() == UInt8(ascii: "{") else { return nil }
            try scanner.open(UInt8(ascii: "{"))
            var members: [String: Data] = [:]
            var isFirst = true
            while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
                isFirst = false
                let key = try scanner.key().string
                members[key] = text.bytes(in: try value(&scanner))
            }
            try scanner.finish()
            return members
        }
    }

    private static func scanning<Result>(_ text: Data, body: (inout JSONScanner) throws -> Result) throws -> Result {
        try text.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                var scanner = JSONScanner(bytes)
                return try body(&scanner)
            }
        }
    }

    private static func range(at path: ArraySlice<String>, scanner: inout JSONScanner) throws -> Range<Int>? {
        guard let key = path.first else { return try value(&scanner) }
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skipValue()
            return nil
        }
        try scanner.open(UInt8(ascii: "{"))
        var found: Range<Int>?
        var isFirst = true
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            if try ExactText(scanner.key().string) == ExactText(key) {
                found = try range(at: path.dropFirst(), scanner: &scanner)
            } else {
                try scanner.skipValue()
            }
        }
        return found
    }

    private static func value(_ scanner: inout JSONScanner) throws -> Range<Int> {
        _ = scanner.peek()
        let start = scanner.offset
        try scanner.skipValue()
        return start..<scanner.offset
    }
}

extension Data {
    /// The bytes in a range of offsets.
    package func bytes(in range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}

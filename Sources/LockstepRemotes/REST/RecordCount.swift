import Foundation
import LockstepJSON

/// Counts the records of a page.
enum RecordCount {
    /// The page is not a list of records in the expected shape.
    struct NoRecords: Error, CustomStringConvertible {
        /// The key that the list is expected under; `nil` if the page is the list.
        var key: String?

        var description: String {
            key.map { "it has no list under the key “\($0)”" } ?? "it is not a list"
        }
    }

    /// - Throws: `JSONSyntaxError`, or ``NoRecords``.
    static func count(of page: Data, shape: PayloadShape) throws -> Int {
        try page.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                var scanner = JSONScanner(bytes)
                let count: Int
                if case .wrapped(let key) = shape {
                    count = try wrappedElements(&scanner, under: key)
                } else {
                    count = try elements(&scanner)
                }
                try scanner.finish()
                return count
            }
        }
    }

    private static func wrappedElements(_ scanner: inout JSONScanner, under key: String) throws -> Int {
        guard scanner.peek() == UInt8(ascii: "{") else { throw NoRecords(key: key) }
        try scanner.open(UInt8(ascii: "{"))
        var count: Int?
        var isFirst = true
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            if try ExactText(scanner.key().string) == ExactText(key) {
                count = try elements(&scanner)
            } else {
                try scanner.skipValue()
            }
        }
        guard let count else { throw NoRecords(key: key) }
        return count
    }

    private static func elements(_ scanner: inout JSONScanner) throws -> Int {
        switch scanner.peek() {
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            return 0
        case UInt8(ascii: "["): break
        default: throw NoRecords()
        }
        try scanner.open(UInt8(ascii: "["))
        var count = 0
        while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: count == 0) {
            try scanner.skipValue()
            count += 1
        }
        return count
    }
}

import Foundation
import LockstepJSON
import LockstepValues

/// The formats in which a text can be written without loss.
enum TextFormat: Equatable {
    case plain
    /// A whole number as it would be written.
    case integer
    /// Another number as it would be written.
    case decimal
    /// A number with zeros at its end, which would be written without them.
    case paddedDecimal
    case uuid
    /// A UUID with capitals, which would be written in lower case.
    case capitalUUID
    case url
    case iso8601
    case day
    /// A date of this pattern.
    case pattern(String)

    init(_ text: String) {
        var text = text
        let found = text.withUTF8 { bytes -> TextFormat? in
            guard let first = bytes.first else { return .plain }
            switch first {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                if let uuid = Self.uuid(bytes) { return uuid }
            case UInt8(ascii: "h"): return nil
            default: break
            }
            return bytes.count <= DateShape.lengthLimit ? DateShape.format(of: bytes) : .plain
        }
        if let found, found != .plain {
            self = found
        } else if let number = Self.number(text) {
            self = number
        } else {
            self = Self.isURL(text) ? .url : .plain
        }
    }

    /// 8-4-4-4-12 hexadecimal digits.
    private static func uuid(_ bytes: UnsafeBufferPointer<UInt8>) -> TextFormat? {
        guard bytes.count == 36 else { return nil }
        if UUID(lowercaseText: bytes) != nil { return .uuid }
        return UUID(uuidString: String(decoding: bytes, as: UTF8.self)) == nil ? nil : .capitalUUID
    }

    private static func number(_ text: String) -> TextFormat? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            text.utf8.count <= 39
        else { return nil }
        if let value = Int64(text) { return String(value) == text ? .integer : nil }
        guard let stored = Decimal(exactly: text)?.storedText else { return nil }
        if stored == text { return .decimal }
        let padding = text.dropFirst(stored.count)
        let isPadded = text.hasPrefix(stored) && padding.allSatisfy { $0 == "0" || $0 == "." } && text.contains(".")
        return isPadded && text.last == "0" ? .paddedDecimal : nil
    }

    private static func isURL(_ text: String) -> Bool {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), let url = URL(string: text) else { return false }
        return url.absoluteString == text && url.host()?.isEmpty == false
    }
}

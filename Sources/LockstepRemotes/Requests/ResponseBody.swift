package import Foundation
import LockstepJSON

/// The meaning of the body of a response to a write. Bodies are only classified here (Rules.md, P13).
package enum ResponseBody: Equatable {
    /// It is empty, or `null`.
    case nothing
    /// It is one JSON object.
    case record
    /// It is not a response of an API to a write; the text describes it.
    case foreign(String)

    package init(_ body: Data) {
        switch Self.firstByte(of: body) {
        case nil: self = .nothing
        case UInt8(ascii: "<"): self = .foreign("an HTML page")
        case UInt8(ascii: "{"): self = Self.isJSON(body) ? .record : .foreign("broken JSON")
        case UInt8(ascii: "["): self = .foreign(Self.isJSON(body) ? "a list instead of one record" : "broken JSON")
        case UInt8(ascii: "n") where Self.isJSON(body): self = .nothing
        default: self = .foreign(Self.isJSON(body) ? "a JSON value that is not a record" : "text that is not JSON")
        }
    }

    /// Whether it is HTML or XML, which is never JSON.
    package static func isPage(_ body: Data) -> Bool { firstByte(of: body) == UInt8(ascii: "<") }

    private static func firstByte(of body: Data) -> UInt8? {
        let text = body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body
        return text.first { !" \t\r\n".utf8.contains($0) }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func isJSON(_ body: Data) -> Bool {
        body.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                var scanner = JSONScanner(bytes)
                do {
                    try scanner.skipValue()
                    try scanner.finish()
                    return true
                } catch {
                    return false
                }
            }
        }
    }
}

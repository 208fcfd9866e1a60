/// Finds a key of a JSON object by another spelling: `body_text`, `bodyText` and `BodyText` are one name.
///
/// A class, so that the table is made at most once for an object, and only where a key is missing as it is spelt.
final class KeySpelling {
    private var keysByName: [String: WireKey?]?

    /// The key that spells the same name as `key`, where exactly one does. `isTaken` tells keys that mean another
    /// value.
    func alternative(to key: String, among keys: [WireKey], isTaken: (String) -> Bool) -> WireKey? {
        let table = keysByName ?? Self.table(keys)
        keysByName = table
        let match = table[Self.name(key)] ?? NestedAttributes.shortName(key).flatMap { table[Self.name($0)] } ?? nil
        guard let match, !isTaken(match.stringValue) else { return nil }
        return match
    }

    /// Keys by name; `nil` if several spell it.
    private static func table(_ keys: [WireKey]) -> [String: WireKey?] {
        var table: [String: WireKey?] = [:]
        table.reserveCapacity(keys.count)
        for key in keys {
            let name = name(key.stringValue)
            if table[name] != nil { table[name] = .some(nil) } else { table[name] = key }
        }
        return table
    }

    /// What all spellings of a name have in common: its letters and digits, in lower case.
    private static func name(_ key: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.utf8.count)
        for byte in key.utf8 where byte != UInt8(ascii: "_") {
            let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            bytes.append(isUpper ? byte | 0x20 : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Rails' nested attributes: `lines_attributes` in requests, `lines` in most answers.
package enum NestedAttributes {
    package static let suffix = "_attributes"

    /// The key as answers have it; `nil` for one of another kind.
    static func shortName(_ key: String) -> String? {
        key.hasSuffix(suffix) && key.count > suffix.count ? String(key.dropLast(suffix.count)) : nil
    }
}

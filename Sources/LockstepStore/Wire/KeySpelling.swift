/// Finds a key of a JSON object in another spelling: `body_text`, `bodyText` and `BodyText` are the same name.
///
/// A class, so that the table is created at most once for an object, and only if a key is missing in its exact
/// spelling.
final class KeySpelling {
    private var keysByName: [String: WireKey?]?

    /// The key with the same name as `key`, if there is exactly one. `isTaken` returns whether a key stands for another
    /// value.
    func alternative(to key: String, among keys: [WireKey], isTaken: (String) -> Bool) -> WireKey? {
        let table = keysByName ?? Self.table(keys)
        keysByName = table
        let match = table[Self.name(key)] ?? NestedAttributes.shortName(key).flatMap { table[Self.name($0)] } ?? nil
        guard let match, !isTaken(match.stringValue) else { return nil }
        return match
    }

    /// Keys by name; `nil` if several have the same.
    private static func table(_ keys: [WireKey]) -> [String: WireKey?] {
        var table: [String: WireKey?] = [:]
        table.reserveCapacity(keys.count)
        for key in keys {
            let name = name(key.stringValue)
            if table[name] != nil { table[name] = .some(nil) } else { table[name] = key }
        }
        return table
    }

    /// The normalized name: its letters and digits in lower case.
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

/// Rails' nested attributes: `lines_attributes` in requests, `lines` in most responses.
package enum NestedAttributes {
    package static let suffix = "_attributes"

    /// The key as in responses; `nil` for another kind of key.
    static func shortName(_ key: String) -> String? {
        key.hasSuffix(suffix) && key.count > suffix.count ? String(key.dropLast(suffix.count)) : nil
    }
}

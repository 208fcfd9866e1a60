/// The part of a key that is the same in each of its spellings (Rules.md, N1).
package enum KeyName {
    /// The normalized name: its letters and digits in lower case.
    package static func plain(_ key: String) -> String {
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

/// A generated schema: what a store is made for.
public protocol StoreSchema: Sendable {
    /// The schema's name.
    static var name: String { get }
    /// The version of the data model, 1 or more.
    static var version: Int { get }
    /// Every concrete entity.
    static var entities: [any Model.Type] { get }
    /// The SQL that makes the tables, in order.
    static var statements: [String] { get }
}

extension StoreSchema {
    /// Tells tables apart that have the same name and version: a hash of the statements that make them.
    public static var fingerprint: String {
        Fingerprint.text(of: [name, String(version)] + statements)
    }
}

/// Tells texts apart.
package enum Fingerprint {
    package static func text(of texts: [String]) -> String {
        // FNV-1a: two schemas of one name and version differ by an accident, not by an attack.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            hash = hash &* 0x0000_0100_0000_01b3
        }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

import LockstepJSON

/// Identifies a structure: two hashes, of what is stored and of what is sent. The order of members has no effect.
package struct StructureHash: Hashable, Sendable {
    /// Of the tables: columns, types, keys, limits, indexes, delete rules, and the names of members.
    package let store: String
    /// Of the JSON: keys, forms, paths, writes, the values of open enums, and who reads and writes what.
    package let wire: String

    package init(store: String, wire: String) {
        self.store = store
        self.wire = wire
    }

    package init(_ tree: SchemaTree) {
        store = Self.digits(HashedPart(isWire: false), of: tree)
        wire = Self.digits(HashedPart(isWire: true), of: tree)
    }

    package init(_ structure: SchemaStructure) { self.init(SchemaTree(structure)) }

    /// Reads ``text``.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ ContentHash(digits: Substring($0)) != nil }) else { return nil }
        store = String(parts[0])
        wire = String(parts[1])
    }

    /// Both hashes: `9c0f33d1a2b4e5f6-41d2c7790be3a615`.
    package var text: String { "\(store)-\(wire)" }

    private static func digits(_ part: HashedPart, of tree: SchemaTree) -> String {
        var writer = JSONWriter()
        // Names, texts and integers can all be written.
        try? tree.write(part, to: &writer)
        return ContentHash(writer.bytes).digits
    }
}

/// The part of a schema that one of the two hashes covers.
private struct HashedPart: TreePart {
    let isWire: Bool

    private static let wireKeys: Set<String> = [
        "remote", "version", "together", "scope", "read", "write", "key", "wire", "sent", "formerKeys", "readOnly",
    ]

    func hasProperty(_ key: String) -> Bool { Self.wireKeys.contains(key) == isWire }

    /// The cases of an open enum are sent, and those of a closed one are checked by the store.
    func hasProperty(_ key: String, of enumeration: JSONObject) -> Bool {
        key != "cases" || (enumeration["closed"] == nil) == isWire
    }
}

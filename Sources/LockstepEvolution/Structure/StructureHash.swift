import LockstepJSON

/// Identifies a structure: two hashes, of what is stored and of what is sent. The order of members has no effect.
package struct StructureHash: Hashable, Sendable {
    /// Of the tables: columns, types, keys, limits, indexes, delete rules, and the names of members.
    package let store: String
    /// Of the JSON: keys, forms, paths, writes, and the values of open enums.
    package let wire: String

    package init(store: String, wire: String) {
        self.store = store
        self.wire = wire
    }

    package init(_ tree: SchemaTree) {
        store = Self.digits(Self.part(tree, isWire: false))
        wire = Self.digits(Self.part(tree, isWire: true))
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

    private static let wireKeys: Set<String> = ["remote", "version", "key", "wire", "sent", "formerKeys", "readOnly"]

    private static func part(_ tree: SchemaTree, isWire: Bool) -> JSONValue {
        func ofPart(_ properties: [String: JSONValue]) -> [String: JSONValue] {
            properties.filter { wireKeys.contains($0.key) == isWire }
        }
        var part = tree
        for (name, enumeration) in tree.enumerations where (enumeration["closed"] == nil) != isWire {
            part.enumerations[name]?["cases"] = nil
        }
        part.entities = tree.entities.mapValues { entity in
            EntityTree(properties: ofPart(entity.properties), members: entity.members.mapValues(ofPart))
        }
        return part.json
    }

    private static func digits(_ json: JSONValue) -> String {
        var writer = JSONWriter()
        // Names, texts and integers can all be written.
        try? writer.write(json)
        return ContentHash(writer.bytes).digits
    }
}

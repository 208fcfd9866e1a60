import LockstepJSON

/// Writes trees without making a JSON value of them, which would be as large as the tree again.
extension SchemaTree {
    /// Writes ``json``, with the keys of objects sorted.
    ///
    /// - Parameter part: The part of entities, members and enums that is written.
    func write(_ part: some TreePart, to writer: inout JSONWriter) throws(JSONWritingError) {
        try writer.beginObject()
        writer.key("entities")
        try writer.beginObject()
        for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            try entity.write(part, to: &writer)
        }
        writer.endObject()
        writer.key("enums")
        try writer.beginObject()
        for (name, enumeration) in enumerations.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            try writer.write(enumeration) { part.hasProperty($0, of: enumeration) }
        }
        writer.endObject()
        writer.key("schema")
        writer.write(name)
        writer.endObject()
    }
}

/// Chooses what is written of a tree.
protocol TreePart {
    /// Whether it has this property of an entity or of a member.
    func hasProperty(_ key: String) -> Bool
    /// Whether it has this property of an enum.
    func hasProperty(_ key: String, of enumeration: JSONObject) -> Bool
}

extension EntityTree {
    func write(_ part: some TreePart, to writer: inout JSONWriter) throws(JSONWritingError) {
        let sorted = members.sorted { $0.key < $1.key }
        // In a part without destinations, a relationship is written like an attribute.
        let hasRelationships = part.hasProperty("to")
        let relationships = hasRelationships ? sorted.filter { $0.value.isRelationship } : []
        let attributes = hasRelationships ? sorted.filter { !$0.value.isRelationship } : sorted
        var keys = properties.keys.filter(part.hasProperty)
        if !attributes.isEmpty { keys.append("attributes") }
        if !relationships.isEmpty { keys.append("relationships") }
        try writer.beginObject()
        for key in keys.sorted() {
            writer.key(key)
            switch key {
            case "attributes": try Self.write(attributes, part: part, to: &writer)
            case "relationships": try Self.write(relationships, part: part, to: &writer)
            default: try writer.write(properties[key] ?? .null)
            }
        }
        writer.endObject()
    }

    private static func write(
        _ members: [(key: String, value: JSONObject)], part: some TreePart, to writer: inout JSONWriter
    ) throws(JSONWritingError) {
        try writer.beginObject()
        for (name, properties) in members {
            writer.key(name)
            try writer.write(properties, where: part.hasProperty)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes an object of the members whose keys are included, sorted.
    fileprivate mutating func write(
        _ members: JSONObject, where isIncluded: (String) -> Bool
    ) throws(JSONWritingError) {
        try beginObject()
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where isIncluded(key) {
            self.key(key)
            try write(value)
        }
        endObject()
    }
}

import LockstepJSON

/// The order of names in a structure's JSON.
///
/// It has no meaning for versions, whose members are compared by name. But tables have their columns, and bodies their
/// keys, in the order of the schema.
private struct StructureOrder {
    /// The index of each key among those of its object, by the keys that lead to it.
    private var positions: [[String]: Int] = [:]

    /// `entities`, an entity, `attributes`, an attribute.
    private static let depth = 4

    init(of text: String) throws(JSONSyntaxError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result<[[String]: Int], JSONSyntaxError> { () throws(JSONSyntaxError) in
                var scanner = JSONScanner(bytes)
                var order = self
                try order.readObject([], from: &scanner)
                return order.positions
            }
        }
        positions = try result.get()
    }

    private mutating func readObject(_ path: [String], from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        try scanner.open(UInt8(ascii: "{"))
        var count = 0
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: count == 0) {
            let member = path + [try scanner.key().string]
            positions[member] = count
            count += 1
            if member.count < Self.depth, scanner.peek() == UInt8(ascii: "{") {
                try readObject(member, from: &scanner)
            } else {
                try scanner.skipValue()
            }
        }
    }

    func sort<Member>(_ members: inout [Member], in path: [String], by name: (Member) -> String) {
        let sorted = members.map { (positions[path + [name($0)]] ?? 0, $0) }.sorted { $0.0 < $1.0 }
        members = sorted.map(\.1)
    }
}

extension SchemaStructure {
    /// Reads a structure's JSON, and keeps the order of its members.
    ///
    /// - Throws: `JSONSyntaxError` or `StructureError`.
    package init(json text: String) throws {
        try self.init(SchemaTree(json: JSONValue(parsing: text)))
        let order = try StructureOrder(of: text)
        order.sort(&entities, in: ["entities"], by: \.name)
        order.sort(&enumerations, in: ["enums"], by: \.name)
        for index in entities.indices {
            let path = ["entities", entities[index].name]
            order.sort(&entities[index].attributes, in: path + ["attributes"], by: \.name)
            order.sort(&entities[index].relationships, in: path + ["relationships"], by: \.name)
            order.sort(&entities[index].indexes, in: path + ["indexes"], by: \.name)
        }
        for index in enumerations.indices {
            order.sort(&enumerations[index].cases, in: ["enums", enumerations[index].name, "cases"], by: \.name)
        }
    }
}

extension SchemaStructure {
    /// The structure as JSON that keeps the order of its members, with one line for each entity and enum, so that
    /// differences can be read.
    package var json: String {
        let tree = SchemaTree(self)
        let entities = entities.map { entity in
            Self.line(
                entity.name, json: tree.entities[entity.name]?.json ?? .null,
                orders: [
                    "attributes": entity.attributes.map(\.name), "relationships": entity.relationships.map(\.name),
                    "indexes": entity.indexes.map(\.name),
                ])
        }
        let enumerations = enumerations.map { enumeration in
            Self.line(
                enumeration.name, json: .object(tree.enumerations[enumeration.name] ?? [:]),
                orders: ["cases": enumeration.cases.map(\.name)])
        }
        return """
            {"entities":{\(entities.joined(separator: ","))},
            "enums":{\(enumerations.joined(separator: ","))},
            "schema":\(JSONString.quoted(name))}
            """
    }

    /// - Parameter orders: The order of the members of some objects, by their keys. Other keys are sorted.
    private static func line(_ name: String, json: JSONValue, orders: [String: [String]]) -> String {
        var writer = JSONWriter()
        // Names, texts and integers can all be written.
        try? writer.write(json, orders: orders)
        return "\n\(JSONString.quoted(name)):\(String(decoding: writer.bytes, as: UTF8.self))"
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ json: JSONValue, orders: [String: [String]]) throws(JSONWritingError) {
        guard case .object(let members) = json else { return try write(json) }
        try write(members, inOrder: members.keys.sorted()) { writer, key, value throws(JSONWritingError) in
            guard case .object(let members) = value, let order = orders[key] else { return try writer.write(value) }
            try writer.write(members, inOrder: order) { writer, _, value throws(JSONWritingError) in
                try writer.write(value)
            }
        }
    }

    private mutating func write(
        _ members: JSONObject, inOrder keys: [String],
        value write: (inout JSONWriter, String, JSONValue) throws(JSONWritingError) -> Void
    ) throws(JSONWritingError) {
        try beginObject()
        for key in keys {
            self.key(key)
            try write(&self, key, members[key] ?? .null)
        }
        endObject()
    }
}

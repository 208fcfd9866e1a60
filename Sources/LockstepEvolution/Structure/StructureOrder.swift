import LockstepJSON

/// The order of names in a structure's JSON.
///
/// It has no meaning for versions, whose members are compared by name. But tables have their columns, and bodies their
/// keys, in the order of the schema.
struct StructureOrder {
    /// The keys of an object.
    private(set) var keys: [String] = []
    /// The orders of the objects among its members.
    private var objects: [String: StructureOrder] = [:]

    /// `entities`, an entity, `attributes`: their members are in order.
    private static let depth = 3

    private init() {}

    init(of text: String) throws(JSONSyntaxError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result<StructureOrder, JSONSyntaxError> { () throws(JSONSyntaxError) in
                var scanner = JSONScanner(bytes)
                var order = StructureOrder()
                try order.readObject(from: &scanner, depth: 0)
                return order
            }
        }
        self = try result.get()
    }

    private mutating func readObject(from scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        try scanner.open(UInt8(ascii: "{"))
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: keys.isEmpty) {
            let key = try scanner.key().string
            keys.append(key)
            if depth < Self.depth, scanner.peek() == UInt8(ascii: "{") {
                var object = StructureOrder()
                try object.readObject(from: &scanner, depth: depth + 1)
                objects[key] = object
            } else {
                try scanner.skipValue()
            }
        }
    }

    /// The order of a member that is an object; none if there is no such member.
    subscript(key: String) -> StructureOrder { objects[key] ?? StructureOrder() }
}

extension SchemaStructure {
    /// Reads a structure's JSON, and keeps the order of its members.
    ///
    /// - Throws: `JSONSyntaxError` or `StructureError`.
    package init(json text: String) throws {
        try self.init(SchemaTree(json: JSONValue(parsing: text)), order: StructureOrder(of: text))
    }
}

extension SchemaStructure {
    /// The structure as JSON that keeps the order of its members, with one line for each entity and enum, so that
    /// differences can be read.
    package var json: String { json(of: SchemaTree(self)) }

    /// The same, if the tree of the structure is known.
    package func json(of tree: SchemaTree) -> String {
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

import LockstepSchema

extension CoreDataMapSketch {
    /// The map as a file of Swift.
    ///
    /// - Parameters:
    ///   - schema: The name of the schema.
    ///   - source: The name of the model's file.
    func file(_ schema: String, from source: String) -> ImportedSchema.Companion {
        let name = UsableName.member(schema.prefix(1).lowercased() + schema.dropFirst(), types: [])
        let list = entities.map(Self.text).joined(separator: ",\n") + (entities.count == 1 ? "" : ",")
        return ImportedSchema.Companion(
            name: "\(schema)Rows.swift",
            text: """
                // Imported from \(Self.printable(source)): what the rows of its entities become.
                // If you change the schema before the rows are copied, change this, too.

                import LockstepCoreData

                extension CoreDataMap {
                    static let \(name) = CoreDataMap(entities: [
                \(list)
                    ])
                }

                """)
    }

    private static func text(_ entity: Entity) -> String {
        var arguments = [literal(entity.name)]
        if let parent = entity.parent { arguments.append("parent: \(literal(parent))") }
        if let target = entity.becomes { arguments.append("becomes: \(literal(target))") }
        if let key = entity.localID { arguments.append("localID: \(literal(key))") }
        var text = "        Entity(\n            \(arguments.joined(separator: ", "))"
        text += list("attributes", elements: entity.attributes.map(self.text))
        text += list("relationships", elements: entity.relationships.map(self.text))
        return text + ")"
    }

    private static func list(_ name: String, elements: [String]) -> String {
        if elements.isEmpty { return "" }
        let end = elements.count == 1 ? "" : ","
        let lines = elements.joined(separator: ",\n                ")
        return ",\n            \(name): [\n                \(lines)\(end)\n            ]"
    }

    private static func text(_ attribute: Attribute) -> String {
        var text = "Attribute(\(literal(attribute.name)), .\(attribute.type)"
        if attribute.isExternal { text += ", isExternal: true" }
        if attribute.becomes != attribute.name { text += ", becomes: \(literal(attribute.becomes))" }
        return text + ")"
    }

    private static func text(_ relationship: Relationship) -> String {
        let start = ".\(relationship.isToMany ? "toMany" : "toOne")("
        var arguments = "\(literal(relationship.name)), \(literal(relationship.destination))"
        if let inverse = relationship.inverse { arguments += ", inverse: \(literal(inverse))" }
        if relationship.isOrdered { arguments += ", isOrdered: true" }
        let isSame = relationship.becomes.values.allSatisfy { $0 == relationship.name }
        if isSame, relationship.becomes.count == 1 { return start + arguments + ")" }
        let pairs = relationship.becomes.sorted { $0.key < $1.key }.map { "\(literal($0)): \(literal($1))" }
        let becomes = "becomes: [\(pairs.isEmpty ? ":" : pairs.joined(separator: ", "))])"
        let line = "\(start)\(arguments), \(becomes)"
        if line.count + indentation <= lineLength { return line }
        let lines = pairs.map { "                        \($0),\n" }.joined()
        return """
            \(start)
                                \(arguments),
                                becomes: [
            \(lines)                    ])
            """
    }

    /// As code is usually formatted.
    private static let lineLength = 120
    private static let indentation = 17

    private static func literal(_ text: String) -> String { "\"\(printable(text))\"" }

    /// Names come from the model's file, and can be anything.
    private static func printable(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": String(scalar)
            default:
                scalar.properties.isAlphabetic
                    ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }.joined()
    }
}

import LockstepSchema

/// Writes what the parts of a Core Data model become in a schema, so that its rows can be copied.
struct CoreDataMapWriter {
    private let model: CoreDataModel
    private let names: CoreDataNames
    private let sketches: [String: EntitySketch]
    /// The type of the map, also where a type of the schema has its name.
    private let mapType: String

    /// - Parameter sketch: After its repair, which gives members other names and leaves some out.
    init(_ model: CoreDataModel, names: CoreDataNames, sketch: SchemaSketch) {
        (self.model, self.names) = (model, names)
        let isHidden = (sketch.entities.map(\.name) + sketch.enums.map(\.name)).contains("CoreDataMap")
        mapType = (isHidden ? "LockstepCoreData." : "") + "CoreDataMap"
        sketches = Dictionary(sketch.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The map as a file of Swift.
    ///
    /// - Parameters:
    ///   - schema: The name of the schema.
    ///   - source: The name of the model's file.
    func file(_ schema: String, from source: String) -> ImportedSchema.Companion {
        let name = UsableName.member(schema.prefix(1).lowercased() + schema.dropFirst(), types: [])
        let list = model.entities.map(text).joined(separator: ",\n") + (model.entities.count == 1 ? "" : ",")
        return ImportedSchema.Companion(
            name: "\(schema)Rows.swift",
            text: """
                // Imported from \(Self.printable(source)): what the rows of its entities become.
                // If you change the schema before the rows are copied, change this, too.

                import LockstepCoreData

                extension \(mapType) {
                    static let \(name) = \(mapType)(entities: [
                \(list)
                    ])
                }

                """)
    }

    private func text(_ entity: CoreDataEntity) -> String {
        let own = sketches[names.entity(entity)]
        var arguments = [Self.literal(entity.name)]
        if let parent = entity.parent { arguments.append("parent: \(Self.literal(parent.name))") }
        if !entity.isAbstract { arguments.append("becomes: \(Self.literal(names.entity(entity)))") }
        let identity = own?.identity.names ?? []
        if identity.count == 1, let key = own?.attributes.first(where: { $0.name == identity[0] }), key.source == nil {
            arguments.append("localID: \(Self.literal(key.name))")
        }
        var text = "        Entity(\n            \(arguments.joined(separator: ", "))"
        let attributes = sketches[names.base(entity)]?.attributes ?? []
        text += Self.list("attributes", elements: attributes.compactMap { Self.text($0, of: entity) })
        text += Self.list("relationships", elements: relationships(of: entity))
        return text + ")"
    }

    private static func list(_ name: String, elements: [String]) -> String {
        if elements.isEmpty { return "" }
        let end = elements.count == 1 ? "" : ","
        let lines = elements.joined(separator: ",\n                ")
        return ",\n            \(name): [\n                \(lines)\(end)\n            ]"
    }

    // MARK: Attributes

    private static func text(_ member: MemberSketch, of entity: CoreDataEntity) -> String? {
        guard let name = member.source, let attribute = entity.attributesByName[name],
            !attribute.isTransient, let type = type(attribute.type)
        else { return nil }
        var text = "\(literal(name)), .\(type)"
        if attribute.isExternal { text += ", isExternal: true" }
        if member.name != name { text += ", becomes: \(literal(member.name))" }
        if case .composite(_, let parts) = attribute.type, !parts.isEmpty {
            let list = parts.map { "Attribute(\(literal($0.name)), .\(word($0.type)))" }.joined(separator: ", ")
            text += ", parts: [\(list)]"
        }
        let isLong = "Attribute(\(text))".count + indentation > lineLength
        return "Attribute(\(isLong ? "\n                    " : "")\(text))"
    }

    /// The type as the map has it; `nil` for what no row has.
    private static func type(_ type: CoreDataType) -> String? {
        switch type {
        case .scalar(let scalar), .enumeration(_, let scalar): word(scalar)
        case .transformable, .enumerationList: "transformable"
        case .composite: "composite"
        case .derived, .undefined, .other: nil
        }
    }

    private static func word(_ scalar: CoreDataScalar) -> String { scalar.rawValue.lowercased().filter { $0 != " " } }

    // MARK: Relationships

    private func relationships(of entity: CoreDataEntity) -> [String] {
        var texts: [String] = []
        for relationship in entity.relationships {
            // Descendants whose members have other names have an entry of their own.
            if let usual = usualTargets(of: relationship, in: entity) {
                texts.append(Self.text(relationship, becomes: usual))
            }
        }
        var ancestor = entity.isAbstract ? nil : entity.parent
        while let current = ancestor {
            for relationship in current.relationships {
                let becomes = targets(of: relationship, in: entity)
                guard let usual = usualTargets(of: relationship, in: current), becomes != usual else { continue }
                texts.append(Self.text(relationship, becomes: becomes))
            }
            ancestor = current.parent
        }
        return texts
    }

    /// The names of a relationship in the schema, by their destinations in the schema.
    private func targets(of relationship: CoreDataRelationship, in owner: CoreDataEntity) -> [String: String] {
        let members = sketches[names.entity(owner)]?.relationships.filter { $0.source == relationship.name } ?? []
        return Dictionary(members.map { ($0.type.name, $0.name) }) { first, _ in first }
    }

    private func usualTargets(
        of relationship: CoreDataRelationship, in entity: CoreDataEntity
    ) -> [String: String]? {
        entity.concrete.lazy.map { targets(of: relationship, in: $0) }.first { !$0.isEmpty }
    }

    private static func text(_ relationship: CoreDataRelationship, becomes: [String: String]) -> String {
        let start = ".\(relationship.isToMany ? "toMany" : "toOne")("
        var arguments = "\(literal(relationship.name)), \(literal(relationship.destination))"
        if let inverse = relationship.inverse { arguments += ", inverse: \(literal(inverse))" }
        if relationship.isOrdered { arguments += ", isOrdered: true" }
        let isSame = becomes.values.allSatisfy { $0 == relationship.name }
        if isSame, becomes.count == 1 { return start + arguments + ")" }
        let pairs = becomes.sorted { $0.key < $1.key }.map { "\(literal($0)): \(literal($1))" }
        let list = "becomes: [\(pairs.isEmpty ? ":" : pairs.joined(separator: ", "))])"
        let line = "\(start)\(arguments), \(list)"
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

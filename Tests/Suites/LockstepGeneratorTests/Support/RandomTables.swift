@testable import LockstepEvolution
@testable import LockstepReview
import TestSupport

/// A schema made by chance, and changed by chance, with the names of what was renamed.
struct RandomTables {
    private struct Attribute {
        var name: String
        var type: String
        var isOptional = false
        var defaultValue: String?
        var isUnique = false
        var isIndexed = false
        /// The name before it was changed.
        var origin: String?
    }

    private struct Entity {
        var name: String
        var attributes: [Attribute]
        var origin: String?
    }

    /// A to-one of `from`, a to-many of `to`, or both; with `isMany`, many of both.
    private struct Link {
        var name: String
        var from: Int
        var to: Int
        var isMany = false
        var rule: String
        var origin: String?
    }

    private var random: SeededRandom
    private var entities: [Int: Entity] = [:]
    private var links: [Link] = []
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for _ in 0..<Int.random(in: 1...3, using: &random) { addEntity() }
        for _ in 0..<Int.random(in: 0...3, using: &random) { addLink() }
        entities = entities.mapValues { entity in
            var entity = entity
            entity.origin = entity.name
            for index in entity.attributes.indices { entity.attributes[index].origin = entity.attributes[index].name }
            return entity
        }
        for index in links.indices { links[index].origin = links[index].name }
    }

    private mutating func newName(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    private static let values: [(type: String, defaultValue: String)] = [
        ("string", "\"it's\""), ("bool", "true"), ("int16", "7"), ("int32", "7"), ("int", "7"), ("float", "0.5"),
        ("double", "2.5"), ("decimal", "1.25"), ("date", "now"), ("uuid", "new"), ("url", "\"https://a.example\""),
        ("data", "\"aGVsbG8=\""), ("json", "{ a: 1 }"), ("[string]", "[a]"), ("Mood", "glad"), ("Rank", "low"),
        ("Kind", "b"),
    ]

    private mutating func newAttribute() -> Attribute {
        let value = random.element(of: Self.values)
        var attribute = Attribute(name: newName("value"), type: value.type)
        attribute.isOptional = random.isOne(in: 2)
        if random.isOne(in: 2) { attribute.defaultValue = value.defaultValue }
        attribute.isIndexed = random.isOne(in: 4) && value.type != "json" && !value.type.hasPrefix("[")
        attribute.isUnique = random.isOne(in: 6) && ["string", "int", "uuid"].contains(value.type)
        if attribute.isUnique { attribute.defaultValue = nil }
        return attribute
    }

    private mutating func addEntity() {
        var attributes = [Attribute(name: "id", type: random.element(of: ["int32", "int", "uuid", "string"]))]
        for _ in 0..<Int.random(in: 0...4, using: &random) { attributes.append(newAttribute()) }
        count += 1
        entities[count] = Entity(name: newName("Thing"), attributes: attributes)
    }

    private mutating func addLink() {
        let indices = entities.keys.sorted()
        guard !indices.isEmpty else { return }
        links.append(
            Link(
                name: newName("link"), from: random.element(of: indices), to: random.element(of: indices),
                isMany: random.isOne(in: 3), rule: random.element(of: ["cascade", "nullify", "deny"])))
    }

    // MARK: Changes

    mutating func change() {
        let indices = entities.keys.sorted()
        switch Int.random(in: 0..<12, using: &random) {
        case 0: addEntity()
        case 1 where indices.count > 1:
            let index = random.element(of: indices)
            entities[index] = nil
            links.removeAll { $0.from == index || $0.to == index }
        case 2:
            let name = newName("Item")
            let index = random.element(of: indices)
            entities[index]?.name = name
        case 3: addLink()
        case 4 where !links.isEmpty: links.remove(at: Int.random(in: links.indices, using: &random))
        case 5 where !links.isEmpty:
            let rule = random.element(of: ["cascade", "nullify", "deny"])
            links[Int.random(in: links.indices, using: &random)].rule = rule
        case 6 where !links.isEmpty:
            let name = newName("tie")
            links[Int.random(in: links.indices, using: &random)].name = name
        default: changeMember(of: random.element(of: indices))
        }
    }

    private mutating func changeMember(of entity: Int) {
        var attributes = entities[entity]?.attributes ?? []
        let index = Int.random(in: attributes.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            var added = newAttribute()
            // Existing rows would all have the same value.
            added.isUnique = false
            attributes.append(added)
        case 1 where index > 0: attributes.remove(at: index)
        case 2: attributes[index].name = newName("name")
        case 3 where index > 0 && !attributes[index].isUnique:
            let value = random.element(of: Self.values)
            attributes[index].type = value.type
            attributes[index].defaultValue = random.isOne(in: 2) ? value.defaultValue : nil
            attributes[index].isIndexed = false
        case 4 where index > 0 && !attributes[index].isUnique: attributes[index].isOptional.toggle()
        case 5: attributes[index].isUnique = index > 0 && !attributes[index].isUnique && canBeUnique(attributes[index])
        default: attributes[index].isIndexed = index > 0 && !["json", "[string]"].contains(attributes[index].type)
        }
        entities[entity]?.attributes = attributes
    }

    /// Only values that differed from the beginning differ now.
    private func canBeUnique(_ attribute: Attribute) -> Bool {
        attribute.origin != nil && attribute.defaultValue == nil && attribute.type == "uuid" && !attribute.isOptional
            && attribute.isIndexed
    }

    // MARK: Results

    /// What was renamed, by the former paths.
    var renames: [MemberPath: String] {
        var renames: [MemberPath: String] = [:]
        for entity in entities.values {
            guard let former = entity.origin else { continue }
            if former != entity.name { renames[MemberPath(former)] = entity.name }
            for attribute in entity.attributes {
                if let old = attribute.origin, old != attribute.name {
                    renames[MemberPath(former, member: old)] = attribute.name
                }
            }
        }
        for link in links {
            guard let old = link.origin, old != link.name else { continue }
            if let from = entities[link.from]?.origin { renames[MemberPath(from, member: old)] = link.name }
            if let to = entities[link.to]?.origin { renames[MemberPath(to, member: old + "Back")] = link.name + "Back" }
        }
        return renames
    }

    /// The enums and entities of a schema file.
    var text: String {
        var lines = [
            "enums:", "  Mood: [sad, glad]", "  Rank: { type: int, cases: { low: 0, high: 1 } }",
            "  Kind: { closed: true, cases: [a, b] }", "entities:",
        ]
        for (index, entity) in entities.sorted(by: { $0.key < $1.key }) {
            lines += ["  \(entity.name):", "    identity: \(entity.attributes[0].name)", "    attributes:"]
            lines += entity.attributes.map { "      " + Self.line($0) }
            let members = links.flatMap { link in ends(of: link, at: index) }
            if !members.isEmpty { lines += ["    relationships:"] + members.map { "      " + $0 } }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ attribute: Attribute) -> String {
        var parts = ["type: \"\(attribute.type)\(attribute.isOptional ? "?" : "")\""]
        if let value = attribute.defaultValue { parts.append("default: \(value)") }
        if attribute.isUnique { parts.append("unique: true") }
        if attribute.isIndexed { parts.append("indexed: true") }
        return "\(attribute.name): { \(parts.joined(separator: ", ")) }"
    }

    private func ends(of link: Link, at index: Int) -> [String] {
        guard let from = entities[link.from]?.name, let to = entities[link.to]?.name else { return [] }
        var ends: [String] = []
        if link.from == index {
            let destination = link.isMany ? "[\(to)]" : "\(to)?"
            ends.append(
                "\(link.name): { to: \(link.isMany ? destination : "\"\(destination)\""), inverse: \(link.name)Back }")
        }
        if link.to == index {
            ends.append("\(link.name)Back: { to: [\(from)], inverse: \(link.name), onDelete: \(link.rule) }")
        }
        return ends
    }
}

/// Rows with values by chance, for tables of PostgreSQL.
struct RandomRows {
    var random: SeededRandom
    private var count: Int64

    init(seed: UInt64, from count: Int64) {
        random = SeededRandom(seed: seed)
        self.count = count
    }

    /// Statements that add rows to every entity's table, in one transaction: a row may refer to a later one.
    mutating func statements(for structure: SchemaStructure) -> String {
        let lookup = SchemaLookup(structure)
        var statements = "BEGIN;\n"
        for entity in structure.entities {
            let columns = lookup.columns(of: entity)
            for _ in 0..<3 {
                count += 1
                let values = columns.map { column -> String in
                    if case .attribute = column.content, !(column.isOptional && random.isOne(in: 3)) {
                        return value(of: column.type)
                    }
                    return "NULL"
                }
                let names = columns.map { PostgreSQLText.name($0.name) }.joined(separator: ", ")
                let table = PostgreSQLText.name(entity.table)
                statements += "INSERT INTO \(table) (\(names)) VALUES (\(values.joined(separator: ", ")));\n"
            }
        }
        return statements + "COMMIT;\n"
    }

    private func value(of type: ValueType) -> String {
        switch type {
        case .list: "'[\"a\"]'"
        case .attachment: "''"
        case .enumeration("Rank"): "0"
        case .enumeration("Kind"): "'a'"
        case .enumeration: "'sad'"
        case .scalar(let scalar):
            switch scalar {
            case .string, .url: "'text \(count)'"
            case .bool: "TRUE"
            case .int16, .int32, .int, .int64: "\(count)"
            case .float, .double, .decimal: "\(count).5"
            case .date: "'2024-05-01 12:00:00Z'"
            case .day: "'2026-11-27'"
            case .uuid: "'00000000-0000-0000-0000-\(String(1_000_000_000_000 + count).dropFirst())'"
            case .data: "'\\x00ff'"
            case .json: "'{\"a\": \(count)}'"
            }
        }
    }
}

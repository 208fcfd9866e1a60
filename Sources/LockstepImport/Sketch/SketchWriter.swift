import Foundation
import LockstepJSON
import LockstepSchema

/// Writes a sketch as YAML, and knows what is where.
struct SketchWriter {
    private let sketch: SchemaSketch
    private(set) var text = ""
    /// The part of the schema in each line.
    private var locations: [SketchLocation?] = []

    init(_ sketch: SchemaSketch) {
        self.sketch = sketch
        write()
    }

    /// Returns the part of the schema in a line, from 1; `nil` for a line that belongs to the whole schema.
    func location(line: Int) -> SketchLocation? { locations.indices.contains(line - 1) ? locations[line - 1] : nil }

    /// The option of a member at a column, from 1; `nil` if its name or its type is there.
    func option(line: Int, column: Int) -> String? {
        let member: MemberSketch
        var written = ""
        switch location(line: line) {
        case .attribute(let entity, let index):
            member = sketch.entities[entity].attributes[index]
            Self.begin(member, typeKey: "type", in: &written)
        case .relationship(let entity, let index):
            member = sketch.entities[entity].relationships[index]
            Self.begin(member, typeKey: "to", in: &written)
        default: return nil
        }
        for option in member.options {
            written += Self.separator
            let start = written.unicodeScalars.count
            Self.write(option, in: &written)
            if (start..<written.unicodeScalars.count).contains(column - 1) { return option.key }
        }
        return nil
    }

    private mutating func write() {
        write(sketch.comments)
        append("lockstep: 1", at: nil)
        append("schema: \(sketch.name)", at: nil)
        if let version = sketch.version, version > 1 { append("version: \(version)", at: nil) }
        if !sketch.wire.isEmpty { append("wire: \(YAMLText.flow(.object(sketch.wire)))", at: nil) }
        if sketch.hasColumnsAsWritten { append("columns: asWritten", at: nil) }
        if !sketch.enums.isEmpty { append("enums:", at: nil) }
        for (index, enumeration) in sketch.enums.enumerated() { write(enumeration, at: index) }
        append("entities:", at: nil)
        for (index, entity) in sketch.entities.enumerated() { write(entity, at: index) }
        write(sketch.lastComments)
    }

    private mutating func write(_ comments: [String]) {
        for comment in comments { append(comment.isEmpty ? "#" : "# \(comment.visible)", at: nil) }
    }

    private mutating func append(_ line: String, at location: SketchLocation?) {
        text += line
        endLine(location)
    }

    private mutating func endLine(_ location: SketchLocation?) {
        text += "\n"
        locations.append(location)
    }

    private mutating func write(_ enumeration: EnumSketch, at index: Int) {
        let (isInteger, isClosed) = (enumeration.isInteger, enumeration.isClosed)
        let areNames = enumeration.cases.allSatisfy { $0.value == .string($0.name) }
        let cases = enumeration.cases.map { item in
            areNames ? YAMLText.scalar(item.name) : "\(YAMLText.scalar(item.name)): \(Self.value(item.value))"
        }.joined(separator: ", ")
        let list = areNames ? "[\(cases)]" : "{ \(cases) }"
        guard isInteger || isClosed || enumeration.doc != nil else {
            return append("  \(enumeration.name): \(list)", at: .enumeration(index))
        }
        var line = "  \(enumeration.name): { "
        if isInteger { line += "type: int, " }
        if isClosed { line += "closed: true, " }
        if let doc = enumeration.doc { line += "doc: \(YAMLText.scalar(doc)), " }
        append(line + "cases: \(list) }", at: .enumeration(index))
    }

    private mutating func write(_ entity: EntitySketch, at index: Int) {
        append("  \(entity.name):", at: .entity(index))
        if entity.isAbstract { append("    abstract: true", at: .entity(index)) }
        if let base = entity.extends { append("    extends: \(base)", at: .entity(index)) }
        switch entity.identity.count {
        case 0: break
        case 1: append("    identity: \(entity.identity[0])", at: .identity(index))
        default: append("    identity: [\(entity.identity.joined(separator: ", "))]", at: .identity(index))
        }
        for option in entity.options {
            append("    \(option.key): \(Self.value(option.value))", at: .option(index, option.key))
        }
        write(entity.attributes, as: "attributes", typeKey: "type") { .attribute(index, $0) }
        write(entity.relationships, as: "relationships", typeKey: "to") { .relationship(index, $0) }
        if !entity.indexes.isEmpty {
            append("    indexes:", at: nil)
            for (number, other) in entity.indexes.enumerated() {
                let members = "[\(other.members.joined(separator: ", "))]"
                append(
                    "      - " + (other.isUnique ? "{ on: \(members), unique: true }" : members),
                    at: .index(index, number))
            }
        }
        if entity.attributes.isEmpty, entity.relationships.isEmpty, entity.extends == nil {
            append("    attributes: {}", at: .entity(index))
        }
    }

    private mutating func write(
        _ members: [MemberSketch], as section: String, typeKey: String, location: (Int) -> SketchLocation
    ) {
        if members.isEmpty { return }
        append("    \(section):", at: nil)
        for (index, member) in members.enumerated() {
            Self.begin(member, typeKey: typeKey, in: &text)
            for option in member.options {
                text += Self.separator
                Self.write(option, in: &text)
            }
            if !member.options.isEmpty { text += " }" }
            if let comment = member.comment { text += "  # \(comment)" }
            endLine(location(index))
        }
    }

    private static let separator = ", "

    /// Writes a member up to its options.
    private static func begin(_ member: MemberSketch, typeKey: String, in text: inout String) {
        text += "      "
        text += member.name
        text += ": "
        if !member.options.isEmpty {
            text += "{ "
            text += typeKey
            text += ": "
        }
        text += type(member.type)
    }

    private static func write(_ option: (key: String, value: JSONValue), in text: inout String) {
        text += option.key
        text += ": "
        text += value(option.value)
    }

    /// A history has fractions in quotes, and a schema has not.
    private static func value(_ value: JSONValue) -> String {
        switch value {
        case .double(let number): number.description
        case .decimal(let number): number.description
        default: YAMLText.flow(value)
        }
    }

    /// YAML requires quotes around an optional list.
    private static func type(_ text: String) -> String { text.hasSuffix("]?") ? "\"\(text)\"" : text }
}

/// A part of a sketch, by its indices.
enum SketchLocation: Hashable {
    case enumeration(Int)
    case entity(Int)
    /// An option of an entity, by its key.
    case option(Int, String)
    case identity(Int)
    case attribute(Int, Int)
    case relationship(Int, Int)
    case index(Int, Int)
}

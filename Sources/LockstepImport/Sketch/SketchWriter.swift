import Foundation
import LockstepJSON
import LockstepSchema

/// Writes a sketch as YAML, and knows what is where.
struct SketchWriter {
    private var lines: [String] = []
    /// By the number of the line, from 1.
    private var places: [Int: SketchPlace] = [:]
    /// Where each option of a member is in its line, in columns from 1.
    private var options: [Int: [(key: String, columns: Range<Int>)]] = [:]

    init(_ sketch: SchemaSketch) { write(sketch) }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// What is in a line; `nil` for what belongs to the whole schema.
    func place(line: Int) -> SketchPlace? { places[line] }

    /// The option of a member at a column; `nil` if its name or its type is there.
    func option(line: Int, column: Int) -> String? {
        options[line]?.first { $0.columns.contains(column) }?.key
    }

    private mutating func write(_ sketch: SchemaSketch) {
        lines += sketch.comments.map { $0.isEmpty ? "#" : "# \($0)" }
        lines += ["lockstep: 1", "schema: \(sketch.name)"]
        if let version = sketch.version, version > 1 { lines.append("version: \(version)") }
        if !sketch.wire.isEmpty { lines.append("wire: \(YAMLText.flow(.object(sketch.wire)))") }
        if sketch.hasColumnsAsWritten { lines.append("columns: asWritten") }
        if !sketch.enums.isEmpty { lines.append("enums:") }
        for (index, enumeration) in sketch.enums.enumerated() { write(enumeration, index) }
        lines.append("entities:")
        for (index, entity) in sketch.entities.enumerated() { write(entity, index) }
    }

    private mutating func append(_ line: String, _ place: SketchPlace) {
        lines.append(line)
        places[lines.count] = place
    }

    private mutating func write(_ enumeration: EnumSketch, _ index: Int) {
        let (isInteger, isClosed) = (enumeration.isInteger, enumeration.isClosed)
        let areNames = enumeration.cases.allSatisfy { $0.value == .string($0.name) }
        let cases = enumeration.cases.map { item in
            areNames ? YAMLText.scalar(item.name) : "\(YAMLText.scalar(item.name)): \(Self.value(item.value))"
        }.joined(separator: ", ")
        let list = areNames ? "[\(cases)]" : "{ \(cases) }"
        guard isInteger || isClosed || enumeration.doc != nil else {
            return append("  \(enumeration.name): \(list)", .enumeration(index))
        }
        var line = "  \(enumeration.name): { "
        if isInteger { line += "type: int, " }
        if isClosed { line += "closed: true, " }
        if let doc = enumeration.doc { line += "doc: \(YAMLText.scalar(doc)), " }
        append(line + "cases: \(list) }", .enumeration(index))
    }

    private mutating func write(_ entity: EntitySketch, _ index: Int) {
        append("  \(entity.name):", .entity(index))
        if entity.isAbstract { append("    abstract: true", .entity(index)) }
        if let base = entity.extends { append("    extends: \(base)", .entity(index)) }
        switch entity.identity.count {
        case 0: break
        case 1: append("    identity: \(entity.identity[0])", .identity(index))
        default: append("    identity: [\(entity.identity.joined(separator: ", "))]", .identity(index))
        }
        for option in entity.options {
            append("    \(option.key): \(Self.value(option.value))", .option(index, option.key))
        }
        write(entity.attributes, as: "attributes", "type") { .attribute(index, $0) }
        write(entity.relationships, as: "relationships", "to") { .relationship(index, $0) }
        if !entity.indexes.isEmpty {
            lines.append("    indexes:")
            for (number, other) in entity.indexes.enumerated() {
                let members = "[\(other.members.joined(separator: ", "))]"
                append(
                    "      - " + (other.isUnique ? "{ on: \(members), unique: true }" : members), .index(index, number))
            }
        }
        if entity.attributes.isEmpty, entity.relationships.isEmpty, entity.extends == nil {
            append("    attributes: {}", .entity(index))
        }
    }

    private mutating func write(
        _ members: [MemberSketch], as section: String, _ typeKey: String, _ place: (Int) -> SketchPlace
    ) {
        if members.isEmpty { return }
        lines.append("    \(section):")
        for (index, member) in members.enumerated() {
            let comment = member.comment.map { "  # \($0)" } ?? ""
            var line = "      \(member.name): "
            guard !member.options.isEmpty else {
                append(line + Self.type(member.type) + comment, place(index))
                continue
            }
            line += "{ \(typeKey): \(Self.type(member.type))"
            var columns: [(key: String, columns: Range<Int>)] = []
            for option in member.options {
                line += ", "
                let start = line.unicodeScalars.count + 1
                line += "\(option.key): \(Self.value(option.value))"
                columns.append((option.key, start..<line.unicodeScalars.count + 1))
            }
            append(line + " }" + comment, place(index))
            options[lines.count] = columns
        }
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
enum SketchPlace: Hashable {
    case enumeration(Int)
    case entity(Int)
    /// An option of an entity, by its key.
    case option(Int, String)
    case identity(Int)
    case attribute(Int, Int)
    case relationship(Int, Int)
    case index(Int, Int)
}

import LockstepJSON
import LockstepSchema

/// Writes a sketch as YAML.
struct SketchWriter {
    private var lines: [String] = []

    static func text(_ sketch: SchemaSketch) -> String {
        var writer = SketchWriter()
        writer.write(sketch)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ sketch: SchemaSketch) {
        lines += sketch.comments.map { $0.isEmpty ? "#" : "# \($0)" }
        lines += ["lockstep: 1", "schema: \(sketch.name)"]
        if let version = sketch.version, version > 1 { lines.append("version: \(version)") }
        if !sketch.wire.isEmpty { lines.append("wire: \(YAMLText.flow(.object(sketch.wire)))") }
        lines.append("entities:")
        for entity in sketch.entities { write(entity) }
    }

    private mutating func write(_ entity: EntitySketch) {
        lines += entity.comments.map { "  # \($0)" }
        lines.append("  \(entity.name):")
        if let doc = entity.doc { lines.append("    doc: \(YAMLText.flow(.string(doc)))") }
        if entity.isAbstract { lines.append("    abstract: true") }
        if let base = entity.extends { lines.append("    extends: \(base)") }
        switch entity.identity.count {
        case 0: break
        case 1: lines.append("    identity: \(entity.identity[0])")
        default: lines.append("    identity: [\(entity.identity.joined(separator: ", "))]")
        }
        write(entity.attributes, as: "attributes", "type")
        write(entity.relationships, as: "relationships", "to")
        if !entity.indexes.isEmpty {
            lines.append("    indexes:")
            for index in entity.indexes {
                let members = "[\(index.members.joined(separator: ", "))]"
                lines.append("      - " + (index.isUnique ? "{ on: \(members), unique: true }" : members))
            }
        }
        if let remote = entity.remote { lines.append("    remote: \(YAMLText.flow(remote))") }
        if entity.attributes.isEmpty, entity.relationships.isEmpty, entity.extends == nil, entity.doc == nil {
            lines.append("    attributes: {}")
        }
    }

    private mutating func write(_ members: [MemberSketch], as section: String, _ typeKey: String) {
        if members.isEmpty { return }
        lines.append("    \(section):")
        for member in members {
            let type = Self.type(member.type)
            let options = member.options.map { "\($0.key): \(Self.value($0.value))" }
            let value = options.isEmpty ? type : "{ \(typeKey): \(type), \(options.joined(separator: ", ")) }"
            lines.append(
                "      \(member.name): \(value)" + (member.comment.map { "  # \($0)" } ?? ""))
        }
    }

    /// A history has fractions in quotes, and a schema has not.
    private static func value(_ value: JSONValue) -> String {
        if case .double(let number) = value { number.description } else { YAMLText.flow(value) }
    }

    /// YAML requires quotes around an optional list.
    private static func type(_ text: String) -> String { text.hasSuffix("]?") ? "\"\(text)\"" : text }
}

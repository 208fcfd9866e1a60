import LockstepJSON
import LockstepSchema

/// A sketch as YAML: a line for each part, and its options in braces.
struct SketchText {
    private(set) var text = ""
    private let sketch: SchemaSketch
    private let tree: SketchTree

    /// - Parameter report: What the comments say.
    init(_ sketch: SchemaSketch, tree: SketchTree, report: ImportReport, source: String) {
        (self.sketch, self.tree) = (sketch, tree)
        let comments = report.comments
        write(comments: ["Imported from \(source)."] + comments.first)
        for entry in tree.root.entries {
            switch entry.key.text {
            case "enums": write(entry, indentation: "") { $0.write($1, indentation: "  ") }
            case "entities": write(entry, indentation: "") { $0.write(entity: $1) }
            default: write(entry, indentation: "")
            }
        }
        write(comments: comments.last)
    }

    private mutating func write(comments: [String]) {
        for comment in comments { text += comment.isEmpty ? "#\n" : "# \(comment.visible)\n" }
    }

    private mutating func write(entity: Node.Entry) {
        write(entity, indentation: "  ") { writer, entry in
            switch (entry.key.text, entry.value.content) {
            case ("attributes", .mapping(let members)) where !members.isEmpty,
                ("relationships", .mapping(let members)) where !members.isEmpty:
                writer.write(entry, indentation: "    ") { $0.write($1, indentation: "      ") }
            case ("indexes", .sequence(let indexes)):
                writer.text += "    indexes:\n"
                for index in indexes { writer.text += "      - \(YAMLText.flow(index))\n" }
            default: writer.write(entry, indentation: "    ")
            }
        }
    }

    /// Writes an entry with a line for each in it.
    private mutating func write(
        _ entry: Node.Entry, indentation: String, each: (inout Self, Node.Entry) -> Void
    ) {
        text += "\(indentation)\(YAMLText.flow(entry.key)):\n"
        for inner in entry.value.entries { each(&self, inner) }
    }

    /// Writes an entry as a line.
    private mutating func write(_ entry: Node.Entry, indentation: String) {
        text += indentation
        YAMLText.write(entry, to: &text)
        if let comment = comment(at: entry.key.range.start.line) { text += "  # \(comment)" }
        text += "\n"
    }

    private func comment(at line: Int) -> String? {
        switch tree.part(line: line) {
        case .attribute(let entity, let index, _): sketch.entities[entity].attributes[index].comment
        case .relationship(let entity, let index, _): sketch.entities[entity].relationships[index].comment
        default: nil
        }
    }
}

extension Node {
    fileprivate var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    fileprivate var text: String? { if case .scalar(let text, _) = content { text } else { nil } }
}

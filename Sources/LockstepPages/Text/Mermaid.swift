extension Diagram {
    /// The diagram as Mermaid's `erDiagram` (https://mermaid.js.org/syntax/entityRelationshipDiagram.html).
    package var mermaid: String {
        let lines = ["erDiagram"] + boxes.flatMap(Mermaid.lines) + links.map(Mermaid.line)
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The parts of an `erDiagram`. Names of entities are quoted, because Mermaid has its own keywords, such as `one`.
private enum Mermaid {
    static func lines(of box: DiagramBox) -> [String] {
        let alias = box.note.map { "[\"\(box.entity) (\($0))\"]" } ?? ""
        let name = "    \"\(box.entity)\"\(alias)"
        guard !box.rows.isEmpty else { return [name] }
        return [name + " {"] + box.rows.map { "        " + line(of: $0) } + ["    }"]
    }

    private static func line(of row: DiagramBox.Row) -> String {
        var words = [type(row.type), word(row.name)]
        if !row.keys.isEmpty { words.append(row.keys.map(\.rawValue).joined(separator: ", ")) }
        let notes = (row.isOptional ? ["optional"] : []) + (row.isTransient ? ["not stored"] : [])
        if !notes.isEmpty { words.append("\"\(notes.joined(separator: ", "))\"") }
        return words.joined(separator: " ")
    }

    /// A type must begin with a letter, so a list is written as in other languages.
    private static func type(_ text: String) -> String {
        guard text.hasPrefix("[") else { return word(text) }
        return word(String(text.dropFirst().dropLast())) + "[]"
    }

    /// The names of keys are reserved, in upper and lower case.
    private static func word(_ name: String) -> String {
        DiagramBox.Key(rawValue: name.uppercased()) == nil ? name : "_" + name
    }

    static func line(of link: DiagramLink) -> String {
        let line = left(link.parent.count) + "--" + right(link.child.count)
        let label = link.labels.joined(separator: " / ")
        return "    \"\(link.parent.entity)\" \(line) \"\(link.child.entity)\" : \"\(label)\""
    }

    private static func left(_ count: DiagramLink.Count) -> String {
        switch count {
        case .one: "||"
        case .zeroOrOne: "|o"
        case .zeroOrMore: "}o"
        }
    }

    private static func right(_ count: DiagramLink.Count) -> String {
        switch count {
        case .one: "||"
        case .zeroOrOne: "o|"
        case .zeroOrMore: "o{"
        }
    }
}

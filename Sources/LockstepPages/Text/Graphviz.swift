import LockstepHTML

extension Diagram {
    /// The diagram in Graphviz's language (https://graphviz.org/doc/info/lang.html), for `dot`.
    package var graphviz: String {
        let opening = """
            digraph \(Graphviz.quoted(name)) {
                rankdir=LR
                node [shape=plain, fontname="Helvetica", fontsize=11]
                edge [dir=both, fontname="Helvetica", fontsize=9]

            """
        let lines = boxes.map(Graphviz.node) + links.map(Graphviz.edge)
        return opening + lines.joined(separator: "\n") + "\n}\n"
    }
}

/// The statements of a graph. Labels of nodes are like HTML (https://graphviz.org/doc/info/shapes.html#html).
private enum Graphviz {
    static func node(of box: DiagramBox) -> String {
        let border: HTML = box.isLocal ? " style=\"dashed\"" : ""
        let note: HTML = box.note.map { " <i>\($0)</i>" } ?? ""
        let rows = box.rows.map(row)
        let label: HTML = """
            <table border="1" cellborder="0" cellspacing="0" cellpadding="3"\(border)>
                    <tr><td colspan="3" bgcolor="#e8eefb"><b>\(box.entity)</b>\(note)</td></tr>
            \(rows)    </table>
            """
        return "    \(quoted(box.entity)) [label=<\(label.text)>]"
    }

    private static func row(_ row: DiagramBox.Row) -> HTML {
        let keys = row.keys.map(\.rawValue).joined(separator: " ")
        let name: HTML = row.isTransient ? "<i>\(row.name)</i>" : "\(row.name)"
        let type = row.type + (row.isOptional ? "?" : "")
        return """
                    <tr><td align="left">\(keys)</td><td align="left">\(name)</td><td align="left">\(type)</td></tr>

            """
    }

    static func edge(of link: DiagramLink) -> String {
        let attributes = [
            "label=" + quoted(link.labels.joined(separator: "\n")),
            "arrowtail=" + arrow(link.parent.count),
            "arrowhead=" + arrow(link.child.count),
        ]
        let list = attributes.joined(separator: ", ")
        return "    \(quoted(link.parent.entity)) -> \(quoted(link.child.entity)) [\(list)]"
    }

    /// The arrow shapes, from the box outwards.
    private static func arrow(_ count: DiagramLink.Count) -> String {
        switch count {
        case .one: "teetee"
        case .zeroOrOne: "teeodot"
        case .zeroOrMore: "crowodot"
        }
    }

    static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}

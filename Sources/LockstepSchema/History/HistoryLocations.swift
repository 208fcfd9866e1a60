/// Finds the nodes of a history file that a path of an error leads to.
struct HistoryLocations {
    private let root: Node

    init(_ root: Node) { self.root = root }

    /// The location of the last part of a path that can be found.
    func range(of path: [String]) -> TextRange {
        var node = root
        // The version that the rest of the path is in: names without one are those of the first.
        var version = elements(of: root.member("versions")).first
        var found = false
        for (index, part) in path.enumerated() {
            if let next = step(part, in: node) {
                node = next
                found = true
            } else if let next = change(part, in: version) ?? version.flatMap({ entity(part, in: $0) }) {
                node = next
                found = true
            }
            if part.hasPrefix("version ") || path.first == "versions" && index == 1 { version = node }
        }
        return found ? node.start : root.start
    }

    private func step(_ part: String, in node: Node) -> Node? {
        if let next = node.member(part) { return next }
        let elements = elements(of: node)
        if let number = Int(part), elements.indices.contains(number - 1) { return elements[number - 1] }
        if part.hasPrefix("version ") {
            let versions = self.elements(of: root.member("versions"))
            return versions.first { $0.member("version")?.text == String(part.dropFirst(8)) }
        }
        if part.hasPrefix("change "), let number = Int(part.dropFirst(7)) {
            let changes = self.elements(of: node.member("changes"))
            return changes.indices.contains(number - 1) ? changes[number - 1] : nil
        }
        for section in ["attributes", "relationships"] {
            if let member = node.member(section)?.member(part) { return member }
        }
        return nil
    }

    /// The change of a version that names this.
    private func change(_ name: String, in version: Node?) -> Node? {
        for change in elements(of: version?.member("changes")) {
            for key in ["add", "remove", "rename", "change"] {
                if let node = change.member(key), node.text == name { return node }
            }
        }
        return nil
    }

    private func entity(_ name: String, in version: Node) -> Node? {
        version.member("entities")?.member(name) ?? version.member("enums")?.member(name)
    }

    private func elements(of node: Node?) -> [Node] {
        if case .sequence(let elements)? = node?.content { elements } else { [] }
    }
}

extension Node {
    /// The whole of a scalar; the beginning of a list or mapping.
    fileprivate var start: TextRange {
        if case .scalar = content { return range }
        return TextRange(start: range.start, end: range.start)
    }
}

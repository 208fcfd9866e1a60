import LockstepJSON

extension SchemaHistory {
    /// The history as its file contains it: one line for each member and each part of a change.
    package var yaml: String {
        var text = HistoryText()
        text.write(self)
        return text.lines.joined(separator: "\n") + "\n"
    }
}

/// Writes the layout of a history file. Innermost mappings are in one line, the others have a line for each key.
private struct HistoryText {
    private(set) var lines: [String] = []

    mutating func write(_ history: SchemaHistory) {
        lines.append("# The versions of \(history.schema.visible). `lockstep migrate` writes this file; commit it.")
        lines.append("# A released version never changes.")
        guard case .object(let members) = history.json, case .array(let versions)? = members["versions"] else { return }
        for key in ["history", "schema"] { writeLine(key, value: members[key], indentation: 0) }
        writeLine(
            "head", value: members["head"], indentation: 0,
            comment: "changes with every version, so that parallel branches conflict")
        lines.append("versions:")
        for version in versions {
            guard case .object(let members) = version else { continue }
            writeElement(2) { $0.write(version: members) }
        }
    }

    // MARK: Versions and changes

    private mutating func write(version: JSONObject) {
        for key in ["version", "name", "is", "released"] { writeLine(key, value: version[key], indentation: 4) }
        if version["enums"] != .object([:]) {
            writeBlock("enums", value: version["enums"], indentation: 4) { $0.writeLine($1, value: $2, indentation: 6) }
        }
        writeBlock("entities", value: version["entities"], indentation: 4) {
            $0.writeEntity($1, value: $2, indentation: 6)
        }
        guard case .array(let changes)? = version["changes"] else { return }
        lines.append("    changes:")
        for change in changes {
            guard case .object(let members) = change else { continue }
            writeElement(6) { $0.write(change: members) }
        }
    }

    private mutating func write(change: JSONObject) {
        let keys = ["add", "remove", "rename", "change", "as", "was", "from", "to"]
        for key in keys {
            let isEntity = change[key].map(isEntity) ?? false
            if isEntity {
                writeEntity(key, value: change[key], indentation: 8)
            } else {
                writeLine(key, value: change[key], indentation: 8)
            }
        }
        for (key, value) in change.sortedMembers where !keys.contains(key) {
            writeLine(key, value: value, indentation: 8)
        }
    }

    private func isEntity(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        return members["attributes"] != nil || members["relationships"] != nil
    }

    /// Writes an element of a list, whose first line begins with a dash.
    private mutating func writeElement(_ indentation: Int, write: (inout HistoryText) -> Void) {
        let first = lines.count
        write(&self)
        guard lines.indices.contains(first) else { return }
        let dash = String(repeating: " ", count: indentation) + "- "
        lines[first] = dash + lines[first].dropFirst(dash.count)
    }

    // MARK: Entities

    private mutating func writeEntity(_ name: String, value: JSONValue?, indentation: Int) {
        guard case .object(let members)? = value, !members.isEmpty else {
            return writeLine(name, value: value, indentation: indentation)
        }
        lines.append(spaces(indentation) + YAMLText.scalar(name) + ":")
        let sections = ["attributes", "relationships"]
        let order = ["table", "identity", "version", "together", "scope", "read", "write", "remote", "indexes"]
        let others = members.keys.filter { !order.contains($0) && !sections.contains($0) }.sorted()
        for key in order + others { writeLine(key, value: members[key], indentation: indentation + 2) }
        for key in sections {
            writeBlock(key, value: members[key], indentation: indentation + 2) {
                $0.writeLine($1, value: $2, indentation: indentation + 4)
            }
        }
    }

    private mutating func writeBlock(
        _ key: String, value: JSONValue?, indentation: Int, write: (inout HistoryText, String, JSONValue) -> Void
    ) {
        guard case .object(let members)? = value else { return }
        guard !members.isEmpty else { return writeLine(key, value: value, indentation: indentation) }
        lines.append(spaces(indentation) + key + ":")
        for (name, value) in members.sortedMembers { write(&self, name, value) }
    }

    // MARK: Lines

    private mutating func writeLine(_ key: String, value: JSONValue?, indentation: Int, comment: String? = nil) {
        guard let value else { return }
        let line = spaces(indentation) + YAMLText.scalar(key) + ": " + YAMLText.flow(value)
        lines.append(line + (comment.map { "  # " + $0 } ?? ""))
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

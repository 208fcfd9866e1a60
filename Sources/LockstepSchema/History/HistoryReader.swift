import LockstepJSON

/// Reads a history file, and verifies each version.
///
/// - Returns: `nil` with a diagnostic if there is something wrong.
package func readHistory(_ source: SchemaSource, diagnostics: inout [Diagnostic]) -> SchemaHistory? {
    if let marker = conflictMarker(in: source) {
        diagnostics.append(.historyHasConflict(at: marker).located(in: source.path))
        return nil
    }
    var findings: [Diagnostic] = []
    let root = parseYAML(source, diagnostics: &findings)
    diagnostics += findings
    guard let root, findings.isEmpty else { return nil }
    if let (number, range, first) = repeatedVersion(in: root) {
        diagnostics.append(.repeatedVersion(number, at: range, first: first).located(in: source.path))
        return nil
    }
    do throws(StructureError) {
        let history = try SchemaHistory(json: try JSONValue(root))
        _ = try SchemaStructure(try history.verified())
        try history.checkNames()
        return history
    } catch {
        let range = HistoryLocations(root).range(of: error.path)
        let finding: Diagnostic =
            error.path == ["head"] ? .headDiffers(error, at: range) : .historyEdited(error, at: range)
        diagnostics.append(finding.located(in: source.path))
        return nil
    }
}

/// The first line that Git left in a file with conflicts.
private func conflictMarker(in source: SchemaSource) -> TextRange? {
    let lines = TextLines(source.bytes)
    for number in 1...max(1, lines.count) {
        let line = lines.line(number)
        guard line.hasPrefix("<<<<<<<") || line.hasPrefix(">>>>>>>") || line == "=======" else { continue }
        return TextRange(
            start: SourcePosition(line: number, column: 1),
            end: SourcePosition(line: number, column: line.unicodeScalars.count + 1))
    }
    return nil
}

private func repeatedVersion(in root: Node) -> (String, TextRange, first: TextRange)? {
    guard case .sequence(let versions)? = root.member("versions")?.content else { return nil }
    var ranges: [String: TextRange] = [:]
    for version in versions {
        guard let number = version.member("version"), let text = number.text else { continue }
        if let first = ranges.updateValue(number.range, forKey: text) { return (text, number.range, first) }
    }
    return nil
}

extension Node {
    /// The value of a key of a mapping.
    func member(_ key: String) -> Node? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key.text == key }?.value
    }
}

extension JSONValue {
    /// Plain scalars are `null`, bools, integers, or texts; all others are texts.
    fileprivate init(_ node: Node) throws(StructureError) {
        switch node.content {
        case .scalar(let text, isPlain: false): self = .string(text)
        case .scalar(let text, isPlain: true):
            switch PlainScalar(text) {
            case .null: self = .null
            case .bool(let flag): self = .bool(flag)
            case .integer(let number): self = .integer(number)
            case .text: self = .string(text)
            }
        case .sequence(let nodes):
            var elements: [JSONValue] = []
            for node in nodes { elements.append(try JSONValue(node)) }
            self = .array(elements)
        case .mapping(let entries):
            var members: JSONObject = [:]
            for entry in entries {
                guard let key = entry.key.text else { throw StructureError([], reason: "a key is not a text") }
                members[key] = try JSONValue(entry.value)
            }
            self = .object(members)
        }
    }
}

extension GrammarReading {
    /// Reads a mapping of names to values. Values that cannot be read are left out; `read` has then reported them.
    mutating func readMap<Value>(
        _ node: Node, under key: KeyDescription, read: (Located<String>, Node, inout GrammarReading) -> Value?
    ) -> [Value]? {
        guard case .mapping(let entries) = node.content else { return fail(.wrongKind(node, under: key)) }
        var values: [Value] = []
        values.reserveCapacity(entries.count)
        for entry in entries {
            guard let name = entry.key.text else {
                fail(.keyIsNotText(at: entry.key.range))
                continue
            }
            if let value = read(Located(name, range: entry.key.range), entry.value, &self) { values.append(value) }
        }
        return values
    }
}

extension Node {
    var isScalar: Bool {
        if case .scalar = content { true } else { false }
    }
}

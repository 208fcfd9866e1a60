extension Node {
    /// The text of a scalar.
    var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// `<<`, unquoted: the key with which a mapping includes the entries of others.
    var isMergeKey: Bool {
        if case .scalar("<<", isPlain: true) = content { true } else { false }
    }
}

extension Node {
    /// Keeps the first entry of each key in its mappings and reports the others.
    mutating func removeRepeatedKeys(_ diagnostics: inout [Diagnostic]) {
        guard hasRepeatedKeys, case .mapping(var entries) = content else { return }
        entries.removeRepeatedKeys(&diagnostics)
        for index in entries.indices { entries[index].value.removeRepeatedKeys(&diagnostics) }
        content = .mapping(entries)
    }

    private var hasRepeatedKeys: Bool {
        guard case .mapping(let entries) = content else { return false }
        return entries.hasRepeatedKeys || entries.contains { $0.value.hasRepeatedKeys }
    }
}

extension [Node.Entry] {
    /// For up to this number of keys, comparing each with each is faster than hashing them.
    private static var hashedKeyCount: Int { 8 }

    /// Keeps the first entry of each key and reports the others.
    mutating func removeRepeatedKeys(_ diagnostics: inout [Diagnostic]) {
        guard hasRepeatedKeys else { return }
        var first: [String: TextRange] = [:]
        self = filter { entry in
            guard let text = entry.key.text else { return true }
            guard let firstRange = first[text] else {
                first[text] = entry.key.range
                return true
            }
            diagnostics.append(.duplicateKey(text, at: entry.key.range, first: firstRange))
            return false
        }
    }

    fileprivate var hasRepeatedKeys: Bool {
        if count > Self.hashedKeyCount {
            var seen = Set<String>(minimumCapacity: count)
            return contains { entry in entry.key.text.map { !seen.insert($0).inserted } ?? false }
        }
        for (index, entry) in enumerated() {
            guard case .scalar(let text, _) = entry.key.content else { continue }
            for other in self[..<index] {
                if case .scalar(text, _) = other.key.content { return true }
            }
        }
        return false
    }

    /// Replaces `<<` by the entries of its mappings. Own keys take precedence over merged ones, and earlier mappings of
    /// a list over later ones. `false` if there was something other than a mapping, which is reported and left out.
    mutating func mergeInherited(_ diagnostics: inout [Diagnostic]) -> Bool {
        guard let mergeIndex = firstIndex(where: \.key.isMergeKey) else { return true }
        let findingCount = diagnostics.count
        let merged = Self.mappings(under: self[mergeIndex].value, diagnostics: &diagnostics)
        var seen = Set(compactMap(\.key.text))
        var inherited: [Node.Entry] = []
        for entry in merged.joined() {
            if let text = entry.key.text, !seen.insert(text).inserted { continue }
            inherited.append(entry)
        }
        replaceSubrange(mergeIndex...mergeIndex, with: inherited)
        return diagnostics.count == findingCount
    }

    /// The mapping, or the mappings of the list, of a `<<`.
    private static func mappings(under value: Node, diagnostics: inout [Diagnostic]) -> [[Node.Entry]] {
        switch value.content {
        case .mapping(let entries):
            return [entries]
        case .sequence(let elements):
            return elements.flatMap { element -> [[Node.Entry]] in
                if case .mapping(let entries) = element.content { return [entries] }
                diagnostics.append(.badMerge(at: element.range))
                return []
            }
        case .scalar:
            diagnostics.append(.badMerge(at: value.range))
            return []
        }
    }
}

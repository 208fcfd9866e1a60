/// The values of one mapping, by the keys of its section.
struct Fields {
    private let section: GrammarSection
    private var entries: [Node.Entry]

    /// Reports keys that the section does not have, and required keys that are absent.
    ///
    /// An unknown key that is clearly a misspelling is read as the intended key, so that one mistake is reported once.
    /// - Parameter owner: The name of what the mapping describes, where a missing key is reported.
    init(
        _ entries: [Node.Entry], of section: GrammarSection, owner: Located<String>, _ reading: inout GrammarReading
    ) {
        self.section = section
        self.entries = entries
        for index in entries.indices {
            if let name = entries[index].key.text {
                if !section.has(name) { correct(at: index, name: name, of: owner.value, &reading) }
            } else {
                reading.report(.keyIsNotText(at: entries[index].key.range))
            }
        }
        for key in section.requiredKeys where node(key.name) == nil {
            let finding = Diagnostic.missingKey(key, of: section, at: owner.range)
            if key.isStructural { reading.fail(finding) } else { reading.report(finding) }
        }
    }

    private mutating func correct(at index: Int, name: String, of owner: String, _ reading: inout GrammarReading) {
        let range = entries[index].key.range
        if let unsupported = section.unsupportedKey(name) {
            let remedy = unsupported.remedy(for: owner, entries)
            return reading.report(.unknownKey(name, at: range, in: section, remedy: remedy))
        }
        let meant = section.key(meantBy: name)
        reading.report(.unknownKey(name, at: range, in: section, meant: meant))
        if let meant, node(meant.name) == nil {
            entries[index].key.content = .scalar(meant.name, isPlain: true)
        }
    }

    /// The value of `key`, of any kind.
    func node(_ key: String) -> Node? {
        for entry in entries {
            if case .scalar(key, _) = entry.key.content { return entry.value }
        }
        return nil
    }

    /// The value of `key`; `nil` if it is absent, or cannot be read, which is then reported.
    func read<Value>(_ key: GrammarKey<Value>, _ reading: inout GrammarReading) -> Value? {
        assert(section.has(key.description.name), "'\(key.description.name)' is no key of \(section.name)")
        guard let node = node(key.description.name) else { return nil }
        if key.description.isStructural { return key.kind.read(node, key.description, &reading) }
        return reading.readingWithoutLoss { key.kind.read(node, key.description, &$0) }
    }

    /// The value of `key` with its location.
    func locate<Value>(_ key: GrammarKey<Value>, _ reading: inout GrammarReading) -> Located<Value>? {
        guard let value = read(key, &reading), let node = node(key.description.name) else { return nil }
        return Located(value, node.range)
    }
}

/// The values of one mapping, by the keys of its section.
struct Fields {
    private let section: GrammarSection
    private var entries: [Node.Entry]
    /// The key of each entry; `nil` for one that the section does not have.
    private var keys: [KeyDescription?]

    /// Reports keys that the section does not have, and required keys that are absent.
    ///
    /// An unknown key that is clearly a misspelling is read as the intended key, so that one mistake is reported once.
    /// - Parameter owner: The name of what the mapping describes, where a missing key is reported.
    init(_ entries: [Node.Entry], of section: GrammarSection, owner: Located<String>, reading: inout GrammarReading) {
        self.section = section
        self.entries = entries
        keys = entries.map { $0.key.text.flatMap(section.key(named:)) }
        for index in keys.indices where keys[index] == nil {
            if let name = entries[index].key.text {
                correct(at: index, name: name, of: owner.value, into: &reading)
            } else {
                reading.report(.keyIsNotText(at: entries[index].key.range))
            }
        }
        for key in section.requiredKeys where node(key) == nil {
            let finding = Diagnostic.missingKey(key, of: section, at: owner.range)
            if key.isStructural { reading.fail(finding) } else { reading.report(finding) }
        }
    }

    private mutating func correct(at index: Int, name: String, of owner: String, into reading: inout GrammarReading) {
        let range = entries[index].key.range
        if let unsupported = section.unsupportedKey(name) {
            let remedy = unsupported.remedy(for: owner, entries: entries)
            return reading.report(.unknownKey(name, at: range, in: section, remedy: remedy))
        }
        let meant = section.key(meantBy: name)
        reading.report(.unknownKey(name, at: range, in: section, meant: meant))
        if let meant, node(meant) == nil {
            keys[index] = meant
            entries[index].key.content = .scalar(meant.name, isPlain: true)
        }
    }

    /// The value of `key`, of any kind.
    func node<Value>(_ key: GrammarKey<Value>) -> Node? { node(key.description) }

    private func node(_ key: KeyDescription) -> Node? {
        for index in keys.indices where keys[index] === key { return entries[index].value }
        return nil
    }

    /// The value of `key`; `nil` if it is absent, or cannot be read, which is then reported.
    func read<Value>(_ key: GrammarKey<Value>, into reading: inout GrammarReading) -> Value? {
        locate(key, into: &reading)?.value
    }

    /// The value of `key` with its location.
    func locate<Value>(_ key: GrammarKey<Value>, into reading: inout GrammarReading) -> Located<Value>? {
        let description = key.description
        assert(section.has(description), "'\(description.name)' is no key of \(section.name)")
        guard let node = node(description) else { return nil }
        let value =
            description.isStructural
            ? key.kind.read(node, description, &reading)
            : reading.readingWithoutLoss { key.kind.read(node, description, &$0) }
        return value.map { Located($0, range: node.range) }
    }
}

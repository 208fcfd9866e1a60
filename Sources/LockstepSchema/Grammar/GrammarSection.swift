/// A kind of mapping in the language and the keys it may have.
final class GrammarSection: Sendable {
    /// The name in the JSON Schema: `attribute`.
    let name: String
    /// Its name in messages: "an attribute".
    let noun: String
    /// The heading in the reference: "Attributes".
    let title: String
    let documentation: String
    let shortForms: [ShortForm]
    let keys: [KeyDescription]
    /// The details that the keys do not show by themselves, in Markdown for the reference.
    let details: String
    /// An example in YAML, as the reference shows it.
    let example: String

    private let unsupportedKeys: [UnsupportedKey]
    let requiredKeys: [KeyDescription]
    private let keysByName: [String: KeyDescription]

    /// A way to write the most common cases without a mapping of keys.
    struct ShortForm: Sendable {
        var shape: ValueShape
        /// An example in YAML: `name: string?`.
        var example: String
        var documentation: String

        init(_ shape: ValueShape, example: String, documentation: String) {
            self.shape = shape
            self.example = example
            self.documentation = documentation
        }
    }

    init(
        _ name: String, noun: String, title: String, documentation: String, shortForms: [ShortForm] = [],
        keys: [KeyDescription], unsupportedKeys: [UnsupportedKey] = [], details: String = "", example: String
    ) {
        self.name = name
        self.noun = noun
        self.title = title
        self.documentation = documentation
        self.shortForms = shortForms
        self.keys = keys
        self.unsupportedKeys = unsupportedKeys
        self.details = details
        self.example = example
        requiredKeys = keys.filter(\.isRequired)
        keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
    }

    func has(_ key: KeyDescription) -> Bool { keysByName[key.name] === key }

    /// The key with this name; `nil` if there is none.
    func key(named name: String) -> KeyDescription? { keysByName[name] }

    /// The key of another language that `name` is, unless it is a synonym of one of this section.
    func unsupportedKey(_ name: String) -> UnsupportedKey? {
        if keys.contains(where: { $0.synonyms.contains(name) }) { return nil }
        return unsupportedKeys.first { $0.matches(name) }
    }

    /// The key that is most likely intended by an unknown one.
    func key(meantBy name: String) -> KeyDescription? {
        if let other = keys.first(where: { $0.synonyms.contains(name) }) { return other }
        let near = nearest(to: name, among: keys.flatMap { [$0.name] + $0.synonyms })
        return keys.first { $0.name == near || near.map($0.synonyms.contains) == true }
    }
}

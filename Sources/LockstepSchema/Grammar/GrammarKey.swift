/// One key of the language: its name, its value, and its documentation.
struct GrammarKey<Value: Sendable>: Sendable {
    let description: KeyDescription
    let kind: ValueParser<Value>

    /// - Parameters:
    ///   - isStructural: Whether other parts of the schema refer to the value of this key, so that resolving them
    ///     without it would only report resulting problems. By default, this applies to required keys.
    ///   - fallback: What applies if the key is absent, in a few words of Markdown.
    ///   - synonyms: Other names that people may use out of habit.
    ///   - example: A line of YAML with the key.
    init(
        _ name: String, kind: ValueParser<Value>, isRequired: Bool = false, isStructural: Bool? = nil,
        fallback: String = "", synonyms: [String] = [], documentation: String, example: String
    ) {
        self.kind = kind
        description = KeyDescription(
            name: name, shape: kind.shape, isRequired: isRequired, isStructural: isStructural ?? isRequired,
            fallback: fallback, synonyms: synonyms, documentation: documentation, example: example)
    }
}

/// A key without the type of its value.
final class KeyDescription: Sendable {
    let name: String
    let shape: ValueShape
    let isRequired: Bool
    let isStructural: Bool
    let fallback: String
    let synonyms: [String]
    let documentation: String
    let example: String

    init(
        name: String, shape: ValueShape, isRequired: Bool, isStructural: Bool, fallback: String, synonyms: [String],
        documentation: String, example: String
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.isStructural = isStructural
        self.fallback = fallback
        self.synonyms = synonyms
        self.documentation = documentation
        self.example = example
    }
}

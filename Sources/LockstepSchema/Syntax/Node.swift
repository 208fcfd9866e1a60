/// A YAML value with the place it was read from. Aliases are expanded and `<<` merges carried out; a plain scalar stays
/// text until the grammar asks for a type, so `NO` is never `false`.
struct Node: Sendable {
    enum Content: Sendable {
        /// `isPlain` tells `7` from `"7"` and `null` from `"null"`.
        case scalar(String, isPlain: Bool)
        case sequence([Node])
        case mapping([Entry])
    }

    /// One key of a mapping and its value.
    struct Entry: Sendable {
        var key: Node
        var value: Node
    }

    var content: Content
    var range: SourceRange
}

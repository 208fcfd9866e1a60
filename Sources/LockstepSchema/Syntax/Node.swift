/// A YAML value with its location. Aliases are expanded and `<<` merges are applied. A plain scalar stays text until
/// the grammar requires a type, so `NO` is never `false`.
package struct Node: Sendable {
    package enum Content: Sendable {
        /// `isPlain` distinguishes `7` from `"7"` and `null` from `"null"`.
        case scalar(String, isPlain: Bool)
        case sequence([Node])
        case mapping([Entry])
    }

    /// One key of a mapping and its value.
    package struct Entry: Sendable {
        package var key: Node
        package var value: Node

        package init(key: Node, value: Node) { (self.key, self.value) = (key, value) }
    }

    package var content: Content
    package var range: TextRange

    package init(content: Content, range: TextRange) { (self.content, self.range) = (content, range) }
}

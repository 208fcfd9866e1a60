/// Limits of a schema file. Each is far above any schema written by hand, and low enough that a malicious file is
/// rejected at once.
enum SyntaxLimits {
    /// The language nests to a depth of 8. Reading recurses, and this many frames fit into the smallest stack of a
    /// thread.
    static let depth = 64
    /// Nodes that aliases stand for, all together: ten lines of aliases of aliases are able to stand for thousands of
    /// millions.
    static let aliasedNodeCount = 1_000_000
    /// Unknown aliases that get a suggestion, and anchors among which it is looked for: a file of nothing but anchors
    /// and aliases would otherwise take the time of their product.
    static let suggestionCount = 100
}

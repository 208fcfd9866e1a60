/// How much a schema file may ask of us. Each limit is far above any schema made by hand, and low enough that a file
/// made to harm is refused in a moment.
enum SyntaxLimits {
    /// A schema of 1,000 entities has about 1 MB; sixteen times that is read in a second and a few hundred MB of
    /// memory.
    static let byteCount = 16 * 1024 * 1024
    /// The language nests to a depth of 8. Reading recurses, and this many frames fit into the smallest stack of a
    /// thread.
    static let depth = 64
    /// Nodes that aliases stand for, all together: ten lines of aliases of aliases are able to stand for thousands of
    /// millions.
    static let aliasedNodeCount = 1_000_000
    /// Unknown aliases that get a suggestion, and anchors among which it is looked for: a file of nothing but anchors and
    /// aliases would otherwise take the time of their product.
    static let suggestionCount = 100
}

/// Limits of a schema file. Each is far above any schema written by hand, and low enough that a malicious file is
/// rejected at once.
enum SyntaxLimits {
    /// The language is nested to a depth of 8. Reading is recursive, and this number of frames fits into the smallest
    /// stack of a thread.
    static let depth = 64
    /// The number of nodes that all aliases together may stand for: ten lines of aliases of aliases can stand for
    /// thousands of millions.
    static let aliasedNodeCount = 1_000_000
    /// The number of unknown aliases that get a suggestion, and of anchors that are considered for it: the time for a
    /// file that contains only anchors and aliases would otherwise be quadratic.
    static let suggestionCount = 100
}

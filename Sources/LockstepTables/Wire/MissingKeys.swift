/// The meaning of a key that a record lacks (Rules.md, M1).
public enum MissingKeys: Sendable, Hashable {
    /// The value is kept.
    case keep
    /// The value is empty: null, or no members. For servers that never store `null`, `{}` or `[]`.
    case empty
}

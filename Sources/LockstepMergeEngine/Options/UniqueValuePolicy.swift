/// Decides what happens if a record that was created locally has a unique value, and the server has another record with
/// it: two devices have created the tag `vegan` (Rules.md, C5).
///
/// It is used for records that the server has never confirmed. A confirmed record keeps its value, and the server's
/// record is skipped and reported.
///
/// ```swift
/// let policies = ConflictPolicies(.localChangesWin, uniqueValues: .adopt)
///     .using(.rename(suffix: " (2)"), for: Tag.self)
/// ```
public struct UniqueValuePolicy: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case adopt
        case rename(@Sendable (String) -> String)
        case report
    }

    /// They are the same record: the local one gets the server's identity, and everything that refers to it is updated.
    ///
    /// The record exists on the server then, so it is not created there. Other differences are decided by the
    /// ``ConflictPolicy``.
    public static let adopt = UniqueValuePolicy(kind: .adopt)

    /// The server's record is skipped and reported.
    public static let report = UniqueValuePolicy(kind: .report)

    /// They are different records: the one that was created locally gets another value.
    ///
    /// If that value exists as well, the function is called again with it, at most a hundred times. Only texts can be
    /// renamed.
    ///
    /// - Parameter rename: Returns the new value for the previous one. It runs inside the merge's transaction and must
    ///   not use the store.
    public static func rename(_ rename: @escaping @Sendable (_ value: String) -> String) -> UniqueValuePolicy {
        UniqueValuePolicy(kind: .rename(rename))
    }

    /// They are different records: a suffix is appended to the value of the local one, as often as necessary.
    public static func rename(suffix: String) -> UniqueValuePolicy { .rename { $0 + suffix } }
}

/// What happens where a record that was made here has a value that is there once, and the server has another record
/// with it: two devices have made the tag `vegan` (Rules.md, C5).
///
/// It is for records that the server has never confirmed. One that it has confirmed keeps its value, and the server's
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

    /// They are one record: the one that was made here takes the server's identity, and what points at it follows.
    ///
    /// The server has it then, so that it is no longer to be made there; in what else the two differ the
    /// ``ConflictPolicy`` decides.
    public static let adopt = UniqueValuePolicy(kind: .adopt)

    /// The server's record is skipped and reported.
    public static let report = UniqueValuePolicy(kind: .report)

    /// They are two records: the one that was made here gets another value.
    ///
    /// Where that is taken too, the function is called again, with what it gave: at most a hundred times. Only texts
    /// can be renamed.
    ///
    /// - Parameter rename: Gives the new value for the old one. It runs inside of the merge's transaction and must not
    ///   use the store.
    public static func rename(_ rename: @escaping @Sendable (_ value: String) -> String) -> UniqueValuePolicy {
        UniqueValuePolicy(kind: .rename(rename))
    }

    /// They are two records: the value of the one that was made here gets a suffix, as often as it needs one.
    public static func rename(suffix: String) -> UniqueValuePolicy { .rename { $0 + suffix } }
}

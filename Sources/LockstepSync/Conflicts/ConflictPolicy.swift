import LockstepStore

/// Who counts where a value was changed here and on the server (rules C1 to C3).
///
/// A conflict is one of values: what only one side has changed since they last agreed is no conflict, and counts (rule
/// C2).
public struct ConflictPolicy: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case serverWins
        case localChangesWin
        case newestWins(attribute: String)
        case custom(entity: String, resolve: any ConflictFunction)
    }

    /// The server's value counts, and what was edited here is gone.
    public static let serverWins = ConflictPolicy(kind: .serverWins)

    /// What was edited here and not yet pushed stays, and goes out.
    public static let localChangesWin = ConflictPolicy(kind: .localChangesWin)

    /// The side counts whose record has the later value of this attribute; the server's where they are equal.
    ///
    /// - Parameter attribute: A date or a number, by its name in the schema: `updatedAt`.
    public static func newestWins(by attribute: String) -> ConflictPolicy {
        ConflictPolicy(kind: .newestWins(attribute: attribute))
    }
}

/// Decides a conflict of an entity's records, seen as rows of its table.
package protocol ConflictFunction: Sendable {}

public import LockstepStore

/// Who counts where a value was changed here and on the server (Rules.md, C1 to C3).
///
/// A conflict is one of values: what only one side has changed since they last agreed is no conflict, and counts
/// (Rules.md, C2).
///
/// ```swift
/// var options = MergeOptions()
/// options.conflicts = .newestWins(by: "updatedAt")
/// ```
public struct ConflictPolicy: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case serverWins
        case localChangesWin
        case newestWins(attribute: String)
        case custom(any ConflictFunction)
    }

    /// The server's value counts, and what was edited here is gone.
    ///
    /// A record that was edited here and deleted on the server is deleted.
    public static let serverWins = ConflictPolicy(kind: .serverWins)

    /// What was edited here and not yet pushed stays, and goes out.
    ///
    /// A record that was edited here and deleted on the server is made there again.
    public static let localChangesWin = ConflictPolicy(kind: .localChangesWin)

    /// The side counts whose record has the later value of this attribute; the server's where they are equal.
    ///
    /// A record that was edited here and deleted on the server is made there again: what is deleted has no date.
    ///
    /// - Parameter attribute: A date or a number, by its name in the schema: `updatedAt`. A merge whose entity has no
    ///   such attribute throws a `MergeError`.
    public static func newestWins(by attribute: String) -> ConflictPolicy {
        ConflictPolicy(kind: .newestWins(attribute: attribute))
    }

    /// A function decides, given the record before the first unpushed edit, as it is here, and as it is on the server.
    ///
    /// It is called where a value was changed on both sides, and where a record that was edited here is gone on the
    /// server. It runs inside of the merge's transaction and must not use the store.
    ///
    /// ```swift
    /// let policy = ConflictPolicy.custom(Entry.self) { base, local, remote in
    ///     guard var merged = remote else { return local }   // gone there: keep it
    ///     merged.bodyText = [remote?.bodyText, local.bodyText].compactMap(\.self).joined(separator: "\n")
    ///     return merged
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model whose records it decides about. The policy is for no other.
    ///   - resolve: Returns the record that counts, or `nil` where it is to be deleted. `base` is `nil` for a record
    ///     that was made here, `remote` for one that is gone on the server. Attributes and foreign keys count of what
    ///     is returned; lists and embedded records are merged by themselves, and are shown as they are here. What it
    ///     throws ends the merge, as a `MergeError` with the code `hook`.
    public static func custom<Object: Model>(
        _ type: Object.Type,
        _ resolve:
            @escaping @Sendable (
                _ base: Object.Representation?, _ local: Object.Representation, _ remote: Object.Representation?
            ) throws -> Object.Representation?
    ) -> ConflictPolicy {
        ConflictPolicy(kind: .custom(TypedConflictFunction<Object>(resolve: resolve)))
    }
}

extension ConflictPolicy: CustomStringConvertible {
    /// The name of the policy: `newestWins(by: updatedAt)`.
    public var description: String {
        switch kind {
        case .serverWins: "serverWins"
        case .localChangesWin: "localChangesWin"
        case .newestWins(let attribute): "newestWins(by: \(attribute))"
        case .custom(let function): "custom(\(function.entity))"
        }
    }
}

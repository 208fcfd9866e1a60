public import LockstepStore

/// Decides which side is used if a value was changed both locally and on the server (Rules.md, C1 to C3).
///
/// A conflict is about single values: a value that only one side has changed since they last agreed is not a conflict,
/// and is used (Rules.md, C2).
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

    /// The server's value is used, and local edits are lost.
    ///
    /// A record that was edited locally and deleted on the server is deleted.
    public static let serverWins = ConflictPolicy(kind: .serverWins)

    /// Local edits that are not pushed yet are kept, and sent.
    ///
    /// A record that was edited locally and deleted on the server is created there again.
    public static let localChangesWin = ConflictPolicy(kind: .localChangesWin)

    /// The side whose record has the later value of this attribute is used, or the server's if they are equal.
    ///
    /// A record that was edited locally and deleted on the server is created there again, since a deleted record has no
    /// date.
    ///
    /// - Parameter attribute: A date or a number, by its name in the schema: `updatedAt`. A merge into an entity
    ///   without this attribute throws a `MergeError`.
    public static func newestWins(by attribute: String) -> ConflictPolicy {
        ConflictPolicy(kind: .newestWins(attribute: attribute))
    }

    /// A function decides. It gets the record before the first local edit that is not pushed, the local one, and the
    /// server's.
    ///
    /// It is called if a value was changed on both sides, and if a record that was edited locally was deleted on the
    /// server. It runs inside the merge's transaction and must not use the store.
    ///
    /// ```swift
    /// let policy = ConflictPolicy.custom(Entry.self) { base, local, remote in
    ///     guard var merged = remote else { return local }   // deleted on the server: keep it
    ///     merged.bodyText = [remote?.bodyText, local.bodyText].compactMap(\.self).joined(separator: "\n")
    ///     return merged
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model whose records the policy decides about. It cannot be used for others.
    ///   - resolve: Returns the resulting record, or `nil` to delete it. `base` is `nil` for a record that was created
    ///     locally, `remote` for one that was deleted on the server. Attributes and foreign keys of the result are
    ///     used; lists and embedded records are merged separately, and have their local values. If it throws, the merge
    ///     ends with a `MergeError` with the code `hook`.
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
    @_spi(Requirements) public var description: String {
        switch kind {
        case .serverWins: "serverWins"
        case .localChangesWin: "localChangesWin"
        case .newestWins(let attribute): "newestWins(by: \(attribute))"
        case .custom(let function): "custom(\(function.entity))"
        }
    }
}

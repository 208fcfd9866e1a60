import LockstepTables

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

    package init(_ function: any ConflictFunction) { kind = .custom(function) }

    private init(kind: Kind) { self.kind = kind }

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

/// The contents of a store's file, found without opening it as a store: ``Store/inspect(_:at:configuration:)``.
public struct StoreInspection: Sendable, Hashable {
    /// The effect of opening the file.
    public let state: State
    /// The name of the schema in the file; `nil` if there is no file.
    public let schema: String?
    /// The version of the schema in the file; `nil` if there is no file.
    public let version: Int?
    /// The version of the library that created the file, if it is recorded.
    public let madeBy: String?
    /// The version of the library that last changed the schema in the file, if it is recorded.
    public let migratedBy: String?
    /// The version of the app that last changed the schema in the file, if it is recorded.
    public let appVersion: String?
    /// The number of changes that the server has not confirmed.
    public let pendingCount: Int
    /// The size of the file with its journal, in bytes.
    public let bytes: Int
    /// The tables that a migration writes or reads as a whole, with the number of their rows.
    public let rows: [String: Int]

    public enum State: Sendable, Hashable {
        /// There is no file, or it is empty. Opening creates the store.
        case missing
        /// It has the tables of this schema.
        case current
        /// It is of an earlier version. Opening migrates it.
        case older(MigrationCost)
        /// It is of a later version. This app cannot open it, except with a `readonly` configuration if `isReadable`.
        case newer(isReadable: Bool)
    }

    /// The cost of a migration; `.instant` if none is needed.
    public var cost: MigrationCost {
        if case .older(let cost) = state { cost } else { .instant }
    }
}

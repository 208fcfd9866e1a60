public import LockstepStore

/// The tables and permissions of a PostgREST-style server.
public struct PostgRESTRules: Sendable {
    /// The columns of each table; `nil` for a table with any columns. A request that names another column is rejected
    /// with 400. If there are any tables, other paths do not exist.
    package var tables: [String: Set<String>?]
    /// The columns of the primary keys, by path. The default is `id`.
    package var keys: [String: [String]]
    /// The columns that must not be null, by path.
    package var required: [String: Set<String>]
    /// The columns whose values are unique, by path.
    package var unique: [String: Set<String>]
    /// The maximum number of rows in a response (`db-max-rows`), 1,000 with Supabase. Others are omitted silently.
    package var maximumRows: Int?
    /// The column that a trigger increments with each update, by path.
    package var versionKeys: [String: String]
    /// Whether the user may see a row (a policy for `SELECT`). Others do not exist for the user.
    package var maySee: @Sendable (_ path: String, _ row: JSONValue) -> Bool
    /// Whether the user may update or delete a row (policies for `UPDATE` and `DELETE`). For others, the server
    /// responds as if no row was found.
    package var mayWrite: @Sendable (_ path: String, _ row: JSONValue) -> Bool
    /// The key that each request must have in the field `apikey`, as with Supabase; `nil` for none.
    package var apiKey: String?
    /// The values that triggers and defaults set in each created or updated row.
    package var fill: MemoryRemote.Fill?

    /// - Parameters:
    ///   - tables: The columns of each table; `nil` for a table with any columns. A request that names another column
    ///     is rejected with 400. If there are any tables, other paths do not exist.
    ///   - keys: The columns of the primary keys, by path. The default is `id`.
    ///   - required: The columns that must not be null, by path.
    ///   - unique: The columns whose values are unique, by path.
    ///   - maximumRows: The maximum number of rows in a response (`db-max-rows`), 1,000 with Supabase. Others are
    ///     omitted silently.
    ///   - versionKeys: The column that a trigger increments with each update, by path.
    ///   - maySee: Whether the user may see a row (a policy for `SELECT`). Others do not exist for the user.
    ///   - mayWrite: Whether the user may update or delete a row (policies for `UPDATE` and `DELETE`). For others, the
    ///     server responds as if no row was found.
    ///   - apiKey: The key that each request must have in the field `apikey`, as with Supabase; `nil` for none.
    ///   - fill: What triggers and defaults set in each created or updated row.
    public init(
        tables: [String: Set<String>?] = [:], keys: [String: [String]] = [:], required: [String: Set<String>] = [:],
        unique: [String: Set<String>] = [:], maximumRows: Int? = nil, versionKeys: [String: String] = [:],
        maySee: @escaping @Sendable (_ path: String, _ row: JSONValue) -> Bool = { _, _ in true },
        mayWrite: @escaping @Sendable (_ path: String, _ row: JSONValue) -> Bool = { _, _ in true },
        apiKey: String? = nil, fill: MemoryRemote.Fill? = nil
    ) {
        self.tables = tables
        self.keys = keys
        self.required = required
        self.unique = unique
        self.maximumRows = maximumRows
        self.versionKeys = versionKeys
        self.maySee = maySee
        self.mayWrite = mayWrite
        self.apiKey = apiKey
        self.fill = fill
    }

    func keys(of path: String) -> [String] { keys[path] ?? ["id"] }

    /// The primary key of a row as one text; `nil` if a column has no value.
    func key(of row: JSONValue, in path: String) -> String? {
        let values = keys(of: path).map { row[$0]?.plainText }
        return values.contains { $0 == nil } ? nil : values.compactMap(\.self).joined(separator: ",")
    }
}

import GRDB

/// The parts that distinguish two requests of one model: their SQL, its arguments, and the prefetched relationships.
package struct RequestText: Equatable {
    private let sql: String
    private let arguments: StatementArguments
    private let prefetches: [PrefetchPath]

    /// - Throws: `DatabaseError` if the request cannot be prepared.
    @MainActor package init(_ request: some ModelRequest, in store: Store) throws {
        let statement = try store.mainContext.read { database in
            let statement = try request.request.makePreparedRequest(database, forSingleResult: false).statement
            return (statement.sql, statement.arguments)
        }
        (sql, arguments) = statement
        prefetches = request.prefetches
    }
}

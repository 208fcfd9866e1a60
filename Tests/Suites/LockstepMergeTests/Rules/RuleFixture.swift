import Foundation
import GRDB
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Testing

/// A store in which the rules of merging are tested as stories.
struct RuleFixture {
    let store: Store

    /// - Parameter sql: The existing rows.
    init(_ schema: any StoreSchema.Type, at location: StoreLocation = .inMemory, _ sql: String = "") throws {
        store = try Store(schema, at: location)
        if !sql.isEmpty { try execute(sql) }
    }

    /// Merges a payload twice: the second merge must write nothing (Rules.md, M6 and M15).
    ///
    /// - Returns: What the first merge did.
    @discardableResult
    func merge<Object: Model>(
        _ json: String, into type: Object.Type, _ change: (inout MergeOptions) -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) async throws -> MergeSummary {
        let first = try await mergeOnce(json, into: type, change)
        let writes = try writeCount()
        let again = try await mergeOnce(json, into: type, change)
        #expect(!again.hasChanges, "M15: the second time: \(again)", sourceLocation: location)
        #expect(try writeCount() == writes, "M6: the second time wrote rows", sourceLocation: location)
        return first
    }

    @discardableResult
    func mergeOnce<Object: Model>(
        _ json: String, into type: Object.Type, _ change: (inout MergeOptions) -> Void = { _ in }
    ) async throws -> MergeSummary {
        var options = MergeOptions()
        change(&options)
        return try await store.merge(Data(json.utf8), into: type, options: options)
    }

    /// Changes rows both locally and on the server: nothing of it is pending.
    func execute(_ sql: String) throws {
        try store.writer.write { try $0.execute(sql: sql) }
        try store.confirmAll()
    }

    /// The rows of a query, each as its values with a space between; NULL is a dash.
    func rows(_ sql: String) throws -> [String] { try store.rows(sql) }

    /// How many rows were ever written, by SQLite's own count.
    func writeCount() throws -> Int {
        try store.writer.write { try Int.fetchOne($0, sql: "SELECT total_changes()") } ?? 0
    }
}

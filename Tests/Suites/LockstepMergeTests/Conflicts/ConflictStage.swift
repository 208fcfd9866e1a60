import Foundation
import GRDB
import LockstepStore
import RuntimeTestSupport
import Testing

@testable import LockstepMerge

/// A device whose records are edited and merged, with the rules of conflicts, on both paths at once: one store gets
/// each payload as bytes, the other as representations, and both must be the same.
struct ConflictStage {
    let store: Store
    let typed: Store

    /// - Parameters:
    ///   - policies: Those of the store's sync; `nil` for a store that has none.
    ///   - sql: What the server and the device agree about: it is not pending.
    init(
        _ schema: any StoreSchema.Type, _ policies: ConflictPolicies? = .localChangesWin, _ sql: String = ""
    ) throws {
        store = try Store(schema, at: .inMemory)
        typed = try Store(schema, at: .inMemory)
        for store in [store, typed] {
            try store.useConflictPolicies(policies)
            try store.writer.write { try $0.execute(sql: sql) }
            try store.confirmAll()
        }
    }

    /// A local change of the user.
    func edit(_ sql: String) throws {
        for store in [store, typed] { try store.writer.write { try $0.execute(sql: sql) } }
    }

    /// Merges a payload twice: the second merge must write nothing (Rules.md, M6 and M15).
    ///
    /// - Returns: What the first merge of the bytes did.
    @discardableResult
    func merge<Object: Model>(
        _ json: String, into type: Object.Type, scope: MergeScope<Object> = .all,
        _ change: (inout MergeOptions) -> Void = { _ in }, at location: SourceLocation = #_sourceLocation
    ) async throws -> MergeSummary {
        var options = MergeOptions()
        change(&options)
        let first = try await store.merge(json, into: type, scope: scope, options: options)
        let writes = try writeCount()
        let again = try await store.merge(json, into: type, scope: scope, options: options)
        #expect(!again.hasChanges, "M15: the second time: \(again)", sourceLocation: location)
        #expect(try writeCount() == writes, "M6: the second time wrote rows", sourceLocation: location)
        let list = try JSONDecoder().decode(LossyRepresentations<Object>.self, from: Data(json.utf8))
        let isDecoded = list.elements.allSatisfy { if case .record = $0 { true } else { false } }
        if isDecoded {
            try await typed.merge(list, scope: scope, options: options)
        } else {
            // A decoder wants all that is required.
            try await typed.merge(json, into: type, scope: scope, options: options)
        }
        #expect(try contents(of: store) == contents(of: typed), "the typed road", sourceLocation: location)
        return first
    }

    /// Every row of every table, but for what each store makes up.
    private func contents(of store: Store) throws -> [String] {
        let madeUp: Set<String> = ["lockstep_id", "version", "changed_at", "at"]
        return try store.writer.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { row in
                    let cells = row.filter { !madeUp.contains($0.0) }.map { "\($0.0): \($0.1)" }
                    return "\(table) \(cells.joined(separator: ", "))"
                }.sorted()
            }
        }
    }

    /// What is pending: `Entry 1 update`, in order.
    func pending() throws -> [String] {
        let names = ["create", "update", "delete"]
        return try store.writer.read { database in
            try Row.fetchAll(
                database, sql: "SELECT entity, record, change FROM lockstep_outbox ORDER BY entity, record"
            )
            .map { row in
                "\(row[0] as String) \(RecordKey(row[1] as DatabaseValue).text) \(names[row[2]])"
            }
        }
    }

    /// The rows of a query, each as its values with a space between; NULL is a dash.
    func rows(_ sql: String) throws -> [String] {
        try store.writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : RecordKey($0).text }.joined(separator: " ")
            }
        }
    }

    func writeCount() throws -> Int {
        try store.writer.write { try Int.fetchOne($0, sql: "SELECT total_changes()") } ?? 0
    }
}

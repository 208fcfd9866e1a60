import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import Testing

/// Two stores of one schema: one merges every payload as bytes, the other as representations. After each merge they
/// must be equal.
struct TwoRoads {
    let bytes: Store
    let typed: Store

    init(_ schema: any StoreSchema.Type) throws {
        bytes = try Store(schema, at: .inMemory)
        typed = try Store(schema, at: .inMemory)
    }

    /// Merges a payload on both paths.
    ///
    /// - Returns: The summary of the typed path.
    @discardableResult
    func merge<Object: Model>(
        _ json: String, into type: Object.Type, _ change: (inout MergeOptions) -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) async throws -> MergeSummary {
        let list = try decoded(json, as: LossyRepresentations<Object>.self)
        let one = try await bytes.merge(Data(json.utf8), into: type, options: options(change))
        let other = try await typed.merge(list, options: options(change))
        #expect(counts(of: one) == counts(of: other), sourceLocation: location)
        #expect(one.skipped == other.skipped, sourceLocation: location)
        #expect(one.notes == other.notes, sourceLocation: location)
        let rows = (bytes: try await rows(of: bytes), typed: try await rows(of: typed))
        #expect(rows.bytes == rows.typed, sourceLocation: location)
        return other
    }

    /// The rows of a table on the typed path, each as its columns' values.
    func rows(_ sql: String) async throws -> [String] {
        try await typed.writeRaw("reading") { database, _ in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { $0.description }.joined(separator: " ")
            }
        }
    }

    /// Identities and dates are generated in the same order on both paths.
    private func options(_ change: (inout MergeOptions) -> Void) -> MergeOptions {
        var options = MergeOptions()
        let count = Counter()
        options.now = { Date(timeIntervalSince1970: 1_700_000_000) }
        options.newIdentity = { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count.next(), count.next())) }
        change(&options)
        return options
    }

    private func counts(of summary: MergeSummary) -> [String] {
        summary.entities.map { "\($0)" }
    }

    /// Every row of every table, except for keys that the device generates.
    private func rows(of store: Store) async throws -> [String] {
        try await store.writeRaw("reading") { database, _ in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
                    AND name <> 'lockstep_spelling' ORDER BY name
                    """)
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { row in
                    let cells = row.filter { $0.0 != "lockstep_id" }.map { "\($0.0): \($0.1)" }
                    return "\(table) \(cells.joined(separator: ", "))"
                }.sorted()
            }
        }
    }

    private final class Counter: Sendable {
        private let count = Locked<UInt8>(0)

        func next() -> UInt8 {
            count.withLock { count in
                count &+= 1
                return count
            }
        }
    }
}

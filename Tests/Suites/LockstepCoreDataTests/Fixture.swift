import Foundation
import GRDB
import LockstepCoreData
import LockstepStore
import TestSupport
import Testing

/// A file that `make-core-data-stores` has written, in a folder of its own, and a new store.
struct Fixture {
    let url: URL
    let store: Store

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    /// - Parameters:
    ///   - name: The name of the file.
    ///   - schema: The schema of the store.
    static func with<Schema: StoreSchema, Value>(
        _ name: String, _ schema: Schema.Type, isolation: isolated (any Actor)? = #isolation,
        _ body: (Fixture) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryFolder { folder in
            let copy = folder.appendingPathComponent("Fixtures")
            try FileManager.default.copyItem(at: Self.folder, to: copy)
            let store = try Store(schema, at: .file(folder.appendingPathComponent("new.sqlite")))
            return try await body(Fixture(url: copy.appendingPathComponent("\(name).sqlite"), store: store))
        }
    }

    func copy(_ map: CoreDataMap, as state: CoreDataRowState = .received) async throws -> CoreDataCopy {
        try await CoreDataRows(at: url, map: map, as: state).copy(into: store)
    }
}

/// The UUIDs that the script gives to records.
func identity(_ number: Int) throws -> UUID {
    try #require(UUID(uuidString: "10000000-0000-4000-8000-\(String(repeating: "0", count: 11))\(number)"))
}

/// An SQLite file that a test changes.
enum SQLiteFile {
    static func execute(_ sql: String, _ url: URL) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// The rows of a query as text, with nothing for NULL.
    static func rows(_ sql: String, _ url: URL) throws -> [[String]] {
        let queue = try DatabaseQueue(path: url.path)
        let rows = try queue.read { try Row.fetchAll($0, sql: sql) }
        try queue.close()
        return rows.map { row in row.databaseValues.map { String.fromDatabaseValue($0) ?? Self.text($0) } }
    }

    private static func text(_ value: DatabaseValue) -> String {
        if case .int64(let number) = value.storage { String(number) } else { "" }
    }
}

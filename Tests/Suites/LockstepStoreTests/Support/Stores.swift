import Foundation
@testable import LockstepStore
import StoreSamples
import Testing

/// The testing library has a `Tag` too.
typealias Tag = StoreSamples.Tag

/// Where a test's store is kept. Every test runs with both.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case file, memory

    var testDescription: String { rawValue }

    /// Makes a store, runs `body` with it, and removes its file.
    @MainActor
    func withStore<Schema: StoreSchema, Value>(
        _ schema: Schema.Type, _ body: @MainActor (Store) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .memory: return try await body(try Store(schema, at: .inMemory))
        case .file:
            return try await withFolder { folder in
                try await body(try Store(schema, at: .file(folder.appendingPathComponent("store.sqlite"))))
            }
        }
    }
}

/// Makes a folder, runs `body` with it, and removes it.
@MainActor
func withFolder<Value>(_ body: @MainActor (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension Store {
    /// The rows of SQL, each as texts joined by `|`.
    func rows(_ sql: String) throws -> [String] {
        try writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "NULL"
                    case .int64(let number): String(number)
                    case .double(let number): String(number)
                    case .string(let text): text
                    case .blob(let data): data.base64EncodedString()
                    }
                }.joined(separator: "|")
            }
        }
    }

    func run(_ sql: String) throws { try writer.write { try $0.execute(sql: sql) } }
}

/// The store error that `body` throws; fails the test where it throws none.
@MainActor
func storeError(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> StoreError? {
    do {
        try body()
        Issue.record("No error was thrown.", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record("\(error) is no StoreError.", sourceLocation: sourceLocation)
    }
    return nil
}

extension ManagedObjectContext {
    /// Lets relationships be loaded anew, as in a context that has just been made.
    func unloadForTest() { identityMap.unloadLinks() }
}

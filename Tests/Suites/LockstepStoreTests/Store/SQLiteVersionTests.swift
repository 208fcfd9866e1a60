import Foundation
import LockstepStore
import StoreSamples
import Testing

/// The version that `make sqlite` runs the tests on.
private let expectedVersion = ProcessInfo.processInfo.environment["EXPECTED_SQLITE"]

@Suite("The version of SQLite")
struct SQLiteVersionTests {
    @Test("is the one that make sqlite runs the tests on", .enabled(if: expectedVersion != nil))
    func version() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        #expect(try store.rows("SELECT sqlite_version()") == [try #require(expectedVersion)])
    }
}

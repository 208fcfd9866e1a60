import LockstepStore
import Shop
import Testing
import workbench

/// `make sanitize` runs the same under ThreadSanitizer.
@Suite("Many concurrent writers and readers", .serialized)
struct StressTests {
    @Test("Contexts, the main context and SQL write while others read: sums hold, nothing is lost", arguments: 1...3)
    func inFile(seed: UInt64) async throws {
        let folder = try Folder()
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        let findings = try await Stress.findings(in: store, seed: seed)
        #expect(findings == [])
        try store.close()
    }

    @Test("In memory, where readers and writers share one connection, too")
    func inMemory() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let findings = try await Stress.findings(in: store, seed: 4)
        #expect(findings == [])
    }
}

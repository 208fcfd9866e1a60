import Foundation
import Journal
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("Rehearsals and recorded files")
struct RehearsalTests {
    @Test("A file is written for a release, and not over another one")
    func record() async throws {
        try await withTemporaryFolder { folder in
            let url = try MigrationCheck.record(JournalSchema.self, in: folder)
            #expect(url.lastPathComponent == "Journal.1.sqlite")
            #expect(try Store.inspect(JournalSchema.self, at: url).state == .current)
            #expect(throws: MigrationCheckFailure.self) { try MigrationCheck.record(JournalSchema.self, in: folder) }
            #expect(try MigrationRehearsal(JournalSchema.self, file: url).run() == nil)
        }
    }

    @Test("A schema without a history cannot be checked, which is said")
    func noHistory() {
        let error = #expect(throws: MigrationCheckFailure.self) {
            try MigrationCheck(JournalSchema.self, from: 1).run(seed: 1)
        }
        #expect(error?.findings == ["the schema has no recorded versions"])
        #expect(JournalSchema.versions == [1])
    }
}

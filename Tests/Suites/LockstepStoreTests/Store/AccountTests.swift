import Foundation
import GRDB
import Journal
import LockstepStore
import TestSupport
import Testing

/// A store that belongs to an account.
@Suite("Accounts")
struct AccountTests {
    private func open(
        _ file: URL, _ account: String?, configuration: Configuration = Configuration()
    ) throws -> Store {
        try Store(JournalSchema.self, at: .file(file), configuration: configuration, account: account)
    }

    @Test("A store belongs to the account that it was first opened with; another one is rejected, and nothing changes")
    func other() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try open(file, "ann")
            try await store.perform { context in
                Entry(title: "mine", context: context)
                try context.save()
            }
            try store.close()
            for readonly in [false, true] {
                var configuration = Configuration()
                configuration.readonly = readonly
                let before = try Data(contentsOf: file)
                let error = #expect(throws: StoreError.self) {
                    try open(file, "ben", configuration: configuration)
                }
                #expect(error?.code == .otherAccount)
                // Whose it is remains private.
                #expect(error?.description.contains("ann") == false)
                #expect(try Data(contentsOf: file) == before)
                try open(file, "ann", configuration: configuration).close()
                try open(file, nil, configuration: configuration).close()
            }
            try Store.wipe(at: file)
            let next = try open(file, "ben")
            #expect(try await next.perform { try $0.count(Entry.all()) } == 0)
            try next.close()
        }
    }

    @Test("A file without an account belongs to the first one that opens it")
    func binding() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try open(file, nil)
            try await store.perform { context in
                Entry(title: "mine", context: context)
                try context.save()
            }
            try store.close()
            let bound = try open(file, "ann")
            #expect(try await bound.perform { try $0.count(Entry.all()) } == 1)
            try bound.close()
            #expect(throws: StoreError.self) { try open(file, "ben") }
        }
    }
}

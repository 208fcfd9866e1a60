import Foundation
import GRDB
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import RuntimeTestSupport
import TestSupport
import Testing

/// A system that suspends a process ends it if it has locked a file that it shares with others.
@Suite("Suspensions")
struct SuspensionTests {
    @Test("A merge ends when the store is suspended, and changes nothing")
    func merge() async throws {
        try await announcingSuspensions { configuration in
            try await withTemporaryFolder { folder in
                let store = try Store(
                    JournalSchema.self, at: .file(folder.appendingPathComponent("journal.sqlite")),
                    configuration: configuration)
                let (count, read) = (2_000, Locked(0))
                store.customizeMerge(
                    of: Entry.self,
                    MergeCustomization(willInsert: { json, _ in
                        let isFirst = read.withLock { read in
                            read += 1
                            return read == 1
                        }
                        if isFirst { NotificationCenter.default.post(name: Database.suspendNotification, object: nil) }
                        return json
                    }))
                let records = (0..<count).map { _ in #"{"identifier": "\#(UUID())", "title": "Hello"}"# }
                let body = Data("[\(records.joined(separator: ","))]".utf8)
                var options = MergeOptions()
                options.batchRecordLimit = 100

                let error = await #expect(throws: StoreError.self) {
                    try await store.merge(body, into: Entry.self, options: options)
                }
                #expect(error?.code == .interrupted)
                #expect(read.withLock(\.self) < count)
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
                #expect(try await store.perform { try $0.count(Entry.all()) } == 0)
                #expect(try await store.merge(body, into: Entry.self, options: options).hasChanges)
                try store.close()
            }
        }
    }
}

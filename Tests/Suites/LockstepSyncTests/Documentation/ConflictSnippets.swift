import Foundation
import Journal
import LockstepStore
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

// The Swift of Conflicts.md, compiled and run.

@Suite("The Swift in Conflicts.md")
struct ConflictSnippets {
    @Test("Policies for entities")
    func policies() throws {
        // snippet
        let policies = ConflictPolicies(.localChangesWin)  // the default
            .using(.newestWins(by: "timestamp"), for: Entry.self)
        // end
        #expect("\(policies.policy(for: Entry.entity.plan))" == "newestWins(by: timestamp)")
    }

    @Test("newestWins by a time that only the server sets: the server wins; by one that the app sets, the app can")
    func newestWins() async throws {
        for (isSetByApp, winner) in [(false, "server"), (true, "device")] {
            let store = try Store(JournalSchema.self, at: .inMemory)
            let id = UUID()
            func body(_ title: String, at time: String) -> Data {
                Data(#"[{"identifier": "\#(id.uuidString)", "title": "\#(title)", "timestamp": "\#(time)"}]"#.utf8)
            }
            try await store.merge(body("base", at: "2026-01-01T10:00:00Z"), into: Entry.self)
            try await store.perform { context in
                let entry = try #require(try context.find(Entry.self, id))
                entry.title = "device"
                if isSetByApp { entry.timestamp = Date(timeIntervalSince1970: 1_800_000_000) }
                try context.save()
            }
            var options = MergeOptions()
            options.conflicts = .newestWins(by: "timestamp")
            try await store.merge(body("server", at: "2026-01-01T10:00:01Z"), into: Entry.self, options: options)
            #expect(try await store.perform { try $0.find(Entry.self, id)?.title } == winner)
        }
    }

    @Test("A policy for unique values")
    func uniqueValues() throws {
        // snippet
        let policies = ConflictPolicies(.localChangesWin, uniqueValues: .adopt)  // the default
            .using(.rename(suffix: " (2)"), for: Entry.self)
        // end
        guard case .rename(let rename) = policies.uniqueValues(for: Entry.entity.plan).kind else {
            Issue.record("it has its own")
            return
        }
        #expect(rename("Monday") == "Monday (2)")
    }

    @Test("What was lost is restored")
    func lost() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let id = UUID()
        func body(_ title: String) -> Data {
            Data(#"[{"identifier": "\#(id.uuidString)", "title": "\#(title)", "mood": "sad"}]"#.utf8)
        }
        try await store.merge(body("base"), into: Entry.self)
        try await edit(id, in: store)
        var options = MergeOptions()
        options.conflicts = .serverWins
        try await store.merge(body("server"), into: Entry.self, options: options)
        try await restore(store)
        #expect(try await store.perform { try $0.find(Entry.self, id)?.title } == "device")
        #expect(try await store.conflicts.entries().isEmpty)
    }

    private func edit(_ id: UUID, in store: Store) async throws {
        try await store.perform { context in
            try #require(try context.find(Entry.self, id)).title = "device"
            try context.save()
        }
    }

    @MainActor
    private func restore(_ store: Store) async throws {
        let context = store.mainContext
        // snippet
        for entry in try await store.conflicts.entries() where entry.lost == .local {
            print(entry.entity, entry.record, entry.member, entry.lostValue, "lost to", entry.remote ?? .null)
            try store.conflicts.restore(entry, in: context)
        }
        try await context.save()
        // end
    }

    @Test("A function that joins two texts")
    func function() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let id = UUID()
        try await store.perform { context in
            let entry = Entry(identifier: id, title: "Monday", context: context)
            entry.bodyText = "Here."
            try context.save()
        }
        let body = Data(#"[{"identifier": "\#(id.uuidString)", "title": "Blue Monday", "bodyText": "There."}]"#.utf8)
        // snippet
        let joined = ConflictPolicy.custom(Entry.self) { base, local, remote in
            guard var entry = remote else { return local }  // deleted on the server: create it again
            if local.title != base?.title { entry.title = local.title }
            entry.bodyText = [local.bodyText, entry.bodyText].compactMap(\.self).joined(separator: "\n")
            return entry
        }
        var options = MergeOptions()
        options.conflicts = joined
        let summary = try await store.merge(body, into: Entry.self, options: options)
        // end
        #expect(summary.updated == 1)
        let texts = try await store.perform { try $0.fetch(Entry.all()).map { "\($0.title): \($0.bodyText ?? "")" } }
        #expect(texts == ["Monday: Here.\nThere."])
    }
}

import Foundation
import Journal
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

// The Swift of ChangingTheSchema.md, of TheOutbox.md about leftovers, and of Testing.md about migrations.

/// The journal, whose first version had another attribute.
private enum JournalSchema: StoreSchema {
    static let name = Journal.JournalSchema.name
    static let version = 2
    static let entities = Journal.JournalSchema.entities
    static let compiled = Journal.JournalSchema.compiled
    static let fingerprint = Journal.JournalSchema.fingerprint
    static let structure = Journal.JournalSchema.structure
    static var history: String { (try? recorded().schema().description.history) ?? "" }

    static func recorded() throws -> HistoryBuilder {
        var journal = try SchemaStructure(SchemaTree(json: JSONValue(parsing: structure)))
        journal.change("Entry") { $0.attributes.append(.init("weather", .scalar(.string), isOptional: true)) }
        var builder = HistoryBuilder(journal)
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "weather" } } }
        return builder
    }
}

@Suite("The Swift about migrations")
struct ChangingTheSchemaSnippets {
    /// Runs a test with a file of version 1, which has unsent edits.
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try JournalSchema.recorded().schema(1), seed: 1)
            try fixture.make(at: url)
            try await body(url)
        }
    }

    @Test("Inspecting and opening a file, and its leftovers")
    func opening() async throws {
        try await withFile { url in
            // snippet
            let plan = try Store.inspect(JournalSchema.self, at: url)  // only reads the file
            if plan.cost > .instant { print(plan.cost, plan.rows, plan.bytes, plan.pendingCount) }  // show progress
            let store = try await Store.open(JournalSchema.self, at: .file(url)) { part in
                print("\(Int(part * 100)) %")
            }
            if let migration = store.migration { print(migration) }  // Journal 1 → 2: 1 removed; …
            // end
            #expect(plan.state == .older(.rewrite))
            #expect(store.migration?.description.hasPrefix("Journal 1 → 2: 1 removed; ") == true)
            #expect(try !store.leftovers().isEmpty)
            // snippet
            for leftover in try store.leftovers() {
                print(leftover.entity, leftover.record, leftover.member ?? "", leftover.value ?? .null)
            }
            try store.discard(try store.leftovers())
            // end
            #expect(try store.leftovers().isEmpty)
            try store.close()
        }
    }

    @Test("An extension does not migrate")
    func never() async throws {
        try await withFile { url in
            // snippet
            var store: Store?
            do {
                store = try Store(JournalSchema.self, at: .file(url), migration: .never)
            } catch let error as StoreError where error.code == .migrationNeeded {
                // The app has not been opened since its update. Show a placeholder.
            }
            // end
            #expect(store == nil)
        }
    }

    // snippet
    @Test(arguments: JournalSchema.versions)
    func opens(version: Int) throws {
        try MigrationCheck(JournalSchema.self, from: version).run(seed: 1)
    }
    // end
}

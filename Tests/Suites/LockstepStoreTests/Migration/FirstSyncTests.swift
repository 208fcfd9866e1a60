import Foundation
import GRDB
import Journal
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

@Suite("V8: An entity begins to be synced")
struct FirstSyncTests {
    private static let keys = (1...3).map { "00000000-0000-4000-8000-00000000000\($0)" }

    /// A file of a version whose entries stayed on the device, with three of them.
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let local = try LocalThenPushed.history(first: nil).schema(1).description
            let opened = try StoreOpening(
                schema: local, location: .file(url), configuration: Configuration(), options: MigrationOptions()
            ).open()
            try await opened.writer.write { database in
                for key in Self.keys {
                    try database.execute(
                        sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES (?, 'Mine', 'sad', 0)",
                        arguments: [key])
                }
            }
            #expect(try await opened.writer.read { try OutboxTable.isEmpty($0) })
            try opened.writer.close()
            try await body(url)
        }
    }

    @Test("V8 `--first push` sends each existing record as a new one, once")
    func push() async throws {
        try await withFile { url in
            let store = try Store(LocalThenPushed.self, at: .file(url))
            #expect(store.migration?.pendingCount == 3)
            #expect(
                try await store.outbox.pending().map { "\($0.kind) \($0.record.suffix(1))" }.sorted()
                    == ["create 1", "create 2", "create 3"])
            let remote = MemoryRemote()
            let clock = ManualClock()
            let sync = Sync(store: store, remote: remote, clock: clock)
            // A response is lost: the creation is repeated.
            remote.respondNext(.responseLost, to: .kind(.create))
            let summary = try await clock.whilePassing { try await sync.push() }
            #expect(summary.created == 3 && summary.remaining == 0)
            #expect(remote.records(of: "/entries").count == 3)
            try store.close()

            // Later openings send nothing again.
            let again = try Store(LocalThenPushed.self, at: .file(url))
            #expect(again.migration == nil)
            #expect(try await again.outbox.count() == 0)
            try again.close()
        }
    }

    @Test("V8 With `--first pull`, existing records count as unchanged, and a pull matches them")
    func pull() async throws {
        try await withFile { url in
            let store = try Store(LocalThenPulled.self, at: .file(url))
            #expect(store.migration?.pendingCount == 0)
            let remote = MemoryRemote()
            for key in Self.keys {
                remote.set(
                    [
                        "identifier": .string(key), "title": "Theirs", "mood": "sad",
                        "timestamp": "2026-01-01T00:00:00Z",
                    ],
                    id: key, in: "/entries")
            }
            let sync = Sync(store: store, remote: remote, clock: ManualClock())
            #expect(try await sync.push().sent == 0)
            try await sync.pull(Entry.self, options: MergeOptions(records: .all))
            let titles = try await store.writer.read { try String.fetchAll($0, sql: "SELECT title FROM entry") }
            #expect(titles == ["Theirs", "Theirs", "Theirs"])
            try store.close()
        }
    }

    /// Entries that are only on the device, and begin to be synced in version 2.
    private static func pushedFirst() throws -> HistoryBuilder {
        var journal = SchemaStructure.journal
        journal.change("Entry") { $0.remote = nil }
        var builder = HistoryBuilder(journal)
        try builder.version(answers: ["Entry": ChangeAnswers(first: .push)]) {
            $0.change("Entry") { $0.remote = SchemaStructure.journal.entities[0].remote }
        }
        return builder
    }

    @Test("V8 Records that the server never had are not deleted by a later version that pulls the entity again")
    func refetched() throws {
        var builder = try Self.pushedFirst()
        try builder.version(answers: ["Entry.site": ChangeAnswers(fill: 0, refetch: true)]) {
            $0.change("Entry") { $0.attributes.append(.init("site", .scalar(.int))) }
        }
        try builder.check()
    }

    @Test("V8 A version that does not send them parks them, as if the file had followed each version")
    func notSent() throws {
        var builder = try Self.pushedFirst()
        try builder.version { $0.change("Entry") { $0.remote = nil } }
        try builder.check()
    }

    @Test("V8 Files of each version are migrated, at once and step by step", arguments: [true, false])
    func check(isPushed: Bool) throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.change("Entry") { $0.remote = nil } }
        try builder.version(answers: ["Entry": ChangeAnswers(first: isPushed ? .push : .pull)]) {
            $0.change("Entry") { $0.remote = RemoteStructure(path: "/entries", writes: [.create, .update, .delete]) }
        }
        try builder.version {
            $0.change("Entry") { $0.remote = RemoteStructure(path: "/entries", writes: [.update]) }
        }
        try builder.version {
            $0.change("Entry") { $0.remote = RemoteStructure(path: "/entries", writes: [.create, .update, .delete]) }
        }
        let target = try builder.schema().description
        for version in 1...5 { try MigrationCheck(target, from: version).run(seed: 1) }
    }
}

/// A journal whose entries stayed on the device in version 1.
private protocol LocalThenSynced: StoreSchema {
    static var recorded: SchemaDescription { get }
}

extension LocalThenSynced {
    static var name: String { JournalSchema.name }
    static var version: Int { 2 }
    static var entities: [any Model.Type] { JournalSchema.entities }
    static var compiled: CompiledSchema { JournalSchema.compiled }
    static var fingerprint: String { recorded.fingerprint }
    static var structure: String { recorded.structure }
    static var history: String { recorded.history }
}

extension LocalThenPushed {
    static func history(first: ChangeAnswers.FirstSync?) throws -> HistoryBuilder {
        var structure = try SchemaStructure(SchemaTree(json: JSONValue(parsing: JournalSchema.structure)))
        let remote = structure.entities.map(\.remote)
        for index in structure.entities.indices { structure.entities[index].remote = nil }
        var builder = HistoryBuilder(structure)
        let answers = structure.entities.map { ($0.name, ChangeAnswers(first: first)) }
        try builder.version(answers: Dictionary(answers) { first, _ in first }) { structure in
            for index in structure.entities.indices { structure.entities[index].remote = remote[index] }
        }
        return builder
    }
}

private enum LocalThenPushed: LocalThenSynced {
    static let recorded = try! history(first: .push).schema().description
}

private enum LocalThenPulled: LocalThenSynced {
    static let recorded = try! LocalThenPushed.history(first: .pull).schema().description
}

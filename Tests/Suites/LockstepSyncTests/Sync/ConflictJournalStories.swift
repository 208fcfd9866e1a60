import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// What a user loses to another device, and gets back.
@Suite("C6 A user gets back what was lost in a conflict")
@MainActor
struct ConflictJournalStories {
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let store: Store
    private let sync: Sync
    private static let id = "00000000-0000-0000-0000-000000000001"

    init() throws {
        store = try Store(JournalSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, conflicts: .serverWins, clock: ManualClock())
    }

    private func edit(_ members: JSONObject) { remote.edit(Self.id, of: "/entries", members) }

    private var title: JSONValue? { remote.record(Self.id, of: "/entries")?["title"] }

    /// An entry whose title and text were edited here, offline, and by others meanwhile.
    private func lose() async throws -> Entry {
        remote.set(
            [
                "identifier": .string(Self.id), "title": "Monday", "bodyText": "Rain.", "mood": "sad",
                "timestamp": "2026-01-05T10:00:00Z",
            ], id: Self.id, in: "/entries")
        try await sync.pull(Entry.self)
        let entry = try #require(try store.mainContext.fetch(Entry.all()).first)
        (entry.title, entry.bodyText) = ("Blue Monday", "It rained all day.")
        try await store.mainContext.save()
        edit(["title": "A day off", "bodyText": "Sun."])
        try await sync.pull(Entry.self)
        #expect(entry.title == "A day off" && entry.bodyText == "Sun.")
        return entry
    }

    @Test("C6.6 What an offline edit has lost is listed, restored, undone, restored again, and sent")
    func story() async throws {
        let entry = try await lose()
        let lost = try await store.conflicts.entries()
        #expect(lost.map(\.member) == ["title", "bodyText"])
        #expect(lost.map(\.lostValue) == [JSONValue.string("Blue Monday"), .string("It rained all day.")])
        let first = try #require(lost.first)
        #expect(first.entity == "Entry" && first.record == Self.id && first.lost == .local && first.rule == .serverWins)
        #expect(first.base == "Monday" && first.local == "Blue Monday" && first.remote == "A day off")
        #expect(first.date == ManualClock().now)

        let history = store.mainContext.enableUndo()
        try store.conflicts.restore(first, in: store.mainContext)
        #expect(entry.title == "Blue Monday" && entry.bodyText == "Sun.")
        history.undo()
        #expect(entry.title == "A day off" && !store.mainContext.hasChanges)
        #expect(try await store.conflicts.entries() == lost)

        history.redo()
        try await store.mainContext.save()
        #expect(try await store.outbox.count() == 1)
        try await sync.push()
        #expect(title == "Blue Monday")
        #expect(try await sync.pull(Entry.self).updated == 0)
        #expect(entry.title == "Blue Monday" && entry.bodyText == "Sun.")
        #expect(try await store.conflicts.entries().map(\.member) == ["bodyText"])
    }

    @Test("C6.5 An entry is listed until the record has the value again, or the app discards it")
    func listed() async throws {
        let entry = try await lose()
        var updates = store.conflicts.updates.makeAsyncIterator()
        #expect(await updates.next(isolation: #isolation)?.map(\.member) == ["title", "bodyText"])
        entry.title = "Blue Monday"
        try await store.mainContext.save()
        #expect(await updates.next(isolation: #isolation)?.map(\.member) == ["bodyText"])
        entry.title = "Tuesday"
        try await store.mainContext.save()
        #expect(await updates.next(isolation: #isolation)?.map(\.member) == ["title", "bodyText"])
        try await store.conflicts.discard(Array(try await store.conflicts.entries().suffix(1)))
        #expect(await updates.next(isolation: #isolation)?.map(\.member) == ["title"])
        try await store.perform { context in
            try context.fetch(Entry.all()).forEach(context.delete)
            try context.save()
        }
        #expect(try await store.conflicts.entries().map(\.member) == ["title"])
    }

    @Test("C6.6 A value whose record does not exist any more is not restored")
    func gone() async throws {
        _ = try await lose()
        let lost = try await store.conflicts.entries()
        try await store.perform { context in
            try context.fetch(Entry.all()).forEach(context.delete)
            try context.save()
        }
        for entry in lost {
            #expect { try store.conflicts.restore(entry, in: store.mainContext) } throws: {
                let error = $0 as? StoreError
                return error?.code == .recordGone && error?.record == Self.id && error?.attribute == entry.member
            }
        }
        #expect(!store.mainContext.hasChanges)
    }

    @Test("C6.6 Neither is a value that the schema does not allow, nor a link to a record that does not exist")
    func unsuitable() async throws {
        let shop = try Store(ShopSchema.self, at: .inMemory)
        let context = shop.mainContext
        let article = Article(id: 1, title: "A", bodyText: "a", context: context)
        let comment = ArticleComment(id: 10, name: "Ann", text: "x", context: context)
        comment.article = article
        try await context.save()
        func restore(_ member: String, value: String, entity: String = "ArticleComment") async throws -> StoreError
            .Code?
        {
            try await shop.writer.write {
                try $0.execute(
                    sql: """
                        DELETE FROM lockstep_conflict;
                        INSERT INTO lockstep_conflict (entity, record, member, local, sides, lost, rule, at)
                        VALUES ('\(entity)', 10, '\(member)', \(value), 2, 'local', 'serverWins', 0)
                        """)
            }
            let entry = try #require(try await shop.conflicts.entries().first)
            do { try shop.conflicts.restore(entry, in: context) } catch let error as StoreError { return error.code }
            return nil
        }
        #expect(try await restore("article", value: "7") == .recordGone)
        #expect(try await restore("text", value: "NULL") == .missingValue)
        #expect(try await restore("text", value: "x'00'") == .unreadableValue)
        #expect(try await restore("mood", value: "1") == .wrongColumns)
        #expect(try await restore("text", value: "1", entity: "Nothing") == .wrongColumns)
        #expect(!context.hasChanges)
        #expect(try await restore("article", value: "NULL") == nil)
        #expect(comment.article == nil && context.hasChanges)
        context.rollback()
        comment.article = nil
        try await context.save()
        #expect(try await restore("article", value: "1") == nil)
        #expect(comment.article === article)
    }
}

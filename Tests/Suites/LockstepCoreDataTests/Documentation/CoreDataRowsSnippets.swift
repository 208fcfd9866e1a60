import Foundation
import LockstepCoreData
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

// The Swift of CopyingRows.md, and its example.

@MainActor
@Suite("The page about the rows of a Core Data store")
struct CoreDataRowsSnippets {
    /// The blocks of code without a language.
    private static func blocks() throws -> [String] {
        Documentation.code("", in: try Documentation.page("CopyingRows"))
    }

    @Test("The example is what the file has, what is copied, and what is printed")
    func example() async throws {
        try await Fixture.with("Diary", DiarySchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            let oldURL = fixture.url
            #expect(try Self.blocks().contains { try $0 == console(oldURL) })
            // snippet
            let store = try Store(DiarySchema.self, at: .file(folder.appendingPathComponent("diary-2.sqlite")))
            let rows = CoreDataRows(at: oldURL, map: .diary, as: .received)
            let copy = try await rows.copy(into: store) { progress in print(progress.fraction) }
            if !copy.isRepeated { print(copy) }
            // end
            #expect(try Self.blocks().contains(copy.description))
            // snippet
            for entry in try store.mainContext.fetch(Entry.order(\.number)) {
                print(entry.number, entry.title, entry.photos.count)  // 7 Ferry to Bergen 2, then 8 Rain 1
            }
            for leftover in try store.leftovers() {
                print(leftover.record, leftover.member ?? "", leftover.reason ?? "")
            }
            // end
            let entries = try store.mainContext.fetch(Entry.order(\.number))
            #expect(entries.map(\.title) == ["Ferry to Bergen", "Rain"])
            #expect(entries.map(\.photos.count) == [2, 1])
            #expect(entries.map(\.pinned) == [true, false])
            let images = try entries.map { try $0.photos.map { try $0.image?.data() } }
            #expect(images == [[Data("deck".utf8), Data(repeatElement("harbour", count: 100).joined().utf8)], [nil]])
            #expect(try store.leftovers().map(\.record) == ["Entry/p3", "Photo/p3"])
        }
    }

    /// What SQLite's shell prints.
    private func console(_ url: URL) throws -> String {
        let queries = [
            "SELECT Z_PK, ZNUMBER, ZPINNED, ZTITLE FROM ZENTRY",
            "SELECT Z_PK, ZENTRY, Z_FOK_ENTRY FROM ZPHOTO",
        ]
        return try queries.map { query in
            let lines = try SQLiteFile.rows(query, url).map { $0.joined(separator: "|") }
            return (["$ sqlite3 Diary.sqlite '\(query)'"] + lines).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    @Test("The app chooses which rows are unsent")
    func chosen() async throws {
        try await Fixture.with("Diary", DiarySchema.self) { fixture in
            let (oldURL, store) = (fixture.url, fixture.store)
            // snippet
            let rows = CoreDataRows(
                at: oldURL, map: .diary,
                as: .chosen { row in row.entity == "Entry" && row.bool("pinned") == true ? .unsent : .received })
            // end
            _ = try await rows.copy(into: store)
            let pending = try await store.outbox.pending()
            #expect(pending.map(\.entity) == ["Entry"])
        }
    }
}

import Foundation
import GRDB
import Journal
@testable import LockstepStore
import Testing
import TestSupport

@Suite("One object per record")
struct IdentityTests {
    @Test("Objects come and go, and retained ones stay the same", arguments: [1, 2, 3])
    func comeAndGo(seed: UInt64) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            var random = SeededRandom(seed: seed)
            let identifiers = (0..<3_000).map { _ in UUID() }
            for (number, identifier) in identifiers.enumerated() {
                Entry(identifier: identifier, title: String(number), context: context)
            }
            try context.save()
            var held: [UUID: Entry] = [:]
            for _ in 0..<20 {
                let limit = Int.random(in: 1...3_000, using: &random)
                for entry in try context.fetch(Entry.order(\.identifier).limit(limit)) {
                    if let known = held[entry.identifier] { #expect(known === entry) }
                    held[entry.identifier] = entry
                }
                for (number, identifier) in identifiers.enumerated() {
                    if Int.random(in: 0..<3, using: &random) > 0 { held[identifier] = nil }
                    guard number.isMultiple(of: 100) else { continue }
                    let found = try context.find(Entry.self, identifier)
                    #expect(found?.title == String(number))
                    if let known = held[identifier] { #expect(known === found) }
                }
            }
        }
    }

    @Test("Objects that nobody has are released when others are read; those that somebody has stay the same")
    func unused() async throws {
        struct WeakEntry { weak var entry: Entry? }
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for number in 0..<20_000 { Entry(title: String(number), context: context) }
            try context.save()
            context.identityMap.removeUnused()
            let kept = try context.fetch(Entry.order(\.identifier).limit(10))
            var read: [WeakEntry] = []
            for start in stride(from: 0, to: 20_000, by: 500) {
                let entries = try context.fetch(Entry.order(\.identifier).limit(500, offset: start))
                read += entries.map(WeakEntry.init)
                // At most four times as many as are in use.
                #expect(read.count { $0.entry != nil } <= 4 * (2 * entries.count + kept.count))
            }
            #expect(zip(read, kept).allSatisfy { $0.entry === $1 })
            context.identityMap.removeUnused()
            #expect(read.count { $0.entry != nil } == kept.count)
            #expect(try context.fetch(Entry.order(\.identifier).limit(10)).elementsEqual(kept, by: ===))
        }
    }

    @Test("A row that cannot be read is reported each time, however it is read")
    func unreadable() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let identifier = UUID()
        try await store.perform { context in
            Entry(identifier: identifier, title: "A", context: context)
            try context.save()
        }
        try await store.writer.write { try $0.execute(sql: "UPDATE entry SET timestamp = 'yesterday'") }
        try await store.perform { context in
            for _ in 1...2 {
                #expect(throws: StoreError.self) { try context.find(Entry.self, identifier) }
                #expect(throws: StoreError.self) { try context.fetch(Entry.all()) }
            }
        }
    }

    @Test(
        "A UUID in uppercase is read; an invalid one is reported",
        arguments: [
            ("AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE", true), ("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", true),
            ("gaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", false), ("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeee:", false),
            ("aaaaaaaa-bbbb-cccc-ddddéeeeeeeeeeee", false), ("aaaaaaaa bbbb-cccc-dddd-eeeeeeeeeeee", false),
            ("`aaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", false), ("", false),
        ])
    func spelling(text: String, isRead: Bool) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.writer.write { database in
            try database.execute(
                sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES (?, 'a', 'sad', 0)",
                arguments: [text])
        }
        try await store.perform { context in
            guard isRead else {
                #expect(throws: StoreError.self) { try context.fetch(Entry.all()) }
                return
            }
            let entry = try context.fetch(Entry.all()).first
            #expect(entry?.identifier == UUID(uuidString: text))
        }
    }

    @Test("Every UUID survives a round trip")
    func roundTrip() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let identifiers = (0..<500).map { _ in UUID() }
        try await store.perform { context in
            for identifier in identifiers { Entry(identifier: identifier, title: "a", context: context) }
            try context.save()
        }
        let texts = try await store.writer.read { try String.fetchAll($0, sql: "SELECT identifier FROM entry") }
        #expect(Set(texts) == Set(identifiers.map { $0.uuidString.lowercased() }))
        let read = try await store.perform { context in try context.fetch(Entry.all()).map(\.identifier) }
        #expect(Set(read) == Set(identifiers))
    }
}

import Foundation
import GRDB
import LockstepCoreData
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

@Suite("Files of Core Data")
struct FileTests {
    /// The bytes of all files of a folder, by their paths.
    private func contents(of folder: URL) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var contents: [String: Data] = [:]
        for path in paths {
            contents[path] = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
        }
        return contents
    }

    @Test("A file is not changed, and nothing is created beside it", arguments: ["Types", "Broken"])
    func unchanged(_ name: String) async throws {
        try await Fixture.with(name, TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            let before = try contents(of: folder)
            _ = try await fixture.copy(.types)
            #expect(try contents(of: folder) == before)
        }
    }

    @Test("The rows of a log are copied, and neither the file nor the log is changed")
    func log() async throws {
        try await Fixture.with("Log", InheritanceSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            let before = try contents(of: folder)
            #expect(before["Log.sqlite-wal"]?.isEmpty == false)
            let copy = try await fixture.copy(.inheritance)
            #expect(copy.entities["Person"]?.copied == 2)
            let isThere = try await fixture.store.perform { try $0.exists(Person.self, "in the log") }
            #expect(isThere)
            var after = try contents(of: folder)
            // The index of the log, which is made again when it is missing.
            after["Log.sqlite-shm"] = nil
            #expect(after == before)
        }
    }

    @Test("A file that another connection has open is read as it was last committed")
    func open() async throws {
        try await Fixture.with("Log", InheritanceSchema.self) { fixture in
            let other = try DatabaseQueue(path: fixture.url.path)
            try await other.write { try $0.execute(sql: "UPDATE ZRECORD SET ZNAME = 'Tiger' WHERE ZUUID = 'c'") }
            _ = try await fixture.copy(.inheritance)
            let name = try await fixture.store.perform { try $0.find(Cat.self, "c")?.name }
            #expect(name == "Tiger")
            try await other.write { try $0.execute(sql: "DELETE FROM ZRECORD") }
            try other.close()
        }
    }

    // MARK: Once

    @Test("Rows are copied once, and the file may be gone then")
    func once() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            let first = try await fixture.copy(.inheritance)
            #expect(!first.isRepeated)
            try FileManager.default.removeItem(at: fixture.url)
            try await fixture.store.perform { context in
                for toy in try context.fetch(Toy.all()) { context.delete(toy) }
                try context.save()
            }
            let second = try await fixture.copy(.inheritance)
            #expect(second.isRepeated)
            #expect(second.entities == first.entities)
            let count = try await fixture.store.perform { try $0.count(Toy.all()) }
            #expect(count == 0)
        }
    }

    @Test("What was copied survives that the store is opened again")
    func reopened() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            _ = try await fixture.copy(.inheritance)
            try fixture.store.close()
            let store = try Store(InheritanceSchema.self, at: fixture.store.location)
            let again = try await CoreDataRows(at: fixture.url, map: .inheritance, as: .unsent).copy(into: store)
            #expect(again.isRepeated)
            #expect(try await store.outbox.count() == 0)
        }
    }

    @Test("Files of the same name in different folders are copied each, if they are told apart by names")
    func sameFileName() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent().appendingPathComponent("other")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let other = folder.appendingPathComponent(fixture.url.lastPathComponent)
            try FileManager.default.copyItem(at: fixture.url, to: other)
            _ = try await fixture.copy(.types)
            let unnamed = CoreDataRows(at: other, map: .types, as: .received)
            #expect(try await unnamed.copy(into: fixture.store).isRepeated)
            let named = CoreDataRows(at: other, map: .types, as: .received, named: "other/Types")
            let copy = try await named.copy(into: fixture.store)
            // The rows have the identities of the first file's, and so each is kept aside.
            #expect(!copy.isRepeated)
            #expect(copy.copied + copy.keptAside > 0)
            #expect(try await named.copy(into: fixture.store).isRepeated)
        }
    }

    @Test("An error late in a copy leaves nothing, and the next copy is whole")
    func failure() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            try await fixture.store.writer.write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER refuse BEFORE INSERT ON sample WHEN NEW.name = 'c' BEGIN \
                        SELECT RAISE(ROLLBACK, 'refused'); END
                        """)
            }
            await #expect(throws: StoreError.self) { try await fixture.copy(.types) }
            try await empty(fixture)
            try await fixture.store.writer.write { try $0.execute(sql: "DROP TRIGGER refuse") }
            #expect(try await fixture.copy(.types).copied == 3)
        }
    }

    @Test("A cancelled copy leaves nothing")
    func cancelled() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let rows = CoreDataRows(at: fixture.url, map: .types, as: .received)
            let task = Task {
                try await rows.copy(into: fixture.store) { _ in withUnsafeCurrentTask { $0?.cancel() } }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await empty(fixture)
        }
    }

    @Test("A copy that is cancelled when all rows are written leaves nothing")
    func cancelledLate() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let (started, isStarted) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let rows = CoreDataRows(
                at: fixture.url, map: .types,
                as: .chosen { row in
                    if row.string("name") == "c" {
                        isStarted.yield()
                        gate.wait()
                    }
                    return .received
                })
            let task = Task { try await rows.copy(into: fixture.store) }
            for await _ in started { break }
            task.cancel()
            gate.signal()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await empty(fixture)
        }
    }

    /// Nothing was copied: no record, leftover, pending change, or file.
    private func empty(_ fixture: Fixture) async throws {
        let count = try await fixture.store.perform { try $0.count(Sample.all()) }
        #expect(count == 0)
        #expect(try fixture.store.leftovers().isEmpty)
        #expect(try await fixture.store.outbox.count() == 0)
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: fixture.url.deletingLastPathComponent().deletingLastPathComponent().path)
        #expect(
            files.filter { $0.contains("new.sqlite-attachments/") && $0 != "new.sqlite-attachments/incoming" } == [])
    }

    @Test("The progress counts all rows")
    func progress() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            let (reports, sink) = AsyncStream.makeStream(of: CoreDataProgress.self)
            let rows = CoreDataRows(at: fixture.url, map: .inheritance, as: .received)
            _ = try await rows.copy(into: fixture.store) { sink.yield($0) }
            sink.finish()
            let last = await reports.reduce(nil) { $1 }
            #expect(last?.rows == 8)
            #expect(last?.total == 8)
            #expect(last?.fraction == 1)
        }
    }

    /// The files of a store as they are when its process is killed in the middle of the transaction.
    @Test("After a kill in the middle, nothing was copied, and the next copy is whole")
    func killed() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            try SQLiteFile.execute(
                """
                INSERT INTO ZSAMPLE (Z_PK, Z_ENT, ZACTIVE, ZID, ZNAME, ZSMALL) \
                WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                SELECT i, 1, 1, randomblob(16), 'row ' || i, zeroblob(10000) FROM n
                """, fixture.url)
            let folder = fixture.url.deletingLastPathComponent()
            let killed = folder.appendingPathComponent("killed.sqlite")
            let running = folder.appendingPathComponent("running.sqlite")
            let store = try Store(TypesSchema.self, at: .file(running))
            let state = CoreDataRowState.chosen { row in
                guard row.string("name") == "row 2000" else { return .unsent }
                for suffix in ["", "-wal"] {
                    try? FileManager.default.copyItem(atPath: running.path + suffix, toPath: killed.path + suffix)
                }
                return .unsent
            }
            let copied = try await CoreDataRows(at: fixture.url, map: .types, as: state).copy(into: store).copied
            let log = try Data(contentsOf: URL(fileURLWithPath: killed.path + "-wal"))
            // The cache is full, and SQLite has written what is not committed.
            #expect(log.count > 1_000_000)

            let again = try Store(TypesSchema.self, at: .file(killed))
            #expect(try await again.perform { try $0.count(Sample.all()) } == 0)
            #expect(try await again.outbox.count() == 0)
            let copy = try await CoreDataRows(at: fixture.url, map: .types, as: .received).copy(into: again)
            #expect(!copy.isRepeated)
            #expect(copy.copied == copied)
            #expect(copied == 1994)
        }
    }

    @Test("Of two copies at once, one copies")
    func concurrent() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            async let first = fixture.copy(.inheritance)
            async let second = fixture.copy(.inheritance)
            let copies = try await [first, second]
            #expect(copies.filter(\.isRepeated).count == 1)
            #expect(try fixture.store.leftovers().isEmpty)
        }
    }

    // MARK: Files that cannot be read

    private func code(_ fixture: Fixture, _ url: URL) async -> CoreDataError.Code? {
        do {
            _ = try await CoreDataRows(at: url, map: .types, as: .received).copy(into: fixture.store)
            return nil
        } catch { return (error as? CoreDataError)?.code }
    }

    @Test("A file that is missing, a folder, something else, or damaged is refused")
    func refused() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            func file(_ name: String, _ data: Data) throws -> URL {
                let url = folder.appendingPathComponent(name)
                try data.write(to: url)
                return url
            }
            #expect(await code(fixture, folder.appendingPathComponent("Nothing.sqlite")) == .cannotOpen)
            #expect(await code(fixture, folder) == .cannotOpen)
            let bytes = try Data(contentsOf: fixture.url)
            let random = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
            #expect(await code(fixture, try file("Encrypted.sqlite", random)) == .notADatabase)
            #expect(await code(fixture, try file("Empty.sqlite", Data())) == .notCoreData)
            #expect(await code(fixture, try file("Half.sqlite", bytes.prefix(bytes.count / 2))) == .damaged)
            var damaged = bytes
            damaged.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4096))
            #expect(await code(fixture, try file("Damaged.sqlite", damaged)) == .damaged)
            // A store of Lockstep is none of Core Data.
            let own = folder.deletingLastPathComponent().appendingPathComponent("new.sqlite")
            #expect(await code(fixture, own) == .notCoreData)
            #expect(await code(fixture, fixture.url) == nil)
        }
    }

    @Test("A truncated file is refused, or has all rows")
    func truncated() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            let bytes = try Data(contentsOf: fixture.url)
            var refused = 0
            for size in stride(from: 512, to: bytes.count, by: 1536) {
                let url = folder.appendingPathComponent("\(size).sqlite")
                try bytes.prefix(size).write(to: url)
                // Core Data often leaves an empty log.
                if size.isMultiple(of: 1024) { try Data().write(to: URL(fileURLWithPath: url.path + "-wal")) }
                let store = try Store(TypesSchema.self, at: .inMemory)
                do {
                    let copy = try await CoreDataRows(at: url, map: .types, as: .received).copy(into: store)
                    #expect(copy.copied == 3, "\(size)")
                } catch let error as CoreDataError {
                    refused += 1
                    #expect(error.code == .damaged || error.code == .notADatabase, "\(size): \(error)")
                    #expect(try await store.perform { try $0.count(Sample.all()) } == 0)
                }
            }
            #expect(refused == 13)
        }
    }

    @Test("A file with the journal of a process that ended is refused, and both stay")
    func journal() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
            let left = folder.appendingPathComponent("left.sqlite")
            let writer = try DatabaseQueue(path: fixture.url.path)
            try await writer.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE ZSAMPLE SET ZNAME = 'half'")
                try database.execute(sql: "CREATE TABLE more AS SELECT zeroblob(100000)")
                for suffix in ["", "-journal"] {
                    try FileManager.default.copyItem(
                        atPath: fixture.url.path + suffix, toPath: left.path + suffix)
                }
                try database.execute(sql: "ROLLBACK")
            }
            try writer.close()
            let before = try contents(of: folder)
            #expect(await code(fixture, left) == .needsRecovery)
            #expect(try contents(of: folder) == before)
        }
    }

    private func refusal(_ fixture: Fixture, _ map: CoreDataMap) async throws -> CoreDataError {
        let error = await #expect(throws: CoreDataError.self) { try await fixture.copy(map) }
        #expect(try fixture.store.leftovers().isEmpty)
        return try #require(error)
    }

    @Test("A file of another version of the model is refused, and the error names what it lacks")
    func otherVersions() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            for sql in ["ALTER TABLE ZRECORD DROP COLUMN ZLIVES", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Dog'"] {
                try SQLiteFile.execute(sql, fixture.url)
            }
            let error = try await refusal(fixture, .inheritance)
            #expect(error.code == .otherVersion)
            #expect(
                error.reason
                    == "it belongs to another version of the model, and has no entity Dog, column for Cat.lives")
            // What is not in the map is not needed.
            var map = CoreDataMap.inheritance
            map.entities.removeAll { $0.name == "Dog" }
            for index in map.entities.indices { map.entities[index].attributes.removeAll { $0.name == "lives" } }
            let copy = try await fixture.copy(map)
            #expect(copy.entities["Cat"]?.copied == 1)
        }
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            for sql in ["DROP TABLE ZPASSPORT", "DROP TABLE Z_2TAGS"] { try SQLiteFile.execute(sql, fixture.url) }
            let error = try await refusal(fixture, .links)
            #expect(error.code == .otherVersion)
            #expect(error.reason.hasSuffix("has no table of Passport, table with the links of Book.tags"))
        }
    }

    @Test("A map that names what the schema lacks is refused, and the error names it")
    func unknownMembers() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            var map = CoreDataMap.links
            map.entities[0].attributes[1].becomes = "title"
            map.entities[1].relationships[2].becomes = ["Tag": "labels"]
            let error = try await refusal(fixture, map)
            #expect(error.code == .wrongMap)
            #expect(error.reason == "the map names what is not in the schema: Author.title, Book.labels")
        }
    }

    @Test("A map that contradicts itself or the schema is refused")
    func wrongMaps() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            var twice = CoreDataMap.types
            twice.entities += twice.entities
            let circle = CoreDataMap(entities: [
                CoreDataMap.Entity("A", parent: "B"), CoreDataMap.Entity("B", parent: "A"),
            ])
            for map in [twice, circle, .links] {
                await #expect {
                    _ = try await fixture.copy(map)
                } throws: { error in
                    (error as? CoreDataError)?.code == .wrongMap
                }
            }
        }
    }

    @Test("A name with characters that mean something in addresses is a name")
    func names() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let url = fixture.url.deletingLastPathComponent().appendingPathComponent("a?b=c#d %41 é.sqlite")
            try FileManager.default.moveItem(at: fixture.url, to: url)
            let copy = try await CoreDataRows(at: url, map: .types, as: .received).copy(into: fixture.store)
            #expect(copy.copied == 3)
        }
    }
}

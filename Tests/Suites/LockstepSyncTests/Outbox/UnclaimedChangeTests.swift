import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// An entity gets another name and keeps its table: changes under the old name are unclaimed.
@Suite("P16 Pending changes that no entity claims")
struct UnclaimedChangeTests {
    @Test(
        "P16 They are pending, counted and reported when the store is opened; they are not pushed or deleted by a pull")
    func reproduction() async throws {
        try await withFile { file in
            try await Self.write(FirstWords.self, file, "INSERT INTO tag VALUES (7, 'red', NULL)")

            let store = try Store(RenamedWords.self, at: .file(file))
            #expect(store.findings.map(\.code) == [.unclaimedChanges])
            #expect(store.findings.first?.entity == "Tag" && store.findings.first?.count == 1)
            #expect(store.findings.first?.description.contains("Tag") == true)
            let pending = try await store.outbox.pending()
            #expect(pending.map { "\($0.kind) \($0.entity) \($0.record)" } == ["create Tag 7"])
            #expect(pending.map(\.isUnclaimed) == [true])
            let status = try await store.outbox.status()
            #expect(status.count == 1 && status.unclaimedCount == 1)

            let remote = MemoryRemote()
            let sync = Sync(store: store, remote: remote, clock: ManualClock())
            #expect(try await sync.push().sent == 0)
            try await sync.pull(Word<RenamedWords.Labels>.self, options: MergeOptions(records: .all))
            #expect(try Self.tags(store) == ["7 red"])
            #expect(remote.changes.isEmpty)
            #expect(try await store.outbox.count() == 1)
            try store.close()

            // The next version has the old name again.
            let old = try Store(FirstWords.self, at: .file(file))
            #expect(old.findings.isEmpty)
            #expect(try await old.outbox.pending().map(\.isUnclaimed) == [false])
            #expect(try await Sync(store: old, remote: remote, clock: ManualClock()).push().created == 1)
            #expect(remote.records(of: "/tags") == [["id": 7, "name": "red"]])
            #expect(try await old.outbox.count() == 0)
            try old.close()
        }
    }

    @Test(
        "P16 No list, delete, cascade or policy overwrites the record of an unclaimed change",
        arguments: Seeds.some(5, of: UInt64(0)...199))
    func protected(seed: UInt64) async throws {
        try await withFile { file in
            try await Self.write(
                FirstWords.self, file,
                quietly: "INSERT INTO shelf VALUES (1, 'left'); INSERT INTO tag VALUES (5, 'blue', 1), (6, 'grey', 1)",
                "UPDATE tag SET name = 'azure' WHERE id = 5; INSERT INTO tag VALUES (7, 'red', 1)")
            let store = try Store(RenamedWords.self, at: .file(file))
            var random = SeededRandom(seed: seed)
            for number in 1...6 {
                var options = MergeOptions(records: .all)
                options.conflicts = random.element(of: [.serverWins, .localChangesWin])
                // A delete from the server, a list without them, the delete of their owner, and records with the same
                // keys: local edits are kept, everything else is merged.
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    try await store.applyServerDeletes(
                        of: Word<RenamedWords.Labels>.self, identities: [RemoteIdentity([5]), RemoteIdentity([7])],
                        options: options)
                case 1: try await store.merge(Data("[]".utf8), into: Word<RenamedWords.Labels>.self, options: options)
                case 2: try await store.merge(Data("[]".utf8), into: Word<RenamedWords.Shelves>.self, options: options)
                default:
                    let json = #"[{"id":5,"name":"n\#(number)","shelf_id":2},{"id":7,"name":"rose","shelf_id":2}]"#
                    try await store.merge(Data(json.utf8), into: Word<RenamedWords.Labels>.self, options: options)
                }
                #expect(try Self.tags(store).filter { $0 != "6 grey" } == ["5 azure", "7 red"])
                #expect(try Self.changes(store) == ["1 Tag 5", "0 Tag 7"])
            }
            try store.close()
        }
    }

    @Test("P16 C3 A record deleted under the old name stays deleted, and the delete stays pending")
    func deleted() async throws {
        try await withFile { file in
            try await Self.write(
                FirstWords.self, file, quietly: "INSERT INTO tag VALUES (5, 'blue', NULL)", "DELETE FROM tag")
            let store = try Store(RenamedWords.self, at: .file(file))
            let json = Data(#"[{"id":5,"name":"sky"}]"#.utf8)
            try await store.merge(json, into: Word<RenamedWords.Labels>.self, options: MergeOptions(records: .all))
            #expect(try Self.tags(store) == [])
            try await store.merge(
                Data("[]".utf8), into: Word<RenamedWords.Labels>.self, options: MergeOptions(records: .all))
            #expect(try Self.changes(store) == ["2 Tag 5"])
            // The server's values are still known.
            try await Self.discardFirst(store)
            #expect(try Self.tags(store) == ["5 sky"])
            try store.close()
        }
    }

    @Test("P16 Discarding undoes them, one by one and all")
    func discarded() async throws {
        try await withFile { file in
            try await Self.write(
                FirstWords.self, file, quietly: "INSERT INTO tag VALUES (5, 'blue', NULL), (6, 'grey', NULL)",
                "UPDATE tag SET name = 'azure' WHERE id = 5; DELETE FROM tag WHERE id = 6; "
                    + "INSERT INTO tag VALUES (7, 'red', NULL), (8, 'black', NULL)")
            let store = try Store(RenamedWords.self, at: .file(file))
            let pending = try await store.outbox.pending()
            #expect(pending.count == 4)
            for change in pending.prefix(3) { try await store.outbox.discard(change) }
            #expect(try Self.tags(store) == ["5 blue", "6 grey", "8 black"])
            // A record that was also changed under the new name belongs to that name.
            try await store.writer.write { try $0.execute(sql: "UPDATE tag SET name = 'night' WHERE id = 8") }
            #expect(try Self.changes(store) == ["0 Tag 8", "1 Label 8"])
            try await Self.discardFirst(store)
            #expect(try Self.tags(store) == ["5 blue", "6 grey", "8 night"])
            #expect(try Self.changes(store) == ["1 Label 8"])
            try await store.outbox.discardAll()
            #expect(try await store.outbox.count() == 0)
            try store.close()
        }
    }

    @Test("P16 Changes are claimed by table: a name that now means another table does not claim them")
    func swapped() async throws {
        try await withFile { file in
            try await Self.write(
                FirstWords.self, file,
                "INSERT INTO tag VALUES (7, 'red', NULL); INSERT INTO paint VALUES (7, 'oil', NULL)")
            let store = try Store(SwappedWords.self, at: .file(file))
            #expect(Set(store.findings.map(\.entity)) == ["Tag (tag)", "Paint"])
            #expect(try await store.outbox.pending().map(\.isUnclaimed) == [true, true])
            try await store.writer.write { try $0.execute(sql: "INSERT INTO paint VALUES (8, 'water', NULL)") }
            let remote = MemoryRemote()
            let sync = Sync(store: store, remote: remote, clock: ManualClock())
            #expect(try await sync.push().created == 1)
            #expect(remote.records(of: "/tags") == [["id": 8, "name": "water"]])
            for type in SwappedWords.entities { try await Self.pullAll(type, sync) }
            #expect(try Self.tags(store) == ["7 red"])
            try store.close()

            let old = try Store(FirstWords.self, at: .file(file))
            #expect(old.findings.isEmpty)
            #expect(try Self.changes(old) == ["0 Tag 7", "0 Paint 7"])
            try old.close()
        }
    }

    @Test("P16 All records kept under a name move with the table that they belong to")
    func notesFollow() async throws {
        try await withFile { file in
            try await Self.write(FirstWords.self, file, quietly: "INSERT INTO tag VALUES (5, 'blue', NULL)", "")
            let remote = MemoryRemote()
            let store = try Store(FirstWords.self, at: .file(file))
            try await store.writer.write { try $0.execute(sql: "UPDATE tag SET name = 'azure'") }
            remote.set(["id": 5, "name": "blue"], id: "5", in: "/tags")
            #expect(try await Sync(store: store, remote: remote, clock: ManualClock()).push().updated == 1)
            try await store.writer.write { try $0.execute(sql: Self.notes) }
            let noted = try Self.noted(store)
            #expect(noted["lockstep_version.entity"] == ["Tag"])
            try store.close()

            let swapped = try Store(SwappedWords.self, at: .file(file))
            #expect(try Self.noted(swapped) == noted.mapValues { $0.map { $0.replacing("Tag", with: "Tag (tag)") } })
            #expect(try await swapped.outbox.status().count == 0)
            try swapped.close()
            let old = try Store(FirstWords.self, at: .file(file))
            #expect(try Self.noted(old) == noted)
            try old.close()
        }
    }

    @Test("P16 An entity that is now local claims nothing: its changes stay pending and protected")
    func notTravelling() async throws {
        try await withFile { file in
            try await Self.write(
                FirstWords.self, file, quietly: "INSERT INTO tag VALUES (5, 'blue', NULL)",
                "UPDATE tag SET name = 'azure'; INSERT INTO tag VALUES (7, 'red', NULL)")
            let store = try Store(HomeWords.self, at: .file(file))
            #expect(store.findings.first?.count == 2)
            #expect(try await store.outbox.pending().map(\.isUnclaimed) == [true, true])
            let sync = Sync(store: store, remote: MemoryRemote(), clock: ManualClock())
            #expect(try await sync.push().sent == 0)
            try await store.merge(
                Data("[]".utf8), into: Word<HomeWords.Tags>.self, options: MergeOptions(records: .all))
            #expect(try Self.tags(store) == ["5 azure", "7 red"])
            try await store.outbox.discardAll()
            #expect(try Self.tags(store) == ["5 blue"])
            try store.close()
        }
    }

    @Test("P16 In a file of a version that did not store the tables, they are determined from the triggers")
    func olderFile() async throws {
        try await withFile { file in
            try await Self.write(FirstWords.self, file, "INSERT INTO tag VALUES (7, 'red', NULL)")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: "DROP TABLE lockstep_outbox_entity") }
            try queue.close()
            let store = try Store(SwappedWords.self, at: .file(file))
            #expect(store.findings.map(\.entity) == ["Tag (tag)"])
            try await store.merge(
                Data("[]".utf8), into: Word<SwappedWords.Labels>.self, options: MergeOptions(records: .all))
            #expect(try Self.tags(store) == ["7 red"])
            try store.close()
        }
    }
}

extension UnclaimedChangeTests {
    private static func discardFirst(_ store: Store) async throws {
        let change = try #require(try await store.outbox.pending().first)
        try await store.outbox.discard(change)
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("unclaimed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("words.sqlite"))
    }

    /// Leaves a file written by a version of the app.
    private static func write<Schema: StoreSchema>(
        _ schema: Schema.Type, _ file: URL, quietly seed: String = "", _ sql: String
    ) async throws {
        let store = try Store(schema, at: .file(file))
        try await store.writer.write { database in
            try database.suppressOutbox()
            try database.execute(sql: seed)
            try database.resumeOutbox()
            try database.execute(sql: sql)
        }
        try store.close()
    }

    /// One row of every kind that refers to records.
    private static let notes = """
        INSERT INTO lockstep_received_version VALUES ('Tag', 5, 3, 'null');
        INSERT INTO lockstep_sent_member (entity, record, owner_entity, owner, relationship, place, sent, state, \
        root_entity, root) VALUES ('Tag', 5, 'Tag', '[5]', 'words', 0, '{}', 0, 'Tag', '[5]');
        INSERT INTO lockstep_waiting_link VALUES ('Tag.words', 5, 6, 0);
        INSERT INTO lockstep_reserved_identity VALUES ('Tag', 9, 'x');
        INSERT INTO lockstep_unknown_member VALUES ('Tag');
        INSERT INTO lockstep_scope VALUES ('Tag', 5, 'list:1', 3);
        """

    /// The names in the store's own tables, by table and column.
    private static func noted(_ store: Store) throws -> [String: [String]] {
        let columns = [
            "lockstep_version.entity", "lockstep_received_version.entity", "lockstep_sent_member.entity",
            "lockstep_sent_member.owner_entity", "lockstep_sent_member.root_entity",
            "lockstep_waiting_link.relationship",
            "lockstep_reserved_identity.entity", "lockstep_unknown_member.entity", "lockstep_scope.entity",
        ]
        return try store.writer.read { database in
            try Dictionary(
                uniqueKeysWithValues: columns.map { name in
                    let parts = name.split(separator: ".")
                    return (name, try String.fetchAll(database, sql: "SELECT \(parts[1]) FROM \(parts[0])"))
                })
        }
    }

    private static func pullAll<Object: Model>(_ type: Object.Type, _ sync: Sync) async throws {
        try await sync.pull(type, options: MergeOptions(records: .all))
    }

    private static func tags(_ store: Store) throws -> [String] {
        try store.writer.read { try String.fetchAll($0, sql: "SELECT id || ' ' || name FROM tag ORDER BY id") }
    }

    private static func changes(_ store: Store) throws -> [String] {
        try store.writer.read {
            try String.fetchAll(
                $0, sql: "SELECT change || ' ' || entity || ' ' || record FROM lockstep_outbox ORDER BY id")
        }
    }
}

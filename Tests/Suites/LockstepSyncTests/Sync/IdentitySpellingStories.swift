import Foundation
import GRDB
@testable import LockstepStore
import LockstepSync
@testable import LockstepTables
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// Servers that have UUIDs in upper case, as `UUID().uuidString` writes them, and compare texts.
@Suite("The spelling of identities")
struct IdentitySpellingStories {
    private let lower = "6f1c2a3b-1d4e-4f22-8a33-0000000000ab"
    private let other = "6f1c2a3b-1d4e-4f22-8a33-0000000000cd"
    private var upper: String { lower.uppercased() }

    private static let memos = NotebookMemo.entity.plan

    private let store: Store

    init() throws { store = try Store(Notebook.self, at: .inMemory) }

    private func execute(_ sql: String) throws { try store.writer.write { try $0.execute(sql: sql) } }

    private func merge(_ json: String, into type: (any Model.Type) = NotebookMemo.self) async throws {
        if type == NotebookMemo.self {
            try await store.merge(Data(json.utf8), into: NotebookMemo.self)
        } else {
            try await store.merge(Data(json.utf8), into: NotebookFolder.self)
        }
    }

    private func spellings() throws -> [String] {
        try store.rows("SELECT entity, spelling FROM lockstep_spelling ORDER BY 1, 2")
    }

    // MARK: Edits and deletes

    @Test("M5 P13 A Firebase tree with upper-case keys: an edit changes the record, and a delete deletes it")
    func firebase() async throws {
        let server = FakeFirebase()
        server.set(["text": "one"], at: "/memos/\(upper)")
        let sync = Sync(store: store, remote: FirebaseRemote(server.url, client: server.client))
        try await sync.pull(NotebookMemo.self)
        try execute("UPDATE memo SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(server.record(upper, of: "/memos")?["text"] == "two")
        #expect(server.records(of: "/memos").count == 1)
        try execute("DELETE FROM memo")
        #expect(try await sync.push().deleted == 1)
        #expect(server.records(of: "/memos").isEmpty)
        try await sync.pull(NotebookMemo.self, options: MergeOptions(records: .all))
        #expect(try store.rows("SELECT * FROM memo") == [])
    }

    @Test("M5.3 A list in upper case: the received spelling is the record's address")
    func list() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(NotebookMemo.self)
        try execute("UPDATE memo SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(remote.record(upper, of: "/memos")?["text"] == "two")
        try execute("DELETE FROM memo")
        #expect(try await sync.push().deleted == 1)
        #expect(remote.records(of: "/memos").isEmpty)
    }

    @Test("M5 P13 A server that returns UUIDs in upper case, whatever it was sent, has the record once")
    func returned() async throws {
        var rules = RailsRules()
        rules.hasUppercaseUUIDs = true
        let server = FakeRails(rules)
        let sync = Sync(store: store, remote: RESTRemote(server.url, client: server.client))
        try execute("INSERT INTO memo (id, text) VALUES ('\(lower)', 'one')")
        #expect(try await sync.push().created == 1)
        #expect(try spellings() == ["Memo \(upper)"])
        try execute("UPDATE memo SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(server.records(of: "/memos").map { $0["id"] } == [.string(upper)])
        try execute("DELETE FROM memo")
        #expect(try await sync.push().deleted == 1)
        #expect(server.records(of: "/memos").isEmpty)
    }

    @Test("M5.7 What is made here is written in lower case, and needs no row")
    func madeHere() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = Sync(store: store, remote: remote)
        try execute("INSERT INTO memo (id, text) VALUES ('\(lower)', 'one')")
        #expect(try await sync.push().created == 1)
        #expect(remote.record(lower, of: "/memos")?["id"] == .string(lower))
        try await sync.pull(NotebookMemo.self)
        #expect(try spellings() == [])
    }

    @Test("M5.7 With `uuids: upper`, what is made here is written in upper case, links too; what was received is not")
    func madeHereInUpperCase() async throws {
        let store = try Store(UppercaseNotebook.self, at: .inMemory)
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = Sync(store: store, remote: remote)
        try await store.writer.write { [lower, other] database in
            try database.execute(
                sql: "INSERT INTO memo VALUES ('\(other)', 'two', NULL), ('\(lower)', 'one', '\(other)')")
        }
        #expect(try await sync.push().created == 2)
        #expect(remote.record(upper, of: "/memos")?["id"] == .string(upper))
        #expect(remote.record(upper, of: "/memos")?["next_id"] == .string(other.uppercased()))
        try await sync.pull(Word<UppercaseNotebook.Memos>.self)
        #expect(try store.rows("SELECT * FROM lockstep_spelling") == [])
        let third = "6f1c2a3b-1d4e-4f22-8a33-0000000000ef"
        remote.set(["id": .string(third), "text": "three"], id: third, in: "/memos")
        try await sync.pull(Word<UppercaseNotebook.Memos>.self)
        #expect(try store.rows("SELECT spelling FROM lockstep_spelling") == [third])
        try await store.writer.write { try $0.execute(sql: "UPDATE memo SET text = 'x'") }
        #expect(try await sync.push().updated == 3)
        #expect(remote.records(of: "/memos").count == 3)
    }

    @Test("M5.7 If the schema writes them in another case from now on, what the server has keeps its spelling")
    func changedOption() async throws {
        try await merge(
            """
            [{"id": "\(lower)", "text": "one"}, {"id": "\(other.uppercased())", "text": "two"}]
            """)
        try await store.writer.write { database in
            try IdentitySpellings.change(Self.memos, isUppercase: true, in: database)
        }
        #expect(try spellings() == ["Memo \(lower)"])
        try await store.writer.write { database in
            try IdentitySpellings.change(Self.memos, isUppercase: false, in: database)
        }
        #expect(try spellings() == ["Memo \(other.uppercased())"])
    }

    @Test("M5.7 What was never sent is written in the new case, and what is not known stays unknown")
    func unsentInAnotherCase() async throws {
        try execute("INSERT INTO memo (id, text) VALUES ('\(lower)', 'one')")
        try await store.writer.write { [other] database in
            try database.execute(
                sql: """
                    INSERT INTO lockstep_quiet (id) VALUES (1); INSERT INTO memo (id, text) VALUES ('\(other)', 'two'); \
                    DELETE FROM lockstep_quiet; INSERT INTO lockstep_spelling VALUES ('Memo', '\(other)', '')
                    """)
            try IdentitySpellings.change(Self.memos, isUppercase: true, in: database)
        }
        #expect(try spellings() == ["Memo "])
    }

    @Test("M5.5 R10 An identity that is returned beside the body is the address, too", arguments: [nil, "{}"])
    func besideTheBody(_ body: String?) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = Sync(store: store, remote: remote)
        try execute("INSERT INTO memo (id, text) VALUES ('\(lower)', 'one')")
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        let identity = RemoteIdentity([.string(upper)])
        remote.respondNext(.response(.accepted(body: body.map { Data($0.utf8) }, identity: identity)), to: .changes)
        #expect(try await sync.push().created == 1)
        try execute("UPDATE memo SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.last?.identity?.text == upper)
        #expect(remote.records(of: "/memos").count == 1)
    }

    @Test(
        "F1 What the table of spellings contains besides spellings is no address",
        arguments: Seeds.some(8, of: UInt64(0)...199))
    func damaged(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(lower), "text": "one"], id: lower, in: "/memos")
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(NotebookMemo.self)
        let values = [
            other, other.uppercased(), "../\(lower)", "\(lower)x", String(lower.dropLast()), "x", "7", "\(lower) ",
        ]
        let value = random.element(of: values)
        try execute("INSERT INTO lockstep_spelling VALUES ('Memo', '\(lower)', '\(value)')")
        try execute("UPDATE memo SET text = 'two'")
        #expect(try await sync.push().updated == 1)
        #expect(remote.record(lower, of: "/memos")?["text"] == "two")
    }

    // MARK: Links

    @Test("M5.3 R1 A link has the spelling of the record that it leads to")
    func links() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "title": "F", "pin_ids": []], id: upper, in: "/folders")
        remote.set(["id": .string(other.uppercased()), "text": "m"], id: other.uppercased(), in: "/memos")
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(NotebookFolder.self)
        try await sync.pull(NotebookMemo.self)
        try execute("UPDATE memo SET folder_id = '\(lower)'")
        try execute("INSERT INTO folder_pin (folder_id, memo_id) VALUES ('\(lower)', '\(other)')")
        #expect(try await sync.push().updated == 2)
        #expect(remote.record(other.uppercased(), of: "/memos")?["folder_id"] == .string(upper))
        #expect(remote.record(upper, of: "/folders")?["pin_ids"] == [.string(other.uppercased())])
    }

    @Test("M5.4 R2 A link that comes before its record gives the spelling until the record does")
    func linkFirst() async throws {
        try await merge(#"[{"id": "\#(other)", "text": "m", "folder_id": "\#(upper)"}]"#)
        #expect(try spellings() == ["Folder \(upper)"])
        // M12 M15 A record that is skipped says nothing, so that the next merge of the link has nothing to write.
        try await merge(#"[{"id": "\#(lower)"}]"#, into: NotebookFolder.self)
        #expect(try spellings() == ["Folder \(upper)"])
        try await merge(#"[{"id": "\#(lower)", "title": "F"}]"#, into: NotebookFolder.self)
        #expect(try spellings() == [])
        // The record's own spelling counts, in whatever way others write it.
        try await merge(#"[{"id": "\#(other)", "text": "m", "folder_id": "\#(upper)"}]"#)
        #expect(try spellings() == [])
    }

    @Test("M15 A link to a record that the merge deletes gives the spelling at once, not in the next merge")
    func linkToDeleted() async throws {
        let store = try Store(UppercaseNotebook.self, at: .inMemory)
        func merge(_ json: String) async throws -> Int {
            try await store.merge(
                json, into: Word<UppercaseNotebook.Memos>.self, options: MergeOptions(records: .all))
            return try await store.writer.read { $0.totalChangesCount }
        }
        _ = try await merge(#"[{"id": "\#(upper)", "text": "one"}]"#)
        let json = #"[{"id": "\#(other.uppercased())", "text": "two", "next_id": "\#(lower)"}]"#
        let writes = try await merge(json)
        #expect(try store.rows("SELECT id FROM memo") == [other])
        #expect(try store.rows("SELECT spelling FROM lockstep_spelling") == [lower])
        #expect(try await merge(json) == writes)
    }

    // MARK: Merging

    @Test("M5.6 M6 A record in another spelling is the same record, and nothing of it is written")
    func sameRecord() async throws {
        try await merge(#"[{"id": "\#(lower)", "text": "one"}]"#)
        let summary = try await store.merge(
            Data(#"[{"id": "\#(upper)", "text": "one"}]"#.utf8), into: NotebookMemo.self)
        #expect(summary.description == "Memo: 1 unchanged")
        #expect(try spellings() == ["Memo \(upper)"])
        let writes = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT total_changes()") }
        try await merge(#"[{"id": "\#(upper)", "text": "one"}]"#)
        #expect(try await store.writer.read { try Int.fetchOne($0, sql: "SELECT total_changes()") } == writes)
        // The last spelling counts, also in one payload.
        try await merge(#"[{"id": "\#(upper)", "text": "one"}, {"id": "\#(lower)", "text": "one"}]"#)
        #expect(try spellings() == [])
    }

    @Test("M5.5 The key of a map is the address, however the record repeats it")
    func mapKey() async throws {
        var options = MergeOptions()
        options.payload = .map
        let json = #"{"\#(upper)": {"id": "\#(lower)", "text": "one"}}"#
        try await store.merge(Data(json.utf8), into: NotebookMemo.self, options: options)
        #expect(try spellings() == ["Memo \(upper)"])
    }

    @Test("M5.4 M16 Two spellings of one UUID in a payload are one record, and the last one counts")
    func bothSpellings() async throws {
        let json = #"[{"id": "\#(upper)", "text": "one"}, {"id": "\#(lower)", "text": "two"}]"#
        #expect(try await store.merge(Data(json.utf8), into: NotebookMemo.self).inserted == 1)
        #expect(try store.rows("SELECT text FROM memo") == ["two"])
    }

    // MARK: Deletes of others

    @Test("M5.8 M7 A deletion that names another spelling is that of another record")
    func deletedInAnotherSpelling() async throws {
        try await merge(#"[{"id": "\#(upper)", "text": "one"}]"#)
        let sync = Sync(store: store, remote: MemoryRemote())
        let summary = try await store.applyServerDeletes(
            of: NotebookMemo.self, identities: [lower, other].map { RemoteIdentity([.string($0)]) })
        #expect(summary.notes.map(\.record) == [lower])
        #expect(try store.rows("SELECT text FROM memo") == ["one"])
        try await sync.handle(
            .deleted([RemoteIdentity([.string(upper)])]), of: NotebookMemo.self, options: MergeOptions(records: .all))
        #expect(try store.rows("SELECT text FROM memo") == [])
    }

    @Test("M5.6 A spelling goes with its record, whichever side deletes it")
    func deletedRecords() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        for id in [upper, other.uppercased()] {
            remote.set(["id": .string(id), "text": "one"], id: id, in: "/memos")
        }
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(NotebookMemo.self)
        #expect(try spellings().count == 2)
        try execute("DELETE FROM memo WHERE id = '\(lower)'")
        #expect(try spellings().count == 2)
        #expect(try await sync.push().deleted == 1)
        #expect(try spellings() == ["Memo \(other.uppercased())"])
        remote.remove(other.uppercased(), from: "/memos")
        try await sync.pull(NotebookMemo.self, options: MergeOptions(records: .all))
        #expect(try spellings() == [])
    }

    @Test(
        "P6 C3 404 for a spelling that has changed since is not “deleted”",
        arguments: ["UPDATE memo SET text = 'two'", "DELETE FROM memo"])
    func changedMeanwhile(_ edit: String) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        try await merge(#"[{"id": "\#(lower)", "text": "one"}]"#)
        let sync = Sync(store: store, remote: remote)
        try execute(edit)
        let gate = Gate()
        remote.respondNext(.held(gate), to: .changes)
        let push = _Concurrency.Task { try await sync.push() }
        try await gate.reached()
        try await merge(#"[{"id": "\#(upper)", "text": "one"}]"#)
        gate.open()
        let summary = try await push.value
        #expect(summary.updated + summary.deleted == 1)
        #expect(remote.records(of: "/memos").first?["text"] == (edit.hasPrefix("UPDATE") ? "two" : nil))
        #expect(remote.log.map { $0.identity?.text } == [lower, upper])
    }

    // MARK: Many records

    private func manyIDs(_ count: Int) -> [String] { (0..<count).map { _ in UUID().uuidString } }

    @Test("M5 Links to many records, and deleting many, run no statement for each spelling")
    func many() async throws {
        let ids = manyIDs(1_000)
        let remote = MemoryRemote(traits: RemoteTraits())
        for id in ids {
            remote.set(["id": .string(id), "text": "one", "folder_id": .string(id)], id: id, in: "/memos")
        }
        let sync = Sync(store: store, remote: remote)
        var statements = try await store.statements(naming: "lockstep_spelling") {
            try await sync.pull(NotebookMemo.self)
        }
        #expect(statements.count < 20)
        #expect(try spellings().count == 2_000)
        for id in ids { remote.remove(id, from: "/memos") }
        var options = MergeOptions(records: .all)
        options.unlistedShareLimit = 1
        statements = try await store.statements(naming: "lockstep_spelling") {
            let summary = try await sync.pull(NotebookMemo.self, options: options)
            #expect(summary.deleted == 1_000)
        }
        #expect(statements.count < 20)
        let left = try spellings()
        #expect(left.count == 1_000 && left.allSatisfy { $0.hasPrefix("Folder") })
    }

    @Test("M7 If a list lacks many records, only the identities of those that are requested are read")
    func manyMissing() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let ids = manyIDs(1_000)
        for id in ids { remote.set(["id": .string(id), "text": "one"], id: id, in: "/memos") }
        let sync = Sync(store: store, remote: remote)
        try await sync.pull(NotebookMemo.self)
        for id in ids { remote.remove(id, from: "/memos") }
        var options = MergeOptions(records: .all)
        options.unlistedRequestLimit = 10
        let statements = try await store.statements(naming: "lockstep_spelling") {
            let summary = try await sync.pull(NotebookMemo.self, options: options)
            #expect(summary.deleted == 1_000)
        }
        #expect(statements.count < 50)
        let requested = remote.log.filter { $0.kind == .fetch }.compactMap(\.identity?.text)
        #expect(requested.count == 10 && Set(requested).isSubset(of: ids))
    }
}

import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// Files of earlier versions, which have noted no spelling, and servers some of whose collections cannot be listed.
@Suite("M5 Files without spellings")
struct UpgradePropertyTests {
    /// A collection with a record whose UUID, or that of a record in it, the server has in upper case.
    private enum Collection: String, CaseIterable {
        case albums, memos, orders

        var path: String { "/\(rawValue)" }
        var id: String { "6f1c2a3b-1d4e-4f22-8a33-0000000000a\(self == .albums ? 1 : self == .memos ? 2 : 3)" }
        var key: String { self == .orders ? "1" : id.uppercased() }

        /// The record on the server.
        var record: JSONValue {
            let upper = JSONValue.string(id.uppercased())
            return switch self {
            case .albums: ["id": upper, "title": "one"]
            case .memos: ["id": upper, "text": "one"]
            case .orders: ["id": 1, "name": "one", "lines": [["id": upper, "title": "one"]]]
            }
        }

        /// A local change.
        func sql(isDelete: Bool) -> String {
            switch self {
            case .albums: isDelete ? "DELETE FROM album" : "UPDATE album SET title = 'two'"
            case .memos: isDelete ? "DELETE FROM memo" : "UPDATE memo SET text = 'two'"
            case .orders: "UPDATE line SET title = 'two'"
            }
        }
    }

    /// What becomes of a request for a collection.
    private enum Answer: CaseIterable {
        case listed, forbidden, missing, notAllowed, failing, broken

        /// Whether the usual spelling counts.
        var isUnlistable: Bool { [.forbidden, .missing, .notAllowed].contains(self) }
        var isFailure: Bool { self == .failing || self == .broken }

        var error: SyncError? {
            let code: SyncError.Code? =
                switch self {
                case .listed: nil
                case .forbidden: .refused(status: 403)
                case .missing: .refused(status: 404)
                case .notAllowed: .refused(status: 405)
                case .failing: .unavailable(status: 500)
                case .broken: .malformed
                }
            return code.map { SyncError($0, reason: "it cannot be listed", remedy: "List it.") }
        }
    }

    @Test(
        """
        M5.9 M5.10 M5.11 M5.12 M5.13 What names a UUID waits for its collection, which is listed first, and nothing \
        else waits
        """,
        arguments: Seeds.some(12, of: UInt64(0)...299))
    func upgrades(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        for collection in Collection.allCases { remote.set(collection.record, id: collection.key, in: collection.path) }
        var answers: [Collection: Answer] = [:]
        for collection in Collection.allCases {
            answers[collection] = random.isOne(in: 2) ? .listed : random.element(of: Answer.allCases)
        }
        let changed = Collection.allCases.filter { _ in !random.isOne(in: 3) }
        let isDelete = random.isOne(in: 3)
        let isLinked = random.isOne(in: 2)
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("office.sqlite")
            try await makeEarlierFile(file, remote) { database in
                for collection in changed { try database.execute(sql: collection.sql(isDelete: isDelete)) }
                try database.execute(sql: "INSERT INTO tag (id, name) VALUES (2, 'new')")
                if isLinked, !isDelete {
                    try database.execute(
                        sql: """
                            INSERT INTO memo (id, text, album_id) \
                            VALUES ('6f1c2a3b-1d4e-4f22-8a33-0000000000b9', 'new', '\(Collection.albums.id)')
                            """)
                }
            }
            let (store, clock) = (try Store(Office.self, at: .file(file)), ManualClock())
            let sync = Sync(
                store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
            for (collection, answer) in answers {
                guard let error = answer.error else { continue }
                remote.respondNext(.fails(error), to: .kind(.fetch, path: collection.path), times: 100)
            }
            remote.clearLog()
            let state: Comment =
                "\(answers), changed \(changed)\(isDelete ? " (deleted)" : "")\(isLinked ? ", linked" : "")"
            _ = try await sync.push()
            let first = remote.log.prefix { !$0.isChange }.filter { $0.kind == .fetch && $0.identity == nil }
            #expect(Set(first.map(\.path)) == Set(Collection.allCases.map(\.path)), state)
            let sent = Set(remote.log.filter(\.isChange).map { "\($0.path) \($0.identity?.text ?? "")" })
            var expected: Set<String> = ["/tags 2"]
            for collection in changed where answers[collection]?.isFailure == false {
                let isUsual = answers[collection]?.isUnlistable == true && collection != .orders
                expected.insert("\(collection.path) \(isUsual ? collection.id : collection.key)")
            }
            if isLinked, !isDelete, answers[.albums]?.isFailure == false {
                expected.insert("/memos 6f1c2a3b-1d4e-4f22-8a33-0000000000b9")
            }
            #expect(sent == expected, state)
            // What failed is listed again when it is time, and not before.
            remote.clearLog()
            _ = try? await sync.push()
            #expect(remote.log.filter { $0.kind == .fetch && $0.identity == nil }.isEmpty, state)
            try store.close()
        }
    }

    @Test(
        "M5.10 A list without a record does not delete it as long as its spelling is not known",
        arguments: Seeds.some(4, of: UInt64(0)...99))
    func laggingLists(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let clock = ManualClock()
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock)
        for collection in Collection.allCases { remote.set(collection.record, id: collection.key, in: collection.path) }
        let age = random.element(of: [0.0, 10, 30])
        let isMemo = random.isOne(in: 2)
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("office.sqlite")
            try await makeEarlierFile(file, remote) { _ in }
            let store = try Store(Office.self, at: .file(file))
            let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
            clock.advance(by: age)
            remote.lagLists(bySeconds: 60)
            let options = MergeOptions(records: .all)
            if isMemo {
                try await sync.pull(Word<Office.Memos>.self, options: options)
            } else {
                try await sync.pull(Word<Office.Albums>.self, options: options)
            }
            #expect(try store.rows("SELECT text FROM memo") == ["one"])
            #expect(try store.rows("SELECT title FROM album") == ["one"])
            try store.close()
        }
    }

    /// A file with everything that the server has, and with local changes, as an earlier version has left it.
    private func makeEarlierFile(
        _ file: URL, _ remote: MemoryRemote, _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        let store = try Store(Office.self, at: .file(file))
        try await Sync(store: store, remote: remote).pull()
        try await store.writer.write { database in
            try body(database)
            try database.execute(
                sql: "DROP TABLE lockstep_spelling; UPDATE lockstep_metadata SET value = '2 x' WHERE key = 'outbox'")
        }
        try store.close()
    }
}

import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// Seeded writers and readers at the same time.
@Suite("Devices of a PostgreSQL server, with any writers", .enabled(if: PostgreSQLServer.isWanted), .serialized)
struct ServerModelTests {
    private static let seeds = 1...UInt64(Seeds.count(3, of: 100))

    @Test("Each device has in the end what the server has, whatever sizes its pages had", arguments: seeds)
    func seeded(seed: UInt64) async throws {
        let feed = try PostgreSQLFeed.lists()
        let admin = try feed.session()
        let lists = (1...3).map(uuid)
        for list in lists {
            try admin.rows("INSERT INTO list VALUES ('\(list)', '\(PostgreSQLFeed.User.ann.rawValue)', 'List');")
        }
        let readers = try await withThrowingTaskGroup(of: [FeedReaderBox].self) { group in
            for number in 1...4 {
                group.addTask {
                    try RandomWriter(seed: seed * 100 + UInt64(number)).run(40, in: feed)
                    return []
                }
            }
            for number in 1...2 {
                group.addTask {
                    var random = SeededRandom(seed: seed * 1_000 + UInt64(number))
                    let reader = FeedReader(try feed.session(of: .ann))
                    for _ in 0..<30 { _ = try reader.readPage([1, 3, 10, 1000].randomElement(using: &random)!) }
                    return [FeedReaderBox(reader: reader)]
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let late = FeedReader(try feed.session(of: .ann))
        try late.pull()
        for reader in readers.map(\.reader) + [late] {
            try reader.pull(pageSize: 7)
            for (entity, table) in ["List": "list", "Task": "task", "Comment": "comment", "Tag": "tag"] {
                let present = try admin.rows("SELECT id FROM \(table) ORDER BY id;")
                #expect(reader.identities(of: entity) == present, "seed \(seed)")
            }
            #expect(reader.records.mapValues(\.json) == late.records.mapValues(\.json), "seed \(seed)")
        }
    }
}

/// A reader that one task passes to another.
private struct FeedReaderBox: @unchecked Sendable {
    let reader: FeedReader
}

/// Writes transactions of one to three random statements. A transaction that PostgreSQL ends, because two wait for each
/// other, is given up.
private struct RandomWriter {
    let seed: UInt64

    func run(_ transactions: Int, in feed: PostgreSQLFeed) throws {
        var random = SeededRandom(seed: seed)
        let session = try feed.session()
        for _ in 0..<transactions {
            let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in statement(&random) }
            let end = Int.random(in: 0..<10, using: &random) == 0 ? "ROLLBACK" : "COMMIT"
            _ = try? session.rows("BEGIN; \(statements.joined(separator: " ")) \(end);")
            try session.rows("ROLLBACK;")
        }
    }

    private func statement(_ random: inout SeededRandom) -> String {
        let list = uuid(Int.random(in: 1...3, using: &random))
        func any(_ table: String) -> String {
            "(SELECT id FROM \(table) ORDER BY md5(id::text || '\(random.next())') LIMIT 1)"
        }
        return switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            """
            INSERT INTO task (id, title, labels, list_id)
                SELECT gen_random_uuid(), 'Task', '[]', '\(list)' FROM generate_series(1, 3);
            """
        case 3: "UPDATE task SET done = NOT done WHERE list_id = '\(list)';"
        case 4: "UPDATE task SET list_id = '\(list)' WHERE id = \(any("task"));"
        case 5: "INSERT INTO comment SELECT gen_random_uuid(), 'Comment', id FROM task WHERE id = \(any("task"));"
        case 6: "UPDATE comment SET task_id = \(any("task")) WHERE id = \(any("comment"));"
        case 7: "DELETE FROM task WHERE id = \(any("task"));"
        case 8:
            """
            INSERT INTO tag VALUES (gen_random_uuid(), 'Tag', '\(list)');
            INSERT INTO task_tag SELECT t.id, g.id FROM task t, tag g
                WHERE t.id = \(any("task")) AND g.id = \(any("tag")) ON CONFLICT DO NOTHING;
            """
        default: "DELETE FROM comment WHERE id = \(any("comment"));"
        }
    }
}

import ServerTestSupport
import TestSupport
import Testing

/// A user reads lists for the first time, page by page, while others write and change what the user may read.
@Suite("First reads of a PostgreSQL server, while others write", .enabled(if: PostgreSQLServer.isWanted))
struct ServerFirstReadTests {
    private static let seedsPerTest: UInt64 = 20
    private static let firstSeeds = stride(
        from: 1, through: UInt64(Seeds.count(20, of: 300)), by: Int(seedsPerTest)
    ).map(\.self)

    @Test("The device has what its user reads in the end, and nothing else", arguments: firstSeeds)
    func seeded(first: UInt64) throws {
        let feed = try PostgreSQLFeed.lists()
        for seed in first..<first + Self.seedsPerTest {
            #expect(try FirstRead.difference(seed: seed, of: feed) == nil, "seed \(seed)")
        }
    }

    @Test("A server that leaves out what was deleted before each page of a first read is found out")
    func mutant() throws {
        let feed = try PostgreSQLFeed.lists { sql in
            let start = "coalesce((known -> r.scope ->> 1)::bigint, CASE WHEN known -> r.scope IS NULL"
            #expect(sql.contains(start))
            let anew = "coalesce(CASE WHEN known -> r.scope IS NULL OR known -> r.scope ->> 1 IS NOT NULL"
            return sql.replacing(start, with: anew)
        }
        for seed in UInt64(1)...40 where try FirstRead.difference(seed: seed, of: feed) != nil { return }
        Issue.record("no seed has missed a deletion")
    }
}

/// One first read of Ben, whose lists are Ann's.
private struct FirstRead {
    private let feed: PostgreSQLFeed
    private let (owner, other, observer): (PostgreSQLSession, PostgreSQLSession, PostgreSQLSession)
    private let pageSize: Int
    private var random: SeededRandom
    /// Whether `other` has an open transaction.
    private var isOpen = false
    private var lastID = 0

    private static let tables = [
        "List": "list", "Member": "member", "Task": "task", "Comment": "comment", "Tag": "tag",
    ]

    private init(seed: UInt64, of feed: PostgreSQLFeed) throws {
        self.feed = feed
        (owner, other, observer) = (try feed.session(), try feed.session(), try feed.session())
        random = SeededRandom(seed: seed)
        pageSize = Int.random(in: 1...12, using: &random)
        lastID = 1_000 * Int(seed)
        try owner.rows("DELETE FROM tag; DELETE FROM list;")
        for list in 1...3 {
            try owner.rows("INSERT INTO list VALUES ('\(uuid(list))', '\(PostgreSQLFeed.User.ann.rawValue)', 'List');")
            if Bool.random(using: &random) { try owner.rows(invitation(to: list)) }
        }
        for _ in 0..<40 { try owner.rows(statement()) }
    }

    /// - Returns: What the device has, and what it should have, if they differ.
    static func difference(seed: UInt64, of feed: PostgreSQLFeed) throws -> String? {
        var read = try FirstRead(seed: seed, of: feed)
        return try read.difference()
    }

    private mutating func difference() throws -> String? {
        var reader = FeedReader(try feed.session(of: .ben))
        for _ in 0..<40 {
            if try !reader.readPage(pageSize), reader.isExpired { reader = FeedReader(try feed.session(of: .ben)) }
            for _ in 0..<Int.random(in: 0...2, using: &random) { try write() }
        }
        if isOpen { try other.rows("COMMIT;") }
        try reader.pull(pageSize: pageSize)
        if reader.isExpired { reader = FeedReader(try feed.session(of: .ben)) }
        try reader.pull(pageSize: pageSize)
        let late = FeedReader(try feed.session(of: .ben))
        try late.pull()
        let ben = try feed.session(of: .ben)
        for (entity, table) in Self.tables {
            let (own, there) = (reader.identities(of: entity), try ben.rows("SELECT id FROM \(table) ORDER BY id;"))
            if own != there { return "\(entity): \(own) instead of \(there)" }
        }
        return reader.records == late.records ? nil : "\(reader.records) instead of \(late.records)"
    }

    /// A statement of others, which may end after the next ones. Who waits for it lets it end.
    private mutating func write() throws {
        if isOpen, random.isOne(in: 3) {
            try other.rows("COMMIT;")
            isOpen = false
        }
        let isLate = !isOpen && random.isOne(in: 4)
        let statement = statement()
        if isLate {
            try other.rows("BEGIN;")
            try other.rows(statement)
            isOpen = true
        } else if isOpen {
            _ = try owner.rows(statement, observer: observer) {
                try other.rows("COMMIT;")
                isOpen = false
            }
        } else {
            try owner.rows(statement)
        }
    }

    private mutating func id() -> String {
        lastID += 1
        return uuid(lastID)
    }

    private mutating func any(_ table: String) -> String {
        "(SELECT id FROM \(table) ORDER BY md5(id::text || '\(random.next())') LIMIT 1)"
    }

    private mutating func invitation(to list: Int) -> String {
        "INSERT INTO member VALUES ('\(id())', '\(PostgreSQLFeed.User.ben.rawValue)', NULL, '\(uuid(list))');"
    }

    private mutating func statement() -> String {
        let number = Int.random(in: 1...3, using: &random)
        let list = uuid(number)
        return switch Int.random(in: 0..<15, using: &random) {
        case 0...2:
            """
            INSERT INTO task (id, title, labels, list_id)
                VALUES ('\(id())', 'Task', '[]', '\(list)'), ('\(id())', 'Task', '[]', '\(list)');
            """
        case 3: "UPDATE task SET title = 'Task \(id().suffix(8))' WHERE id = \(any("task"));"
        case 4, 5: "UPDATE task SET list_id = '\(list)' WHERE id = \(any("task"));"
        case 6: "DELETE FROM task WHERE id = \(any("task"));"
        case 7, 8: "INSERT INTO comment SELECT '\(id())', 'Comment', id FROM task WHERE id = \(any("task"));"
        case 9: "UPDATE comment SET task_id = coalesce(\(any("task")), task_id) WHERE id = \(any("comment"));"
        case 10: "DELETE FROM comment WHERE id = \(any("comment"));"
        case 11: "INSERT INTO tag VALUES ('\(id())', 'Tag', '\(list)');"
        case 12: invitation(to: number)
        case 13:
            "DELETE FROM member WHERE list_id = '\(list)' AND \"user\" = '\(PostgreSQLFeed.User.ben.rawValue)';"
        default:
            """
            WITH old AS (UPDATE lockstep_change SET gone = gone - interval '2 days' WHERE gone IS NOT NULL RETURNING 1)
                SELECT lockstep_expire(1) FROM (SELECT count(*) FROM old) o \\g /dev/null
            """
        }
    }
}

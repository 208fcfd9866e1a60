import ServerTestSupport
import TestSupport
import Testing

/// Eight writers, whose transactions last up to 30 ms, and a reader.
@Suite("Many writers of a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted), .serialized)
struct ServerWritersTests {
    private static let writerCount = 8
    private static let listCount = 4

    /// What the reader has not received, and how often it has received something again.
    private struct Outcome: Equatable {
        var (lost, repeated) = (0, 0)
    }

    @Test("A reader receives every transaction, and each once")
    func writers() throws {
        #expect(try Self.outcome(of: Seeds.count(25, of: 1_500), in: .lists()) == Outcome())
    }

    @Test("Without the lock of the scope, some are lost")
    func mutant() throws {
        for _ in 1...20 where try Self.outcome(of: 25, in: .lists(mutate: PostgreSQLFeed.withoutLocks)).lost > 0 {
            return
        }
        Issue.record("no transaction was lost")
    }

    /// - Parameter count: The number of transactions of each writer.
    private static func outcome(of count: Int, in feed: PostgreSQLFeed) throws -> Outcome {
        let observer = try feed.session()
        for list in 1...listCount {
            let owner = PostgreSQLFeed.User.ann.rawValue
            try observer.rows("INSERT INTO list VALUES ('\(uuid(list))', '\(owner)', 'List');")
        }
        let writers = try (1...writerCount).map { _ in try feed.session() }
        let processes = try writers.map { try $0.rows("SELECT pg_backend_pid();")[0] }.joined(separator: ", ")
        for (index, writer) in writers.enumerated() { writer.send(transactions(of: index + 1, count: count)) }
        let reader = FeedReader(try feed.session(of: .ann))
        var random = SeededRandom(seed: 8)
        let ended = """
            SELECT count(*) FROM pg_stat_activity WHERE pid IN (\(processes)) AND query LIKE 'DO %' AND state = 'idle';
            """
        while try observer.rows(ended) != ["\(writerCount)"] {
            _ = try reader.readPage(Int.random(in: 1...50, using: &random))
        }
        for writer in writers { _ = try writer.received() }
        try reader.pull()
        let written = try observer.rows("SELECT id FROM tag;")
        guard written.count == writerCount * count else {
            throw CommandFailure(command: "the writers", output: "wrote \(written.count)")
        }
        let lost = Set(written).subtracting(reader.identities(of: "Tag")).count
        return Outcome(lost: lost, repeated: reader.repeatedCount)
    }

    /// Transactions that write first, and are committed up to 30 ms later. They write tags, which only the lock of the
    /// scope keeps apart.
    private static func transactions(of writer: Int, count: Int) -> String {
        """
        DO $$ BEGIN
            PERFORM setseed(\(writer) / 10.0);
            FOR i IN 1..\(count) LOOP
                INSERT INTO tag VALUES (
                    gen_random_uuid(), 'Tag',
                    ('00000000-0000-0000-0000-00000000000' || 1 + floor(random() * \(listCount)))::uuid);
                PERFORM pg_sleep(random() * 0.03);
                COMMIT;
            END LOOP;
        END $$;
        """
    }
}

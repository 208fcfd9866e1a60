import Foundation
public import LockstepStore
import LockstepSync
import Shop
import TestSupport

/// Writers of every kind and readers at the same time; stock is only moved about. What a reader of one transaction sees
/// must add up at any moment, what a context shows when all is quiet, and nothing may be lost or come twice.
public enum Stress {
    private static let writers = 4
    private static let rounds = 25
    private static let sum = Bookkeeping.products.count * Bookkeeping.stockOfEach

    /// - Returns: What is wrong in the end: nothing.
    /// - Throws: What a writer or a reader met.
    public static func findings(in store: Store, seed: UInt64) async throws -> [String] {
        try await store.perform { context in
            Bookkeeping.open(in: context)
            try context.save()
        }
        let written = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                let seed = seed &* 1000 &+ UInt64(writer)
                group.addTask { try await performing(store, writer: writer, seed: seed) }
                group.addTask { try await readingBySQL(store) }
            }
            group.addTask { try await onMain(store, writer: writers, seed: seed &+ 77) }
            group.addTask { try await writingSQL(store, seed: seed &+ 99) }
            group.addTask { try await merging(store, seed: seed &+ 55) }
            group.addTask { try await readingByContext(store) }
            return try await group.reduce(0, +)
        }
        let (broken, numbers) = try await store.writer.read { database in
            (
                try Bookkeeping.findings(database),
                try Int.fetchAll(database, sql: "SELECT id FROM article WHERE title = 'article'")
            )
        }
        var findings = broken
        let expected = (writers + 1) * rounds
        if written != expected || numbers.count != expected || Set(numbers).count != expected {
            findings.append("\(written) articles were saved, \(numbers.count) are there, of \(expected)")
        }
        return try await findings + Self.findings(inMainContextOf: store)
    }

    // MARK: Writers

    /// Moves stock and publishes an article with its comments, saved together; now and then thrown away instead.
    private static func performing(_ store: Store, writer: Int, seed: UInt64) async throws -> Int {
        var random = SeededRandom(seed: seed)
        var count = 0
        for round in 0..<rounds {
            let move = Move(in: Share.performing, using: &random)
            let number = 1 + writer * 1000 + round
            let isThrownAway = round % 5 == 4
            if isThrownAway {
                try await store.perform { context in
                    try move.make(in: context)
                    publish(number, in: context)
                }
            }
            count += try await store.perform { context in
                try move.make(in: context)
                publish(number, in: context)
                try context.save()
                return 1
            }
        }
        return count
    }

    /// The same in the main context, which others write past all the time.
    @MainActor
    private static func onMain(_ store: Store, writer: Int, seed: UInt64) async throws -> Int {
        var random = SeededRandom(seed: seed)
        let context = store.mainContext
        // Held for the whole time: they are what must not become stale.
        let products = try context.fetch(Product.all())
        for round in 0..<rounds {
            publish(1 + writer * 1000 + round, in: context)
            try Move(in: Share.main, using: &random).make(in: context)
            let picture = try context.fetch(Picture.all()).randomElement(using: &random)
            picture?.title = "round \(round)"
            try await context.save()
            _ = products.map { $0.images.count + $0.stock }
            await _Concurrency.Task.yield()
        }
        return rounds
    }

    /// Moves stock by SQL, which contexts hear of.
    private static func writingSQL(_ store: Store, seed: UInt64) async throws -> Int {
        var random = SeededRandom(seed: seed)
        for _ in 0..<rounds {
            let move = Move(in: Share.sql, using: &random)
            try await store.writer.write { database in
                let stock = try Int.fetchOne(database, sql: "SELECT stock FROM product WHERE id = \(move.from)") ?? 0
                let count = min(stock, move.count)
                try database.execute(sql: "UPDATE product SET stock = stock - \(count) WHERE id = \(move.from)")
                try database.execute(sql: "UPDATE product SET stock = stock + \(count) WHERE id = \(move.to)")
            }
        }
        return 0
    }

    /// Moves stock by merging a server's JSON, by bytes and by representations in turn, with tags that come and go.
    private static func merging(_ store: Store, seed: UInt64) async throws -> Int {
        var random = SeededRandom(seed: seed)
        var stock = [Bookkeeping.stockOfEach, Bookkeeping.stockOfEach]
        for round in 0..<rounds {
            let count = Int.random(in: 0...30, using: &random)
            let from = round % 2
            let moved = min(stock[from], count)
            stock[from] -= moved
            stock[1 - from] += moved
            let records = zip(Share.merging, stock).map { id, stock in
                #"{"id": \#(id), "name": "product \#(id)", "stock": "\#(stock)", "tag_ids": [\#(1 + round % 3)]}"#
            }
            let json = "[\(records.joined(separator: ", "))]"
            if round % 2 == 0 {
                try await store.merge(json, into: Product.self)
            } else {
                try await store.merge(JSONDecoder().decode([ProductRepresentation].self, from: Data(json.utf8)))
            }
        }
        return 0
    }

    /// Products that one kind of writer moves stock between: what two contexts change of one record at the same time is
    /// a merge policy's to decide, and no sum would tell.
    private enum Share {
        static let performing = 1...2
        static let sql = 3...4
        static let main = 5...6
        static let merging = 7...8
    }

    private struct Move: Sendable {
        let from: Int
        let to: Int
        let count: Int

        init(in share: ClosedRange<Int>, using random: inout SeededRandom) {
            from = Int.random(in: share, using: &random)
            to = share.lowerBound + share.upperBound - from
            count = Int.random(in: 0...30, using: &random)
        }

        func make(in context: ManagedObjectContext) throws {
            guard let from = try context.find(Product.self, from), let to = try context.find(Product.self, to) else {
                return
            }
            let count = min(from.stock, count)
            from.stock -= count
            to.stock += count
        }
    }

    private static func publish(_ number: Int, in context: ManagedObjectContext) {
        let comments = (0...number % 5).map {
            ArticleComment(id: number * 10 + $0, name: "reader", text: "text", context: context)
        }
        Article(
            id: number, title: "article", bodyText: "", summary: String(comments.count), comments: comments,
            context: context)
    }

    // MARK: Readers

    /// One transaction sees one state: all of a save or nothing.
    private static func readingBySQL(_ store: Store) async throws -> Int {
        for _ in 0..<rounds {
            let (total, torn) = try await store.writer.read { database in
                (
                    try Int.fetchOne(database, sql: "SELECT SUM(stock) FROM product"),
                    try Int.fetchOne(
                        database,
                        sql: """
                            SELECT COUNT(*) FROM article WHERE id > 0 AND summary <> CAST(
                                (SELECT COUNT(*) FROM article_comment WHERE article_id = article.id) AS TEXT)
                            """)
                )
            }
            guard total == sum, torn == 0 else { throw Torn(total: total, articles: torn) }
        }
        return 0
    }

    /// One fetch sees one state too.
    private static func readingByContext(_ store: Store) async throws -> Int {
        for _ in 0..<rounds {
            let total = try await store.perform { context in
                try context.fetch(Product.all()).map(\.stock).reduce(0, +)
            }
            guard total == sum else { throw Torn(total: total, articles: nil) }
        }
        return 0
    }

    /// When all is quiet, what the main context shows is what the database holds.
    @MainActor
    private static func findings(inMainContextOf store: Store) throws -> [String] {
        let shown = try Bookkeeping(store.mainContext)
        let stored = try store.writer.read { try Bookkeeping($0) }
        var findings: [String] = []
        if shown != stored { findings.append("the main context shows \(shown), not \(String(describing: stored))") }
        if store.mainContext.hasChanges { findings.append("the main context has changes") }
        return findings
    }

    /// A reader has seen a part of a save.
    struct Torn: Error {
        let total: Int?
        let articles: Int?
    }
}

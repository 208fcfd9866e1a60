import Archive
import CMergeFloor
import Contests
import Figures
import Foundation
import GRDB
import LockstepStore
import LockstepSync

/// Merging articles: eight attributes, nothing nested.
struct ArticleFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int
    /// What takes seconds runs this often.
    private let slowRounds = 3
    /// The loop sees one article in ten, and its time is multiplied.
    private let loopShare = 10

    static let others = ["json_each", "GRDB upsert", "GRDB one by one"]
    private static var nobody: [Contest.Other?] { others.map { _ in nil } }

    private var thousands: String { "\(fixed(Double(count) / 1_000, 0))k" }

    func print(_ wanted: Set<String>) async throws {
        let payload = Payloads.articles(count)
        let megabytes = fixed(Double(payload.count) / 1e6, 1)
        if wanted.contains("empty") {
            try await printEmpty("\(thousands) articles, \(megabytes) MB, empty table", payload)
        }
        if wanted.contains("again") {
            try await printAgain("the same again, nothing changed", payload)
            try printReading("of that, the floor's reading of the bytes", payload)
        }
        if wanted.contains("changed") { try await printChanged() }
        if wanted.contains("few") {
            try await printFew(of: count)
            try await printFew(of: count / 10)
        }
        guard wanted.contains("numbered") else { return }
        let numbered = Payloads.articles(count, numbered: true)
        try await printEmpty("\(thousands) numbered articles, empty table", numbered, NumberedArticle.self)
        try await printAgain("the same again, nothing changed", numbered, NumberedArticle.self)
    }

    // MARK: Into an empty table

    private func printEmpty(_ title: String, _ payload: Data) async throws {
        let part = Payloads.articles(count / loopShare, every: loopShare)
        try await printEmpty(
            title, payload, Article.self, budget: .merge,
            others: [
                .init(name: "json_each, no outbox") {
                    try intoEmpty("empty-json") { expect(try JSONEachMerge(pool: $0).upsert(payload), count) }
                },
                .init(name: "JSONDecoder + GRDB upsert, no outbox", rounds: slowRounds) {
                    try intoEmpty("empty-grdb") { try CodableMerge(pool: $0).upsert(payload) }
                },
                .init(name: "GRDB one by one, no outbox", rounds: slowRounds) {
                    try intoEmpty("empty-loop") { try CodableMerge(pool: $0).fetchOneByOne(part) }
                        .times(Double(loopShare))
                },
            ])
        try expectRows(of: payload, "empty-json", "empty-grdb")
        try expectRows(of: part, "empty-loop")
    }

    private func printEmpty(
        _ title: String, _ payload: Data, _ type: (some Model & Mergeable).Type,
        budget: Budget? = nil, others: [Contest.Other?] = nobody
    ) async throws {
        let names = (lockstep: "empty-lockstep", floor: "empty-floor")
        try await Contest(
            title, limit: 1.3, budget: budget,
            lockstep: {
                let store = try workplace.store(try workplace.database(names.lockstep))
                let time = try await timed { try await type.merge(payload, into: store, expecting: .inserted(count)) }
                try store.close()
                return time
            },
            floor: {
                let floor = Floor(try workplace.database(names.floor), type.floorKind)
                defer { floor.close() }
                return timed { expect(floor.insert(payload), count) }
            }, others: others
        ).print(rounds: rounds)
        try workplace.expectSame(workplace.url(names.lockstep), workplace.url(names.floor))
        workplace.remove(names.lockstep, names.floor)
    }

    private func intoEmpty(_ name: String, _ merge: (DatabasePool) throws -> Void) throws -> Time {
        let pool = try workplace.pool(try workplace.database(name, hasOutbox: false))
        let time = try timed { try merge(pool) }
        try pool.close()
        return time
    }

    /// Ends the process unless the databases have the rows that the floor makes of `payload`; then removes them.
    private func expectRows(of payload: Data, _ names: String...) throws {
        let floor = try workplace.database("expected", with: payload)
        for name in names { try workplace.expectSameRows(floor, workplace.url(name)) }
        workplace.remove(names + ["expected"])
    }

    // MARK: The same again

    private func printAgain(_ title: String, _ payload: Data) async throws {
        let names = ["again-json", "again-grdb"]
        let pools = try names.map { try workplace.pool(workplace.database($0, with: payload, hasOutbox: false)) }
        let part = Payloads.articles(count / loopShare, every: loopShare)
        try await printAgain(
            title, payload, Article.self, budget: .mergeAgain,
            others: [
                .init(name: "json_each, no outbox") {
                    try timed { expect(try JSONEachMerge(pool: pools[0]).upsert(payload), 0) }
                },
                .init(name: "JSONDecoder + GRDB upsert, no outbox", rounds: slowRounds) {
                    try timed { try CodableMerge(pool: pools[1]).upsert(payload) }
                },
                .init(name: "GRDB one by one, no outbox", rounds: slowRounds) {
                    try timed {
                        expect(try CodableMerge(pool: pools[1]).fetchOneByOne(part), count / loopShare)
                    }.times(Double(loopShare))
                },
            ])
        for pool in pools { try pool.close() }
        try expectRows(of: payload, "again-json", "again-grdb")
    }

    private func printAgain(
        _ title: String, _ payload: Data, _ type: (some Model & Mergeable).Type,
        budget: Budget? = nil, others: [Contest.Other?] = nobody
    ) async throws {
        let url = try workplace.database("again-lockstep", with: payload, type.floorKind)
        let store = try workplace.store(url)
        let floor = Floor(try workplace.database("again-floor", with: payload, type.floorKind), type.floorKind)
        try await Contest(
            title, limit: 1.5, budget: budget,
            lockstep: { try await timed { try await type.merge(payload, into: store, expecting: .unchanged(count)) } },
            floor: { timed { expect(floor.compare(payload), count) } }, others: others
        ).print(rounds: rounds)
        try store.close()
        floor.close()
        try workplace.expectSame(workplace.url("again-lockstep"), workplace.url("again-floor"))
        workplace.remove("again-lockstep", "again-floor")
    }

    /// How much of the floors is reading, without SQLite.
    private func printReading(_ title: String, _ payload: Data) throws {
        let floor = Floor(try workplace.database("reading"), merge_articles)
        let times = (0...rounds).map { _ in timed { expect(floor.read(payload), count) }.processor }
        floor.close()
        workplace.remove("reading")
        let cells = [title, "", "", duration(median(Array(times.dropFirst())))]
        Markdown.row(cells + Array(repeating: "", count: 2 * Self.others.count + 2))
    }

    // MARK: One in a hundred changed

    private func printChanged() async throws {
        let every = 100
        let editions = (1...2).map { Payloads.articles(count, change: .init(every: every, edition: $0)) }
        let parts = (1...2).map {
            Payloads.articles(count / loopShare, every: loopShare, change: .init(every: every, edition: $0))
        }
        let names = ["lockstep", "floor", "json", "grdb", "loop"].map { "changed-" + $0 }
        let urls = try names.enumerated().map {
            try workplace.database($1, with: editions[1], hasOutbox: $0 < 2)
        }
        let store = try workplace.store(urls[0])
        let floor = Floor(urls[1], merge_articles)
        let pools = try urls[2...].map { try workplace.pool($0) }
        // Each contestant has the other edition every time it runs.
        var turns = names.map { _ in 0 }
        func turn(_ contestant: Int) -> Int {
            turns[contestant] += 1
            return (turns[contestant] + 1) % 2
        }
        let outcome = Expected(updated: count / every, unchanged: count - count / every)
        try await Contest(
            "1 % changed",
            lockstep: {
                let payload = editions[turn(0)]
                return try await timed { try await Article.merge(payload, into: store, expecting: outcome) }
            },
            floor: {
                let payload = editions[turn(1)]
                return timed { expect(floor.update(payload, every: every), count / every) }
            },
            others: [
                .init {
                    let payload = editions[turn(2)]
                    return try timed { expect(try JSONEachMerge(pool: pools[0]).upsert(payload), count / every) }
                },
                .init(rounds: slowRounds) {
                    let payload = editions[turn(3)]
                    return try timed { try CodableMerge(pool: pools[1]).upsert(payload) }
                },
                .init(rounds: slowRounds) {
                    let payload = parts[turn(4)]
                    return try timed { try CodableMerge(pool: pools[2]).fetchOneByOne(payload) }
                        .times(Double(loopShare))
                },
            ]
        ).print(rounds: rounds)
        try store.close()
        floor.close()
        for pool in pools { try pool.close() }
        try workplace.expectSame(urls[0], urls[1])
        // GRDB runs in fewer rounds, and may end with the other edition.
        try workplace.expectSameRows(urls[0], urls[2])
        workplace.remove(names)
    }

    // MARK: A few records

    private func printFew(of total: Int) async throws {
        let few = 100
        let repetitions = 20
        let all = Payloads.articles(total)
        let payload = Payloads.articles(few, every: total / few)
        let names = ["few-lockstep", "few-floor", "few-json", "few-grdb"]
        let urls = try names.enumerated().map { try workplace.database($1, with: all, hasOutbox: $0 < 2) }
        let store = try workplace.store(urls[0])
        let floor = Floor(urls[1], merge_articles)
        let pools = try urls[2...].map { try workplace.pool($0) }
        func often(_ work: () throws -> Void) rethrows -> Time {
            try timed(count: repetitions) { for _ in 0..<repetitions { try work() } }
        }
        try await Contest(
            "\(few) of \(fixed(Double(total) / 1_000, 0))k rows, nothing changed",
            lockstep: {
                try await timed(count: repetitions) {
                    for _ in 0..<repetitions {
                        try await Article.merge(payload, into: store, expecting: .unchanged(few))
                    }
                }
            },
            floor: { often { expect(floor.find(payload), few) } },
            others: [
                .init { try often { expect(try JSONEachMerge(pool: pools[0]).upsert(payload), 0) } },
                .init { try often { try CodableMerge(pool: pools[1]).upsert(payload) } },
                .init { try often { expect(try CodableMerge(pool: pools[1]).fetchOneByOne(payload), few) } },
            ]
        ).print(rounds: rounds)
        try store.close()
        floor.close()
        for pool in pools { try pool.close() }
        try workplace.expectSame(urls[0], urls[1])
        for url in urls[2...] { try workplace.expectSameRows(urls[0], url) }
        workplace.remove(names)
    }
}

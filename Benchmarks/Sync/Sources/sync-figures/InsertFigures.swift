import Contests
import Figures
import GRDB

/// What the triggers of the outbox cost: rows by a prepared statement in one transaction.
struct InsertFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        let samples = (0..<count).map { Sample($0).values }
        func runner(_ name: String, _ table: String, suppressesOutbox: Bool = false, pending: Int) -> Runner {
            Runner(name: name) {
                let queue = try Workplace.connection(try workplace.database("insert"))
                let time = try timed {
                    try queue.write {
                        try Workplace.insert(samples, into: table, suppressesOutbox: suppressesOutbox, $0)
                    }
                }
                expect(try queue.read(Workplace.pendingCount), pending, "pending")
                try queue.close()
                return time
            }
        }
        let runners = [
            runner("no triggers", "draft", pending: 0),
            runner("triggers, quiet", "article", suppressesOutbox: true, pending: 0),
            runner("triggers, capturing", "article", pending: count),
        ]
        let times = try await race(runners, rounds: rounds)
        Markdown.header(["insert \(count / 1_000)k rows by a prepared statement", "processor", "wall", ": no triggers"])
        for (runner, own) in zip(runners, times) {
            let ratio = Ratio(own.map(\.processor), to: times[0].map(\.processor))
            Markdown.row(
                [
                    runner.name, Spread(own.map(\.processor)).text(milliseconds),
                    Spread(own.map(\.wall)).text(milliseconds),
                ]
                    + [runner.name == runners[0].name ? "" : text(ratio)])
        }
        workplace.remove("insert")
        Swift.print()
    }
}

import CommandArguments
import Figures

/// The same work, done by several.
struct Contest {
    typealias Work = () async throws -> Time

    let title: String
    var budget: Double?
    let lockstep: Work
    let floor: Work
    var grdb: Work?

    static func printHeader() {
        Markdown.header(["work", "lockstep", "wall", "C", "GRDB Codable", "lockstep : C", "budget", "lockstep : GRDB"])
    }

    /// Runs everyone in turn, `rounds` times after one that does not count, and prints a row. Who goes first changes with
    /// every round.
    func print(rounds: Int) async throws {
        var contestants = [lockstep, floor]
        if let grdb { contestants.append(grdb) }
        var times: [[Time]] = Array(repeating: [], count: contestants.count)
        for round in 0...rounds {
            for place in contestants.indices {
                let index = (place + round) % contestants.count
                let time = try await contestants[index]()
                if round > 0 { times[index].append(time) }
            }
        }
        let processor = times.map { $0.map(\.processor) }
        let ratio = Ratio(processor[0], to: processor[1])
        Markdown.row([
            title, duration(median(processor[0])), duration(median(times[0].map(\.wall))),
            duration(median(processor[1])), processor.count > 2 ? duration(median(processor[2])) : "", text(ratio),
            text(ratio, budget: budget),
            processor.count > 2 ? fixed(Ratio(processor[0], to: processor[2]).median, 2) + "×" : "",
        ])
    }
}

/// In milliseconds, or microseconds where that says more.
func duration(_ seconds: Double) -> String {
    seconds < 0.000_999_5 ? fixed(seconds * 1_000_000, 2) + " µs" : milliseconds(seconds)
}

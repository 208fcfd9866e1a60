public import Figures

/// The same work, done by several.
public struct Contest {
    public typealias Work = () async throws -> Time

    /// Someone who does the work as well, but is no floor.
    public struct Other {
        let work: Work
        let rounds: Int
        let name: String?

        /// - Parameters:
        ///   - name: What the table of budgets calls it; it is not in there without one.
        ///   - rounds: The most it runs: for what takes very long.
        public init(name: String? = nil, rounds: Int = .max, _ work: @escaping Work) {
            self.work = work
            self.rounds = rounds
            self.name = name
        }
    }

    private let title: String
    private let limit: Double?
    private let budget: Budget?
    private let lockstep: Work
    private let floor: Work?
    private let others: [Other?]

    /// - Parameters:
    ///   - limit: How often the floor it may be at most, where that is none of the budgets.
    ///   - budget: The budget that this row decides.
    ///   - others: As many as the header has, nil for who does not take part.
    public init(
        _ title: String, limit: Double? = nil, budget: Budget? = nil, lockstep: @escaping Work, floor: Work?,
        others: [Other?] = []
    ) {
        self.title = title
        self.limit = limit ?? budget?.ratio
        self.budget = budget
        self.lockstep = lockstep
        self.floor = floor
        self.others = others
    }

    public static func printHeader(floor: String = "C", others: [String]) {
        let ratios = others.map { "\($0) : lockstep" }
        Markdown.header(["work", "lockstep", "wall", floor] + others + ["lockstep : \(floor)", "budget"] + ratios)
    }

    /// Runs everyone in turn, `rounds` times after one that does not count, and prints a row. Who goes first changes
    /// with every round.
    public func print(rounds: Int) async throws {
        let contestants = [Other(lockstep), floor.map { Other($0) }] + others
        var times: [[Time]] = Array(repeating: [], count: contestants.count)
        for round in 0...rounds {
            for place in contestants.indices {
                let index = (place + round) % contestants.count
                guard let contestant = contestants[index], round <= contestant.rounds else { continue }
                let time = try await contestant.work()
                if round > 0 { times[index].append(time) }
            }
        }
        let processor = times.map { $0.map(\.processor) }
        printRow(times, processor: processor)
        if let budget { keep(processor, of: budget) }
    }

    private func keep(_ times: [[Double]], of budget: Budget) {
        let named = zip(others, times.dropFirst(2)).compactMap { other, times in
            (other?.name).map { BudgetResult.Other($0, median(times)) }
        }
        ResultsFile.append(
            BudgetResult(
                budget, lockstep: median(times[0]), floor: median(times[1]), ratio: Ratio(times[0], to: times[1]),
                others: named))
    }

    private func printRow(_ times: [[Time]], processor: [[Double]]) {
        let cells = processor.map { $0.isEmpty ? "" : duration(median($0)) }
        let ratio = processor[1].isEmpty ? nil : Ratio(processor[0], to: processor[1])
        let ratios = processor.dropFirst(2).map {
            $0.isEmpty ? "" : fixed(Ratio($0, to: Array(processor[0].prefix($0.count))).median, 2) + "×"
        }
        let wall = duration(median(times[0].map(\.wall)))
        Markdown.row(
            [title, cells[0], wall] + cells.dropFirst()
                + [ratio.map { text($0) } ?? "", ratio.map { text($0, limit: limit) } ?? ""] + ratios)
    }
}

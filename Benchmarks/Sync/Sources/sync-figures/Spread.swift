import Contests
import Figures

/// Figures of several rounds: their median, and the lowest and the highest.
struct Spread {
    let values: [Double]

    init(_ values: [Double]) { self.values = values }

    var median: Double { Figures.median(values) }

    /// So many in a hundred are not above it.
    func percentile(_ share: Int) -> Double {
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, (sorted.count * share + 99) / 100 - 1)]
    }

    func text(_ unit: (Double) -> String) -> String {
        "\(unit(median)) (\(unit(values.min() ?? .nan))–\(unit(values.max() ?? .nan)))"
    }
}

/// Who does the work, in a race of wall times.
struct Runner {
    let name: String
    let work: () async throws -> Time
}

/// Runs everyone in turn, after a round that does not count. Who goes first changes with every round.
func race(_ runners: [Runner], rounds: Int) async throws -> [[Time]] {
    var times: [[Time]] = Array(repeating: [], count: runners.count)
    for round in 0...rounds {
        for place in runners.indices {
            let index = (place + round) % runners.count
            let time = try await runners[index].work()
            if round > 0 { times[index].append(time) }
        }
    }
    return times
}

/// Ends the process where work was not done as it should be.
func expect(_ count: Int, _ expected: Int, _ what: String) {
    precondition(count == expected, "\(what): \(count) instead of \(expected)")
}

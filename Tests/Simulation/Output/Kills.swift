import Foundation

/// Kills runs of `lockstep` at each of their steps: `workbench kills COUNT [SEED [JOBS]]`.
struct Kills {
    static func main(_ arguments: ArraySlice<String>) async throws {
        let numbers = arguments.compactMap { Int($0) }
        let count = numbers.first ?? 500
        let seed = UInt64(numbers.count > 1 ? numbers[1] : 1)
        let campaign = Campaign(count: count, seed: seed, jobs: numbers.count > 2 ? numbers[2] : 2) {
            FileHandle.standardOutput.write(Data(($0 + "\n").utf8))
        }
        let report = await campaign.run()
        FileHandle.standardOutput.write(Data((report.summary + "\n").utf8))
        exit(report.failures == 0 ? 0 : 1)
    }
}

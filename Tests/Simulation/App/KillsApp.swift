import Foundation

/// Kills an app that stores and syncs: `workbench kills-app COUNT [SEED]`. A hundred kills at a time, each hundred with a store
/// and a server of its own.
struct KillsApp {
    static func main(_ arguments: ArraySlice<String>) async throws {
        let numbers = arguments.compactMap { Int($0) }
        let count = numbers.first ?? 200
        var seed = UInt64(numbers.count > 1 ? numbers[1] : 1)
        var (kills, failures) = (0, 0)
        while kills < count {
            let outcome = try await AppKills(seed: seed).run(kills: min(100, count - kills))
            kills += outcome.kills
            if !outcome.findings.isEmpty {
                failures += 1
                say("seed \(seed), kill \(outcome.kills): \(outcome.findings.joined(separator: "; "))")
            }
            seed += 1
        }
        say("\(kills) kills, \(failures) failures.")
        exit(failures == 0 ? 0 : 1)
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

import EvolutionScenarios
import Foundation
import LockstepEvolution
import MigrationKills

/// `kills-migration COUNT SEED` kills COUNT migrations of random files, each at another statement, and checks what is
/// left.
@main
struct KillsMigration {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "migrate" {
            let history = try history(UInt64(arguments[3]) ?? 1)
            let kills = MigrationKills(history, seed: 1, in: URL(fileURLWithPath: arguments[2]))
            return try kills.migrate(killedAt: Int(arguments[4]) ?? 0)
        }
        let count = arguments.count > 1 ? Int(arguments[1]) ?? 100 : 100
        var seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
        var (passed, failed) = (0, 0)
        while passed + failed < count {
            let found = try run(seed: seed, most: count - passed - failed)
            passed += found.passed
            failed += found.failed
            seed += 1
        }
        print("\(passed) passed, \(failed) failed")
        if failed > 0 { exit(1) }
    }

    private static func history(_ seed: UInt64) throws -> SchemaHistory {
        try RandomHistory.make(seed: seed, versions: 3)
    }

    /// Kills a migration at every statement in turn, until one ends by itself.
    private static func run(seed: UInt64, most: Int) throws -> (passed: Int, failed: Int) {
        let history = try history(seed)
        var (passed, failed) = (0, 0)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-kills-\(getpid())-\(seed)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = folder.appendingPathComponent("origin")
        try FileManager.default.createDirectory(at: origin, withIntermediateDirectories: true)
        let made = MigrationKills(history, seed: 1, in: origin)
        try made.makeFile()
        let before = try made.snapshot()
        for statement in 1... where passed + failed < most {
            let work = folder.appendingPathComponent("work")
            try? FileManager.default.removeItem(at: work)
            try FileManager.default.copyItem(at: origin, to: work)
            let isKilled = try kill(seed: seed, at: statement, in: work)
            let kills = MigrationKills(history, seed: 1, in: work)
            if let finding = try kills.finding(before: before) {
                print("seed \(seed), killed at statement \(statement): \(finding)")
                failed += 1
            } else {
                // The next start migrates it.
                try kills.migrate(killedAt: 0)
                passed += 1
            }
            if !isKilled { break }
        }
        return (passed, failed)
    }

    /// - Returns: Whether the process was killed, instead of ending by itself.
    private static func kill(seed: UInt64, at statement: Int, in folder: URL) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["migrate", folder.path, String(seed), String(statement)]
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }
}

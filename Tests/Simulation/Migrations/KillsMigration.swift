import Foundation

/// Kills migrations of random files, each at another point, and checks what is left: `workbench kills-migration COUNT
/// [SEED] [--jobs 2] [--at statement-12]`.
///
/// `workbench kills-migration migrate FILE SEED POINT` is the process that is killed.
struct KillsMigration {
    var count = 100
    var seed: UInt64 = 1
    var jobs = 2
    var point: KillPoint?

    static func main(_ arguments: ArraySlice<String>) throws {
        let values = Array(arguments)
        if values.count == 4, values[0] == "migrate" {
            guard let seed = UInt64(values[2]), let point = KillPoint(text: values[3]) else { exit(2) }
            return try MigrationKills.migrate(URL(fileURLWithPath: values[1]), seed: seed, killedAt: point)
        }
        exit(KillsMigration(arguments).run() ? 0 : 1)
    }

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        var numbers: [UInt64] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--jobs": jobs = max(1, rest.popFirst().flatMap { Int($0) } ?? 2)
            case "--at":
                point = rest.popFirst().flatMap(KillPoint.init(text:))
                if point == nil { Self.fail("--at takes statement-N, commit-BYTES, committed or file-BYTES") }
            default:
                guard let number = UInt64(argument) else { Self.fail("\(argument) is not a number") }
                numbers.append(number)
            }
        }
        if let number = numbers.first { count = Int(number) }
        if numbers.count > 1 { seed = numbers[1] }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("kills-migration: \(reason)\n".utf8))
        exit(2)
    }

    /// - Returns: Whether every file was whole.
    private func run() -> Bool {
        let start = Date()
        let campaign = MigrationKillCampaign(count: count, seed: seed, jobs: jobs) { Self.say($0) }
        let report = point.map(campaign.run(at:)) ?? campaign.run()
        Self.say("\(report)" + String(format: ", in %.0f s", Date().timeIntervalSince(start)))
        return report.failures.isEmpty
    }

    /// Prints a line at once: a run may take long.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

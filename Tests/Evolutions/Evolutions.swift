import EvolutionScenarios
import Foundation

/// Changes random schemas and follows them with files, by seed: `evolutions SEED COUNT`.
@main
struct Evolutions {
    static func main() {
        let first = UInt64(CommandLine.arguments[1])!, count = UInt64(CommandLine.arguments[2])!
        let versions = Int(CommandLine.arguments[3])!
        var failed = 0
        let start = Date()
        for seed in first..<first + count {
            do {
                if versions == 0 { try DiffProperty.check(seed: seed) }
                else {
                if CommandLine.arguments.count > 4 { print(try! RandomHistory.make(seed: seed, versions: versions, kinds: EvolutionProperty.kinds(seed: seed)).text) }
                try EvolutionProperty.check(seed: seed, versions: versions)
                }
            } catch { failed += 1; if failed < 10 { print(error) } }
        }
        print(failed, "failed", Date().timeIntervalSince(start))
    }
}

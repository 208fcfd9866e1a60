import LockstepEvolution
import TestSupport
import Testing
import workbench

/// Schemas and histories by seed. `SEEDS` sets how many; `make evolutions` runs many more.
@Suite("Random schemas and histories")
struct RandomEvolutionTests {
    private static let count = UInt64(Seeds.count(150, of: 1_000))

    /// Runs a property for seeds, and reports each that it does not hold for.
    private func check(_ seeds: ClosedRange<UInt64>, _ property: (UInt64) throws -> Void) {
        for seed in seeds {
            do { try property(seed) } catch { Issue.record("seed \(seed): \(error)") }
        }
    }

    @Test("The changes between any two structures make one from the other")
    func differences() { check(1...Self.count) { try DiffProperty.check(seed: $0) } }

    @Test("A structure is the same as a tree, in any order, with the same statements")
    func forms() { check(1...Self.count) { try FormProperty.check(seed: $0) } }

    @Test("A history is the same after it was written and read, and the same for its seed")
    func histories() {
        check(1...max(1, Self.count / 6)) { seed in
            let history = try RandomHistory.make(seed: seed, versions: 12)
            try FormProperty.check(history, seed: seed)
            #expect(try RandomHistory.make(seed: seed, versions: 12) == history)
        }
    }

    @Test("A file that skips versions is equal to one that follows each, and to a new one")
    func files() { check(1...max(1, Self.count / 8)) { try EvolutionProperty.check(seed: $0, versions: 8) } }

    @Test("A file of a hundred versions ago follows at once, and writes no table twice")
    func chains() { check(1...max(1, Self.count / 300)) { try EvolutionProperty.check(seed: $0, versions: 100) } }
}

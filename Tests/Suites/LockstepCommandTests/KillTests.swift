import Testing
import workbench

@Suite("lockstep, killed while writing")
struct KillTests {
    @Test(
        "Whenever it is killed, the next run has the result of a fresh one, and --check is correct",
        arguments: [1, 2])
    func sample(seed: UInt64) async {
        #expect(await Campaign.sample(seed: seed) == [])
    }
}

import OutputKills
import Testing

@Suite("lockstep, killed while it writes")
struct KillTests {
    @Test(
        "Whatever is killed, the next run leaves what a fresh one would, and --check says what is true",
        arguments: [1, 2])
    func sample(seed: UInt64) async {
        #expect(await Campaign.sample(seed: seed) == [])
    }
}

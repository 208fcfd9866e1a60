import TestSupport
import Testing
import workbench

@Suite("Migrations that are killed")
struct MigrationKillTests {
    /// The number of kills; `make kills-migration` runs any number.
    private static let count = Seeds.count(30, of: 300)

    @Test("Whenever it is killed, a migration leaves a whole file of either version, and the next start completes it")
    func sample() {
        // A few of each history, so that there are several.
        let report = MigrationKillCampaign(count: Self.count, seed: 1, most: 15).run()
        #expect(report.failures == [])
        #expect(report.kills >= Self.count)
        #expect(report.formerFiles > 0 && report.newFiles > 0)
    }
}

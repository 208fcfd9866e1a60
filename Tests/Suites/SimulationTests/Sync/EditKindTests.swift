import Testing
import workbench

@Suite("Kinds of edits")
struct EditKindTests {
    private static let scenarios = (1...200).map { Scenario(seed: $0) }

    @Test("Half of the seeds omit kinds of edits, and the description names them")
    func half() {
        let omitting = Self.scenarios.filter { $0.description.contains(", without ") }
        #expect((80...120).contains(omitting.count))
    }

    @Test("Each kind is omitted by some seeds, of devices and of others", arguments: EditKind.allCases)
    func each(kind: EditKind) {
        for trouble in [Trouble.edit(kind), .othersEdit(kind)] {
            #expect(Trouble(name: trouble.name) == trouble)
            #expect(Self.scenarios.contains { $0.omittedEditNames.contains(trouble.name) })
        }
    }

    @Test("Somebody makes records in each story")
    func creations() {
        let names = [Trouble.edit(.create).name, Trouble.othersEdit(.create).name]
        #expect(!Self.scenarios.contains { Set(names).isSubset(of: $0.omittedEditNames) })
    }
}

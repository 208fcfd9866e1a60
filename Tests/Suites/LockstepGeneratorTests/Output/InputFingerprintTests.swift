import Foundation
@testable import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Output of unchanged input is recognized without generating it")
struct InputFingerprintTests {
    private let disk: TemporaryFolder
    private let folder: OutputFolder
    private let files = [generated("Journal/Entry.swift", "entry"), generated("Journal/Mood.swift", "mood")]
    private let input = InputFingerprint(
        schema: Array("a".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions())

    init() throws {
        disk = try TemporaryFolder()
        folder = OutputFolder(disk.path)
        try folder.apply(OutputPlan(files, over: try folder.read(for: files), inputs: ["Journal": input]))
    }

    @Test("Nothing changed: the number of files, without manifests")
    func untouched() {
        #expect(folder.unchangedCount(for: [input]) == 2)
        #expect(folder.unchangedCount(for: [input], removesUnlistedSchemas: true) == 2)
    }

    @Test("A copy of a schema's folder does not stand for a schema without output")
    func copied() throws {
        let other = InputFingerprint(schema: [1], source: "B.yaml", options: GenerationOptions())
        try FileManager.default.copyItem(atPath: disk.path + "/Journal", toPath: disk.path + "/Journal copy")
        #expect(folder.unchangedCount(for: [input, other]) == nil)
    }

    @Test("An edited or removed file requires a full check", arguments: [true, false])
    func touched(_ isEdited: Bool) throws {
        if isEdited {
            try disk.write("Journal/Mood.swift", "mine")
        } else {
            try disk.remove("Journal/Mood.swift")
        }
        #expect(folder.unchangedCount(for: [input]) == nil)
    }

    @Test("Another text, path, option or set of schemas is another input")
    func otherInputs() {
        let others = [
            InputFingerprint(schema: Array("b".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions()),
            InputFingerprint(schema: Array("a".utf8), source: "Other/Journal.yaml", options: GenerationOptions()),
            InputFingerprint(
                schema: Array("a".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions(access: .package)),
            InputFingerprint(
                schema: Array("a".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions(dialects: [])),
            InputFingerprint(
                schema: Array("a".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions(shards: 1)),
        ]
        for other in others { #expect(folder.unchangedCount(for: [other]) == nil) }
        #expect(folder.unchangedCount(for: [input, others[0]]) == nil)
    }

    @Test("Output of a deleted schema counts if all schemas are included")
    func unlisted() throws {
        let other = [generated("Other/Thing.swift", "thing")]
        let otherInput = InputFingerprint(schema: [], source: "Schemas/Other.yaml", options: GenerationOptions())
        try folder.apply(OutputPlan(other, over: try folder.read(for: other), inputs: ["Other": otherInput]))
        #expect(folder.unchangedCount(for: [input]) == 2)
        #expect(folder.unchangedCount(for: [input], removesUnlistedSchemas: true) == nil)
        #expect(folder.unchangedCount(for: [input, otherInput], removesUnlistedSchemas: true) == 3)
    }

    @Test("A comment in the schema changes the record and makes no output stale")
    func comment() throws {
        let commented = InputFingerprint(
            schema: Array("# a".utf8), source: "Schemas/Journal.yaml", options: GenerationOptions())
        let plan = OutputPlan(files, over: try folder.read(for: files), inputs: ["Journal": commented])
        #expect(plan.isUpToDate)
        #expect(plan.writes.map(\.isManifest) == [true])
        try folder.apply(plan)
        #expect(folder.unchangedCount(for: [commented]) == 2)
    }

    @Test("A manifest in which a merge left two records is not trusted")
    func mergedManifest() throws {
        let manifest = try disk.text("Journal/.lockstep-manifest")
        let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
        try disk.write("Journal/.lockstep-manifest", (lines.prefix(2) + lines.dropFirst()).joined(separator: "\n"))
        #expect(folder.unchangedCount(for: [input]) == nil)
    }
}

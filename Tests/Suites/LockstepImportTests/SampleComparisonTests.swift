import Foundation
import LockstepImport
import LockstepJSON
import LockstepSchema
import Testing

/// What an import says of records that came back of a store.
@Suite("Samples are compared with what came back")
struct SampleComparisonTests {
    private static let sample = """
        [{"id": 1, "name": "A", "at": "2026-01-02T03:04:05+00:00", "apiToken": "abc", "none": null,
          "notes": [{"id": 7, "text": "x"}, {"id": 8, "text": "y"}]},
         {"id": 2, "name": "B", "at": "2026-01-02T03:04:06+00:00", "none": 5, "notes": []}]
        """

    /// Compares the records of a sample with others.
    private func compare(_ sample: String = sample, with others: String) throws -> SampleComparison.Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("things.json")
        try Data(sample.utf8).write(to: file)
        let imported = try importSchema([ImportInput(path: file.path)], options: ImportOptions(keepsSamples: true))
        let source = VersionedSource(schema: SchemaSource(path: "Things.yaml", bytes: Array(imported.text.utf8)))
        let schema = try #require(readVersions([source], checking: .release).schemas.first)
        let samples = try #require(imported.samples.first { $0.entity == "Thing" })
        guard case .array(let records) = try JSONValue(json: Data(others.utf8)) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return SampleComparison(schema.schema).compare(samples, with: records)
    }

    private static let same = """
        [{"id": 2, "name": "B", "at": "2026-01-02T03:04:06Z", "none": 5, "notes": []},
         {"id": 1, "name": "A", "at": "2026-01-02T03:04:05.000Z", "apiToken": "abc", "more": 1,
          "notes": [{"id": 8, "text": "y"}, {"id": 7, "text": "x"}]}]
        """

    @Test("Records are found by identity, and a time in UTC is equal in another format")
    func equal() throws {
        let result = try compare(with: Self.same)
        #expect(result.differences == [])
        #expect((result.count, result.equalCount) == (2, 2))
    }

    @Test(
        "A difference is one of the record, with both values",
        arguments: [
            (#""name": "A""#, #""name": "Z""#, "Thing 1: 'name' is \"A\", and came back as \"Z\""),
            (#""name": "A", "#, "", "Thing 1: 'name' did not come back"),
            (
                #""apiToken": "abc""#, #""apiToken": "def""#,
                "Thing 1: 'apiToken' came back with another value"
            ),
            (#""text": "y""#, #""text": "z""#, "Thing 1: 'notes[8].text' is \"y\", and came back as \"z\""),
            (#"{"id": 8, "text": "y"}, "#, "", "Thing 1: 'notes[8]' did not come back"),
            (#"{"id": 2,"#, #"{"id": 3,"#, "Thing 2: it did not come back"),
            (#""more": 1"#, #""none": 1"#, "Thing 1: 'none' is null, and came back as 1"),
            (
                #"{"id": 7, "text": "x"}]"#, #"{"id": 7, "text": "x"}, {"id": 9}]"#,
                "Thing 1: 'notes' came back with 3 records, not 2"
            ),
        ])
    func different(text: String, replacement: String, difference: String) throws {
        try #require(Self.same.contains(text))
        let result = try compare(with: Self.same.replacing(text, with: replacement))
        #expect(result.differences == [difference])
        #expect((result.count, result.equalCount) == (2, 1))
    }

    @Test("Records without an identity are compared in their order, and at most three differences are listed")
    func withoutIdentity() throws {
        let texts = ["a", "b", "c", "d", "e"].map { "{\"text\": \"\($0)\"}" }.joined(separator: ",")
        let others = ["a", "c", "b", "e"].map { "{\"text\": \"\($0)\"}" }.joined(separator: ",")
        let result = try compare("[\(texts)]", with: "[\(others)]")
        #expect((result.count, result.equalCount) == (5, 1))
        #expect(result.differences.count == 3)
    }
}

import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Testing

/// The server links records to others that it names later. The local keys that it makes for them stay the same.
@Suite("R2 Links to records that have not been received")
struct AwaitedRecordTests {
    private let museum: OutboxStage

    init() throws {
        museum = try OutboxStage(MuseumSchema.self)
        for number in 1...2 {
            try museum.seed(
                "INSERT INTO loan (local_id, remote_id, title) VALUES ('\(Self.key(number))', \(number), 'Cup')")
        }
    }

    private static func key(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    @discardableResult
    private func merge(_ json: String, _ options: MergeOptions = MergeOptions()) async throws -> MergeSummary {
        try await museum.store.merge(Data(json.utf8), into: Loan.self, options: options)
    }

    private func keyOf50() throws -> [String] { try museum.rows("SELECT local_id FROM loan WHERE remote_id = 50") }

    @Test("C2 M15 The server's link is the base of a local one, and stays the same until its record comes")
    func base() async throws {
        try museum.run("UPDATE loan SET holder_id = '\(Self.key(2))' WHERE remote_id = 1")
        let json = #"[{"id": 1, "title": "Cup", "holder_id": 50}]"#
        #expect(try await merge(json).notes.count == 1)
        let base = try museum.rows("SELECT holder_id FROM lockstep_base_loan")
        // The server's value is the base now, so the two sides do not conflict any more.
        let again = try await merge(json)
        #expect(!again.hasChanges && again.notes.isEmpty, "\(again)")
        #expect(try museum.rows("SELECT holder_id FROM lockstep_base_loan") == base)
        #expect(try museum.strings("SELECT holder_id FROM loan WHERE remote_id = 1") == [Self.key(2)])
        try await merge(#"[{"id": 50, "title": "Vase"}]"#)
        #expect(try keyOf50() == base)
    }

    @Test("M11 A link of a later batch refers to the record that an earlier batch has named in vain")
    func batches() async throws {
        var options = MergeOptions()
        options.records = [.update]
        options.batchRecordLimit = 1
        let json = #"[{"id": 9, "title": "New", "holder_id": 50}, {"id": 1, "title": "Cup", "holder_id": 50}]"#
        try await merge(json, options)
        let holder = try museum.rows("SELECT holder_id FROM loan WHERE remote_id = 1")
        try await merge(#"[{"id": 50, "title": "Vase"}]"#)
        #expect(try keyOf50() == holder)
    }
}

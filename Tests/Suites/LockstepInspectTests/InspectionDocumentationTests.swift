import Foundation
import GRDB
import Journal
@testable import LockstepInspection
@testable import LockstepStore
import LockstepSync
import TestSupport
import Testing

@Suite("The page about inspecting a store's file")
struct InspectionDocumentationTests {
    private func report(_ url: URL) async throws -> InspectionReport {
        let store = try Store(JournalSchema.self, at: .file(url))
        let json = (1...4).map { number in
            """
            {"identifier": "\(InspectionStage.uuid(number).uuidString.lowercased())", "title": "Day \(number)", \
            "mood": "happy", "timestamp": "2026-11-01T08:00:00Z"}
            """
        }
        try await store.merge(Data("[\(json.joined(separator: ","))]".utf8), into: Entry.self)
        try await store.perform { context in
            let entries = try context.fetch(Entry.order(\.title))
            (entries[0].title, entries[0].mood) = ("", .sad)
            context.delete(entries[1])
            Entry(identifier: InspectionStage.uuid(5), title: "Today", context: context)
            try context.save()
        }
        let at = InspectionStage.now.timeIntervalSince1970
        try await store.writer.write { database in
            try database.execute(
                sql: """
                    UPDATE lockstep_outbox SET changed_at = \(at - 7200) + id; \
                    UPDATE lockstep_outbox SET attempts = 1, parked_status = 422, \
                    parked_body = '{"errors": {"title": ["can’t be blank"]}}' WHERE change = 1; \
                    INSERT INTO lockstep_validator VALUES ('/entries', 'Entry', '"1"', \(at - 7260), NULL); \
                    INSERT INTO lockstep_metadata VALUES ('store_identity', '8b1e4c2d-0000-4000-8000-000000000000')
                    """)
        }
        try store.close()
        var report = try InspectedFile(url).report(InspectionOptions(at: InspectionStage.now))
        (report.schema.madeBy, report.schema.migratedBy) = ("0.2.0", "0.2.0")
        report.file = InspectionReport.File(path: "journal.sqlite", size: 131_072, journalSize: 0)
        return report
    }

    /// What the page says about the command.
    private func section() throws -> String {
        let parts = try Documentation.page("WhenSomethingGoesWrong").split(separator: "\n## ")
        return String(try #require(parts.first { $0.hasPrefix("Inspect a store's file\n") }))
    }

    @Test("The output on the page is what the command prints")
    func output() async throws {
        try await withTemporaryFolder { folder in
            let text = InspectionText(try await report(folder.appendingPathComponent("journal.sqlite"))).text
            let blocks = Documentation.files("", in: try section())
            #expect(blocks.first { $0.hasPrefix("$ lockstep inspect") } == "$ lockstep inspect journal.sqlite\n" + text)
        }
    }

    @Test("Every key of the JSON and every code of a finding is on the page")
    func keys() async throws {
        try await withTemporaryFolder { folder in
            let page = try section()
            let report = try await InspectionStage.make(in: folder).report(includesValues: true)
            var keys: Set<String> = []
            collect(try JSONValue(json: report.json()), &keys)
            #expect(keys.count > 60)
            #expect(keys.filter { !page.contains("`\($0)`") && !page.contains(".\($0)`") }.sorted() == [])
            #expect(InspectionFinding.Code.allCases.filter { !page.contains("| `\($0.rawValue)` |") } == [])
        }
    }

    private func collect(_ value: JSONValue, _ keys: inout Set<String>) {
        switch value {
        case .array(let elements): for element in elements { collect(element, &keys) }
        case .object(let members):
            for (key, member) in members {
                keys.insert(key)
                collect(member, &keys)
            }
        default: break
        }
    }
}

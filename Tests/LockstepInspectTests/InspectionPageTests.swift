import Foundation
import LockstepInspect
@testable import LockstepStore
import TestSupport
import Testing

@Suite("Inspections as a page")
struct InspectionPageTests {
    private func page(of url: URL, includesValues: Bool) throws -> String {
        try Inspection(path: url.path, includesValues: includesValues, at: InspectionStage.now).page
    }

    @Test("Every part of a store with everything is on the page, and nothing is loaded from elsewhere")
    func contents() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let page = try page(of: stage.url, includesValues: true)
            for text in [
                "<h1>kitchen.sqlite</h1>", "KitchenSink, version 1", "What looks wrong", "contains values",
                "<del>Marked-one</del> → <ins>Marked-other</ins>", "parked</span> 422", "Leftovers: 1",
                "Links that wait for records: 1", "grdb_migrations",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            for tag in ["<link", "src=", "@import", "url(", "http-equiv=\"refresh\""] { #expect(!page.contains(tag)) }
        }
    }

    @Test(
        "A page of 10,000 pending records is a few megabytes, and is searched in a browser",
        .enabled(if: Chromium.isWanted))
    func search() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            try await InspectionStage.makeMany(10_000, at: url)
            let page = try page(of: url, includesValues: true)
            #expect(page.utf8.count < 8_000_000)
            let start = ContinuousClock.now
            let all = try Chromium.elements(of: page)
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(all.components(separatedBy: "<tr data-row").count == 10_001)
            #expect(!all.contains("<b>changed</b>") && all.contains("&lt;b&gt;changed&lt;/b&gt;"))
            let found = try Chromium.elements(of: page, fragment: "q=update%20title%201999")
            #expect(found.contains(">1 of 10000</output>"))
            #expect(found.components(separatedBy: "<tr data-row=\"\" hidden=\"\">").count == 10_000)
            let none = try Chromium.elements(of: page, fragment: "q=nowhere")
            #expect(none.contains(">0 of 10000</output>"))
        }
    }
}

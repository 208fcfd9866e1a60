import Foundation
import GRDB
import Journal
@testable import LockstepInspection
@testable import LockstepStore
import TestSupport
import Testing
@testable import lockstep

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
                "Links to records not received yet: 1", "grdb_migrations",
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
            #expect(found.components(separatedBy: "hidden=\"\"><td>").count == 10_000)
            let none = try Chromium.elements(of: page, fragment: "q=nowhere")
            #expect(none.contains(">0 of 10000</output>"))
        }
    }

    @Test(
        "On a phone, 390 points wide, the page is not wider than the window: only its tables scroll sideways",
        .enabled(if: Chromium.isWanted))
    func phone() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let page = try page(of: stage.url, includesValues: true)
            let frame = """
                <iframe style="width: 390px; height: 844px; border: 0"
                  srcdoc="\(page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))"></iframe>
                <script>
                onload = () => {
                  const page = document.querySelector("iframe").contentDocument;
                  const wide = [...page.querySelectorAll("body *")].filter((element) =>
                    !element.parentElement.closest("table, pre") && element.getBoundingClientRect().right > 390);
                  document.title = `width ${page.documentElement.scrollWidth}, too wide: ` +
                    wide.map((element) => element.outerHTML.slice(0, 60)).join();
                };
                </script>
                """
            let title = try Chromium.elements(of: frame).firstMatch(of: /<title>(.*?)<\/title>/)
            #expect(title?.1 == "width 390, too wide: ")
        }
    }

    @Test("The page has what the text has")
    func everythingOfTheText() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let queue = try DatabaseQueue(path: stage.url.path)
            try await queue.write { database in
                try database.execute(sql: "INSERT INTO lockstep_quiet VALUES (1)")
            }
            try queue.close()
            var report = try stage.report(entity: "Keyword")
            (report.schema.madeBy, report.schema.migratedBy, report.schema.isDescribed) = ("0.1.0", "0.2.0", false)
            report.sync = try stage.report().sync
            let page = InspectionPage(report).text
            let texts =
                report.facts + report.remarks + (report.sync?.knownCounts.flatMap(\.self) ?? [])
                + (report.attachments?.lines ?? []) + report.findings.map(\.text)
            #expect(texts.contains("last migrated by 0.2.0") && texts.contains("not received yet"))
            #expect(texts.contains("not known to be on a server: 1"))
            #expect(report.findings.contains { $0.code == .disabledOutbox })
            #expect(report.findings.contains { $0.code == .waitingToSend })
            let text = InspectionText(report).text
            for part in texts {
                #expect(text.contains(part), "\(part)")
                #expect(page.contains(part.replacing("'", with: "&#39;")), "\(part)")
            }
        }
    }

    @Test("Long values can be read as a whole")
    func longValues() {
        let long = String(repeating: "a", count: 300)
        let change = InspectionReport.Change(
            id: 1, entity: "Entry", record: "1", kind: .update, since: InspectionStage.now, attempts: 1, isSent: false,
            isInside: false, isUnclaimed: false, changed: ["text"], links: [],
            values: [.init(name: "text", base: .string(long + "OLD"), now: .string(long + "NEW"))])
        var report = InspectionReport(at: InspectionStage.now, file: .init(), schema: .example)
        report.outbox = InspectionReport.Outbox([change], isDisabled: false)
        let row = InspectionPage(report).text
        #expect(row.contains("aaaOLD</del> → <ins>…") && row.contains("aaaNEW</ins>"))
        #expect(row.contains("<details><summary>Whole values</summary><pre>\(long)OLD</pre><pre>\(long)NEW</pre>"))
        #expect(row.contains("<td>1 attempt</td>"))
    }

    @Test("“Show only” shows the changes of a kind, whatever their texts are", .enabled(if: Chromium.isWanted))
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(url))
            try await store.perform { context in
                for title in ["delete", "update", "parked"] { Entry(title: title, context: context) }
                try context.save()
            }
            try await store.writer.write {
                try $0.execute(sql: "UPDATE lockstep_outbox SET parked_status = 422 WHERE id = 2")
            }
            try store.close()
            let page = try page(of: url, includesValues: true)
            for kind in ["create", "parked"] { #expect(page.contains("<a href=\"#show=\(kind)\">\(kind)</a>")) }
            for (fragment, count) in [
                ("show=parked", 1), ("show=create", 3), ("show=delete", 0), ("show=create&q=update", 1),
                ("q=update", 1),
            ] {
                let elements = try Chromium.elements(of: page, fragment: fragment)
                #expect(elements.contains(">\(count) of 3</output>"), "\(fragment)")
            }
            let all = try Chromium.elements(of: page, fragment: "show=")
            #expect(all.contains("<output id=\"found\" for=\"search\"></"))
        }
    }
}

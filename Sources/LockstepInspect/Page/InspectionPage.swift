import Foundation
import LockstepHTML
import LockstepStore

/// An inspection as an HTML page, with every pending record.
struct InspectionPage {
    let report: InspectionReport

    init(_ report: InspectionReport) { self.report = report }

    var text: String {
        let name = report.file.path.map { ($0 as NSString).lastPathComponent } ?? "In memory"
        return HTMLPage(
            title: name, subtitle: "\(report.schema.name), version \(report.schema.version)",
            searchPrompt: "Search the records", body: body
        ).text
    }

    private var body: HTML {
        [facts, findings, entities, changes, leftovers, waitingLinks, collections, attachments, integrity].joined()
    }

    // MARK: The file

    private var facts: HTML {
        let (schema, file) = (report.schema, report.file)
        var facts: [String] = [InspectionText.size(file.size)]
        if file.journalSize > 0 { facts.append("\(InspectionText.size(file.journalSize)) of journal (-wal)") }
        if let madeBy = schema.madeBy { facts.append("made by Lockstep \(madeBy)") }
        if let version = schema.appVersion { facts.append("app \(version)") }
        if let store = schema.store { facts.append("store \(store)…") }
        facts.append("read at \(InspectionText.date(report.at))")
        let values: HTML =
            report.includesValues
            ? "<p><span class=\"warning\">contains values</span> This page contains what users have entered.</p>" : ""
        return """
            <p class="muted">\(facts.joined(separator: " · ")) · <code>\(schema.fingerprint)</code></p>
            \(values)
            """
    }

    private var findings: HTML {
        guard !report.findings.isEmpty else { return "<p>Nothing looks wrong.</p>\n" }
        let items = report.findings.map { finding -> HTML in
            let label: HTML =
                finding.severity == .note
                ? "<span class=\"mark\">note</span>" : "<span class=\"warning\">\(finding.severity.rawValue)</span>"
            return "<p>\(label) \(finding.text)<br><span class=\"muted\">\(finding.remedy)</span></p>\n"
        }
        let isWrong = report.findings.contains { $0.severity != .note }
        return "<h2>\(isWrong ? "What looks wrong" : "To know")</h2>\n\(items)"
    }

    private var entities: HTML {
        let rows = report.entities.map { entity -> HTML in
            """
            <tr><td>\(entity.name)</td><td><code>\(entity.table)</code></td>\
            <td class="number">\(entity.rows.map(InspectionText.number) ?? "no table")</td>\
            <td class="number">\(count(entity.pending))</td><td class="number">\(count(entity.parked))</td>\
            <td class="muted">\(entity.isSynced ? "" : "on this device only")</td></tr>

            """
        }
        let others = report.otherTables.map { table -> HTML in
            """
            <tr><td class="muted">not of the schema</td><td><code>\(table.name)</code></td>\
            <td class="number">\(InspectionText.number(table.rows))</td><td></td><td></td><td></td></tr>

            """
        }
        return """
            <h2>Records</h2>
            <table><thead><tr><th>Entity</th><th>Table</th><th class="number">Rows</th>\
            <th class="number">Pending</th><th class="number">Parked</th><th></th></tr></thead>
            <tbody>
            \(rows)\(others)</tbody></table>

            """
    }

    private func count(_ number: Int) -> String { number == 0 ? "" : InspectionText.number(number) }

    // MARK: What waits

    private var changes: HTML {
        let changes = report.outbox.changes
        guard !changes.isEmpty else { return "<h2>Pending</h2>\n<p>Nothing is pending.</p>\n" }
        let total = InspectionText.number(report.outbox.count)
        let inside = changes.count { $0.isInside }
        let insideNote = inside > 0 ? ", and \(InspectionText.number(inside)) inside others" : ""
        // What is not sent by itself first.
        let ordered = changes.filter { $0.parked != nil } + changes.filter { $0.parked == nil }
        return """
            <h2 id="pending">Pending: \(total)\(insideNote)</h2>
            <p class="muted">Show only: \(filters)<a href="#q=">all</a></p>
            <table><thead><tr><th>Change</th><th>Record</th><th>Since</th><th>What differs</th><th>State</th></tr></thead>
            <tbody>
            \(ordered.map { ChangeRow(change: $0).row })</tbody></table>

            """
    }

    /// Links that search for the names of states.
    private var filters: HTML {
        let changes = report.outbox.changes
        var words = InspectionReport.Change.Kind.allCases.filter { kind in changes.contains { $0.kind == kind } }
            .map(\.rawValue)
        if changes.contains(where: { $0.parked != nil }) { words.insert("parked", at: 0) }
        return words.map { "<a href=\"#q=\($0)\">\($0)</a> · " as HTML }.joined()
    }

    private var leftovers: HTML {
        table(
            "Leftovers", ["Entity", "Record", "Member", "Version", "Kept at", "Value"],
            report.leftovers.map { leftover in
                [
                    leftover.entity, leftover.record, leftover.member ?? "the whole record", String(leftover.version),
                    InspectionText.date(leftover.at), leftover.value ?? leftover.reason ?? "",
                ]
            })
    }

    private var waitingLinks: HTML {
        table(
            "Links that wait for records", ["Relationship", "Owner", "Member"],
            report.sync.waitingLinks.map { [$0.relationship, $0.owner, $0.member] })
    }

    private var collections: HTML {
        table(
            "Pulled", ["Entity", "Last response", "Validators", "Whole at", "Watermarks"],
            report.sync.collections.map { collection in
                [
                    collection.entity, collection.lastResponse.map(InspectionText.date) ?? "",
                    count(collection.validators), collection.wholeAt.map(InspectionText.date) ?? "",
                    count(collection.watermarks),
                ]
            })
    }

    private var attachments: HTML {
        guard let attachments = report.attachments else { return "" }
        let sentence = """
            \(InspectionText.number(attachments.referenced)) referenced, \(InspectionText.number(attachments.present)) on \
            the device (\(InspectionText.size(attachments.presentSize))), \
            \(InspectionText.number(attachments.missing)) missing, \
            of which \(InspectionText.number(attachments.missingButUploaded)) are on a server; \
            \(InspectionText.number(attachments.unused)) unused files (\(InspectionText.size(attachments.unusedSize))).
            """
        return "<h2>Attachments</h2>\n<p>\(sentence)</p>\n"
    }

    private var integrity: HTML {
        let integrity = report.integrity
        let problems = integrity.problems.map { "<li><code>\($0)</code></li>\n" as HTML }
        let missing = integrity.missing.map { part -> HTML in
            "<li>missing \(part.kind.rawValue) of <code>\(part.table)</code>: <code>\(part.name)</code></li>\n"
        }
        let broken = integrity.brokenReferences.map { reference -> HTML in
            """
            <li>\(reference.count) × <code>\(reference.table)</code> → <code>\(reference.destination)</code>: no such \
            row</li>

            """
        }
        let items = problems + missing + broken
        if items.isEmpty { return integrity.isChecked ? "<h2>Integrity</h2>\n<p>Fine.</p>\n" : "" }
        return "<h2>Integrity</h2>\n<ul>\n\(items)</ul>\n"
    }

    private func table(_ title: String, _ columns: [String], _ rows: [[String]]) -> HTML {
        if rows.isEmpty { return "" }
        let body = rows.map { row -> HTML in
            "<tr data-row>\(row.map { "<td>\($0)</td>" as HTML })</tr>\n"
        }
        return """
            <h2>\(title): \(InspectionText.number(rows.count))</h2>
            <table><thead><tr>\(columns.map { "<th>\($0)</th>" as HTML })</tr></thead>
            <tbody>
            \(body)</tbody></table>

            """
    }
}

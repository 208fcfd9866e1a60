#if Inspect
    import Foundation
    import LockstepHTML
    import LockstepInspection

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
            [
                facts, findings, entities, changes, conflicts, leftovers, collections, knownCounts, waitingLinks,
                attachments,
                integrity,
            ].joined()
        }

        // MARK: The file

        private var facts: HTML {
            let schema = report.schema
            let facts =
                report.facts + (schema.store.map { ["store \($0)…"] } ?? [])
                + ["read at \(InspectionText.date(report.at))"]
            let remarks = report.remarks.map { "<p>\($0)</p>\n" as HTML }
            let values: HTML =
                report.includesValues
                ? "<p><span class=\"warning\">contains values</span> This page contains what users have entered.</p>"
                : ""
            return """
                <p class="muted">\(facts.joined(separator: " · ")) · <code>\(schema.fingerprint)</code></p>
                \(remarks)\(values)
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
            return "<h2>\(report.looksWrong ? "What looks wrong" : "Notes")</h2>\n\(items)"
        }

        private var entities: HTML {
            let failures = failure("Records", part: .records) + failure("Other tables", part: .otherTables)
            guard report.entities != nil || report.otherTables?.isEmpty == false else { return failures }
            let rows = (report.entities ?? []).map { entity -> HTML in
                """
                <tr><td>\(entity.name)</td><td><code>\(entity.table)</code></td>\
                <td class="number">\(entity.rows.map(InspectionText.number) ?? "no table")</td>\
                <td class="number">\(count(entity.pending))</td><td class="number">\(count(entity.parked))</td>\
                <td class="muted">\(entity.isSynced ? "" : "on this device only")</td></tr>

                """
            }
            let others = (report.otherTables ?? []).map { table -> HTML in
                """
                <tr><td class="muted">not of the schema</td><td><code>\(table.name)</code></td>\
                <td class="number">\(InspectionText.number(table.rows))</td><td></td><td></td><td></td></tr>

                """
            }
            return """
                \(failures)<h2>Records</h2>
                <table><thead><tr><th>Entity</th><th>Table</th><th class="number">Rows</th>\
                <th class="number">Pending</th><th class="number">Parked</th><th></th></tr></thead>
                <tbody>
                \(rows)\(others)</tbody></table>

                """
        }

        /// Nothing for 0, and a question mark for a number that is not known.
        private func count(_ number: Int?) -> String { number.map { $0 == 0 ? "" : InspectionText.number($0) } ?? "?" }

        /// A part that could not be read.
        private func failure(_ title: String, part: InspectionReport.Unreadable.Part) -> HTML {
            guard let failure = report.failure(of: part) else { return "" }
            return "<h2>\(title)</h2>\n<p><span class=\"warning\">error</span> \(failure)</p>\n"
        }

        // MARK: What waits

        private var changes: HTML {
            guard let outbox = report.outbox else { return failure("Pending", part: .outbox) }
            guard !outbox.changes.isEmpty else { return "<h2>Pending</h2>\n<p>Nothing is pending.</p>\n" }
            let total = InspectionText.number(outbox.count)
            let inside = outbox.changes.count(where: \.isInside)
            let insideNote = inside > 0 ? ", and \(InspectionText.number(inside)) inside others" : ""
            return """
                <h2 id="pending">Pending: \(total)\(insideNote)</h2>
                <p class="muted">Show only: \(filters(outbox.changes))<a href="#show=">all</a></p>
                <table><thead><tr><th>Change</th><th>Record</th><th>Since</th><th>Differences</th><th>State</th></tr></thead>
                <tbody>
                \(outbox.ordered.map { ChangeRow(change: $0).row })</tbody></table>

                """
        }

        /// Links to the changes of a kind.
        private func filters(_ changes: [InspectionReport.Change]) -> HTML {
            let kinds = InspectionReport.Change.Kind.allCases.filter { kind in changes.contains { $0.kind == kind } }
            let parked = changes.contains(where: \.isParked) ? [ChangeRow.parked] : []
            return (parked + kinds.map(\.rawValue)).map { "<a href=\"#show=\($0)\">\($0)</a> · " as HTML }.joined()
        }

        private var conflicts: HTML {
            guard let conflicts = report.conflicts else { return failure("Conflicts", part: .conflicts) }
            return table(
                "Conflicts: \(InspectionText.number(conflicts.count))",
                columns: ["Entity", "Record", "Member", "Lost", "Rule", "Decided at", "Values"],
                rows: conflicts.map { [$0.entity, $0.record, $0.member] + $0.cells })
        }

        private var leftovers: HTML {
            guard let leftovers = report.leftovers else { return failure("Leftovers", part: .leftovers) }
            return table(
                "Leftovers: \(InspectionText.number(leftovers.count))",
                columns: ["Entity", "Record", "Member", "Version", "Kept at", "Value"],
                rows: leftovers.map { leftover in
                    [
                        leftover.entity, leftover.record, leftover.member ?? "the whole record",
                        String(leftover.version),
                        InspectionText.date(leftover.at), leftover.value ?? leftover.reason ?? "",
                    ]
                })
        }

        // MARK: The sync

        private var collections: HTML {
            guard let sync = report.sync else { return failure("State of the sync", part: .sync) }
            return table(
                "Pulled", columns: ["Entity", "Last response", "Validators", "Last full pull", "Watermarks"],
                rows: sync.collections.map { collection in
                    [
                        collection.entity, collection.lastResponse.map(InspectionText.date) ?? "",
                        count(collection.validators), collection.wholeAt.map(InspectionText.date) ?? "",
                        count(collection.watermarks),
                    ]
                })
        }

        private var knownCounts: HTML {
            table(
                "Known about the server", columns: ["Entity", "Records", "What is known"],
                rows: report.sync?.knownCounts ?? [])
        }

        private var waitingLinks: HTML {
            let links = report.sync?.waitingLinks ?? []
            return table(
                "Links to records not received yet: \(InspectionText.number(links.count))",
                columns: ["Relationship", "Owner", "Member"],
                rows: links.map { [$0.relationship, $0.owner, $0.member] })
        }

        private var attachments: HTML {
            guard let attachments = report.attachments else { return failure("Attachments", part: .attachments) }
            let title = "Attachments: \(InspectionText.number(attachments.referenced))"
            return list(
                title, lines: attachments.lines + (attachments.missingReferences ?? []).map { "missing: \($0)" })
        }

        private var integrity: HTML {
            let failures =
                failure("Integrity", part: .wholeFile) + failure("Missing tables, indexes and triggers", part: .tables)
            let problems = report.integrity.lines
            if !problems.isEmpty { return failures + list("Integrity", lines: problems) }
            return failures + (report.integrity.isChecked ? "<h2>Integrity</h2>\n<p>No problems found.</p>\n" : "")
        }

        // MARK: Elements

        private func list(_ title: String, lines: [String]) -> HTML {
            "<h2>\(title)</h2>\n<ul>\n\(lines.map { "<li>\($0)</li>\n" as HTML })</ul>\n"
        }

        private func table(_ title: String, columns: [String], rows: [[String]]) -> HTML {
            if rows.isEmpty { return "" }
            let body = rows.map { row -> HTML in
                "<tr data-row>\(row.map { "<td>\($0)</td>" as HTML })</tr>\n"
            }
            return """
                <h2>\(title)</h2>
                <table><thead><tr>\(columns.map { "<th>\($0)</th>" as HTML })</tr></thead>
                <tbody>
                \(body)</tbody></table>

                """
        }
    }
#endif

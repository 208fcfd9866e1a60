import Foundation
import LockstepJSON

/// An inspection as text: what looks wrong, followed by the contents. The text is short, regardless of the size of the
/// store.
package struct InspectionText {
    private let report: InspectionReport
    /// The maximum number of records in each list.
    private let limit: Int
    private var lines: [String] = []

    package init(_ report: InspectionReport, limit: Int = 20) {
        (self.report, self.limit) = (report, limit)
    }

    /// The whole text.
    package var text: String {
        var copy = self
        copy.writeHeader()
        copy.writeFindings()
        copy.writeRecords()
        copy.writeChanges()
        copy.writeLeftovers()
        copy.writeSync()
        copy.writeAttachments()
        copy.writeIntegrity()
        return copy.lines.joined(separator: "\n") + "\n"
    }

    // MARK: The file

    private mutating func writeHeader() {
        let (schema, file) = (report.schema, report.file)
        let name = file.path.map { ($0 as NSString).lastPathComponent } ?? "in memory"
        lines.append("\(name): \(schema.name), version \(schema.version)")
        var parts = [Self.size(file.size)]
        if file.journalSize > 0 { parts.append("\(Self.size(file.journalSize)) of journal (-wal)") }
        if let madeBy = schema.madeBy { parts.append("made by Lockstep \(madeBy)") }
        if let migratedBy = schema.migratedBy, migratedBy != schema.madeBy {
            parts.append("last changed by \(migratedBy)")
        }
        if let version = schema.appVersion { parts.append("app \(version)") }
        lines.append("  " + parts.joined(separator: ", "))
        lines.append(
            "  fingerprint \(schema.fingerprint)" + (schema.store.map { ", store \($0)…" } ?? "")
                + ", read at \(Self.date(report.at))")
        if !schema.isDescribed { lines.append("  It does not describe its entities; they are read from its tables.") }
    }

    private mutating func writeFindings() {
        guard !report.findings.isEmpty else { return section("Nothing looks wrong.") }
        let isWrong = report.findings.contains { $0.severity != .note }
        section(isWrong ? "What looks wrong" : "Nothing looks wrong. To know:")
        for finding in report.findings {
            lines.append("  \(finding.severity.rawValue): \(finding.text)")
            lines.append("    \(finding.remedy)")
        }
    }

    private mutating func writeRecords() {
        section("Records")
        if report.entities.isEmpty { lines.append("  none") }
        let rows = report.entities.map { entity -> [String] in
            var notes: [String] = []
            if entity.pending > 0 { notes.append("\(Self.number(entity.pending)) pending") }
            if entity.parked > 0 { notes.append("\(Self.number(entity.parked)) parked") }
            if !entity.isSynced { notes.append("on this device only") }
            return [entity.name, entity.rows.map(Self.number) ?? "no table", notes.joined(separator: ", ")]
        }
        table(rows, rightAligned: [1])
        guard !report.otherTables.isEmpty else { return }
        section("Other tables")
        table(report.otherTables.map { [$0.name, Self.number($0.rows)] }, rightAligned: [1])
    }

    // MARK: Changes

    private mutating func writeChanges() {
        let outbox = report.outbox
        guard outbox.count > 0, let oldest = outbox.oldest else {
            return section(outbox.changes.isEmpty ? "Pending: nothing" : "Pending: only records inside others")
        }
        section("Pending: \(outbox.count.of("record")), the oldest since \(Self.date(oldest))")
        let changes = outbox.changes.filter { !$0.isInside }
        // What is not sent by itself first.
        let ordered = changes.filter { $0.parked != nil } + changes.filter { $0.parked == nil }
        table(
            ordered.prefix(limit).map { change in
                [change.kind.rawValue, change.entity, change.record, Self.date(change.since), change.notes]
            })
        more(ordered.count - limit, "change")
        if report.includesValues { ordered.prefix(limit).forEach { writeValues($0) } }
    }

    private mutating func writeValues(_ change: InspectionReport.Change) {
        let values = change.values ?? []
        let answer = change.parked?.answer ?? change.lastError
        if values.isEmpty && answer == nil { return }
        lines.append("")
        lines.append("  \(change.kind.rawValue) \(change.entity) \(change.record)")
        for member in values {
            let (base, now) = (member.base.map(Self.short), member.now.map(Self.short))
            let value = base == nil ? now ?? "" : now == nil ? base ?? "" : "\(base ?? "") → \(now ?? "")"
            lines.append("    \(member.name): \(value)")
        }
        if let answer { lines.append("    server: \(Self.short(answer))") }
    }

    private mutating func writeLeftovers() {
        guard !report.leftovers.isEmpty else { return }
        section("Leftovers: \(Self.number(report.leftovers.count))")
        table(
            report.leftovers.prefix(limit).map { leftover in
                [
                    leftover.member.map { "\(leftover.entity).\($0)" } ?? leftover.entity, leftover.record,
                    "version \(leftover.version)", Self.date(leftover.at),
                    leftover.value.map(Self.short) ?? "",
                ]
            })
        more(report.leftovers.count - limit, "leftover")
    }

    // MARK: The sync

    private mutating func writeSync() {
        let sync = report.sync
        if !sync.collections.isEmpty {
            section("Pulled")
            table(
                sync.collections.map { collection in
                    let date = [collection.lastResponse, collection.wholeAt].compactMap(\.self).max()
                    var notes: [String] = []
                    if collection.validators > 0 { notes.append(collection.validators.of("validator")) }
                    if collection.watermarks > 0 { notes.append(collection.watermarks.of("watermark")) }
                    return [collection.entity, date.map(Self.date) ?? "", notes.joined(separator: ", ")]
                })
        }
        let counts: [(String, [InspectionReport.Count])] = [
            ("not received yet", sync.awaitedRecords), ("with a version of the server", sync.versions),
            ("sent inside others, without an identity yet", sync.membersWithoutIdentity),
        ]
        let rows = counts.flatMap { label, counts in counts.map { [$0.entity, Self.number($0.count), label] } }
        if !rows.isEmpty {
            section("Known of the server")
            table(rows, rightAligned: [1])
        }
        guard !sync.waitingLinks.isEmpty else { return }
        section("Links that wait for records: \(Self.number(sync.waitingLinks.count))")
        table(sync.waitingLinks.prefix(limit).map { [$0.relationship, $0.owner, "→ \($0.member)"] })
        more(sync.waitingLinks.count - limit, "link")
    }

    private mutating func writeAttachments() {
        guard let attachments = report.attachments else { return }
        section("Attachments: \(Self.number(attachments.referenced))")
        lines.append("  on the device: \(attachments.present), \(Self.size(attachments.presentSize))")
        let notes: [(String, Int)] = [
            ("not on the device, on a server", attachments.missingButUploaded),
            ("not on the device, not known to be on a server", attachments.missing - attachments.missingButUploaded),
            ("not known to be on a server", attachments.notUploaded),
            ("failing to be transferred", attachments.failing),
            ("interrupted downloads", attachments.incomplete), ("damaged files, moved aside", attachments.damaged),
        ]
        for (label, count) in notes where count > 0 { lines.append("  \(label): \(Self.number(count))") }
        if attachments.unused > 0 {
            lines.append("  unused files: \(attachments.unused), \(Self.size(attachments.unusedSize))")
        }
    }

    private mutating func writeIntegrity() {
        let integrity = report.integrity
        let isFine = integrity.problems.isEmpty && integrity.brokenReferences.isEmpty && integrity.missing.isEmpty
        guard integrity.isChecked || !isFine else { return }
        section("Integrity: \(isFine ? "fine" : "see above")")
        for problem in integrity.problems { lines.append("  \(problem)") }
        for part in integrity.missing { lines.append("  missing \(part.kind.rawValue) of \(part.table): \(part.name)") }
    }

    // MARK: Lines

    private mutating func section(_ title: String) { lines += ["", title] }

    private mutating func more(_ count: Int, _ noun: String) {
        if count > 0 { lines.append("  … and \(count.of("more \(noun)"))") }
    }

    private mutating func table(_ rows: [[String]], rightAligned: Set<Int> = []) {
        guard let first = rows.first else { return }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return rightAligned.contains(column) ? padding + cell : cell + padding
            }
            let line = "  " + cells.joined(separator: "  ")
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
    }
}

extension InspectionReport.Change {
    /// What was changed, and what prevents it from being sent.
    package var notes: String {
        var notes = changed.isEmpty ? [] : [changed.joined(separator: ", ")]
        for link in links {
            let numbers = [link.added > 0 ? "+\(link.added)" : "", link.removed > 0 ? "−\(link.removed)" : ""]
            notes.append("\(link.relationship) \(numbers.filter { !$0.isEmpty }.joined(separator: " "))")
        }
        if isUnclaimed { notes.append("of no entity of the schema") }
        if let parked {
            let attributes = parked.attributes.isEmpty ? "" : " (\(parked.attributes.joined(separator: ", ")))"
            notes.append("parked: \(parked.label)\(attributes)")
        } else if attempts > 0 {
            notes.append(attempts.of("attempt") + (error.map { " (\($0.text))" } ?? ""))
            if let retryAt { notes.append("next at \(InspectionText.date(retryAt))") }
        }
        if isSent && parked == nil { notes.append("sent, outcome not known") }
        return notes.joined(separator: "; ")
    }
}

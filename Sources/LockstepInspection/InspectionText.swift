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

    /// The whole text. Names and texts of the file are made visible: a file can come from anybody.
    package var text: String {
        var copy = self
        copy.writeHeader()
        copy.writeFindings()
        copy.writeRecords()
        copy.writeChanges()
        copy.writeConflicts()
        copy.writeLeftovers()
        copy.writeSync()
        copy.writeAttachments()
        copy.writeIntegrity()
        return "\(TerminalText(lines: copy.lines))\n"
    }

    // MARK: The file

    private mutating func writeHeader() {
        let schema = report.schema
        let name = report.file.path.map { ($0 as NSString).lastPathComponent } ?? "in memory"
        lines.append("\(name): \(schema.name), version \(schema.version)")
        lines.append("  " + report.facts.joined(separator: ", "))
        lines.append(
            "  fingerprint \(schema.fingerprint)" + (schema.store.map { ", store \($0)…" } ?? "")
                + ", read at \(Self.date(report.at))")
        lines += report.remarks.map { "  " + $0 }
    }

    private mutating func writeFindings() {
        let isFine = report.findings.isEmpty ? "Nothing looks wrong." : "Nothing looks wrong. Notes:"
        section(report.looksWrong ? "What looks wrong" : isFine)
        for finding in report.findings {
            lines.append("  \(finding.severity.rawValue): \(finding.text)")
            lines.append("    \(finding.remedy)")
        }
    }

    private mutating func writeRecords() {
        writeFailure("Records", part: .records)
        if let entities = report.entities {
            section("Records")
            if entities.isEmpty { lines.append("  none") }
            table(entities.map(Self.cells), rightAligned: [1])
        }
        writeFailure("Other tables", part: .otherTables)
        guard let tables = report.otherTables, !tables.isEmpty else { return }
        section("Other tables")
        table(tables.map { [$0.name, Self.number($0.rows)] }, rightAligned: [1])
    }

    private static func cells(_ entity: InspectionReport.Entity) -> [String] {
        var notes: [String] = []
        for (count, label) in [(entity.pending, "pending"), (entity.parked, "parked")] where count != 0 {
            notes.append("\(count.map(number) ?? "?") \(label)")
        }
        if !entity.isSynced { notes.append("on this device only") }
        return [entity.name, entity.rows.map(number) ?? "no table", notes.joined(separator: ", ")]
    }

    // MARK: Changes

    private mutating func writeChanges() {
        writeFailure("Pending", part: .outbox)
        guard let outbox = report.outbox else { return }
        guard outbox.count > 0, let oldest = outbox.oldest else {
            return section(outbox.changes.isEmpty ? "Pending: nothing" : "Pending: only records inside others")
        }
        section("Pending: \(outbox.count.of("record")), the oldest since \(Self.date(oldest))")
        let changes = outbox.ordered.filter { !$0.isInside }
        table(
            changes.prefix(limit).map { change in
                [change.kind.rawValue, change.entity, change.record, Self.date(change.since), change.notes]
            })
        more(changes.count - limit, noun: "change")
        if report.includesValues { changes.prefix(limit).forEach { writeValues($0) } }
    }

    private mutating func writeValues(_ change: InspectionReport.Change) {
        let values = change.values ?? []
        let response = change.parked?.response ?? change.lastError
        if values.isEmpty && response == nil { return }
        lines.append("")
        lines.append("  \(change.kind.rawValue) \(change.entity) \(change.record)")
        for member in values {
            let difference = InspectedDifference(member)
            lines.append(
                "    \(member.name): \([difference.base, difference.now].compactMap(\.self).joined(separator: " → "))")
        }
        if let response { lines.append("    server: \(Self.short(response))") }
    }

    private mutating func writeConflicts() {
        writeFailure("Conflicts", part: .conflicts)
        guard let conflicts = report.conflicts, !conflicts.isEmpty else { return }
        section("Conflicts: \(Self.number(conflicts.count))")
        table(conflicts.prefix(limit).map { ["\($0.entity).\($0.member)", $0.record] + $0.cells })
        more(conflicts.count - limit, noun: "conflict")
    }

    private mutating func writeLeftovers() {
        writeFailure("Leftovers", part: .leftovers)
        guard let leftovers = report.leftovers, !leftovers.isEmpty else { return }
        section("Leftovers: \(Self.number(leftovers.count))")
        table(
            leftovers.prefix(limit).map { leftover in
                [
                    leftover.member.map { "\(leftover.entity).\($0)" } ?? leftover.entity, leftover.record,
                    "version \(leftover.version)", Self.date(leftover.at),
                    leftover.value.map(Self.short) ?? "",
                ]
            })
        more(leftovers.count - limit, noun: "leftover")
    }

    // MARK: The sync

    private mutating func writeSync() {
        writeFailure("State of the sync", part: .sync)
        guard let sync = report.sync else { return }
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
        if !sync.knownCounts.isEmpty {
            section("Known about the server")
            table(sync.knownCounts, rightAligned: [1])
        }
        guard !sync.waitingLinks.isEmpty else { return }
        section("Links to records not received yet: \(Self.number(sync.waitingLinks.count))")
        table(sync.waitingLinks.prefix(limit).map { [$0.relationship, $0.owner, "→ \($0.member)"] })
        more(sync.waitingLinks.count - limit, noun: "link")
    }

    private mutating func writeAttachments() {
        writeFailure("Attachments", part: .attachments)
        guard let attachments = report.attachments else { return }
        section("Attachments: \(Self.number(attachments.referenced))")
        lines += attachments.lines.map { "  " + $0 }
    }

    private mutating func writeIntegrity() {
        writeFailure("Integrity", part: .wholeFile)
        writeFailure("Missing tables, indexes and triggers", part: .tables)
        let problems = report.integrity.lines
        guard report.integrity.isChecked || !problems.isEmpty else { return }
        section("Integrity: \(problems.isEmpty ? "OK" : "see above")")
        lines += problems.map { "  " + $0 }
    }

    // MARK: Lines

    private mutating func section(_ title: String) { lines += ["", title] }

    private mutating func writeFailure(_ title: String, part: InspectionReport.Unreadable.Part) {
        if let failure = report.failure(of: part) { section("\(title): \(failure)") }
    }

    private mutating func more(_ count: Int, noun: String) {
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

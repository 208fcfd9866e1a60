import LockstepStore

extension InspectionFinding {
    /// The findings about the file itself.
    static func ofFile(_ report: InspectionReport) -> [InspectionFinding] {
        let integrity = report.integrity
        var findings: [InspectionFinding] = []
        if let first = integrity.problems.first {
            let others = integrity.problems.count - 1
            findings.append(
                InspectionFinding(
                    .damaged, severity: .error,
                    text: "The file is damaged: \(first)\(others > 0 ? ", and \(others.of("other problem"))" : "").",
                    remedy: """
                        Keep a copy of it with its -wal. Save what is pending with Store.exportPending, set the file aside \
                        with Store.setAside, and pull everything again.
                        """))
        }
        if !report.unreadable.isEmpty {
            let parts = report.unreadable.map { "\($0.part.rawValue) (\($0.reason))" }.joined(separator: ", ")
            findings.append(
                InspectionFinding(
                    .unreadable, severity: .error, text: "Parts of the file cannot be read: \(parts).",
                    remedy: "Keep a copy of it with its -wal. The report of the other parts is complete."))
        }
        findings += ofParts(integrity)
        if let version = report.schema.systemTables, version > SystemTables.version {
            findings.append(
                InspectionFinding(
                    .newerLibrary, severity: .warning,
                    text: "The file is of a later version of the library (its outbox is version \(version)).",
                    remedy: "Inspect it with the version of lockstep that the app uses: "
                        + "this one may not know everything in it."
                ))
        }
        if report.file.journalSize > max(journalLimit, report.file.size) {
            findings.append(
                InspectionFinding(
                    .largeJournal, severity: .note,
                    text:
                        "The journal (-wal) is larger than the file: \(InspectionText.size(report.file.journalSize)).",
                    remedy: "It is never copied into the file, because something reads all the time. Find that."
                ))
        }
        return findings
    }

    /// The size in bytes up to which a journal is never reported. SQLite copies it into the file from 4 MB on.
    private static let journalLimit = 16 * 1024 * 1024

    private static func ofParts(_ integrity: InspectionReport.Integrity) -> [InspectionFinding] {
        var findings: [InspectionFinding] = []
        let missing = integrity.missing ?? []
        if !missing.isEmpty {
            let names = missing.prefix(3).map { "the \($0.kind.rawValue) “\($0.name)”" }
            let more = missing.count > 3 ? ", and \(missing.count - 3) more" : ""
            let isSilent = missing.contains { $0.kind == .trigger }
            findings.append(
                InspectionFinding(
                    .missingParts, severity: .error,
                    text: "The file lacks \(names.joined(separator: ", "))\(more).",
                    remedy: isSilent
                        ? """
                        Find what removed it. Changes that were made without a trigger are not recorded, and are not \
                        sent: compare the records with the server's.
                        """
                        : "Find what removed it. The app may refuse to open the file, or be slow."))
        }
        let foreign = integrity.foreignTriggers ?? []
        if !foreign.isEmpty {
            let names = foreign.map { "“\($0.name)” of “\($0.table)”" }
            findings.append(
                InspectionFinding(
                    .foreignTriggers, severity: .warning,
                    text: """
                        The file has \(foreign.count.of("trigger")) that neither the schema nor the library has made: \
                        \(StoreFinding.list(names)).
                        """,
                    remedy: "Check that the app makes them: they run whenever it writes these tables. If it does not, "
                        + "do not use the file."))
        }
        for broken in integrity.brokenReferences ?? [] {
            findings.append(
                InspectionFinding(
                    .brokenReferences, severity: .error,
                    text: """
                        \(broken.count.of("row")) of “\(broken.table)” \(broken.count == 1 ? "refers" : "refer") \
                        to rows of “\(broken.destination)” that do not exist.
                        """, remedy: "Find out what wrote them with foreign keys disabled."))
        }
        return findings
    }
}

extension Int {
    /// The number with a noun: `1 row`, `2 rows`.
    func of(_ noun: String, plural: String? = nil) -> String {
        "\(InspectionText.number(self)) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}

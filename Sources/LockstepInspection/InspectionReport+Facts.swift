import LockstepJSON
import LockstepStore

/// Texts that are both in the text and on the page.
extension InspectionReport {
    /// The facts about the file, each in a few words.
    package var facts: [String] {
        var facts = [InspectionText.size(file.size)]
        if file.journalSize > 0 { facts.append("\(InspectionText.size(file.journalSize)) of journal (-wal)") }
        if let madeBy = schema.madeBy { facts.append("created by Lockstep \(madeBy)") }
        if let migratedBy = schema.migratedBy, migratedBy != schema.madeBy {
            facts.append("last migrated by \(migratedBy)")
        }
        if let version = schema.appVersion { facts.append("app \(version)") }
        return facts
    }

    /// The remarks that are needed to understand the report, as sentences.
    package var remarks: [String] {
        var remarks: [String] = []
        if !schema.isDescribed {
            remarks.append("The file does not describe its entities; they are derived from its tables.")
        }
        if let entity {
            remarks.append("Only the records of \(entity) are listed. The findings are about the whole store.")
        }
        return remarks
    }

    /// Whether a finding is more than a note.
    package var looksWrong: Bool { findings.contains { $0.severity != .note } }

    /// `could not be read (database disk image is malformed)`; `nil` for a part that was read.
    package func failure(of part: Unreadable.Part) -> String? {
        unreadable.first { $0.part == part }.map { "could not be read (\($0.reason))" }
    }
}

extension InspectionReport.SyncState {
    /// The known counts of each entity's records on the server: the entity, the count, and what is counted.
    package var knownCounts: [[String]] {
        let counts: [(label: String, counts: [InspectionReport.Count])] = [
            ("not received yet", awaitedRecords), ("with a version of the server", versions),
            ("sent inside others, without an identity yet", membersWithoutIdentity),
        ]
        return counts.flatMap { label, counts in
            counts.map { [$0.entity, InspectionText.number($0.count), label] }
        }
    }
}

extension InspectionReport.Conflict {
    /// What was lost, by which rule, when, and, with values, the values.
    package var cells: [String] {
        let values = [("before", base), ("here", local), ("server", remote)].compactMap { label, value in
            value.flatMap { try? $0.json() }.map {
                "\(label): \(InspectionText.short(String(decoding: $0, as: UTF8.self)))"
            }
        }
        return [
            lost == .local ? "local value lost" : "server's value lost", rule.rawValue, InspectionText.date(at),
            values.joined(separator: ", "),
        ]
    }
}

extension InspectionReport.Attachments {
    /// The numbers of files, each with what they are.
    package var lines: [String] {
        let counts: [(label: String, count: Int)] = [
            ("not on the device, on a server", missingButUploaded),
            ("not on the device, not known to be on a server", missing - missingButUploaded),
            ("not known to be on a server", notUploaded), ("failing to be transferred", failing),
            ("interrupted downloads", incomplete), ("damaged files, moved aside", damaged),
        ]
        let present = "on the device: \(InspectionText.number(self.present)), \(InspectionText.size(presentSize))"
        let others = counts.filter { $0.count > 0 }.map { "\($0.label): \(InspectionText.number($0.count))" }
        let unused =
            unused > 0 ? ["unused files: \(InspectionText.number(unused)), \(InspectionText.size(unusedSize))"] : []
        return [present] + others + unused
    }
}

extension InspectionReport.Integrity {
    /// Each problem on a line.
    package var lines: [String] {
        problems + (missing ?? []).map { "missing \($0.kind.rawValue) of \($0.table): \($0.name)" }
            + (foreignTriggers ?? []).map { "foreign trigger of \($0.table.visible): \($0.name.visible)" }
            + (brokenReferences ?? []).map {
                "\($0.count.of("row")) of \($0.table) without the row of \($0.destination)"
            }
    }
}

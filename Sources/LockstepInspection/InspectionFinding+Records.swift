import Foundation

extension InspectionFinding {
    /// The findings about changes that are not sent.
    static func ofOutbox(_ report: InspectionReport) -> [InspectionFinding] {
        let changes = report.pendingChanges
        var findings: [InspectionFinding] = []
        if report.outbox?.isDisabled ?? false {
            findings.append(
                InspectionFinding(
                    .disabledOutbox, severity: .error,
                    text: "Changes are not being recorded: the outbox is disabled in the file.",
                    remedy: "A merge disables it in its own transaction only. Find what else wrote that, and report it."
                ))
        }
        findings += parked(changes) + unclaimed(changes) + failing(changes)
        if let pause = report.sync?.pause {
            findings.append(
                InspectionFinding(
                    .waitingToSend, severity: .note,
                    text: """
                        Nothing is sent until \(InspectionText.date(pause.until)), because \
                        \(pause.by == "server" ? "the server has asked for it" : "the server could not be reached")\
                        \(pause.error.map { " (\($0.text))" } ?? "").
                        """, remedy: "It is sent then. If this lasts, look at the server and at the device's network."))
        }
        return findings + unsent(changes, report: report)
    }

    private static func parked(_ changes: [InspectionReport.Change]) -> [InspectionFinding] {
        let parked = changes.filter { $0.isParked && !$0.isUnclaimed }
        guard !parked.isEmpty else { return [] }
        let reasons = Dictionary(grouping: parked) { change in
            let parked = change.parked
            let attributes = parked.map { $0.attributes.isEmpty ? "" : " (\($0.attributes.joined(separator: ", ")))" }
            return "\(change.entity): \(parked?.label ?? "")\(attributes ?? "")"
        }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let list = reasons.prefix(3).map { "\($0.value.count) × \($0.key)" }.joined(separator: "; ")
        let more = reasons.count > 3 ? "; …" : ""
        return [
            InspectionFinding(
                .parkedChanges, severity: .error,
                text: """
                    \(parked.count.of("change")) \(parked.count == 1 ? "is" : "are") parked, and not sent: \(list)\(more).
                    """,
                remedy: """
                    They exist only on the device. Fix the records or the server and call outbox.retry, or discard them \
                    with outbox.discard.
                    """)
        ]
    }

    private static func unclaimed(_ changes: [InspectionReport.Change]) -> [InspectionFinding] {
        let unclaimed = changes.filter(\.isUnclaimed)
        guard !unclaimed.isEmpty else { return [] }
        let names = Set(unclaimed.map(\.entity)).sorted().joined(separator: ", ")
        return [
            InspectionFinding(
                .unclaimedChanges, severity: .error,
                text: """
                    \(unclaimed.count.of("change")) of \(names) \(unclaimed.count == 1 ? "belongs" : "belong") \
                    to no entity of the schema, and \(unclaimed.count == 1 ? "is" : "are") not sent.
                    """,
                remedy: "Open the store with a schema that has the entity, under this name and with its table; "
                    + "or discard them."
            )
        ]
    }

    private static func failing(_ changes: [InspectionReport.Change]) -> [InspectionFinding] {
        let failing = changes.filter(\.isFailing)
        guard !failing.isEmpty else { return [] }
        let codes = Set(failing.compactMap { $0.error?.text }).sorted().joined(separator: ", ")
        return [
            InspectionFinding(
                .failingChanges, severity: .warning,
                text: """
                    \(failing.count.of("change")) \(failing.count == 1 ? "fails" : "fail") repeatedly\
                    \(codes.isEmpty ? "" : " (\(codes))").
                    """,
                remedy: "They are retried with increasing delays. Check the server's log for these records.")
        ]
    }

    /// The time after which a change that was never sent is reported, in seconds: three days.
    private static let unsentSeconds: TimeInterval = 3 * 86_400

    private static func unsent(_ changes: [InspectionReport.Change], report: InspectionReport) -> [InspectionFinding] {
        let waiting = changes.filter { !$0.isParked && !$0.isUnclaimed && $0.attempts == 0 && !$0.isSent }
        guard let oldest = waiting.map(\.since).min(), report.at.timeIntervalSince(oldest) > unsentSeconds,
            report.sync?.pause == nil
        else { return [] }
        return [
            InspectionFinding(
                .neverSent, severity: .warning,
                text: """
                    \(waiting.count.of("change")) \(waiting.count == 1 ? "was" : "were") never sent; the oldest is from \
                    \(InspectionText.date(oldest)).
                    """, remedy: "Check that the app calls run or push, that the user is signed in, and the app's log.")
        ]
    }

    // MARK: Records

    /// Other findings that explain why records are missing.
    static func ofRecords(_ report: InspectionReport) -> [InspectionFinding] {
        var findings: [InspectionFinding] = []
        if let leftovers = report.leftovers, !leftovers.isEmpty {
            let names = Set(
                leftovers.map { leftover in
                    leftover.member.map { "\(leftover.entity).\($0)" } ?? leftover.entity
                }
            ).sorted().joined(separator: ", ")
            findings.append(
                InspectionFinding(
                    .leftovers, severity: .warning,
                    text: "The schema has no place for \(leftovers.count.of("part")) of unsent edits: \(names).",
                    remedy: "Send or discard them: store.leftovers(), store.send, store.discard."))
        }
        if let attachments = report.attachments, attachments.missing > attachments.missingButUploaded {
            let lost = attachments.missing - attachments.missingButUploaded
            findings.append(
                InspectionFinding(
                    .missingAttachments, severity: .warning,
                    text: """
                        The \(lost == 1 ? "file" : "files") of \(lost.of("attachment")) \(lost == 1 ? "is" : "are") neither \
                        on the device nor known to be on a server.
                        """,
                    remedy: "If the records come from the server, they can be downloaded. "
                        + "Was the folder copied with the file?"
                )
            )
        }
        return findings + deletes(report) + empty(report) + waiting(report)
    }

    private static func deletes(_ report: InspectionReport) -> [InspectionFinding] {
        let deletes = report.pendingChanges.filter { $0.kind == .delete }
        guard !deletes.isEmpty else { return [] }
        let names = Dictionary(grouping: deletes, by: \.entity).sorted { $0.key < $1.key }
            .map { "\($0.value.count) of \($0.key)" }
        return [
            InspectionFinding(
                .pendingDeletes, severity: .note,
                text: "\(deletes.count.of("record")) \(deletes.count == 1 ? "was" : "were") deleted on this device, "
                    + "and the server has not confirmed it: \(names.joined(separator: ", ")).",
                remedy: "To get one back, discard its change: outbox.discard restores the record.")
        ]
    }

    private static func empty(_ report: InspectionReport) -> [InspectionFinding] {
        let pulled = Set(report.sync?.collections.map(\.entity) ?? [])
        return (report.entities ?? []).filter { $0.rows == 0 && pulled.contains($0.name) }.map { entity in
            InspectionFinding(
                .emptyCollection, severity: .note,
                text: "\(entity.name) has no records, although it was pulled.",
                remedy: """
                    If the server has some, it may respond that nothing has changed: call \
                    sync.forgetValidators(of: \(entity.name).self), and pull.
                    """)
        }
    }

    private static func waiting(_ report: InspectionReport) -> [InspectionFinding] {
        guard let sync = report.sync else { return [] }
        let links = sync.waitingLinks
        let awaited = sync.awaitedRecords.reduce(0) { $0 + $1.count }
        guard !links.isEmpty || awaited > 0 else { return [] }
        var parts: [String] = []
        if !links.isEmpty {
            let names = Dictionary(grouping: links, by: \.relationship).sorted { $0.key < $1.key }
            parts.append(
                "\(links.count.of("link")) (\(names.map { "\($0.key): \($0.value.count)" }.joined(separator: ", ")))")
        }
        if awaited > 0 {
            let names = sync.awaitedRecords.map { "\($0.entity): \($0.count)" }.joined(separator: ", ")
            parts.append("references to \(awaited.of("record")) (\(names))")
        }
        return [
            InspectionFinding(
                .waitingLinks, severity: .note, text: "Not received yet: \(parts.joined(separator: " and ")).",
                remedy:
                    "They appear when the records are pulled; never, if the server does not return these to this user."
            )
        ]
    }
}

extension InspectionReport {
    /// The pending changes that are sent separately.
    fileprivate var pendingChanges: [Change] { outbox?.changes.filter { !$0.isInside } ?? [] }
}

extension InspectionReport.ErrorCode {
    /// `unavailable 503`
    package var text: String { status.map { "\(code) \($0)" } ?? code }
}

extension InspectionReport.Parked {
    /// `422, the server rejects its values`
    package var label: String { status == 0 ? meaning : "\(status), \(meaning)" }
}

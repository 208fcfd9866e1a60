/// Something in a store that looks wrong, or that explains what a user sees.
package struct InspectionFinding: Encodable, Hashable, Sendable {
    /// The kinds, most severe first.
    package enum Code: String, Encodable, Sendable, CaseIterable {
        case damaged, unreadable, missingParts, brokenReferences, disabledOutbox, newerLibrary, foreignTriggers
        case parkedChanges, unclaimedChanges, failingChanges, waitingToSend, neverSent, leftovers
        case missingAttachments, pendingDeletes, emptyCollection, waitingLinks, largeJournal
    }

    package enum Severity: String, Encodable, Sendable { case error, warning, note }

    package var code: Code
    package var severity: Severity
    /// The finding, as one sentence.
    package var text: String
    /// An instruction that solves the problem.
    package var remedy: String

    package init(_ code: Code, severity: Severity, text: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}

extension InspectionFinding {
    /// All findings of a report, most severe first.
    static func all(in report: InspectionReport) -> [InspectionFinding] {
        (ofFile(report) + ofOutbox(report) + ofRecords(report)).sorted { $0.rank < $1.rank }
    }

    private var rank: Int {
        let severities: [Severity] = [.error, .warning, .note]
        let severity = severities.firstIndex(of: severity) ?? 0
        return severity * Code.allCases.count + (Code.allCases.firstIndex(of: code) ?? 0)
    }
}

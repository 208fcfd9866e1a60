package import Foundation
package import LockstepTables

/// Which records in scope that a payload does not list may be deleted (Rules.md, M7).
package enum UnlistedDeletion: Sendable {
    /// All of them.
    case all
    /// All of them, unless the list is doubtful, or may be older than a record that it lacks: then the merge is rolled
    /// back and throws ``UnlistedRecords``.
    case unlessDoubtful(ListDoubt)
    /// Those that the server was asked for and does not have.
    ///
    /// - Parameters:
    ///   - gone: Their local keys.
    ///   - note: The note about the others.
    case only(gone: Set<RecordKey>, note: MergeNote?)
    /// Those that the server was asked for and does not have, and those that were not confirmed a moment ago.
    ///
    /// - Parameters:
    ///   - gone: The local keys of what the server does not have.
    ///   - now: The time.
    ///   - note: The note about the others.
    case unlessConfirmed(gone: Set<RecordKey>, now: Date, note: MergeNote?)
}

/// Why a list of a server may lack records that the server has.
package struct ListDoubt: Sendable {
    /// Whether it has come in pages, which may have shifted.
    package var hasShiftingPages: Bool
    /// The share of the known records that it may lack.
    package var shareLimit: Double
    /// The time, for records that were confirmed a moment ago.
    package var now: Date

    package init(hasShiftingPages: Bool, shareLimit: Double, now: Date) {
        self.hasShiftingPages = hasShiftingPages
        self.shareLimit = shareLimit
        self.now = now
    }
}

/// Records that a list lacks and that must be requested before they are deleted.
package struct UnlistedRecords: Error {
    package enum Reason: Sendable {
        /// A record that moved to a page that was read already is on none of the pages.
        case pages
        /// The list lacks so many that it may be faulty as a whole.
        case share(missing: Int, known: Int)
        /// Only that it lacks records that were confirmed a moment ago: it may be older.
        case confirmed
    }

    /// The local keys of those that were confirmed a moment ago. They are requested first, whatever the reason.
    package let confirmed: [RecordKey]
    /// The local keys of the others; none if there is no reason to request them.
    package let others: [RecordKey]
    package let reason: Reason

    /// All of them.
    package var keys: [RecordKey] { confirmed + others }

    package init(confirmed: [RecordKey], others: [RecordKey], reason: Reason) {
        self.confirmed = confirmed
        self.others = others
        self.reason = reason
    }
}

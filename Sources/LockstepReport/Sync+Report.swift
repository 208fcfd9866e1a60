import Foundation
import LockstepInspection
import LockstepStore
public import LockstepSync

extension Sync {
    /// Returns a text that a user can send to support: the status, the contents of the store, what is pending, what
    /// looks wrong, and the last events (``/LockstepSync/Sync/diagnostics``), up to 200.
    ///
    /// It contains no tokens, no values of records and no texts from the server. A record is named by its identity if
    /// that is a UUID or a number, and by a stand-in otherwise.
    ///
    /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
    public func report() async throws -> String {
        let inspection = try await store.inspection()
        let events = recentDiagnostics.map(\.description)
        return """
            Status: \(currentStatus.disclosable)
            System: \(ProcessInfo.processInfo.operatingSystemVersionString)

            \(InspectionText(inspection).text)

            Last events (times in UTC):
            \(events.isEmpty ? "none since this sync was created" : events.joined(separator: "\n"))

            """
    }
}

extension SyncStatus {
    /// The description of the error, without texts of the server or addresses.
    fileprivate var disclosable: String {
        switch self {
        case .idle: "idle"
        case .syncing(let progress): progress.fraction.map { "syncing, \(Int($0 * 100)) %" } ?? "syncing"
        case .upToDate(let date): "up to date since \(SyncDiagnostic.time(date))"
        case .offline(let date, let error): "offline" + Self.retry(date) + ": " + error.disclosable
        case .waiting(let date, let error): "waiting" + Self.retry(date) + ": " + error.disclosable
        case .needsAttention(let attention):
            "needs attention: \(attention.parkedCount) parked, \(attention.skippedCount) skipped, "
                + "\(attention.leftoverCount) left over"
        case .stopped(let error): "stopped: " + error.disclosable
        }
    }

    private static func retry(_ date: Date?) -> String {
        date.map { " until " + SyncDiagnostic.time($0) } ?? ""
    }
}

public import Foundation
import GRDB

/// A summary of an outbox, for example for a badge or a line in the settings.
public struct OutboxStatus: Sendable, Hashable {
    /// The number of records with changes that the server has not confirmed.
    public let count: Int
    /// The number of them that are parked, such as those that the server has rejected (Rules.md, P8).
    public let parkedCount: Int
    /// The number of them that fail repeatedly: each was tried at least ``failingAttempts`` times, and the last attempt
    /// failed for a reason that concerns the change itself, such as a server error (500) in response to it. They are
    /// retried with longer and longer delays; ``PendingChange/lastError`` is the reason.
    public let failingCount: Int
    /// The number of them that belong to no entity of the schema (Rules.md, P16).
    public let unclaimedCount: Int
    /// The number of leftovers: what unsent edits contained for which the schema has no place (Rules.md, V5).
    public let leftoverCount: Int
    /// The date of the oldest change; `nil` if there is none.
    public let oldest: Date?

    /// The number of attempts after which a change that is retried counts as failing.
    public static let failingAttempts = OutboxTable.failingAttempts

    init(_ database: Database, plans: SchemaPlan) throws {
        leftoverCount = try LeftoverTable.count(database)
        (count, parkedCount, failingCount, oldest) = try OutboxTable.counts(database, plans: plans)
        guard try OutboxTable.exists(database) else {
            unclaimedCount = 0
            return
        }
        unclaimedCount = try OutboxClaims(plans).unclaimedCounts(database).reduce(0) { $0 + $1.count }
    }
}

extension Outbox {
    /// The current status, followed by the status after each commit of this store that changes it.
    ///
    /// Equal statuses are not repeated. The sequence ends if the store is closed or cannot be read, or the task is
    /// cancelled. A slow reader receives the latest status only.
    ///
    /// ```swift
    /// for await status in store.outbox.updates {
    ///     badge.text = status.count == 0 ? "" : "\(status.count)"
    /// }
    /// ```
    public var updates: AsyncStream<OutboxStatus> {
        let (writer, plans) = (store.writer, store.plans)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = ValueObservation.tracking(regions: [OutboxTable.region, LeftoverTable.region]) {
                // An error would end the observation. The status after the next change follows.
                try? OutboxStatus($0, plans: plans)
            }
            let cancellable = observation.removeDuplicates().start(
                in: writer, scheduling: .async(onQueue: DispatchQueue(label: "lockstep.outbox")),
                onError: { _ in continuation.finish() },
                onChange: { if let status = $0 { continuation.yield(status) } })
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }
}

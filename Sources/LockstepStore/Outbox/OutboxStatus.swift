public import Foundation
import GRDB

/// What waits in an outbox, in short: for a badge, or for a line in the settings.
public struct OutboxStatus: Sendable, Hashable {
    /// How many records have changes that the server has not confirmed.
    public let count: Int
    /// How many of them the server refuses (Rules.md, P8).
    public let parkedCount: Int
    /// How many of them no entity of the schema claims (Rules.md, P16).
    public let unclaimedCount: Int
    /// Since when the oldest waits; `nil` where there is none.
    public let oldest: Date?

    init(_ database: Database, _ plans: [EntityPlan]) throws {
        (count, parkedCount, oldest) = try OutboxTable.counts(database, plans)
        guard try OutboxTable.exists(database) else {
            unclaimedCount = 0
            return
        }
        unclaimedCount = try OutboxClaims(plans).unclaimedCounts(database).reduce(0) { $0 + $1.count }
    }
}

extension Outbox {
    /// What waits, now and after each commit that changes it, whoever makes it through this store.
    ///
    /// It begins with what there is, and leaves out what is the same as before. It ends where the store is closed or
    /// cannot be read, and where the task is cancelled. A slow reader gets the newest only.
    ///
    /// ```swift
    /// for await status in store.outbox.updates {
    ///     badge.text = status.count == 0 ? "" : "\(status.count)"
    /// }
    /// ```
    public var updates: AsyncStream<OutboxStatus> {
        let (writer, plans) = (store.writer, store.plans)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = ValueObservation.tracking(regions: [OutboxTable.region]) {
                try OutboxStatus($0, plans)
            }
            let cancellable = observation.removeDuplicates().start(
                in: writer, scheduling: .async(onQueue: DispatchQueue(label: "lockstep.outbox")),
                onError: { _ in continuation.finish() }, onChange: { continuation.yield($0) })
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }
}

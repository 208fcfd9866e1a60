public import Foundation
import GRDB
import LockstepStore

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
        guard try database.hasTable(OutboxTables.outbox) else {
            (count, parkedCount, unclaimedCount, oldest) = (0, 0, 0, nil)
            return
        }
        let table = OutboxTables.outbox
        // A record inside of another one is told by that one.
        let inside = plans.filter(\.travelsInside).map { OutboxSQL.literal($0.name) }
        let isTold = inside.isEmpty ? "1" : "entity NOT IN (\(inside.joined(separator: ", ")))"
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT (SELECT COUNT(*) FROM \(table) WHERE \(isTold)), \
                (SELECT COUNT(*) FROM \(table) WHERE parked_status IS NOT NULL AND \(isTold)), \
                (SELECT changed_at FROM \(table) WHERE \(isTold) ORDER BY id LIMIT 1)
                """)
        count = row?[0] ?? 0
        parkedCount = row?[1] ?? 0
        unclaimedCount = try OutboxClaims(plans).unclaimedCounts(database).reduce(0) { $0 + $1.count }
        oldest = (row?[2] as Double?).map { Date(timeIntervalSince1970: $0) }
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
            let observation = ValueObservation.tracking(regions: [Table(OutboxTables.outbox)]) {
                try OutboxStatus($0, plans)
            }
            let cancellable = observation.removeDuplicates().start(
                in: writer, scheduling: .async(onQueue: DispatchQueue(label: "lockstep.outbox")),
                onError: { _ in continuation.finish() }, onChange: { continuation.yield($0) })
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }
}

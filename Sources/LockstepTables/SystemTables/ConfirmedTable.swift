package import Foundation
import GRDB

/// When the server has last confirmed a change to a record: a list that lacks a record which was confirmed a moment ago
/// may be older than the confirmation (Rules.md, M7).
package enum ConfirmedTable {
    static let table = "lockstep_confirmed"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, confirmed_at REAL NOT NULL, \
        PRIMARY KEY (entity, record))
        """,
        "CREATE INDEX IF NOT EXISTS \(table)_at ON \(table) (confirmed_at)",
    ]

    /// For how many seconds a confirmation counts as recent. Replicas lag by seconds, and by minutes if they are
    /// overloaded; caches keep lists about as long. Records that are confirmed longer ago cost no requests.
    private static let recentSeconds: TimeInterval = 300

    /// The first time that is recent. Times that are later than now are recent, too: the clock was set back since, and
    /// it is not known how long ago they were.
    private static func firstRecent(_ now: Date) -> Double { now.timeIntervalSince1970 - recentSeconds }

    /// Records confirmations, and forgets those that are not recent. Those that are later than now count as made now.
    package static func note(
        _ records: [(plan: EntityPlan, key: RecordKey)], at now: Date, in database: Database
    ) throws {
        if records.isEmpty { return }
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE confirmed_at < ?")
            .execute(arguments: [firstRecent(now)])
        try endFuture(now, in: database)
        for (plan, key) in records {
            try database.change(
                "INSERT OR REPLACE INTO \(table) (entity, record, confirmed_at) VALUES (?, ?, ?)",
                with: plan.record(key) + [now.timeIntervalSince1970.databaseValue])
        }
    }

    /// Makes times that are later than now end five minutes from now.
    package static func endFuture(_ now: Date, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE \(table) SET confirmed_at = ?1 WHERE confirmed_at > ?1")
            .execute(arguments: [now.timeIntervalSince1970])
    }

    /// The records of an entity that were confirmed recently, by ``EntityPlan/recordText(_:)``.
    package static func records(of plan: EntityPlan, at now: Date, in database: Database) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: "SELECT CAST(record AS TEXT) FROM \(table) WHERE entity = ? AND confirmed_at >= ?",
            arguments: [plan.name, firstRecent(now)])
    }
}

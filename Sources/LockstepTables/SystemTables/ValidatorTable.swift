package import Foundation
import GRDB

/// The validators from earlier responses, for each address with its query. They are stored in the transaction of the
/// merge that they belong to (Rules.md, H1).
package enum ValidatorTable {
    package static let name = "lockstep_validator"
    private static let table = name
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (address TEXT PRIMARY KEY NOT NULL, entity TEXT NOT NULL, \
        entity_tag TEXT, started_at REAL, next TEXT)
        """
    ]

    /// The validators of an address.
    package struct Row: Sendable {
        package var entityTag: String?
        package var startedAt: Date?
        package var next: String?

        package init(entityTag: String?, startedAt: Date?, next: String?) {
            self.entityTag = entityTag
            self.startedAt = startedAt
            self.next = next
        }
    }

    package static func find(_ address: String, in database: Database) throws -> Row? {
        guard try database.hasTable(table) else { return nil }
        let sql = "SELECT entity_tag, started_at, next FROM \(table) WHERE address = ?"
        return try database.valueRows(sql, with: [address.databaseValue]).first.map { row in
            Row(entityTag: row.text(0), startedAt: Date(stored: row.real(1)), next: row.text(2))
        }
    }

    package static func keep(_ validators: Row?, address: String, of entity: String, in database: Database) throws {
        guard let validators, validators.entityTag != nil || validators.startedAt != nil else {
            return try database.execute(sql: "DELETE FROM \(table) WHERE address = ?", arguments: [address])
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO \(table) (address, entity, entity_tag, started_at, next) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                address, entity, validators.entityTag, validators.startedAt?.timeIntervalSince1970, validators.next,
            ])
    }

    // MARK: Watermarks

    /// Up to where the changes of a collection were pulled. It is a row as those of validators are, under an address
    /// that no request has, because it is outdated by the same events.
    package struct Watermark: Sendable {
        package var text: String
        package var wholeAt: Date

        package init(text: String, wholeAt: Date) {
            self.text = text
            self.wholeAt = wholeAt
        }
    }

    /// The mark in rows of watermarks, instead of a next page.
    package static let watermarkMark = "watermark"

    package static func watermark(_ address: String, in database: Database) throws -> Watermark? {
        guard let row = try find(address, in: database), row.next == watermarkMark, let text = row.entityTag,
            let wholeAt = row.startedAt
        else { return nil }
        return Watermark(text: text, wholeAt: wholeAt)
    }

    package static func keep(_ watermark: Watermark, address: String, of entity: String, in database: Database) throws {
        let row = Row(entityTag: watermark.text, startedAt: watermark.wholeAt, next: watermarkMark)
        try keep(row, address: address, of: entity, in: database)
    }

    // MARK: The feed

    /// Up to where a server's feed was merged (Rules.md, H3). It is a row as well, of no single entity: what outdates
    /// the validators of any entity outdates it, too.
    package struct FeedPosition: Sendable, Equatable {
        /// What the server has returned.
        package var cursor: String
        /// The number of the reading from the start that this belongs to: ``ScopeTable``.
        package var reading: Int64
        /// Whether this reading has reached the end of the feed once.
        package var isWhole: Bool

        package init(cursor: String, reading: Int64, isWhole: Bool) {
            self.cursor = cursor
            self.reading = reading
            self.isWhole = isWhole
        }
    }

    /// Instead of an entity.
    private static let ofAllEntities = ""
    /// The marks in rows of feeds, instead of a next page, before the number of the reading.
    private static let (wholeMark, partMark) = ("feed", "feed-part")

    package static func feedPosition(_ address: String, in database: Database) throws -> FeedPosition? {
        guard let row = try find(address, in: database), let cursor = row.entityTag,
            let mark = row.next?.split(separator: " "), mark.count == 2, let reading = Int64(mark[1]), reading > 0,
            mark[0] == wholeMark || mark[0] == partMark
        else { return nil }
        return FeedPosition(cursor: cursor, reading: reading, isWhole: mark[0] == wholeMark)
    }

    package static func keep(_ position: FeedPosition, address: String, in database: Database) throws {
        let mark = "\(position.isWhole ? wholeMark : partMark) \(position.reading)"
        let row = Row(entityTag: position.cursor, startedAt: nil, next: mark)
        try keep(row, address: address, of: ofAllEntities, in: database)
    }

    // MARK: Forgetting

    /// The entities with validators.
    package static func entities(_ database: Database) throws -> Set<String> {
        guard try database.hasTable(table) else { return [] }
        return try String.fetchSet(
            database, sql: "SELECT entity FROM \(table) WHERE entity <> ?", arguments: [ofAllEntities])
    }

    /// Deletes the validators of an entity, or of all: the next pull fetches everything.
    package static func forget(_ entity: String?, in database: Database) throws {
        guard try database.hasTable(table) else { return }
        guard let entity else { return try database.execute(sql: "DELETE FROM \(table)") }
        try database.execute(
            sql: "DELETE FROM \(table) WHERE entity IN (?, ?)", arguments: [entity, ofAllEntities])
    }

    /// The same, apart from watermarks.
    private static func forgetResponses(_ entity: String, in database: Database) throws {
        guard try database.hasTable(table) else { return }
        try database.execute(
            sql: "DELETE FROM \(table) WHERE entity = ? AND next IS NOT ?", arguments: [entity, watermarkMark])
    }

    /// Deletes the validators of entities whose records a merge has deleted by a cascade, or that pointed at deleted
    /// ones: a server that still has them unchanged would respond “not modified”, and they would never be restored.
    ///
    /// - Parameter isNamed: Whether the server has named the deleted records. Then what depends on them has changed
    ///   there, too, so a list of changes contains it.
    package static func forget(
        deleting deleted: Set<String>, of root: EntityPlan, isNamed: Bool, plans: SchemaPlan, in database: Database
    ) throws {
        if deleted.isEmpty { return }
        for plan in plans {
            let pointsAtDeleted = plan.relationships.contains { deleted.contains($0.destination.name) }
            guard pointsAtDeleted || (deleted.contains(plan.name) && plan !== root) else { continue }
            if isNamed { try forgetResponses(plan.name, in: database) } else { try forget(plan.name, in: database) }
        }
    }
}

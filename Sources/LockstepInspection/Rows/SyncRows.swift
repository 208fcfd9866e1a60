import Foundation
import GRDB
import LockstepStore

/// The records of a sync in a file that is only inspected.
struct SyncRows {
    private let rows: StoredRows

    init(_ database: Database) { rows = StoredRows(database: database) }

    /// A member that a server has listed and that was not received yet.
    struct WaitingLink {
        /// The relationship with its entity: `Tag.words`.
        let relationship: String
        let owner: DatabaseValue
        let member: DatabaseValue
    }

    func waitingLinks() throws -> [WaitingLink] {
        try rows.rows(of: WaitingLinkTable.name, names: ["relationship", "owner", "child"], rest: "ORDER BY 1, 2, 3")
            .map {
                WaitingLink(relationship: $0.text(0) ?? "", owner: $0[1], member: $0[2])
            }
    }

    /// The number of records of each entity that something points at and that were not received yet.
    func awaitedRecords() throws -> [String: Int] {
        try counts(ReservedIdentities.table)
    }

    /// The number of records of each entity with a version of the server (ETag).
    func versions() throws -> [String: Int] { try counts(VersionTable.table) }

    /// The number of records of each entity that were sent inside others and whose identity is not known yet.
    func sentMembers() throws -> [String: Int] { try counts(SentMembers.table) }

    /// The number of a table's rows for each entity.
    private func counts(_ table: String) throws -> [String: Int] {
        let counts = try rows.counts(of: table, by: "entity").map { ($0.text(0) ?? "", $0.integer(1) ?? 0) }
        return Dictionary(counts, uniquingKeysWith: +)
    }

    /// The validators of an entity's collections on the server. The addresses are left out, because queries may contain
    /// a token.
    struct Validator {
        let entity: String
        let isWatermark: Bool
        /// When the response was requested; for a watermark, when everything was pulled last.
        let at: Date?
    }

    func validators() throws -> [Validator] {
        try rows.rows(of: ValidatorTable.name, names: ["entity", "started_at", "next"]).compactMap { row in
            // The position in a feed is of no single entity.
            guard let entity = row.text(0), !entity.isEmpty else { return nil }
            return Validator(
                entity: entity, isWatermark: row.text(2) == ValidatorTable.watermarkMark,
                at: Date(stored: row.real(1)))
        }
    }

    /// The state of an attachment's transfer.
    struct Transfer {
        let hash: String
        let isUploaded: Bool
        let attempts: Int
    }

    func transfers() throws -> [Transfer] {
        try rows.rows(of: AttachmentTable.name, names: ["hash", "uploaded_at", "attempts"]).map { row in
            Transfer(hash: row.text(0) ?? "", isUploaded: !row[1].isNull, attempts: row.integer(2) ?? 0)
        }
    }

    /// The values that one side has lost in conflicts, and that their records do not have.
    func conflicts(_ plans: SchemaPlan) throws -> [ConflictEntry] {
        let all = try rows.rows(of: ConflictTable.name, names: ConflictTable.columns, rest: "ORDER BY rowid")
        return try ConflictTable.open(
            all.compactMap { ConflictEntry($0, plans: plans) }, plans: plans, in: rows.database)
    }

    struct Leftover {
        let entity: String
        let record: DatabaseValue
        let member: String?
        let value: String?
        let version: Int
        let at: Date
        let reason: String?
    }

    func leftovers() throws -> [Leftover] {
        let columns = ["entity", "record", "member", "value", "version", "at", "reason"]
        return try rows.rows(of: LeftoverTable.name, names: columns, rest: "ORDER BY rowid").map { row in
            Leftover(
                entity: row.text(0) ?? "", record: row[1], member: row.text(2), value: row.text(3),
                version: row.integer(4) ?? 0, at: Date(stored: row.real(5)) ?? .distantPast, reason: row.text(6))
        }
    }
}

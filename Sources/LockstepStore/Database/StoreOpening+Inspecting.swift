package import Foundation
import GRDB
package import LockstepEvolution

extension StoreOpening {
    /// Returns what opening the file would do.
    package func inspect(_ url: URL) throws -> StoreInspection {
        do {
            if let error = FileState(url).obstacle { throw error }
            let bytes = FileState(url).bytesWithJournal
            guard FileState(url).size > 0 else { return StoreInspection(.missing, file: nil, bytes: bytes) }
            return try reading(url, configuration: try prepared()) { try inspection(of: $0, bytes: bytes) }
        } catch let error as DatabaseError {
            throw explained(error)
        }
    }

    private func inspection(of database: Database, bytes: Int) throws -> StoreInspection {
        let contents = try FileContents(database, schema: schema, refusal: refusal)
        if case .empty = contents { return StoreInspection(.missing, file: nil, bytes: bytes) }
        let pending = try OutboxTable.counts(database, plans: schema.plan).count
        switch contents {
        case .empty: return StoreInspection(.missing, file: nil, bytes: bytes)
        case .current(let file, isRecorded: _):
            return StoreInspection(.current, file: file, pendingCount: pending, bytes: bytes)
        case .newer(let file):
            let isReadable = file.readableSince.map { schema.version >= $0 } ?? false
            return StoreInspection(.newer(isReadable: isReadable), file: file, pendingCount: pending, bytes: bytes)
        case .former(let file, let evolution):
            let plan = MigrationPlan(evolution, in: try FileStructure(database).tables(), now: 0)
            var rows: [String: Int] = [:]
            for table in plan.tables where table.work > .instant {
                rows[table.former] = try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM \(SQLName.quoted(table.former))")
            }
            return StoreInspection(
                .older(MigrationCost(plan.work)), file: file, pendingCount: pending, bytes: bytes, rows: rows)
        }
    }
}

extension StoreInspection {
    fileprivate init(
        _ state: State, file: FileMetadata?, pendingCount: Int = 0, bytes: Int, rows: [String: Int] = [:]
    ) {
        self.init(
            state: state, schema: file?.schema, version: file?.version, madeBy: file?.madeBy,
            migratedBy: file?.migratedBy, appVersion: file?.appVersion, pendingCount: pendingCount, bytes: bytes,
            rows: rows)
    }
}

extension StoreOpening {
    /// The steps from a file to the schema; `nil` if none are needed.
    package func evolution(of url: URL) throws -> SchemaEvolution? {
        try reading(url, configuration: try prepared()) { database in
            if case .former(_, let evolution) = try FileContents(database, schema: schema, refusal: refusal) {
                evolution
            } else {
                nil
            }
        }
    }
}

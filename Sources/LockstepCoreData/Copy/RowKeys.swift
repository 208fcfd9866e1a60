import GRDB
import LockstepStore

/// Finds the records that rows of the file have become.
final class RowKeys {
    /// The end of a link.
    enum End {
        case record(CopiedEntity, RecordKey)
        /// There is no such row.
        case nowhere
        /// The row became no record.
        case keptAside(CopiedEntity)
        /// The map does not name the row's entity.
        case unnamed
    }

    private let plan: CopyPlan
    private let identities: LocalIdentity
    private let attachments: CopiedAttachments
    private var statements: [String: (statement: SourceStatement, entity: Int)] = [:]
    private var known: [Row: (entity: Int64, key: RecordKey)] = [:]
    /// The rows that became no record, with the keys that they would have.
    private(set) var keptAside: [Int64: [Int64: RecordKey?]] = [:]

    private struct Row: Hashable {
        let table: String
        let number: Int64
    }

    /// Rows often lead to the same few. More would be a list of all rows.
    private static let knownLimit = 50_000

    init(_ plan: CopyPlan, identities: LocalIdentity, attachments: CopiedAttachments) {
        (self.plan, self.identities, self.attachments) = (plan, identities, attachments)
    }

    /// Notes that a row became no record. A later link to it leads nowhere.
    func keepAside(_ entity: CopiedEntity, number: Int64, key: RecordKey?) {
        keptAside[entity.number, default: [:]][number] = .some(key)
        known[Row(table: entity.table, number: number)] = nil
    }

    func isKeptAside(_ entity: CopiedEntity, number: Int64) -> Bool { keptAside[entity.number]?[number] != nil }

    /// The key of the record that a row becomes; `nil` if a part of it is missing or does not fit.
    func key(of row: RawRow, number: Int64, entity: CopiedEntity) -> RecordKey? {
        entity.key(of: row, number: number, identities: identities, attachments: attachments)
    }

    func end(_ table: String, number: Int64) throws(CoreDataError) -> End {
        let row = Row(table: table, number: number)
        if let (entity, key) = known[row], let entity = plan.byNumber[entity] { return .record(entity, key) }
        let (statement, column) = try self.statement(table)
        statement.bind(number)
        guard try statement.step() else { return .nowhere }
        guard case .int64(let type) = statement.row.value(column).storage, let entity = plan.byNumber[type] else {
            return .unnamed
        }
        if isKeptAside(entity, number: number) { return .keptAside(entity) }
        guard let key = key(of: statement.row, number: number, entity: entity) else {
            return .keptAside(entity)
        }
        if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
        known[row] = (type, key)
        return .record(entity, key)
    }

    private func statement(_ table: String) throws(CoreDataError) -> (SourceStatement, Int) {
        if let (statement, entity) = statements[table] { return (statement, entity) }
        let statement = try plan.file.connection.statement("SELECT * FROM \(SQLName.quoted(table)) WHERE Z_PK = ?")
        let entity = statement.columns.firstIndex(of: "Z_ENT") ?? 0
        statements[table] = (statement, entity)
        return (statement, entity)
    }
}

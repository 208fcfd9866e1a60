import GRDB
import LockstepTables

/// A link that is removed temporarily, so that a delete does not reach a record that must stay.
///
/// The record keeps its foreign key to the deleted record: the link is valid again if that record is created again
/// (Rules.md, R2).
struct Detachment {
    private let form: DeleteLink.Form
    /// The deleted record, and the one that must stay.
    private let deleted: RecordReference
    private let kept: RecordReference
    /// Whether the payload has the record that stays, and it was not changed locally.
    private let keepsKey: Bool

    init(_ link: DeleteLink, deleted: RecordReference, kept: RecordReference, keepsKey: Bool) {
        form = link.form
        self.deleted = deleted
        self.kept = kept
        self.keepsKey = keepsKey
    }

    /// Removes the link.
    ///
    /// - Parameter uniqueNumber: A number that no other detachment has.
    func detach(_ writer: DetachmentWriter, uniqueNumber: Int) throws {
        switch form {
        case .inverse(let columns):
            try writer.write(Self.foreign(columns, of: writer.plan(of: kept), uniqueNumber: uniqueNumber), to: kept)
        case .foreignKey(let columns):
            // The record is deleted together with the value that is written to it.
            try writer.write(
                Self.foreign(columns, of: writer.plan(of: deleted), uniqueNumber: uniqueNumber), to: deleted)
        case .join(let join):
            try writer.unlink(deleted.key, member: kept.key, in: join)
        }
    }

    /// Restores the foreign key of the record that stays.
    ///
    /// It is not restored if keys are created locally and the payload does not have the record: a key that the server
    /// does not know cannot be sent. For a record of the payload, the link waits for the deleted record to be received
    /// again, which then has its previous key.
    func attach(_ writer: DetachmentWriter) throws {
        guard case .inverse(let columns) = form else { return }
        let column = Self.changedColumn(columns, of: writer.plan(of: kept))
        let isCreatedLocally = writer.plan(of: deleted).remoteColumn != nil
        if isCreatedLocally, !keepsKey, writer.plan(of: kept).columns[column].isOptional { return }
        guard let index = columns.firstIndex(of: column) else { return }
        try writer.write((column, deleted.key.values[index]), to: kept)
    }

    /// Changing one column is enough: a foreign key matches only if all of its columns do.
    private static func changedColumn(_ columns: [Int], of plan: EntityPlan) -> Int {
        columns.first { plan.columns[$0].isOptional } ?? columns[0]
    }

    /// A value that is the key of no deleted record: NULL, or if the schema requires a value, a key that no record has.
    /// It differs for each record, as unique indexes require.
    private static func foreign(_ columns: [Int], of plan: EntityPlan, uniqueNumber: Int) -> (Int, DatabaseValue) {
        let column = changedColumn(columns, of: plan)
        if plan.columns[column].isOptional { return (column, .null) }
        switch plan.columns[column].type {
        case .int, .int16, .int32, .int64, .bool, .enumeration(.int, closed: _):
            return (column, (Int64.min + Int64(uniqueNumber)).databaseValue)
        default: return (column, "lockstep: detached \(uniqueNumber)".databaseValue)
        }
    }
}

/// Writes the changes of detachments.
final class DetachmentWriter {
    private let plans: SchemaPlan
    private let database: Database
    private let changes: RawChanges
    private var statements: [String: RawStatement] = [:]

    init(plans: SchemaPlan, database: Database, changes: RawChanges) {
        self.plans = plans
        self.database = database
        self.changes = changes
    }

    func plan(of record: RecordReference) -> EntityPlan { plans[record.entity] }

    func write(_ value: (column: Int, value: DatabaseValue), to record: RecordReference) throws {
        let plan = plan(of: record)
        try changes.note(.update, in: plan.table, database: database)
        try statement(plan.updateSQL([value.column])).run([value.value] + record.key.values)
    }

    func unlink(_ owner: RecordKey, member: RecordKey, in join: JoinDescription) throws {
        try changes.note(.delete, in: join.table, database: database)
        let condition = SQLName.condition(join.sourceColumns + join.destinationColumns)
        let delete = try statement("DELETE FROM \(SQLName.quoted(join.table)) WHERE \(condition)")
        try delete.run(owner.values + member.values)
        if join.isSymmetric { try delete.run(member.values + owner.values) }
    }

    private func statement(_ sql: String) throws -> RawStatement {
        if let statement = statements[sql] { return statement }
        let statement = try RawStatement(sql, in: database)
        statements[sql] = statement
        return statement
    }
}

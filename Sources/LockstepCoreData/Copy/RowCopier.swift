import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// Copies the rows of the entities, with their to-one links.
struct RowCopier {
    let plan: CopyPlan
    let keys: RowKeys
    let writer: RecordWriter
    let recorder: CopyRecorder
    let identities: LocalIdentity
    let attachments: CopiedAttachments
    let now: Date

    private struct Rejection: Error {
        let member: String?
        let reason: String
        let isDuplicate: Bool
    }

    /// A loss, which is recorded once the record is written.
    private enum Loss {
        case value(DatabaseValue, String, String)
        case link(String, String, String)
    }

    /// - Parameter didRead: Called after each row.
    func copy(_ entity: CopiedEntity, didRead: () throws -> Void) throws {
        recorder.begin(entity)
        let statement = try plan.file.connection.statement(sql(of: entity))
        statement.bind(entity.number)
        guard let numberColumn = entity.columns.firstIndex(of: "Z_PK") else { return }
        while try statement.step() {
            let row = statement.row
            if case .int64(let number) = row.value(numberColumn).storage { try copy(row, number: number, of: entity) }
            try didRead()
        }
    }

    /// The rows of an entity, with the positions in ordered relationships: from 0, without gaps.
    private func sql(of entity: CopiedEntity) -> String {
        let table = SQLName.quoted(entity.table)
        var (columns, joins) = ("t.*", "")
        for (index, link) in entity.links.enumerated() where link.isPlaced {
            let column = SQLName.quoted(entity.columns[link.column])
            let order = link.order.map { "\(SQLName.quoted($0)), " } ?? ""
            columns += ", p\(index).place"
            joins += """
                 LEFT JOIN (SELECT Z_PK AS number, ROW_NUMBER() OVER (PARTITION BY \(column) ORDER BY \(order)Z_PK) - 1 \
                AS place FROM \(table) WHERE Z_ENT = ?1 AND \(column) IS NOT NULL) AS p\(index) \
                ON p\(index).number = t.Z_PK
                """
        }
        return "SELECT \(columns) FROM \(table) AS t\(joins) WHERE t.Z_ENT = ?1 ORDER BY t.Z_PK"
    }

    private func copy(_ row: RawRow, number: Int64, of entity: CopiedEntity) throws {
        var losses: [Loss] = []
        do {
            var values = try self.values(row, number: number, of: entity, into: &losses)
            try addLinks(row, number: number, of: entity, into: &values, losses: &losses)
            try checkRequired(values, of: entity)
            try insert(row, number: number, of: entity, values: values)
        } catch let rejection as Rejection {
            try recorder.keepRow(entity, number: number, row: row, member: rejection.member, reason: rejection.reason)
            if rejection.isDuplicate { return }
            keys.keepAside(entity, number: number, key: keys.key(of: row, number: number, entity: entity))
            return
        }
        recorder.countCopied(entity)
        for loss in losses {
            switch loss {
            case .value(let value, let member, let reason):
                try recorder.keepValue(entity, number: number, value: value, member: member, reason: reason)
            case .link(let member, let other, let reason):
                try recorder.keepLink(entity, for: entity.text(of: number), member: member, to: other, reason: reason)
            }
        }
    }

    // MARK: Attributes

    private func values(
        _ row: RawRow, number: Int64, of entity: CopiedEntity, into losses: inout [Loss]
    ) throws -> [DatabaseValue] {
        var values: [DatabaseValue] = []
        values.reserveCapacity(entity.sources.count)
        for (index, source) in entity.sources.enumerated() {
            let column = entity.plan.columns[index]
            switch source {
            case .newIdentity:
                values.append(identities.stored(column, in: entity.table, row: number) ?? .null)
            case .initial: values.append(initial(column))
            case .attribute(let offset, let reader):
                values.append(try value(row.value(offset), at: index, of: entity, reader: reader, into: &losses))
            case .composite(let offsets, let reader):
                let raw = reader.composite(offsets.map(row.value))
                values.append(try value(raw, at: index, of: entity, reader: reader, into: &losses))
            }
        }
        return values
    }

    private func value(
        _ raw: DatabaseValue, at index: Int, of entity: CopiedEntity, reader: AttributeReader,
        into losses: inout [Loss]
    ) throws -> DatabaseValue {
        let column = entity.plan.columns[index]
        do {
            // No value where one is required is the default: Core Data reads 0 from a scalar property.
            let isKey = entity.plan.keyColumns.contains(index)
            let none = column.isOptional || isKey ? .null : initial(column)
            return try reader.stored(raw, attachments: attachments) ?? none
        } catch let misfit as Misfit {
            guard column.isOptional else {
                throw Rejection(member: reader.attribute.name, reason: misfit.reason, isDuplicate: false)
            }
            losses.append(.value(raw, reader.attribute.name, misfit.reason))
            return .null
        }
    }

    private func initial(_ column: ColumnDescription) -> DatabaseValue {
        switch column.defaultValue {
        case nil: .null
        case .now?: now.storedValue
        case .newUUID?: UUID().storedValue
        case let value?: column.type.storedValue(of: value)
        }
    }

    // MARK: Links

    private func addLinks(
        _ row: RawRow, number: Int64, of entity: CopiedEntity, into values: inout [DatabaseValue], losses: inout [Loss]
    ) throws {
        var offset = entity.columns.count
        for link in entity.links {
            defer { if link.isPlaced { offset += 1 } }
            guard case .int64(let other) = row.value(link.column).storage else { continue }
            let (reason, name): (String, String)
            switch try keys.end(link.table, number: other) {
            case .record(let destination, let key):
                guard let target = link.targets[destination.number] else {
                    (reason, name) = ("the map has no relationship to \(destination.name)", destination.text(of: other))
                    break
                }
                for (column, value) in zip(target.columns, key.values) { values[column] = value }
                if let position = target.position { values[position] = row.value(offset) }
                continue
            case .keptAside(let destination):
                (reason, name) = (CopyRecorder.Reason.keptAside, destination.text(of: other))
            case .nowhere: (reason, name) = ("its destination does not exist", "p\(other)")
            case .unnamed: (reason, name) = ("the map does not name the entity of its destination", "p\(other)")
            }
            losses.append(.link(link.name, name, reason))
        }
    }

    private func checkRequired(_ values: [DatabaseValue], of entity: CopiedEntity) throws {
        for (index, column) in entity.plan.columns.enumerated() where values[index].isNull {
            if column.isOptional, !entity.plan.keyColumns.contains(index) { continue }
            let name = Self.name(of: column)
            throw Rejection(member: name, reason: "it is required, and there is no value", isDuplicate: false)
        }
    }

    private static func name(of column: ColumnDescription) -> String? {
        switch column.content {
        case .attribute(let name), .foreignKey(let name), .position(let name): name
        case .surrogateKey: nil
        }
    }

    // MARK: Records

    private func insert(_ row: RawRow, number: Int64, of entity: CopiedEntity, values: [DatabaseValue]) throws {
        do {
            try writer.insert(entity, number: number, row: row, values: values)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            let key = RecordKey(entity.plan.keyColumns.map { values[$0] })
            let reason = StoreError(error, doing: "copying", plan: entity.plan, record: key)
            throw Rejection(
                member: reason.attribute, reason: reason.reason, isDuplicate: reason.code == .duplicateIdentity)
        }
    }
}

import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON

/// Makes the change of a leftover again in a transaction, as a local change (Rules.md, V5).
package struct LeftoverChange {
    private let leftover: LeftoverTable.Row
    private let plan: EntityPlan
    private let key: RecordKey
    private let value: JSONValue?
    private let database: Database

    /// - Throws: `StoreError` if the schema does not send such a record.
    package init(_ leftover: LeftoverTable.Row, plans: SchemaPlan, in database: Database) throws {
        self.leftover = leftover
        self.database = database
        value = leftover.value.flatMap { try? JSONValue(parsing: $0) }
        guard let plan = plans.first(where: { $0.name == leftover.entity }) else {
            throw Self.error(
                leftover, code: .unsuitableLeftover, reason: "the schema has no entity “\(leftover.entity)”")
        }
        guard leftover.reason == nil else {
            throw Self.error(leftover, code: .unsuitableLeftover, reason: "it is a row that could not be converted")
        }
        guard plan.isTracked else {
            throw Self.error(
                leftover, code: .unsuitableLeftover, reason: "the schema does not send records of “\(plan.name)”")
        }
        guard let key = OutboxRecord.key(leftover.key, of: plan) else {
            throw Self.error(leftover, code: .unsuitableLeftover, reason: "its key is not one of “\(plan.name)”")
        }
        (self.plan, self.key) = (plan, key)
    }

    /// Makes the change, which the triggers record.
    ///
    /// - Throws: `StoreError` if the schema has no place for the value, or the record does not exist any more;
    ///   `DatabaseError`.
    package func make() throws {
        let row = try database.valueRows(plan.findSQL, with: key.values).first
        do {
            if let member = leftover.member { return try set(member, exists: row != nil) }
            if leftover.value == nil { return try delete(exists: row != nil) }
            guard case .object(let members)? = value else {
                throw error(.unsuitableLeftover, reason: "its value cannot be read")
            }
            if let row { return try update(members, row: row) }
            try insert(members)
        } catch let error as DatabaseError {
            throw StoreError(error, doing: Self.operation, plan: plan, record: key)
        }
    }

    // MARK: One value

    private func set(_ member: String, exists: Bool) throws {
        let columns = columns(of: member)
        guard !columns.isEmpty else {
            throw error(
                .unsuitableLeftover, reason: "the schema has no attribute or to-one relationship “\(member)” of it",
                member: member)
        }
        guard exists else { throw gone }
        let values = try stored(value ?? .null, in: columns, member: member)
        try database.recordedChange(plan.updateSQL(columns), with: values + key.values)
    }

    /// The columns of an attribute, or of the key of a to-one relationship.
    private func columns(of member: String) -> [Int] {
        plan.columns.indices.filter { !plan.keyColumns.contains($0) && plan.columns[$0].content.value == member }
    }

    private func stored(_ value: JSONValue, in columns: [Int], member: String) throws -> [DatabaseValue] {
        let parts: [JSONValue]
        if columns.count == 1 {
            parts = [value]
        } else if case .array(let elements) = value, elements.count == columns.count {
            parts = elements
        } else {
            parts = columns.map { _ in .null }
        }
        return try zip(columns, parts).map { column, part in
            let description = plan.columns[column]
            guard let stored = description.type.stored(part), !stored.isNull || part == .null else {
                throw error(
                    .unsuitableLeftover, reason: "its value is not one of the type that the schema has now",
                    member: member)
            }
            guard !stored.isNull || description.isOptional else {
                throw error(.missingValue, reason: "it has no value, and the schema requires one", member: member)
            }
            return stored
        }
    }

    // MARK: Whole records

    private func delete(exists: Bool) throws {
        guard exists else { throw gone }
        try database.recordedChange(plan.deleteSQL, with: key.values)
    }

    /// The values of the members that the schema still has.
    private func values(_ members: JSONObject) throws -> [(column: Int, value: DatabaseValue)] {
        try members.keys.sorted().flatMap { member in
            let columns = columns(of: member)
            guard !columns.isEmpty else { return [] as [(Int, DatabaseValue)] }
            return Array(zip(columns, try stored(members[member] ?? .null, in: columns, member: member)))
        }
    }

    private func update(_ members: JSONObject, row: [DatabaseValue]) throws {
        let changed = try values(members).filter { !row[$0.column].isIdentical(to: $0.value) }
        guard !changed.isEmpty else { return }
        try database.recordedChange(plan.updateSQL(changed.map(\.column)), with: changed.map(\.value) + key.values)
    }

    private func insert(_ members: JSONObject) throws {
        let values = try zip(plan.keyColumns, key.values).map { (column: $0, value: $1) } + values(members)
        let given = Set(values.map(\.column))
        let missing = plan.columns.indices.first { column in
            let description = plan.columns[column]
            return !given.contains(column) && !description.isOptional && description.defaultValue == nil
        }
        if let missing {
            throw error(
                .missingValue, reason: "the schema requires a value that it lacks",
                member: plan.columns[missing].memberName)
        }
        let names = values.map { SQLName.quoted(plan.columns[$0.column].name) }.joined(separator: ", ")
        try database.recordedChange(
            """
            INSERT INTO \(SQLName.quoted(plan.table)) (\(names)) \
            VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))
            """, with: values.map(\.value))
    }

    // MARK: Errors

    package static let operation = "sending a leftover"

    private var gone: StoreError { error(.recordGone, reason: "the record does not exist on this device any more") }

    private func error(_ code: StoreError.Code, reason: String, member: String? = nil) -> StoreError {
        Self.error(leftover, code: code, reason: reason, member: member)
    }

    private static func error(
        _ leftover: LeftoverTable.Row, code: StoreError.Code, reason: String, member: String? = nil
    ) -> StoreError {
        StoreError(
            code, doing: operation, entity: leftover.entity, record: leftover.record,
            attribute: member ?? leftover.member, reason: reason,
            remedy: "Write its value to a record, or discard it with `store.discard(_:)`.")
    }
}

extension StoredType {
    /// The stored value of what a leftover contains; NULL or `nil` if it is not one of this type.
    fileprivate func stored(_ json: JSONValue) -> DatabaseValue? {
        switch self {
        case .custom(let custom): return custom.stored.stored(json)
        case .json: return json == .null ? .null : StoredJSON.text(of: json).databaseValue
        case .list:
            guard case .array = json else { return json == .null ? .null : nil }
            return StoredJSON.text(of: json).databaseValue
        case .data:
            guard case .string(let text) = json else { return json == .null ? .null : nil }
            return Data(base64Encoded: text)?.databaseValue
        default: break
        }
        let (value, type): (DatabaseValue, String)
        switch json {
        case .null: return .null
        case .bool(let flag): (value, type) = (flag.databaseValue, "bool")
        case .integer(let number): (value, type) = (number.databaseValue, "int")
        case .double(let number): (value, type) = (number.databaseValue, "double")
        case .decimal(let number): (value, type) = ("\(number)".databaseValue, "decimal")
        case .string(let text): (value, type) = (text.databaseValue, "string")
        case .array, .object: return nil
        }
        return ValueConversion(from: type, to: convertedName).value(value)
    }

    /// The name of the type in the schema, of the values of enums and attachments that of their raw values.
    private var convertedName: String {
        switch self {
        case .string, .attachment, .enumeration(.string, closed: _): "string"
        case .enumeration(.int, closed: _): "int"
        case .bool: "bool"
        case .int: "int"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal"
        case .date: "date"
        case .day: "day"
        case .uuid: "uuid"
        case .url: "url"
        case .data, .json, .list, .custom: ""
        }
    }
}

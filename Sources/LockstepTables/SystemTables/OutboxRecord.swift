import Foundation
package import GRDB

/// The key of a record in the outbox's encoding.
package enum OutboxRecord {
    /// The key of a row of the outbox; `nil` if it cannot be one of the entity's.
    package static func key(_ record: DatabaseValue, of plan: EntityPlan) -> RecordKey? {
        guard plan.keyColumns.count > 1 else { return record.isNull ? nil : RecordKey(record) }
        guard case .string(let text) = record.storage else { return nil }
        let parts = parts(of: text)
        guard parts.count == plan.keyColumns.count else { return nil }
        var values: [DatabaseValue] = []
        for (column, part) in zip(plan.keyColumns, parts) {
            let isText = plan.columns[column].type.isKeptAsText
            guard let value = isText ? Self.text(hexadecimal: part) : number(part) else { return nil }
            values.append(value)
        }
        return RecordKey(values)
    }

    /// The same; in a damaged file, the row itself stands for a key that cannot be one.
    static func anyKey(_ record: DatabaseValue, of plan: EntityPlan) -> RecordKey {
        key(record, of: plan) ?? RecordKey(record)
    }

    /// A key as the outbox has it.
    package static func value(of key: RecordKey, plan: EntityPlan, in database: Database) throws -> DatabaseValue {
        try database.valueRows("SELECT \(parameterSQL(plan))", with: key.values)[0][0]
    }

    /// SQL for a key whose values are the statement's arguments, the first of them at `first`.
    package static func parameterSQL(_ plan: EntityPlan, first: Int = 1) -> String {
        plan.outboxRecordSQL(of: plan.keyColumns.indices.map { "?\($0 + first)" })
    }

    /// The parts between commas. Commas in a quoted text do not count.
    private static func parts(of text: String) -> [Substring] {
        var isQuoted = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "'" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    private static func text(hexadecimal digits: Substring) -> DatabaseValue? {
        var bytes: [UInt8] = []
        var rest = digits.utf8[...]
        while let first = rest.popFirst() {
            guard let second = rest.popFirst(),
                let byte = UInt8(String(decoding: [first, second], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self).databaseValue
    }

    private static func number(_ text: Substring) -> DatabaseValue? {
        if let number = Int64(text) { return number.databaseValue }
        return Double(text)?.databaseValue
    }
}

import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON

/// The functions that the statements of a migration call.
package enum MigrationFunctions {
    /// - Parameter conversions: Those that the app writes in Swift.
    package static func add(_ conversions: [RowConversion], to database: Database) {
        ConversionFunction.add(to: database)
        RowConversionFunction.add(conversions, to: database)
        // `lockstep_uuid()`: a new UUID.
        SQLiteFunction.add("lockstep_uuid", count: 0, isPure: false, to: database) { _ in
            UUID().uuidString.lowercased().databaseValue
        }
        SQLiteFunction.add("lockstep_json", count: 2, to: database) { values in
            StoredJSON.text(of: JSONValue(kept: values[0], as: String.fromDatabaseValue(values[1]) ?? ""))
                .databaseValue
        }
        SQLiteFunction.add("lockstep_cases", count: 2, to: database, body: cases)
    }

    /// `lockstep_cases(list, replacements)`: a list of raw values with some of them replaced.
    private static func cases(_ values: [DatabaseValue]) -> DatabaseValue {
        guard let text = String.fromDatabaseValue(values[0]), case .array(let elements)? = StoredJSON.value(from: text),
            let map = String.fromDatabaseValue(values[1]), case .object(let cases)? = StoredJSON.value(from: map)
        else { return values[0] }
        return StoredJSON.text(
            of: .array(
                elements.map { element in
                    switch element {
                    case .string(let text): cases[text] ?? element
                    case .integer(let number): cases[String(number)] ?? element
                    default: element
                    }
                })
        ).databaseValue
    }
}

extension JSONValue {
    /// A value as it was stored, for people and later versions: lists and JSON as such, dates as seconds since 1970,
    /// bytes as base64.
    fileprivate init(kept value: DatabaseValue, as type: String) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = type == "bool" ? .bool(number != 0) : .integer(number)
        case .double(let number): self = number.isFinite ? .double(number) : .string(number.description)
        case .string(let text):
            let isJSON = type == "json" || type.hasPrefix("[")
            self = (isJSON ? StoredJSON.value(from: text) : nil) ?? .string(text)
        case .blob(let data): self = .string(data.base64EncodedString())
        }
    }
}

/// Converts stored values from one type to another, by the same rules as JSON is read (Rules.md, N3 and N4).
struct ValueConversion {
    let from: String
    let to: String

    /// - Returns: NULL if the value cannot be one of the other type.
    func value(_ value: DatabaseValue) -> DatabaseValue {
        if value.isNull || from == to { return value }
        switch to {
        case "int", "int64": return integer(value, in: .min ... .max)
        case "int32": return integer(value, in: Int64(Int32.min)...Int64(Int32.max))
        case "int16": return integer(value, in: Int64(Int16.min)...Int64(Int16.max))
        case "bool": return bool(value)
        case "double": return real(value)?.databaseValue ?? .null
        case "float":
            return real(value).map { Double(Float($0)) }.flatMap { $0.isFinite ? $0 : nil }?.databaseValue ?? .null
        case "decimal": return text(of: value).flatMap(DecimalDigits.init)?.text.databaseValue ?? .null
        case "date": return date(value)
        case "day": return day(value)?.databaseValue ?? .null
        case "uuid":
            return text(of: value).flatMap { UUID(uuidString: $0) }?.uuidString.lowercased().databaseValue ?? .null
        case "url": return text(of: value).flatMap { URL(string: $0) == nil ? nil : $0 }?.databaseValue ?? .null
        case "string": return (from == "date" ? dateText(value) : text(of: value))?.databaseValue ?? .null
        case "json": return json(value)
        case "[\(from)]": return "[\(StoredJSON.text(of: JSONValue(kept: value, as: from)))]".databaseValue
        default: return .null
        }
    }

    private func text(of value: DatabaseValue) -> String? {
        switch value.storage {
        case .string(let text): text
        case .int64(let number): from == "bool" ? (number == 0 ? "false" : "true") : String(number)
        case .double(let number): JSONNumberText.text(number)
        case .blob(let data): String(data: data, encoding: .utf8)
        case .null: nil
        }
    }

    private func integer(_ value: DatabaseValue, in range: ClosedRange<Int64>) -> DatabaseValue {
        let number: Int64? =
            switch value.storage {
            case .int64(let number): number
            case .double(let number): Int64(exactly: number)
            case .string(let text): DecimalDigits(text).flatMap { Int64($0.text) }
            case .blob, .null: nil
            }
        guard let number, range.contains(number) else { return .null }
        return number.databaseValue
    }

    private func real(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .int64(let number): Double(number)
        case .double(let number): number
        case .string(let text): DecimalDigits(text).flatMap { Double($0.text) }
        case .blob, .null: nil
        }
    }

    private func bool(_ value: DatabaseValue) -> DatabaseValue {
        switch text(of: value) {
        case "true", "1": true.databaseValue
        case "false", "0": false.databaseValue
        default: .null
        }
    }

    private func date(_ value: DatabaseValue) -> DatabaseValue {
        switch value.storage {
        case .int64(let number): return Double(number).databaseValue
        case .double: return value
        case .string(let text):
            return
                (ISO8601.date(from: text)
                ?? DecimalDigits(text).flatMap { Double($0.text) }
                .map(Date.init(timeIntervalSince1970:)))?.roundedToStore.timeIntervalSince1970.databaseValue ?? .null
        case .blob, .null: return .null
        }
    }

    /// A date is the day that it is in UTC, in which patterns without a time are read.
    private func day(_ value: DatabaseValue) -> String? {
        if from == "date" {
            return real(value).map { Day(Date(timeIntervalSince1970: $0), in: .gmt).description }
        }
        guard from == "string", var text = text(of: value) else { return nil }
        return text.withUTF8(Day.init(wire:))?.description
    }

    private func dateText(_ value: DatabaseValue) -> String? {
        real(value).flatMap { ISO8601.text(of: Date(timeIntervalSince1970: $0)) }
    }

    private func json(_ value: DatabaseValue) -> DatabaseValue {
        StoredJSON.text(of: JSONValue(kept: value, as: from)).databaseValue
    }
}

/// Reals as text, whole ones without a fraction.
enum JSONNumberText {
    static func text(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

import Foundation
import LockstepJSON

/// Decides the type of a column, by its declaration, its name and its values.
struct SQLiteColumnReader {
    private let column: DatabaseColumn
    private let subject: String
    /// Whether it is in the primary key or in a foreign key.
    private let isKey: Bool
    private let sample: SQLiteSample
    private let limits: DatabaseChecks.Limits
    private let notes: ImportNotes
    private let name: SQLiteColumnName
    private let declared: SQLiteDeclaredType

    init(
        _ column: DatabaseColumn, in table: DatabaseTable, sample: SQLiteSample, limits: DatabaseChecks.Limits,
        notes: ImportNotes
    ) {
        (self.column, self.sample) = (column, sample)
        subject = "\(table.name).\(column.name)"
        isKey = column.keyPosition > 0 || table.foreignKeys.contains { $0.columns.contains(where: column.isNamed) }
        (self.limits, self.notes) = (limits, notes)
        name = SQLiteColumnName(column.name)
        declared = SQLiteDeclaredType(column.declaredType)
    }

    func result() -> DatabaseValueType {
        switch declared.kind {
        case .whole(let type): return whole(type)
        case .real: return real()
        case .text: return text()
        case .flag: return flag()
        case .date, .day: return date(isDeclared: true) ?? other("a date")
        case .time, .any: return other(nil)
        case .decimal: return decimal()
        case .uuid:
            return sample.values.allSatisfy(isUUID) ? DatabaseValueType(type: "uuid", form: .uuid) : other("a UUID")
        case .url: return areTexts ? DatabaseValueType(type: "url") : other("a URL")
        case .json: return json()
        case .bytes: return bytes()
        }
    }

    private var areTexts: Bool { sample.values.allSatisfy { $0.text != nil } }
    private var areWhole: Bool { sample.values.allSatisfy { $0.integer != nil } }
    private var areNumbers: Bool { sample.values.allSatisfy { $0.number != nil } }

    // MARK: Declared types

    private func whole(_ type: String) -> DatabaseValueType {
        if let reason = flagReason {
            notes.decided(
                nil, text: "\(subject), \(column.declaredType), is bool: \(reason)",
                help: "If it is a number, write `int`.")
            return DatabaseValueType(type: "bool", form: .flag)
        }
        if name.isDate, let date = date(isDeclared: false) { return date }
        guard areWhole else { return other("a whole number") }
        let ranges = ["int16": -32768...32767, "int32": -2_147_483_648...2_147_483_647] as [String: ClosedRange<Int64>]
        if let range = ranges[type], let beyond = sample.values.first(where: { !range.contains($0.integer ?? 0) }) {
            notes.decided(nil, text: "\(subject), \(column.declaredType), is int: it has \(describe(beyond))")
            return DatabaseValueType(type: "int")
        }
        return DatabaseValueType(type: type)
    }

    /// Why whole numbers are a yes or no: a constraint says so, or the name, and no value contradicts.
    private var flagReason: String? {
        let allowed = limits.values.sorted { "\($0)" < "\($1)" }
        let isLimited = allowed == [0, 1] || limits.minimum == 0 && limits.maximum == 1
        guard isLimited || name.isFlag && !sample.values.isEmpty,
            sample.values.allSatisfy({ $0 == .integer(0) || $0 == .integer(1) })
        else { return nil }
        return isLimited ? "its CHECK allows 0 and 1" : "its name says so, and all of its values are 0 or 1"
    }

    private func real() -> DatabaseValueType {
        if name.isDate, let date = date(isDeclared: false) { return date }
        return areNumbers ? DatabaseValueType(type: "double") : other("a number")
    }

    private func text() -> DatabaseValueType {
        if let date = date(isDeclared: false) { return date }
        if !sample.values.isEmpty, sample.values.allSatisfy({ $0.text.map(TextForm.isUUID) ?? false }) {
            notes.decided(
                nil, text: "\(subject) is uuid: all of its values are",
                help: "If other strings are possible, write `string`.")
            return DatabaseValueType(type: "uuid", form: .uuid)
        }
        if name.isAmount, isDecimalText {
            notes.decided(
                nil, text: "\(subject) is decimal: all of its values are", help: "For strings, write `string`.")
            return DatabaseValueType(type: "decimal", form: .digits)
        }
        guard areTexts else { return other("a string") }
        var result = DatabaseValueType(type: "string")
        if let length = declared.length {
            let longest = sample.values.compactMap { $0.text?.unicodeScalars.count }.max() ?? 0
            if longest > length {
                notes.left(
                    nil,
                    text: "\(subject): the length \(length) of \(column.declaredType), because it has longer strings",
                    help: "SQLite does not check it.")
            } else {
                result.maximumLength = length
            }
        }
        return result
    }

    private var isDecimalText: Bool {
        let forms = sample.values.map { TextForm.decimal($0.text ?? "") }
        return forms.allSatisfy(\.isDecimal) && forms.contains(where: \.hasFraction)
    }

    private func flag() -> DatabaseValueType {
        let isFlag = sample.values.allSatisfy { value in
            switch value {
            case .integer(let number): number == 0 || number == 1
            case .text(let text): ["0", "1", "true", "false", "yes", "no", "t", "f"].contains(text.lowercased())
            default: false
            }
        }
        return isFlag ? DatabaseValueType(type: "bool", form: .flag) : other("a bool")
    }

    private func decimal() -> DatabaseValueType {
        if name.isDate, let date = date(isDeclared: false) { return date }
        let isDecimal = sample.values.allSatisfy { value in
            value.number != nil || value.text.map { TextForm.decimal($0).isDecimal } == true
        }
        guard isDecimal else { return other("a number") }
        if isKey, areWhole {
            notes.decided(
                nil, text: "\(subject), \(column.declaredType), is int: a key, and none of its values has a fraction",
                help: "If others can have one, write `decimal`.")
            return DatabaseValueType(type: "int")
        }
        if column.declaredType.contains("(") {
            notes.left(
                nil, text: "\(subject): the precision and the scale of \(column.declaredType)",
                help: "SQLite does not check them. Check them in Swift, in `validate()`.")
        }
        return DatabaseValueType(type: "decimal", form: .digits)
    }

    private func json() -> DatabaseValueType {
        let isJSON = sample.values.allSatisfy { value in
            guard let text = value.text else { return false }
            return text.unicodeScalars.count >= SQLiteSample.textLimit || DatabaseLiteral.isJSON(text)
        }
        return isJSON ? DatabaseValueType(type: "json") : other("JSON")
    }

    private func bytes() -> DatabaseValueType {
        if name.isUUID, !sample.values.isEmpty, sample.values.allSatisfy(isUUID) {
            notes.decided(
                nil, text: "\(subject) is uuid, by its name and its 16 bytes", help: "For other bytes, write `data`.")
            return DatabaseValueType(type: "uuid", form: .uuid)
        }
        let areBytes = sample.values.allSatisfy { if case .blob = $0 { true } else { false } }
        return areBytes ? DatabaseValueType(type: "data") : other("bytes")
    }

    // MARK: Dates

    /// A date, if all values have one form of dates.
    ///
    /// - Parameter isDeclared: Whether the declared type says that it is one.
    private func date(isDeclared: Bool) -> DatabaseValueType? {
        if sample.values.isEmpty {
            // Without a value, only what libraries declare is sure.
            guard isDeclared else { return nil }
            let isDay = declared.kind == .day
            notes.decided(
                nil,
                text: "\(subject) is \(isDay ? "day" : "date"), as it is declared: "
                    + "it has no values that show its format",
                help: isDay
                    ? "If its values have a time, write `date`."
                    : "`--rows` reads it as text, such as 2024-05-01 12:30:00.")
            return DatabaseValueType(type: isDay ? "day" : "date", form: .dateText)
        }
        let texts = sample.values.map { $0.text.flatMap(TextForm.date) }
        if texts.allSatisfy({ $0 != nil }) { return textDate(texts.compactMap(\.self), isDeclared: isDeclared) }
        guard isDeclared || name.isDate, areNumbers else { return nil }
        let numbers = sample.values.compactMap(\.number).filter { $0 != 0 }
        let forms: [(ColumnForm, ClosedRange<Double>, String)] = [
            (.seconds, 1e8...4.2e9, "seconds since 1970"),
            (.milliseconds, 1e11...4.2e12, "milliseconds since 1970"),
            (.julianDay, 2_400_000...2_500_000, "Julian days"),
        ]
        for (form, range, text) in forms where !numbers.isEmpty && numbers.allSatisfy(range.contains) {
            notes.decided(
                nil, text: "\(subject) is date, in \(text)",
                help: form == .seconds
                    ? "If it counts from 2001, add 978307200 to it in the script of `--rows`."
                    : "If it is a number, write `\(areWhole ? "int" : "double")`.")
            return DatabaseValueType(type: "date", form: form)
        }
        return nil
    }

    private func textDate(_ texts: [TextForm.DateText], isDeclared: Bool) -> DatabaseValueType? {
        let hasTime = texts.contains(where: \.hasTime)
        // A text without a time is a day only where the column says so.
        guard hasTime || isDeclared || name.isDate else { return nil }
        if !hasTime, declared.kind != .date {
            if declared.kind != .day {
                notes.decided(
                    nil, text: "\(subject) is day: all of its values are",
                    help: "If other strings are possible, write `string`.")
            }
            return DatabaseValueType(type: "day", form: .dateText)
        }
        let zones = Set(texts.map(\.hasZone))
        if zones == [true] {
            notes.decided(nil, text: "\(subject) is date, written as text")
        } else {
            notes.decided(
                nil, text: "\(subject) is date, written as text\(hasTime ? "" : " without a time"), read in UTC",
                help: hasTime
                    ? "If they are local times, correct them in the script of `--rows`."
                    : "If it has no times at all, write `day`.")
        }
        return DatabaseValueType(type: "date", form: .dateText)
    }

    private func isUUID(_ value: SQLiteValue) -> Bool {
        switch value {
        case .text(let text): TextForm.isUUID(text)
        case .blob(let bytes): bytes.count == 16
        default: false
        }
    }

    // MARK: By values alone

    /// The type that all values have.
    ///
    /// - Parameter claim: The part of the declaration that a value contradicts; `nil` if there is none.
    private func other(_ claim: String?) -> DatabaseValueType {
        if claim == nil, name.isDate, let date = date(isDeclared: false) { return date }
        let result = common()
        if let claim, !sample.values.isEmpty {
            notes.decided(
                nil, text: "\(subject), \(column.declaredType), is \(result.type): not every value is \(claim)",
                help: "Correct the values, and import again.")
        } else if claim == nil, declared.kind != .time {
            let reason =
                sample.values.isEmpty
                ? "it has no values"
                : isMixed(result) ? "it has values of several types" : "all of its values are"
            let type = column.declaredType.isEmpty ? "without a type" : column.declaredType
            let hasBytes = isMixed(result) && sample.values.contains { if case .blob = $0 { true } else { false } }
            notes.decided(
                nil, text: "\(subject), \(type), is \(result.type): \(reason)",
                help: hasBytes
                    ? "Bytes are not strings: the script of `--rows` lists them, and does not copy them." : nil
            )
        }
        return result
    }

    private func isMixed(_ result: DatabaseValueType) -> Bool { result.type == "string" && !areTexts }

    private func common() -> DatabaseValueType {
        if sample.values.isEmpty { return DatabaseValueType(type: "string") }
        if areWhole { return DatabaseValueType(type: "int") }
        if areNumbers { return DatabaseValueType(type: "double") }
        if sample.values.allSatisfy({ if case .blob = $0 { true } else { false } }) {
            return DatabaseValueType(type: "data")
        }
        return DatabaseValueType(type: "string")
    }

    private func describe(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text: "a text"
        case .blob: "bytes"
        }
    }
}

extension DatabaseLiteral {
    static func isJSON(_ text: String) -> Bool { (try? JSONValue(json: Data(text.utf8))) != nil }
}

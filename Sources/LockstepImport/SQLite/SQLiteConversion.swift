import LockstepSchema

/// SQL that makes the stored form of a value, or NULL where the value has another form than expected.
struct SQLiteConversion {
    private let type: AttributeType
    private let form: ColumnForm
    private let enumerations: [Enumeration]

    init(type: AttributeType, form: ColumnForm, enumerations: [Enumeration]) {
        (self.type, self.form, self.enumerations) = (type, form, enumerations)
    }

    /// - Parameter value: The SQL of the value as it is in the database.
    func sql(_ value: String) -> String {
        switch type {
        case .scalar(let scalar): sql(value, scalar: scalar)
        case .enumeration(let name): isInteger(name) ? whole(value, at: nil) : text(value)
        case .custom, .list, .attachment: value
        }
    }

    private func isInteger(_ name: String) -> Bool { enumerations.first { $0.name == name }?.rawType == .int }

    private func sql(_ value: String, scalar: ScalarType) -> String {
        switch scalar {
        case .string: text(value)
        case .bool: flag(value)
        case .int, .int64: whole(value, at: nil)
        case .int16: whole(value, at: "-32768 AND 32767")
        case .int32: whole(value, at: "-2147483648 AND 2147483647")
        case .float, .double: number(value, result: "CAST(\(value) AS REAL)")
        case .decimal: decimal(value)
        case .date: date(value)
        case .day: day(value)
        case .uuid: uuid(value)
        case .url: "CASE typeof(\(value)) WHEN 'text' THEN \(value) END"
        case .json: "CASE WHEN typeof(\(value)) = 'text' AND json_valid(\(value)) THEN \(value) END"
        case .data: "CASE typeof(\(value)) WHEN 'blob' THEN \(value) WHEN 'text' THEN CAST(\(value) AS BLOB) END"
        }
    }

    private func text(_ value: String) -> String {
        "CASE WHEN typeof(\(value)) <> 'blob' THEN CAST(\(value) AS TEXT) END"
    }

    private func flag(_ value: String) -> String {
        let text = "lower(CAST(\(value) AS TEXT))"
        return "CASE WHEN \(text) IN ('0', '0.0', 'false', 'no', 'f') THEN 0 "
            + "WHEN \(text) IN ('1', '1.0', 'true', 'yes', 't') THEN 1 END"
    }

    private func whole(_ value: String, at range: String?) -> String {
        let isWhole = "typeof(\(value)) IN ('integer', 'real') AND CAST(\(value) AS INTEGER) = \(value)"
        let isInside = range.map { " AND \(value) BETWEEN \($0)" } ?? ""
        return "CASE WHEN \(isWhole)\(isInside) THEN CAST(\(value) AS INTEGER) END"
    }

    /// JSON has no infinite numbers.
    private func number(_ value: String, result: String) -> String {
        "CASE WHEN typeof(\(value)) IN ('integer', 'real') AND \(value) NOT IN (9e999, -9e999) THEN \(result) END"
    }

    /// Digits with at most one point, and a sign only at the beginning.
    private func decimal(_ value: String) -> String {
        let text = "CAST(\(value) AS TEXT)"
        return """
            CASE WHEN typeof(\(value)) <> 'blob' AND \(text) GLOB '*[0-9]*' AND \(text) NOT GLOB '*[^0-9.-]*' \
            AND instr(substr(\(text), 2), '-') = 0 AND length(\(text)) - length(replace(\(text), '.', '')) <= 1 \
            THEN \(text) END
            """
    }

    private func uuid(_ value: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(value)), \($0), \($1))" }
        return """
            CASE WHEN typeof(\(value)) = 'blob' AND length(\(value)) = 16 \
            THEN lower(\(parts.joined(separator: " || '-' || "))) \
            WHEN typeof(\(value)) = 'text' AND \(value) LIKE '________-____-____-____-____________' \
            THEN lower(\(value)) END
            """
    }

    /// A day that exists, without a time.
    private func day(_ value: String) -> String {
        "CASE WHEN typeof(\(value)) = 'text' AND length(\(value)) = 10 AND \(value) >= '0001' "
            + "AND date(\(value)) = \(value) THEN \(value) END"
    }

    /// Seconds since 1970.
    private func date(_ value: String) -> String {
        switch form {
        case .seconds: number(value, result: "CAST(\(value) AS REAL)")
        case .milliseconds: number(value, result: "\(value) / 1000.0")
        case .julianDay: number(value, result: "round((\(value) - 2440587.5) * 86400.0, 3)")
        default: dateText(value)
        }
    }

    /// SQLite's functions keep milliseconds only, so a fraction is added.
    private func dateText(_ value: String) -> String {
        """
        CASE typeof(\(value)) WHEN 'text' THEN \
        CAST(strftime('%s', substr(\(value), 1, 19) || CASE WHEN length(\(value)) <= 19 THEN '' \
        WHEN substr(\(value), -6, 1) IN ('+', '-') THEN substr(\(value), -6) \
        WHEN substr(\(value), -5, 1) IN ('+', '-') THEN substr(\(value), -5, 3) || ':' || substr(\(value), -2) \
        ELSE '' END) AS REAL) \
        + CASE substr(\(value), 20, 1) WHEN '.' THEN round(CAST('0' || substr(\(value), 20) AS REAL), 6) ELSE 0.0 END \
        END
        """
    }
}

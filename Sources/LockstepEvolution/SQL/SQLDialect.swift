/// A database language that the generator supports. The raw value is its name for `--sql`.
package enum SQLDialect: String, CaseIterable, Hashable, Sendable {
    /// The store's own tables on the device.
    case sqlite
    /// The same tables for a server.
    case postgresql
}

extension SQLDialect {
    /// The name of a type in a column definition.
    func name(of type: SQLType) -> StaticString {
        switch self {
        case .sqlite: sqliteName(of: type)
        case .postgresql: postgresqlName(of: type)
        }
    }

    /// Names that have SQLite's affinity according to the language reference: a decimal is only exact as text.
    private func sqliteName(of type: SQLType) -> StaticString {
        switch type {
        case .boolean: "BOOLEAN"
        case .smallInteger, .integer, .bigInteger: "INTEGER"
        case .real, .double, .timestamp: "REAL"
        case .numeric, .day, .uuid, .text, .json: "TEXT"
        case .bytes: "BLOB"
        }
    }

    private func postgresqlName(of type: SQLType) -> StaticString {
        switch type {
        case .boolean: "BOOLEAN"
        case .smallInteger: "SMALLINT"
        case .integer: "INTEGER"
        case .bigInteger: "BIGINT"
        case .real: "REAL"
        case .double: "DOUBLE PRECISION"
        case .numeric: "NUMERIC"
        case .timestamp: "TIMESTAMPTZ"
        case .day: "DATE"
        case .uuid: "UUID"
        case .text: "TEXT"
        case .bytes: "BYTEA"
        case .json: "JSONB"
        }
    }
}

/// The kind of values in a column; each dialect has its own name for it.
package enum SQLType: Hashable, Sendable {
    case boolean, smallInteger, integer, bigInteger, real, double, numeric, timestamp, day, uuid, text, bytes, json
}

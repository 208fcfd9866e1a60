/// A database language that the generator prints; its raw value is how `--sql` names it.
public enum SQLDialect: String, CaseIterable, Hashable, Sendable {
    /// The store's own tables on the device.
    case sqlite
    /// The same tables for a server.
    case postgresql
}

extension SQLDialect {
    /// The name of a type as a column definition spells it.
    func name(of type: SQLType) -> StaticString {
        switch self {
        case .sqlite: sqliteName(of: type)
        case .postgresql: postgresqlName(of: type)
        }
    }

    /// Names that give SQLite the affinity of the table in the language's reference: a decimal is exact only as text.
    private func sqliteName(of type: SQLType) -> StaticString {
        switch type {
        case .boolean: "BOOLEAN"
        case .smallInteger, .integer, .bigInteger: "INTEGER"
        case .real, .double, .timestamp: "REAL"
        case .numeric, .uuid, .text, .json: "TEXT"
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
        case .uuid: "UUID"
        case .text: "TEXT"
        case .bytes: "BYTEA"
        case .json: "JSONB"
        }
    }
}

/// What kind of values a column holds; each dialect has its own name for it.
enum SQLType: Hashable, Sendable {
    case boolean, smallInteger, integer, bigInteger, real, double, numeric, timestamp, uuid, text, bytes, json
}

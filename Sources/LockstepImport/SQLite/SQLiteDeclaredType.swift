import LockstepSchema

/// The type that a column's declared type and its name suggest.
struct SQLiteDeclaredType {
    enum Kind: Hashable {
        case whole(String)
        case real, text, flag, date, day, time, decimal, uuid, url, json, bytes
        /// SQLite knows no such type, or there is none.
        case any
    }

    let kind: Kind
    /// The number in parentheses after a type of texts.
    let length: Int64?

    init(_ declaration: String) {
        let upper = declaration.uppercased()
        let name = upper.prefix { $0 != "(" }.split(separator: " ").joined(separator: " ")
        let argument = upper.split(separator: "(").dropFirst().first?.prefix { $0.isNumber }
        let kind = Self.kinds[name] ?? Self.affinity(upper)
        self.kind = kind
        length = kind == .text ? argument.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    private static let kinds: [String: Kind] = [
        "BOOL": .flag, "BOOLEAN": .flag, "BIT": .flag, "DATE": .day, "DATETIME": .date, "TIMESTAMP": .date,
        "TIMESTAMPTZ": .date, "TIMESTAMP WITH TIME ZONE": .date, "DATETIME2": .date, "SMALLDATETIME": .date,
        "TIME": .time, "UUID": .uuid, "GUID": .uuid, "UNIQUEIDENTIFIER": .uuid, "DECIMAL": .decimal,
        "NUMERIC": .decimal, "MONEY": .decimal, "CURRENCY": .decimal, "JSON": .json, "JSONB": .json,
        "URL": .url, "URI": .url, "TINYINT": .whole("int16"), "SMALLINT": .whole("int16"), "INT2": .whole("int16"),
        "MEDIUMINT": .whole("int32"), "INT4": .whole("int32"), "INT8": .whole("int64"), "BIGINT": .whole("int64"),
        "UNSIGNED BIG INT": .whole("int64"), "INT": .whole("int"), "INTEGER": .whole("int"), "ANY": .any, "": .any,
    ]

    /// As SQLite decides: https://www.sqlite.org/datatype3.html, 3.1.
    private static func affinity(_ upper: String) -> Kind {
        if upper.contains("INT") { return .whole("int") }
        if upper.contains("CHAR") || upper.contains("CLOB") || upper.contains("TEXT") { return .text }
        if upper.contains("STRING") { return .any }
        if upper.contains("BLOB") { return .bytes }
        if upper.contains("REAL") || upper.contains("FLOA") || upper.contains("DOUB") { return .real }
        return .any
    }
}

/// The meaning of the words of a column's name.
struct SQLiteColumnName {
    private let words: [String]

    init(_ name: String) { words = UsableName.words(name).map { $0.lowercased() } }

    var isDate: Bool {
        words.contains(where: Self.dates.contains) || ["at", "on", "since", "until"].contains(words.last ?? "")
    }

    var isFlag: Bool {
        Self.questions.contains(words.first ?? "") && words.count > 1 || Self.flags.contains(words.last ?? "")
    }

    var isAmount: Bool { words.contains(where: Self.amounts.contains) }

    /// Whether 16 bytes are a UUID rather than any bytes.
    var isUUID: Bool {
        words.contains { ["uuid", "guid"].contains($0) } || ["id", "identifier"].contains(words.last ?? "")
    }

    private static let dates: Set = [
        "date", "datetime", "time", "timestamp", "day", "created", "updated", "modified", "deleted", "expires",
        "expiry", "birthday", "deadline", "due",
    ]
    private static let questions: Set = ["is", "has", "was", "can", "should", "did", "needs", "allows", "shows"]
    private static let flags: Set = [
        "enabled", "disabled", "active", "archived", "done", "completed", "pinned", "favorite", "favourite", "visible",
        "hidden", "locked", "starred", "flagged", "checked", "deleted", "published", "flag",
    ]
    private static let amounts: Set = [
        "price", "amount", "cost", "total", "subtotal", "balance", "tax", "fee", "salary", "budget", "discount",
    ]
}

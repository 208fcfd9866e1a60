import LockstepJSON

/// The type of the language for a type of PostgreSQL.
struct PostgreSQLType {
    /// The type without arguments and brackets.
    let name: String
    let isArray: Bool
    /// The values in parentheses: a length, or digits.
    private let argument: String?

    /// - Parameter type: As `format_type` writes it: `character varying(40)`, `numeric(10,2)[]`.
    init(_ type: String) {
        var text = type[...]
        isArray = text.hasSuffix("[]")
        while text.hasSuffix("[]") { text = text.dropLast(2) }
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else {
            (name, argument) = (String(text), nil)
            return
        }
        name = (text[..<open] + text[text.index(after: close)...]).split(separator: " ").joined(separator: " ")
        argument = String(text[text.index(after: open)..<close])
    }

    /// The type of the language, without brackets; `nil` if its values are read as strings.
    var scalar: String? {
        // Those of extensions can be in a schema: `extensions.citext`.
        let last = name.split(separator: ".").last.map { String($0) }
        return Self.scalars[name] ?? last.flatMap { Self.extensionTypes.contains($0) ? Self.scalars[$0] : nil }
    }

    private static let extensionTypes: Set = ["citext", "hstore"]

    var length: Int64? {
        ["character varying", "character"].contains(name) && !isArray ? argument.flatMap { Int64($0) } : nil
    }

    /// Whether spaces are added to values until they have the full length, and are ignored by comparisons.
    var isPadded: Bool { name == "character" || name == "bpchar" }

    /// The digits of a decimal; `nil` if their number is not limited.
    var digits: String? { name == "numeric" ? argument : nil }

    /// Whether a decimal can have digits after the point.
    var hasDecimals: Bool {
        guard let digits else { return true }
        let parts = digits.split(separator: ",")
        return parts.count == 2 && (Int(parts[1]) ?? 0) > 0
    }

    /// Whether it has no time zone, so that its values are read in UTC.
    var isWithoutZone: Bool { name == "timestamp without time zone" }

    private static let scalars = [
        "boolean": "bool", "smallint": "int16", "integer": "int32", "bigint": "int64", "real": "float",
        "double precision": "double", "numeric": "decimal", "text": "string", "character varying": "string",
        "character": "string", "citext": "string", "name": "string", "uuid": "uuid", "bytea": "data", "json": "json",
        "jsonb": "json", "hstore": "json", "timestamp with time zone": "date", "timestamp without time zone": "date",
        "date": "day", "oid": "int64",
    ]
}

/// The type of the language for a column.
struct RailsType {
    private(set) var name: String
    /// The format in JSON, if it is not the usual one.
    private(set) var wire: WireSketch?
    /// The decision.
    private(set) var decision: String?
    private(set) var maximumLength: Int64?
    /// Whether the limit of the column is kept.
    private(set) var keepsLimit = false

    /// - Parameters:
    ///   - type: As `schema.rb` has it.
    ///   - limit: The option of the column: letters, bytes, or bits of a float.
    init?(_ type: String, limit: RubyValue? = nil) {
        guard let known = Self.types[type] else { return nil }
        name = known
        let count: Int64? =
            if case .number(let digits) = limit { Int64(digits).flatMap { $0 > 0 ? $0 : nil } } else { nil }
        switch type {
        case "integer", "bigint", "smallint", "tinyint", "mediumint":
            if let count, count <= 2 { name = "int16" }
        case "float": if let count, count <= 24 { name = "float" }
        case "decimal", "numeric", "money": wire = .text
        default:
            if name == "string", !Self.texts.contains(type) { decision = "of the type \(type), is a string" }
        }
        guard let count else { return }
        if ["string", "data"].contains(name) { maximumLength = count }
        keepsLimit = maximumLength != nil || ["float", "double"].contains(name) || name.hasPrefix("int") && count <= 8
    }

    static func isKnown(_ type: String) -> Bool { types[type] != nil || type == "enum" || type == "virtual" }

    private static let texts: Set = [
        "string", "text", "citext", "char", "varchar", "mediumtext", "longtext", "tinytext",
    ]

    private static let types = [
        "string": "string", "text": "string", "citext": "string", "char": "string", "varchar": "string",
        "mediumtext": "string", "longtext": "string", "tinytext": "string", "integer": "int", "bigint": "int",
        "smallint": "int16", "tinyint": "int16", "mediumint": "int", "serial": "int", "bigserial": "int",
        "primary_key": "int", "unsigned_integer": "int", "unsigned_bigint": "int", "float": "double",
        "real": "float", "double": "double", "decimal": "decimal", "numeric": "decimal", "money": "decimal",
        "unsigned_decimal": "decimal", "unsigned_float": "double", "datetime": "date", "timestamp": "date",
        "timestamptz": "date", "date": "day", "boolean": "bool", "json": "json", "jsonb": "json", "hstore": "json",
        "binary": "data", "blob": "data", "mediumblob": "data", "longblob": "data", "tinyblob": "data",
        "uuid": "uuid", "time": "string", "timetz": "string", "inet": "string", "cidr": "string",
        "macaddr": "string", "macaddr8": "string", "xml": "string", "ltree": "string", "bit": "string",
        "bit_varying": "string", "interval": "string", "tsvector": "string", "tsquery": "string", "oid": "int",
        "point": "json", "line": "json", "lseg": "json", "box": "json", "path": "json", "polygon": "json",
        "circle": "json", "int4range": "string", "int8range": "string", "numrange": "string", "tsrange": "string",
        "tstzrange": "string", "daterange": "string", "geometry": "json", "geography": "json", "st_point": "json",
        "st_polygon": "json", "vector": "json", "bytea": "data", "character": "string",
    ]
}

/// The type of the language for a column.
struct RailsType {
    private(set) var name: String
    /// The format in JSON, if it is not the usual one.
    private(set) var wire: WireSketch?
    /// The decision.
    private(set) var decision: String?

    /// - Parameter type: As `schema.rb` has it.
    init?(_ type: String, limit: Int?) {
        guard let known = Self.types[type] else { return nil }
        name = known
        switch type {
        case "integer", "bigint", "smallint", "tinyint", "mediumint":
            if let limit, limit <= 2 { name = "int16" }
        case "float": if let limit, limit <= 24 { name = "float" }
        case "decimal", "numeric", "money": wire = .text
        case "date": wire = .date("yyyy-MM-dd")
        default:
            if name == "string", !Self.texts.contains(type) { decision = "of the type \(type), is a string" }
        }
    }

    static func isNumber(_ name: String) -> Bool { ["int", "int16", "float", "double", "decimal"].contains(name) }

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
        "timestamptz": "date", "date": "date", "boolean": "bool", "json": "json", "jsonb": "json", "hstore": "json",
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

extension RailsType {
    /// The type of a column whose values are those of an enum.
    init(enumeration name: String) { self.init(name: name) }

    private init(name: String) { (self.name, wire, decision) = (name, nil, nil) }
}

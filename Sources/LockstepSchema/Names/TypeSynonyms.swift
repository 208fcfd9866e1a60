/// The names that types have in SQL, in other schema languages and in Swift, for suggestions.
enum TypeSynonyms {
    /// Returns the replacement for `name`; `nil` if it is not a known name of a type.
    static func remedy(for name: String) -> String? {
        // `varchar(255)`
        let parts = name.split(separator: "(", maxSplits: 1)
        guard let first = parts.first else { return nil }
        let key = first.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        if let remedy = remedies[key] { return remedy }
        guard let type = types[key] else { return nil }
        if type == .string, parts.count == 2, let length = Int(parts[1].prefix { $0.isNumber }) {
            return "Write '{ type: string, maxLength: \(length) }'."
        }
        return "Did you mean '\(type.rawValue)'?"
    }

    private static let types: [String: ScalarType] = {
        let names: [(ScalarType, [String])] = [
            (.string, ["text", "str", "varchar", "char", "nvarchar", "character", "citext", "email", "longtext"]),
            (.bool, ["boolean", "bit", "yesno", "checkbox"]),
            (.int, ["integer", "long", "bigint", "biginteger", "uint", "uint64", "serial", "bigserial", "counter"]),
            (.int16, ["short", "smallint", "tinyint", "int8", "uint8", "byte", "integer16"]),
            (.int32, ["mediumint", "uint16", "integer32"]),
            (.int64, ["integer64", "uint32"]),
            (.float, ["real", "float32"]),
            (.double, ["float64", "cgfloat"]),
            (.decimal, ["numeric", "money", "currency", "bigdecimal", "decimalnumber"]),
            (.date, ["datetime", "timestamp", "timestamptz", "time", "datetimetz", "instant"]),
            (.day, ["localdate", "calendardate", "plaindate", "dateonly"]),
            (.uuid, ["guid", "uniqueidentifier"]),
            (.url, ["uri", "link", "href"]),
            (.data, ["blob", "binary", "bytes", "bytea", "varbinary", "base64"]),
            (.json, ["jsonb", "object", "dictionary", "dict", "map", "hash", "any", "transformable", "jsonvalue"]),
        ]
        return Dictionary(uniqueKeysWithValues: names.flatMap { type, names in names.map { ($0, type) } })
    }()

    private static let remedies = [
        "number": "Write 'int' for whole numbers, 'double' for others, or 'decimal' for exact ones.",
        "nsnumber": "Write 'int' for whole numbers, 'double' for others, or 'decimal' for exact ones.",
        "array": "Write the type of its elements in brackets: '[string]'.",
        "list": "Write the type of its elements in brackets: '[string]'.",
        "set": "Write the type of its elements in brackets: '[string]'.",
        "enum": "Declare its cases under 'enums:', as in 'Mood: [sad, happy]', and write that name.",
        "file": "Write '{ type: data, attachment: true }'.",
        "image": "Write '{ type: data, attachment: true }'.",
        "photo": "Write '{ type: data, attachment: true }'.",
    ]
}

/// The keys of the long form of an attribute.
enum AttributeKeys {
    static let type = GrammarKey(
        "type", .type(noun: "type"), isRequired: true,
        documentation: "A type of the language, an enum or a type of your own; `?` makes it optional, brackets a list.",
        example: "type: string")
    static let optional = GrammarKey(
        "optional", .bool, isStructural: true, fallback: "`false`, or `true` by the `?`", synonyms: ["nullable"],
        documentation: "The same as `?` behind the type.", example: "optional: true")
    static let defaultValue = GrammarKey(
        "default", Kind(.anything) { node in node }, synonyms: ["defaultValue"],
        documentation: "The value of a new record where none is given. `now` for a date, `new` for a UUID.",
        example: "default: 0")
    static let key = GrammarKey(
        "key", KeyPath.kind, fallback: "the name, spelt by `wire.names`", synonyms: ["json", "jsonKey"],
        documentation: "The JSON key, as written; a list is a path into nested objects.", example: "key: [image, url]")
    static let wire = GrammarKey(
        "wire", wireKind, fallback: "as the type says",
        documentation: "How the value is spelt in JSON; a date also takes a pattern.", example: "wire: string")
    static let min = GrammarKey(
        "min", .number, synonyms: ["minimum"], documentation: "The least number.", example: "min: 0")
    static let max = GrammarKey(
        "max", .number, synonyms: ["maximum"], documentation: "The greatest number.", example: "max: 99.5")
    static let minLength = GrammarKey(
        "minLength", .integer(least: 0), synonyms: ["minimumLength"],
        documentation: "The least number of Unicode scalars of a string, bytes of data, elements of a list.",
        example: "minLength: 1")
    static let maxLength = GrammarKey(
        "maxLength", .integer(least: 0), synonyms: ["maximumLength", "length"],
        documentation: "The greatest number of them.",
        example: "maxLength: 200")
    static let unique = GrammarKey(
        "unique", .bool, fallback: "`false`", documentation: "No two records have the same value.",
        example: "unique: true")
    static let indexed = GrammarKey(
        "indexed", .bool, fallback: "`false`", synonyms: ["index"], documentation: "The table has an index over it.",
        example: "indexed: true")
    static let transient = GrammarKey(
        "transient", .bool, isStructural: true, fallback: "`false`",
        documentation: "It is a property of the model only, neither in SQL nor in JSON.", example: "transient: true")
    static let attachment = GrammarKey(
        "attachment", .bool, fallback: "`false`",
        documentation:
            "`data` that is kept as a file beside the database and travels by itself; in JSON it is a reference.",
        example: "attachment: true")
    static let column = GrammarKey(
        "column", .text, fallback: "the name, spelt by `columns`", synonyms: ["columnName"],
        documentation: "The column's name in SQL.", example: "column: product_name")
    static let renamedFrom = GrammarKey(
        "renamedFrom", .name, synonyms: ["renamingIdentifier", "formerly"],
        documentation: "The former name, so that a migration keeps the values.", example: "renamedFrom: code")
    static let doc = GrammarKey(
        "doc", .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "What it is; becomes a doc comment.", example: "doc: Stock keeping unit.")
    static let deprecated = GrammarKey(
        "deprecated", .prose, documentation: "What to use instead; marks the Swift declaration.",
        example: "deprecated: Use sku.")

    private static let wireChoices = [
        Choice("none", "It does not travel."), Choice("string", "Numbers and bools as text."),
    ]

    private static let wireKind: Kind<AttributeWireDeclaration> = {
        let dates = DateFormat.kind(others: wireChoices)
        return Kind(dates.shape) { node, key, reading in
            switch node.presentText {
            case "none": AttributeWireDeclaration.none
            case "string": .text
            default: dates.read(node, key, &reading).map { .date($0) }
            }
        }
    }()
}

/// A key in JSON, or a path of keys into nested objects.
enum KeyPath {
    static let kind = Kind<[String]>(.either([.text, .list(of: .text, leastCount: 1)])) { node, key, reading in
        if let text = node.presentText { return [text] }
        return Kind<[String]>.list(of: .text, leastCount: 1).read(node, key, &reading)
    }
}

extension GrammarSection {
    static let attribute = GrammarSection(
        "attribute", noun: "an attribute", title: "Attributes",
        documentation: """
            A stored value. The types are `string`, `bool`, `int` (64 bits), `int16`, `int32`, `int64`, `float`, \
            `double`, `decimal`, `date`, `uuid`, `url`, `data` and `json`, every enum and every type of the schema, \
            and lists of them.
            """,
        shortForms: [
            ShortForm(.type(noun: "type"), "note: string?", "A type; `?` makes it optional."),
            ShortForm(.list(of: .type(noun: "type"), leastCount: 1), "labels: [string]", "A list of values."),
            ShortForm(.type(noun: "type"), "labels: \"[string]?\"", "An optional list; YAML wants the quotes."),
        ],
        keys: [
            AttributeKeys.type.description, AttributeKeys.optional.description, AttributeKeys.defaultValue.description,
            AttributeKeys.key.description, AttributeKeys.wire.description, AttributeKeys.min.description,
            AttributeKeys.max.description, AttributeKeys.minLength.description, AttributeKeys.maxLength.description,
            AttributeKeys.unique.description, AttributeKeys.indexed.description, AttributeKeys.transient.description,
            AttributeKeys.attachment.description, AttributeKeys.column.description,
            AttributeKeys.renamedFrom.description,
            AttributeKeys.doc.description, AttributeKeys.deprecated.description,
        ],
        example: """
            entities:
              Product:
                attributes:
                  id: int
                  name: string
                  note: string?
                  labels: [string]
                  stock: { type: int, wire: string, min: 0 }
                  createdAt: { type: date, default: now, wire: "yyyy-MM-dd HH:mm:ss Z" }
                  imageURL: { type: url?, key: [image, url] }
                  summary: { type: string, key: description, maxLength: 200, indexed: true }
                  sku: { type: string, unique: true, renamedFrom: code, doc: Stock keeping unit. }
            """)
}

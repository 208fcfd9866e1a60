/// The keys of the long form of an attribute.
enum AttributeKeys {
    static let type = GrammarKey(
        "type", kind: .type(noun: "type"), isRequired: true,
        documentation:
            "A type of the language, an enum or a type of your own. `?` makes it optional, brackets a list.",
        example: "type: string")
    static let optional = GrammarKey(
        "optional", kind: .bool, isStructural: true, fallback: "`false`, or `true` with `?`", synonyms: ["nullable"],
        documentation: "The same as `?` after the type.", example: "optional: true")
    static let defaultValue = GrammarKey(
        "default", kind: ValueParser(.anything) { node in node }, synonyms: ["defaultValue"],
        documentation: "The value of a new record if none is given. `now` is allowed for a date, `new` for a UUID.",
        example: "default: 0")
    static let key = GrammarKey(
        "key", kind: KeyPath.kind, fallback: "derived from the name by `wire.names`", synonyms: ["json", "jsonKey"],
        documentation: "The JSON key, as written; a list is a path into nested objects.", example: "key: [image, url]")
    static let formerKeys = GrammarKey(
        "formerKeys", kind: .list(of: KeyPath.located, leastCount: 1), synonyms: ["formerKey", "oldKeys"],
        documentation: """
            The keys under which earlier versions sent it, each a key or a path. They are read if the key is missing, \
            the first one first, and are never sent.
            """,
        example: "formerKeys: [bodyText]")
    static let wire = GrammarKey(
        "wire", kind: wireKind, fallback: "depends on the type",
        documentation: "The format of the value in JSON. Dates can also have a pattern.", example: "wire: string")
    static let readOnly = GrammarKey(
        "readOnly", kind: .bool, fallback: "`false`",
        documentation: """
            Only the server sets it, such as a timestamp. It is read and never sent, local changes to it are not \
            pending, and the server's value always counts.
            """,
        example: "readOnly: true")
    static let min = GrammarKey(
        "min", kind: .number, synonyms: ["minimum"], documentation: "The minimum.", example: "min: 0")
    static let max = GrammarKey(
        "max", kind: .number, synonyms: ["maximum"], documentation: "The maximum.", example: "max: 99.5")
    static let minLength = GrammarKey(
        "minLength", kind: .integer(least: 0), synonyms: ["minimumLength"],
        documentation: "The minimum length: Unicode scalars of a string, bytes of data, elements of a list.",
        example: "minLength: 1")
    static let maxLength = GrammarKey(
        "maxLength", kind: .integer(least: 0), synonyms: ["maximumLength", "length"],
        documentation: "The maximum length, in the same units.",
        example: "maxLength: 200")
    static let unique = GrammarKey(
        "unique", kind: .bool, fallback: "`false`", documentation: "No two records have the same value.",
        example: "unique: true")
    static let indexed = GrammarKey(
        "indexed", kind: .bool, fallback: "`false`", synonyms: ["index"],
        documentation: "The table has an index for it.",
        example: "indexed: true")
    static let transient = GrammarKey(
        "transient", kind: .bool, isStructural: true, fallback: "`false`",
        documentation: "A property of the model only, stored neither in SQL nor in JSON.", example: "transient: true")
    static let attachment = GrammarKey(
        "attachment", kind: .bool, fallback: "`false`",
        documentation:
            "`data` that is stored as a file beside the database and sent separately (`attachments:` of `Sync`). In "
            + "JSON it is a reference.",
        example: "attachment: true")
    static let column = GrammarKey(
        "column", kind: .text, fallback: "derived from the name by `columns`", synonyms: ["columnName"],
        documentation: "The column's name in SQL.", example: "column: product_name")
    static let renamedFrom = GrammarKey(
        "renamedFrom", kind: .name, synonyms: ["renamingIdentifier", "formerly"],
        documentation:
            "The former name, so that `lockstep migrate` records a rename and values are kept. Remove it afterwards.",
        example: "renamedFrom: code")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "A description, used as the doc comment.", example: "doc: Stock keeping unit.")
    static let deprecated = GrammarKey(
        "deprecated", kind: .prose, documentation: "What to use instead; marks the Swift declaration.",
        example: "deprecated: Use sku.")

    private static let wireChoices = [
        Choice("none", documentation: "It is not in JSON."),
        Choice(
            "string",
            documentation: """
                Numbers and bools as text. Otherwise, a decimal is a number with all its digits, which some servers read \
                as a floating-point number.
                """),
    ]

    private static let wireKind: ValueParser<AttributeWireDeclaration> = {
        let dates = DateFormat.kind(others: wireChoices)
        return ValueParser(dates.shape) { node, key, reading in
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
    static let kind = ValueParser<[String]>(.either([.text, .list(of: .text, leastCount: 1)])) { node, key, reading in
        if node.presentText != nil { return ValueParser.text.read(node, key, &reading).map { [$0] } }
        return ValueParser<[String]>.list(of: .text, leastCount: 1).read(node, key, &reading)
    }

    /// The same with its location.
    static let located = ValueParser<Located<[String]>>(kind.shape) { node, key, reading in
        kind.read(node, key, &reading).map { Located($0, range: node.range) }
    }
}

extension GrammarSection {
    static let attribute = GrammarSection(
        "attribute", noun: "an attribute", title: "Attributes",
        documentation: """
            A stored value. The types are `string`, `bool`, `int` (64 bits), `int16`, `int32`, `int64`, `float`, \
            `double`, `decimal`, `date`, `day`, `uuid`, `url`, `data` and `json`, every enum and every type of the \
            schema, and lists of them. On some watches, an `int` has 32 bits: use `int64` for the identities of a \
            server.

            A `date` is a moment, such as the time of a change. A `day` is a calendar date without a time or a time zone, \
            such as a birthday or a deadline. It is the same everywhere: `2026-11-27` in JSON. A midnight with a time \
            zone (`2026-11-27T00:00:00Z`) is read as the day in its text. A `date` with the pattern `yyyy-MM-dd` is \
            midnight in UTC instead: west of UTC, an app shows the day before.
            """,
        shortForms: [
            ShortForm(.type(noun: "type"), example: "note: string?", documentation: "A type; `?` makes it optional."),
            ShortForm(
                .list(of: .type(noun: "type"), leastCount: 1), example: "labels: [string]",
                documentation: "A list of values."),
            ShortForm(
                .type(noun: "type"), example: "labels: \"[string]?\"",
                documentation: "An optional list. YAML requires the quotes."),
        ],
        keys: [
            AttributeKeys.type.description, AttributeKeys.optional.description, AttributeKeys.defaultValue.description,
            AttributeKeys.key.description, AttributeKeys.formerKeys.description, AttributeKeys.wire.description,
            AttributeKeys.readOnly.description, AttributeKeys.min.description,
            AttributeKeys.max.description, AttributeKeys.minLength.description, AttributeKeys.maxLength.description,
            AttributeKeys.unique.description, AttributeKeys.indexed.description, AttributeKeys.transient.description,
            AttributeKeys.attachment.description, AttributeKeys.column.description,
            AttributeKeys.renamedFrom.description,
            AttributeKeys.doc.description, AttributeKeys.deprecated.description,
        ],
        unsupportedKeys: UnsupportedKey.ofAttributes,
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
                  text: { type: string?, formerKeys: [bodyText] }
                  updatedAt: { type: date?, readOnly: true }
                  summary: { type: string, key: description, maxLength: 200, indexed: true }
                  sku: { type: string, unique: true, renamedFrom: code, doc: Stock keeping unit. }
            """)
}

/// The keys at the top of a schema file.
enum SchemaKeys {
    static let lockstep = GrammarKey(
        "lockstep", .integer(least: 1), isRequired: true, isStructural: false,
        documentation: "The version of this language: 1.", example: "lockstep: 1")
    static let schema = GrammarKey(
        "schema", .name, isRequired: true, synonyms: ["name"],
        documentation: "The name, UpperCamelCase. It names the output folder and the schema type (`ShopSchema`).",
        example: "schema: Shop")
    static let version = GrammarKey(
        "version", .integer(least: 1), fallback: "`1`",
        documentation: "The version of the data model. Raise it with each change that is released.",
        example: "version: 2")
    static let doc = GrammarKey(
        "doc", .prose, synonyms: documentationSynonyms, documentation: "What the schema is for; becomes a doc comment.",
        example: "doc: Products, and what people say of them.")
    static let access = GrammarKey(
        "access",
        .choice(
            [AccessLevel.public, .package, .internal],
            [
                "For apps and modules that import the output.", "For the modules of one package.",
                "For the module that the output is compiled in; it compiles faster.",
            ]),
        fallback: "`internal`", documentation: "The access of every generated declaration.", example: "access: public")
    static let wire = GrammarKey(
        "wire", WireKeys.kind, documentation: "How names and values are spelt in JSON, unless a member says otherwise.",
        example: "wire: { names: snake_case, dates: iso8601 }")
    static let columns = GrammarKey(
        "columns",
        .choice(
            [NameSpelling.snake_case, .asWritten],
            ["`createdAt` becomes `created_at`.", "Names stay as they are written."]),
        fallback: "`snake_case`", documentation: "How tables and columns are spelt in SQL.",
        example: "columns: asWritten")
    static let enums = GrammarKey(
        "enums", EnumerationKeys.mapKind, isStructural: true,
        documentation: "The enums, by name.", example: "enums: { Mood: [sad, neutral, happy] }")
    static let types = GrammarKey(
        "types", TypeKeys.mapKind, isStructural: true,
        documentation: "Swift types of your own, by name.", example: "types: { Money: { stored: decimal } }")
    static let entities = GrammarKey(
        "entities", EntityKeys.mapKind, isRequired: true,
        documentation: "The entities, by name.", example: "entities: { Tag: { attributes: { id: int } } }")

    /// What people call `doc` out of habit.
    static let documentationSynonyms = ["description", "documentation", "comment"]

    static func read(_ root: Node, _ reading: inout GrammarReading) -> SchemaDeclaration? {
        guard case .mapping(let entries) = root.content else {
            return reading.lose(
                .wrongKind(root, subject: "A schema file", expected: "a mapping", example: schema.description.example))
        }
        let fields = Fields(entries, of: .schema, owner: SourceRange(root.range.path, at: root.range.start), &reading)
        if let language = fields.locate(lockstep, &reading), language.value != Grammar.languageVersion {
            // What follows may be of a language that we do not know: its keys would be reported for nothing.
            reading = GrammarReading()
            return reading.lose(.unsupportedLanguage(language.value, at: language.range))
        }
        let name = fields.locate(schema, &reading)
        let declaration = SchemaDeclaration(
            range: root.range, path: root.range.path, name: name ?? Located("", root.range),
            version: fields.locate(version, &reading), documentation: fields.read(doc, &reading),
            access: fields.locate(access, &reading), wire: fields.read(wire, &reading),
            columnSpelling: fields.locate(columns, &reading), enumerations: fields.read(enums, &reading) ?? [],
            types: fields.read(types, &reading) ?? [], entities: fields.read(entities, &reading) ?? [])
        return name == nil ? nil : declaration
    }
}

extension SourceRange {
    fileprivate init(_ path: String, at position: SourcePosition) {
        self.init(path: path, start: position, end: position)
    }
}

extension GrammarSection {
    static let schema = GrammarSection(
        "schema", noun: "a schema", title: "The file",
        documentation: "One file is one schema: a mapping of these keys.",
        keys: [
            SchemaKeys.lockstep.description, SchemaKeys.schema.description, SchemaKeys.version.description,
            SchemaKeys.doc.description, SchemaKeys.access.description, SchemaKeys.wire.description,
            SchemaKeys.columns.description, SchemaKeys.enums.description, SchemaKeys.types.description,
            SchemaKeys.entities.description,
        ],
        example: """
            lockstep: 1
            schema: Journal
            doc: What happened, day by day.
            enums:
              Mood: [sad, neutral, happy]
            entities:
              Entry:
                identity: identifier
                attributes:
                  identifier: uuid
                  title: string
                  bodyText: string?
                  mood: { type: Mood, default: neutral }
                  timestamp: { type: date, default: now }
            """)
}

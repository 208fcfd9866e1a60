/// The keys at the top of a schema file.
enum SchemaKeys {
    static let lockstep = GrammarKey(
        "lockstep", kind: .integer(least: 1), isRequired: true, isStructural: false,
        documentation: "The version of the schema language: 1.", example: "lockstep: 1")
    static let schema = GrammarKey(
        "schema", kind: .name, isRequired: true, synonyms: ["name"],
        documentation: "The name, in UpperCamelCase. It names the output folder and the schema type (`ShopSchema`).",
        example: "schema: Shop")
    static let version = GrammarKey(
        "version", kind: .integer(least: 1), fallback: "`1`",
        documentation: "The version of the data model. Raise it with each released change.",
        example: "version: 2")
    static let oldest = GrammarKey(
        "oldest", kind: .integer(least: 1), fallback: "the first version of the history",
        documentation: "The oldest version that is still supported. `lockstep check` compares with no earlier one.",
        example: "oldest: 2")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: documentationSynonyms, documentation: "A description, used as the doc comment.",
        example: "doc: Products, and what people say of them.")
    static let access = GrammarKey(
        "access",
        kind: .choice(
            [AccessLevel.public, .package, .internal],
            documentation: [
                "For modules whose models are imported by others.", "For the modules of one package.",
                "For the module that the output is compiled in. Compiles faster.",
            ]),
        fallback: "`internal`", documentation: "The access level of every generated declaration.",
        example: "access: public")
    static let wire = GrammarKey(
        "wire", kind: WireKeys.kind, documentation: "The format of names and values in JSON. Members can override it.",
        example: "wire: { names: snake_case, dates: iso8601 }")
    static let server = GrammarKey(
        "server", kind: ServerKeys.kind, isStructural: true, synonyms: ["backend"],
        documentation: """
            How a server that is made from the schema knows users. With it, or with a `scope` of any entity, each \
            synced entity has a scope.
            """, example: "server: { user: sub }")
    static let columns = GrammarKey(
        "columns",
        kind: .choice(
            [NameSpelling.snake_case, .asWritten],
            documentation: ["`createdAt` becomes `created_at`.", "Names are not changed."]),
        fallback: "`snake_case`", documentation: "The style of table and column names in SQL.",
        example: "columns: asWritten")
    static let enums = GrammarKey(
        "enums", kind: EnumerationKeys.mapKind, isStructural: true,
        documentation: "The enums, by name.", example: "enums: { Mood: [sad, neutral, happy] }")
    static let types = GrammarKey(
        "types", kind: TypeKeys.mapKind, isStructural: true,
        documentation: "Swift types of your own, by name.", example: "types: { Money: { stored: decimal } }")
    static let include = GrammarKey(
        "include", kind: .names, isStructural: true, synonyms: ["imports", "includes"],
        documentation: "Files in the same folder whose enums, types and entities are part of the schema.",
        example: "include: [Shared.yaml]")
    static let entities = GrammarKey(
        "entities", kind: EntityKeys.mapKind, isRequired: true, synonyms: ["models", "tables", "classes"],
        documentation: "The entities, by name.", example: "entities: { Tag: { attributes: { id: int } } }")

    /// Other names for `doc` that people use out of habit.
    static let documentationSynonyms = ["description", "documentation", "comment"]

    static func read(_ root: Node, path: String, into reading: inout GrammarReading) -> SchemaDeclaration? {
        guard
            let fields = fields(
                of: .schema, in: root, subject: "A schema file", example: schema.description, reading: &reading)
        else { return nil }
        let name = fields.locate(schema, into: &reading)
        let includes = fields.read(include, into: &reading)
        let declaration = SchemaDeclaration(
            range: root.range, paths: [path], name: name ?? Located("", range: root.range),
            version: fields.locate(version, into: &reading), oldest: fields.locate(oldest, into: &reading),
            documentation: fields.read(doc, into: &reading),
            access: fields.locate(access, into: &reading), wire: fields.read(wire, into: &reading),
            server: fields.locate(server, into: &reading),
            includes: includes ?? [], columnSpelling: fields.locate(columns, into: &reading),
            enumerations: fields.read(enums, into: &reading) ?? [],
            types: fields.read(types, into: &reading) ?? [], entities: fields.read(entities, into: &reading) ?? [])
        return name == nil ? nil : declaration
    }

    /// Reads a file that a schema includes.
    static func readPart(_ root: Node, into reading: inout GrammarReading) -> PartDeclaration? {
        guard
            let fields = fields(
                of: .part, in: root, subject: "An included file", example: lockstep.description, reading: &reading)
        else { return nil }
        return PartDeclaration(
            enumerations: fields.read(enums, into: &reading) ?? [], types: fields.read(types, into: &reading) ?? [],
            entities: fields.read(entitiesOfPart, into: &reading) ?? [])
    }

    /// The keys at the top of a file; `nil` if it has none, or is in another version of the language.
    private static func fields(
        of section: GrammarSection, in root: Node, subject: String, example: KeyDescription,
        reading: inout GrammarReading
    ) -> Fields? {
        guard case .mapping(let entries) = root.content else {
            return reading.fail(
                .wrongKind(root, subject: subject, expected: "a mapping", example: example.example))
        }
        let start = TextRange(start: root.range.start, end: root.range.start)
        let fields = Fields(entries, of: section, owner: Located("", range: start), reading: &reading)
        if let language = fields.locate(lockstep, into: &reading), language.value != Grammar.languageVersion {
            // The rest may be in an unknown version of the language, so reporting its keys would be pointless.
            reading = GrammarReading()
            return reading.fail(.unsupportedLanguage(language.value, at: language.range))
        }
        return fields
    }

    /// The same key in an included file, which can have other declarations only.
    fileprivate static let entitiesOfPart = GrammarKey(
        "entities", kind: EntityKeys.mapKind, isStructural: true, synonyms: ["models", "tables", "classes"],
        documentation: entities.description.documentation, example: entities.description.example)
}

extension GrammarSection {
    static let schema = GrammarSection(
        "schema", noun: "a schema", title: "The file",
        documentation: """
            A schema is a mapping with the keys of the table below.

            A schema can be split into several files, and several schemas, each in a module of its own, can share enums, \
            types and entities: list the files under `include`. If all entities are in them, write `entities: {}`. An \
            included file is in the folder of the schema. It begins with `lockstep: 1`, has no `schema`, and has only \
            `doc`, `enums`, `types` and `entities`, which are read as if they were written in the schema. It cannot \
            include other files, and it cannot declare a name that the schema or an earlier file declares. Each finding \
            names the file that it is in. The schema has one history, next to its own file.
            """,
        keys: [
            SchemaKeys.lockstep.description, SchemaKeys.schema.description, SchemaKeys.version.description,
            SchemaKeys.oldest.description, SchemaKeys.doc.description, SchemaKeys.access.description,
            SchemaKeys.wire.description, SchemaKeys.server.description, SchemaKeys.include.description,
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

extension GrammarSection {
    /// Not a section of a schema: the reference describes it with `include`.
    fileprivate static let part = GrammarSection(
        "part", noun: "an included file", title: "Included files", documentation: "",
        keys: [
            SchemaKeys.lockstep.description, SchemaKeys.doc.description, SchemaKeys.enums.description,
            SchemaKeys.types.description, SchemaKeys.entitiesOfPart.description,
        ],
        example: "")
}

/// The keys of an entity.
enum EntityKeys {
    static let doc = GrammarKey(
        "doc", .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "What the entity is; becomes a doc comment.", example: "doc: Something we sell.")
    static let abstract = GrammarKey(
        "abstract", .bool, isStructural: true, fallback: "`false`",
        documentation: "It has no records: what extends it takes over its members, and it becomes a Swift protocol.",
        example: "abstract: true")
    static let extends = GrammarKey(
        "extends", .oneOrMoreNames, isStructural: true, synonyms: ["inherits", "parent", "extend"],
        documentation: "The abstract entities whose members it takes over.", example: "extends: [Dated, Owned]")
    static let identity = GrammarKey(
        "identity", IdentityKeys.kind, isStructural: true,
        fallback: "`id` where there is such an attribute, else `none`",
        synonyms: ["primaryKey", "id"], documentation: "By what a record is the same record everywhere.",
        example: "identity: identifier")
    static let version = GrammarKey(
        "version", .name, synonyms: ["lockVersion", "lock_version", "versionAttribute"],
        documentation: """
            The attribute by which the server tells whether a write is made to the record as it is, such as Rails' \
            `lock_version`: an `int`, a `string` or a `date`. It is sent with each write, as the server last returned it, \
            and where the server refuses that with 409 or 412, its record is merged and the write is sent again.
            """, example: "version: lockVersion")
    static let table = GrammarKey(
        "table", .text, fallback: "the name, spelt by `columns`", synonyms: ["tableName"],
        documentation: "The table's name in SQL.", example: "table: products")
    static let attributes = GrammarKey(
        "attributes", AttributeKeys.mapKind, isStructural: true, synonyms: ["properties", "fields"],
        documentation: "Its attributes, by name.", example: "attributes: { id: int, name: string }")
    static let relationships = GrammarKey(
        "relationships", RelationshipKeys.mapKind, isStructural: true, synonyms: ["relations"],
        documentation: "Its relationships, by name.", example: "relationships: { reviews: [Review] }")
    static let indexes = GrammarKey(
        "indexes", .list(of: IndexKeys.kind), synonyms: ["indices", "index"],
        documentation: "Indexes over several members. For a single attribute, `indexed: true` is shorter.",
        example: "indexes: [[size, createdAt]]")
    static let remote = GrammarKey(
        "remote", RemoteKeys.kind, fallback: "its own path, all writes",
        documentation: "How it is reached on a server.",
        example: "remote: { path: /products }")

    static let mapKind = Kind<[EntityDeclaration]>(.map(name: "entity", of: .section("entity"))) { node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            let (entity, isIncomplete) = reading.readingMember { read(name, value, &$0) }
            var member =
                entity
                ?? EntityDeclaration(
                    name: name, isAbstract: false, extends: [], attributes: [], relationships: [], indexes: [])
            member.isIncomplete = isIncomplete
            return member
        }
    }

    private static func read(
        _ name: Located<String>, _ node: Node, _ reading: inout GrammarReading
    ) -> EntityDeclaration? {
        guard case .mapping(let entries) = node.content else {
            return reading.lose(
                .wrongKind(
                    node, subject: "The entity '\(name.value.shortened)'", expected: "a mapping",
                    example: "Tag: { attributes: { id: int } }"))
        }
        let fields = Fields(entries, of: .entity, owner: name.range, &reading)
        return EntityDeclaration(
            name: name, documentation: fields.read(doc, &reading),
            isAbstract: fields.read(abstract, &reading) ?? false, extends: fields.read(extends, &reading) ?? [],
            identity: fields.locate(identity, &reading), version: fields.locate(version, &reading),
            table: fields.locate(table, &reading),
            attributes: fields.read(attributes, &reading) ?? [],
            relationships: fields.read(relationships, &reading) ?? [],
            indexes: fields.read(indexes, &reading) ?? [],
            remote: fields.locate(remote, &reading).map { Located($0.value.declaration, $0.range) })
    }
}

extension GrammarSection {
    static let entity = GrammarSection(
        "entity", noun: "an entity", title: "Entities",
        documentation: "A kind of thing: it becomes a model class, a representation struct and a table.",
        keys: [
            EntityKeys.doc.description, EntityKeys.abstract.description, EntityKeys.extends.description,
            EntityKeys.identity.description, EntityKeys.version.description, EntityKeys.table.description,
            EntityKeys.attributes.description, EntityKeys.relationships.description, EntityKeys.indexes.description,
            EntityKeys.remote.description,
        ],
        example: """
            entities:
              Dated:
                abstract: true
                attributes: { createdAt: { type: date, default: now } }
              Product:
                doc: Something we sell.
                extends: Dated
                attributes: { id: int, name: string, size: string? }
                relationships: { reviews: { to: [Review], inverse: product } }
                indexes:
                  - [size, createdAt]
              Review:
                attributes: { id: int, text: string }
                relationships: { product: Product? }
            """)
}

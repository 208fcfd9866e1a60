/// The keys of an entity.
enum EntityKeys {
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "A description, used as the doc comment.", example: "doc: Something we sell.")
    static let abstract = GrammarKey(
        "abstract", kind: .bool, isStructural: true, fallback: "`false`",
        documentation: """
            A protocol without records. Entities that extend it inherit members, identity, version, scope and access.
            """,
        example: "abstract: true")
    static let extends = GrammarKey(
        "extends", kind: .oneOrMoreReferences(to: .abstractEntity), isStructural: true,
        synonyms: ["inherits", "parent", "extend"],
        documentation: "The abstract entities whose members it inherits.", example: "extends: [Dated, Owned]")
    static let identity = GrammarKey(
        "identity", kind: IdentityKeys.kind, isStructural: true,
        fallback: "`id` if there is such an attribute, otherwise `none`",
        synonyms: ["primaryKey", "id"],
        documentation: "The attributes that identify a record on every device and on the server.",
        example: "identity: identifier")
    static let version = GrammarKey(
        "version", kind: .reference(to: .attribute), synonyms: ["lockVersion", "lock_version", "versionAttribute"],
        documentation: """
            The attribute that lets the server detect writes to an outdated record, such as `lock_version` in Rails: \
            an `int`, a `string` or a `date`. Each update and delete sends the value that the server last returned. If \
            the server rejects it with 409 or 412, the server's record is merged and the write is sent again.
            """, example: "version: lockVersion")
    static let together = GrammarKey(
        "together", kind: TogetherGrammar.kind, fallback: "each value by itself",
        synonyms: ["conflicts", "groups", "atomic"],
        documentation: """
            Groups of attributes that count as one value in conflicts, such as the start and the end of an event: if \
            both sides have changed attributes of a group, one side wins for the whole group. An update that changes \
            one attribute sends the whole group. `all` is one group of all attributes that can be in one.
            """, example: "together: [[start, end], [street, city]]")
    static let scope = GrammarKey(
        "scope", kind: ScopeGrammar.kind, isStructural: true, synonyms: ["tenant", "partition"],
        documentation: """
            What a record belongs to on a server that is made from the schema. The users who read one record of a \
            scope read all of them. The attribute or relationship is required; the scope of a relationship is that of \
            its destination.
            """, example: "scope: owner")
    static let access = GrammarKey(
        "access", kind: AccessKeys.kind, isStructural: true, fallback: "depends on the scope",
        synonyms: ["permissions", "policy", "policies", "acl"],
        documentation: "Who reads and writes its records.", example: "access: { write: [owner, members.user] }")
    static let table = GrammarKey(
        "table", kind: .text, fallback: "derived from the name by `columns`", synonyms: ["tableName"],
        documentation: "The table's name in SQL.", example: "table: products")
    static let renamedFrom = GrammarKey(
        "renamedFrom", kind: .name, synonyms: ["renamingIdentifier", "formerly"],
        documentation:
            "The former name, so that `lockstep migrate` records a rename and records are kept. Remove it afterwards.",
        example: "renamedFrom: Item")
    static let attributes = GrammarKey(
        "attributes", kind: AttributeKeys.mapKind, isStructural: true, synonyms: ["properties", "fields", "columns"],
        documentation: "Its attributes, by name.", example: "attributes: { id: int, name: string }")
    static let relationships = GrammarKey(
        "relationships", kind: RelationshipKeys.mapKind, isStructural: true, synonyms: ["relations"],
        documentation: "Its relationships, by name.", example: "relationships: { reviews: [Review] }")
    static let indexes = GrammarKey(
        "indexes", kind: .list(of: IndexKeys.kind), synonyms: ["indices", "index"],
        documentation: "Indexes over several members. For a single attribute, use `indexed: true`.",
        example: "indexes: [[size, createdAt]]")
    static let remote = GrammarKey(
        "remote", kind: RemoteKeys.kind, fallback: "its own path, all writes",
        documentation: "How the entity is accessed on the server.",
        example: "remote: { path: /products }")

    static let mapKind = ValueParser<[EntityDeclaration]>(.map(name: "entity", of: .section("entity"))) {
        node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            let (entity, isIncomplete) = reading.readingMember { read(name, node: value, into: &$0) }
            var member =
                entity
                ?? EntityDeclaration(
                    name: name, isAbstract: false, extends: [], attributes: [], relationships: [], indexes: [])
            member.isIncomplete = isIncomplete
            return member
        }
    }

    private static func read(
        _ name: Located<String>, node: Node, into reading: inout GrammarReading
    ) -> EntityDeclaration? {
        guard case .mapping(let entries) = node.content else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The entity '\(name.value.shortened)'", expected: "a mapping",
                    example: "Tag: { attributes: { id: int } }"))
        }
        let fields = Fields(entries, of: .entity, owner: name, reading: &reading)
        return EntityDeclaration(
            name: name, documentation: fields.read(doc, into: &reading),
            isAbstract: fields.read(abstract, into: &reading) ?? false,
            extends: fields.read(extends, into: &reading) ?? [],
            identity: fields.locate(identity, into: &reading), version: fields.locate(version, into: &reading),
            together: fields.read(together, into: &reading),
            scope: fields.locate(scope, into: &reading), access: fields.locate(access, into: &reading),
            table: fields.locate(table, into: &reading), renamedFrom: fields.locate(renamedFrom, into: &reading),
            attributes: fields.read(attributes, into: &reading) ?? [],
            relationships: fields.read(relationships, into: &reading) ?? [],
            indexes: fields.read(indexes, into: &reading) ?? [],
            remote: fields.locate(remote, into: &reading).map { Located($0.value.declaration, range: $0.range) })
    }
}

extension GrammarSection {
    static let entity = GrammarSection(
        "entity", noun: "an entity", title: "Entities",
        documentation: "A kind of record. It becomes a model class, a representation struct and a table.",
        keys: [
            EntityKeys.doc.description, EntityKeys.abstract.description, EntityKeys.extends.description,
            EntityKeys.identity.description, EntityKeys.version.description, EntityKeys.together.description,
            EntityKeys.scope.description, EntityKeys.access.description, EntityKeys.table.description,
            EntityKeys.renamedFrom.description, EntityKeys.attributes.description,
            EntityKeys.relationships.description, EntityKeys.indexes.description, EntityKeys.remote.description,
        ],
        unsupportedKeys: UnsupportedKey.ofEntities,
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

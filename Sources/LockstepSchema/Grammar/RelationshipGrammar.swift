/// The keys of the long form of a relationship.
enum RelationshipKeys {
    static let to = GrammarKey(
        "to", kind: .type(noun: "entity"), isRequired: true, synonyms: ["destination", "target", "entity", "type"],
        documentation: "The destination: `Product` for exactly one, `Product?` for one or none, `[Product]` for many.",
        example: "to: Product?")
    static let inverse = GrammarKey(
        "inverse", kind: .reference(to: .relationship), isStructural: true, synonyms: ["inverseOf"],
        documentation:
            "The relationship of the destination that is the other end of this one. A to-many or an optional "
            + "to-one relationship can be its own inverse: `friends: { to: [Person], inverse: friends }`, "
            + "`spouse: { to: Person?, inverse: spouse }`.",
        example: "inverse: reviews"
    )
    static let onDelete = GrammarKey(
        "onDelete",
        kind: .choice(
            [DeleteRule.nullify, .cascade, .deny, .none],
            documentation: [
                "The other end is unlinked.", "The destination is deleted too.",
                "The delete fails while there is a destination.", "The destination is not changed.",
            ]),
        fallback: "`nullify`, or `deny` if the other end is required",
        synonyms: ["deleteRule", "delete"],
        documentation: "What happens to the destination when a record with this relationship is deleted.",
        example: "onDelete: cascade")
    static let unlisted = GrammarKey(
        "unlisted",
        kind: .choice(
            [UnlistedRule.delete, .unlink], documentation: ["It is deleted.", "It stays, without the link."]),
        fallback: "`delete` if `onDelete` is `cascade`, otherwise `unlink`",
        synonyms: ["orphans", "missing", "orphanRemoval"],
        documentation:
            "What happens to an embedded record that the server's list no longer contains, or that another one "
            + "replaces.",
        example: "unlisted: delete")
    static let sortedBy = GrammarKey(
        "sortedBy", kind: SortKeyGrammar.kind, synonyms: ["orderBy", "sort", "sortBy"],
        documentation: "How a to-many relationship is sorted: attributes of its destination, `-` for descending.",
        example: "sortedBy: [-createdAt, name]")
    static let ordered = GrammarKey(
        "ordered", kind: .bool, fallback: "`false`",
        documentation:
            "A to-many relationship that keeps the order of its members. It is synced with `wire: ids` or `embedded`.",
        example: "ordered: true")
    static let wire = GrammarKey(
        "wire",
        kind: .choice(
            [RelationshipWireDeclaration.id, .ids, .embedded, .none],
            documentation: [
                "A to-one relationship, as the identity of its destination.",
                "A to-many relationship, as a list of identities.",
                "The whole record, or the list of records. A to-one relationship at the other end still has its key: "
                    + "it is read from records that are not embedded, and sent to remotes that do not accept embedded "
                    + "records.",
                "It is not in JSON; the other end is.",
            ]),
        fallback:
            "`id`, `ids`, `embedded` or `none`: see below",
        documentation: "The format in JSON.", example: "wire: embedded")
    static let key = GrammarKey(
        "key", kind: KeyPath.kind, fallback: "derived from the name by `wire.names`", synonyms: ["json", "jsonKey"],
        documentation: "The JSON key, as written; a list is a path into nested objects.", example: "key: product_id")
    static let embeddedKey = GrammarKey(
        "embeddedKey", kind: KeyPath.kind, fallback: "none; to one, the name by `wire.names`",
        synonyms: ["objectKey", "objectsKey", "recordKey", "recordsKey"],
        documentation:
            "With `wire: id` or `ids`, a second key, under which whole records are read, too. To many, it can be the "
            + "same as `key`: each element of the list is then an identity or a record.",
        example: "embeddedKey: products")
    static let idsKey = GrammarKey(
        "idsKey", kind: KeyPath.kind, fallback: "none", synonyms: ["idKey", "identitiesKey"],
        documentation:
            "To many with `wire: embedded`, a second key, under which identities are read, too. It can be the same as "
            + "`key`.",
        example: "idsKey: line_ids")
    static let column = GrammarKey(
        "column", kind: .text, fallback: "derived from the name by `columns`",
        synonyms: ["columnName", "foreignKey", "joinColumn"],
        documentation: "The foreign key column's name in SQL.", example: "column: product_ref")
    static let table = GrammarKey(
        "table", kind: .text, fallback: "derived from the names of both ends by `columns`",
        synonyms: ["tableName", "joinTable", "through"],
        documentation: "The name in SQL of the table with the links, if both ends are to-many. One end says it.",
        example: "table: product_tags")
    static let holdsKey = GrammarKey(
        "holdsKey", kind: .bool, isStructural: true, fallback: "see below",
        synonyms: ["hasKey", "isKeyHolder", "keyHolder", "owning", "owner"],
        documentation: "For two to-one relationships that are inverse to each other: whether this one has the key.",
        example: "holdsKey: true")
    static let renamedFrom = GrammarKey(
        "renamedFrom", kind: .name, synonyms: ["renamingIdentifier", "formerly"],
        documentation:
            "The former name, so that `lockstep migrate` records a rename and links are kept. Remove it afterwards.",
        example: "renamedFrom: item")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "A description, used as the doc comment.", example: "doc: What people say of it.")
    static let deprecated = GrammarKey(
        "deprecated", kind: .prose, documentation: "What to use instead; marks the Swift declaration.",
        example: "deprecated: Use images.")

    static let mapKind = ValueParser<[RelationshipDeclaration]>(
        .map(name: "relationship", of: .section("relationship"))
    ) { node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            var (relationship, isUnreadable) = reading.readingMember { reading in
                read(name, node: value, into: &reading)
                    ?? RelationshipDeclaration(
                        name: name, destination: TypeText(name: name, isList: false, isOptional: false))
            }
            relationship.isUnreadable = isUnreadable
            return relationship
        }
    }

    private static func read(
        _ name: Located<String>, node: Node, into reading: inout GrammarReading
    ) -> RelationshipDeclaration? {
        if case .mapping(let entries) = node.content { return readLong(name, entries: entries, into: &reading) }
        guard !node.isNull else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The relationship '\(name.value.shortened)'", expected: "an entity or a mapping",
                    example: "product: Product?"))
        }
        return destination(TypeText.read(node, key: to.description, into: &reading), at: node.range, into: &reading)
            .map { RelationshipDeclaration(name: name, destination: $0) }
    }

    private static func readLong(
        _ name: Located<String>, entries: [Node.Entry], into reading: inout GrammarReading
    ) -> RelationshipDeclaration? {
        let fields = Fields(entries, of: .relationship, owner: name, reading: &reading)
        let range = fields.node(to)?.range ?? name.range
        let type = destination(fields.read(to, into: &reading), at: range, into: &reading)
        // An unreadable destination is reported; other errors of the relationship are still reported too.
        var relationship = RelationshipDeclaration(
            name: name, destination: type ?? TypeText(name: name, isList: false, isOptional: false))
        relationship.inverse = fields.locate(inverse, into: &reading)
        relationship.onDelete = fields.locate(onDelete, into: &reading)
        relationship.unlisted = fields.locate(unlisted, into: &reading)
        relationship.sortedBy = fields.read(sortedBy, into: &reading) ?? []
        relationship.isOrdered = fields.locate(ordered, into: &reading)
        relationship.wire = fields.locate(wire, into: &reading)
        relationship.key = fields.locate(key, into: &reading)
        relationship.embeddedKey = fields.locate(embeddedKey, into: &reading)
        relationship.idsKey = fields.locate(idsKey, into: &reading)
        relationship.column = fields.locate(column, into: &reading)
        relationship.table = fields.locate(table, into: &reading)
        relationship.holdsKey = fields.locate(holdsKey, into: &reading)
        relationship.renamedFrom = fields.locate(renamedFrom, into: &reading)
        relationship.documentation = fields.read(doc, into: &reading)
        relationship.deprecation = fields.read(deprecated, into: &reading)
        return relationship
    }

    /// A destination whose `?` is only allowed where it has a meaning.
    private static func destination(
        _ type: TypeText?, at range: TextRange, into reading: inout GrammarReading
    ) -> TypeText? {
        if let type, type.isList, type.isOptional {
            reading.report(.optionalToMany(type.name.value, at: range))
        }
        return type
    }
}

extension RelationshipDeclaration {
    fileprivate init(name: Located<String>, destination: TypeText) {
        self.name = name
        self.destination = destination.name
        isToMany = destination.isList
        isOptional = destination.isOptional || destination.isList
        sortedBy = []
    }
}

extension GrammarSection {
    static let relationship = GrammarSection(
        "relationship", noun: "a relationship", title: "Relationships",
        documentation: "A link to one or many records of an entity. Both ends refer to each other with `inverse`.",
        shortForms: [
            ShortForm(
                .type(noun: "entity"), example: "product: Product?", documentation: "To one; `?` makes it optional."),
            ShortForm(
                .list(of: .type(noun: "entity"), leastCount: 1), example: "reviews: [Review]", documentation: "To many."
            ),
        ],
        keys: [
            RelationshipKeys.to.description, RelationshipKeys.inverse.description,
            RelationshipKeys.onDelete.description,
            RelationshipKeys.unlisted.description, RelationshipKeys.sortedBy.description,
            RelationshipKeys.ordered.description,
            RelationshipKeys.wire.description, RelationshipKeys.key.description,
            RelationshipKeys.embeddedKey.description, RelationshipKeys.idsKey.description,
            RelationshipKeys.column.description, RelationshipKeys.table.description,
            RelationshipKeys.holdsKey.description, RelationshipKeys.renamedFrom.description,
            RelationshipKeys.doc.description,
            RelationshipKeys.deprecated.description,
        ],
        unsupportedKeys: UnsupportedKey.ofRelationships,
        details: """
            The default of `wire` depends on the kind of relationship:

            | relationship | default |
            | --- | --- |
            | to-one, with the key | `id`, also if the other end embeds the record; `none` if the entity has no \
            identity and the other end embeds it |
            | to-one, if the other end has the key | `none` |
            | to-many without `inverse` | `embedded` |
            | to-many whose inverse is to-one | `none`: the records have the key |
            | to-many whose inverse is to-many | `ids`; `none` if the identity of the destination has several \
            attributes |

            If the inverse of a to-one relationship is to-many, the to-one relationship has the key. Of two to-one \
            relationships that are inverse to each other, the required one has it. If both are optional, the one with \
            `holdsKey: true` has it. Otherwise, the first of these conditions that only one end meets decides, \
            regardless of the order of the entities:

            1. Its destination has an identity.
            2. It has a `column`, a `key` without `wire`, or an index over it.
            3. It does not cascade.

            If none decides, the end that comes first in the alphabet has the key: by the name of its entity, then by \
            its own name.
            """,
        example: """
            entities:
              Product:
                attributes: { id: int, name: string }
                relationships:
                  reviews: { to: [Review], inverse: product, onDelete: cascade, sortedBy: -createdAt }
                  tags: { to: [Tag], inverse: products }
              Review:
                attributes: { id: int, createdAt: date }
                relationships:
                  product: { to: Product?, inverse: reviews }
              Tag:
                attributes: { id: int, name: string }
                relationships:
                  products: { to: [Product], inverse: tags }
            """)
}

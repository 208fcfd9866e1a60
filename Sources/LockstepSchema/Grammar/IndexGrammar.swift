/// The keys of the long form of an index.
enum IndexKeys {
    static let on = GrammarKey(
        "on", kind: .oneOrMoreReferences(to: .member), isRequired: true, synonyms: ["columns", "attributes"],
        documentation: "The attributes and to-one relationships, in the order of the index.",
        example: "on: [size, createdAt]")
    static let unique = GrammarKey(
        "unique", kind: .bool, fallback: "`false`", documentation: "No two records have the same values together.",
        example: "unique: true")

    static let kind = ValueParser<IndexDeclaration>(
        .either([.list(of: .reference(.member), leastCount: 1), .section("index")])
    ) { node, key, reading in
        switch node.content {
        case .scalar:
            // `indexes: [a, b]` could mean two indexes or one; inner brackets make it unambiguous.
            return reading.fail(.wrongKind(node, under: key))
        case .sequence:
            return ValueParser.names.read(node, key, &reading).map {
                IndexDeclaration(range: node.range, members: $0, isUnique: false)
            }
        case .mapping(let entries):
            let fields = Fields(entries, of: .index, owner: Located("", range: node.range), reading: &reading)
            guard let members = fields.read(on, into: &reading) else { return nil }
            return IndexDeclaration(
                range: node.range, members: members, isUnique: fields.read(unique, into: &reading) ?? false)
        }
    }
}

extension GrammarSection {
    static let index = GrammarSection(
        "index", noun: "an index", title: "Indexes",
        documentation: "An index over several members of an entity.",
        shortForms: [
            ShortForm(
                .list(of: .reference(.member), leastCount: 1), example: "- [size, createdAt]",
                documentation: "The members, in order.")
        ],
        keys: [IndexKeys.on.description, IndexKeys.unique.description],
        example: """
            entities:
              Product:
                attributes: { id: int, size: string, createdAt: date }
                indexes:
                  - [size, createdAt]
                  - { on: [size, id], unique: true }
            """)
}

/// The keys of a custom type.
enum TypeKeys {
    static let stored = GrammarKey(
        "stored",
        kind: .choice(ScalarType.allCases.map { Choice($0.rawValue, documentation: "") }) { $0 },
        isRequired: true, documentation: "The type of the language as which values are stored and sent.",
        example: "stored: decimal")
    static let module = GrammarKey(
        "module", kind: .name, fallback: "the module of the output", synonyms: ["import"],
        documentation: "The module to import the Swift type from.", example: "module: MoneyKit")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms, documentation: "A description.",
        example: "doc: An amount in euros.")

    static let mapKind = ValueParser<[TypeDeclaration]>(.map(name: "type", of: .section("type"))) {
        node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            let (type, isUnreadable) = reading.readingMember { read(name, node: value, into: &$0) }
            var member = type ?? TypeDeclaration(name: name, stored: name, module: nil, documentation: nil)
            member.isUnreadable = isUnreadable
            return member
        }
    }

    private static func read(
        _ name: Located<String>, node: Node, into reading: inout GrammarReading
    ) -> TypeDeclaration? {
        guard case .mapping(let entries) = node.content else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The type '\(name.value.shortened)'", expected: "a mapping",
                    example: "Money: { stored: decimal }"))
        }
        let fields = Fields(entries, of: .type, owner: name, reading: &reading)
        guard let stored = fields.locate(stored, into: &reading) else { return nil }
        return TypeDeclaration(
            name: name, stored: stored, module: fields.locate(module, into: &reading),
            documentation: fields.read(doc, into: &reading))
    }
}

extension GrammarSection {
    static let type = GrammarSection(
        "type", noun: "a type", title: "Types",
        documentation:
            "A Swift type of your own that is stored as one of the language's types, through a small protocol.",
        keys: [TypeKeys.stored.description, TypeKeys.module.description, TypeKeys.doc.description],
        example: """
            types:
              Money: { stored: decimal, module: MoneyKit }
            """)
}

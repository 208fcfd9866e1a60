/// The keys of the long form of an enum.
enum EnumerationKeys {
    enum RawKind: String, Sendable { case string, int }

    static let type = GrammarKey(
        "type",
        kind: .choice(
            [RawKind.string, .int], documentation: ["Cases are texts in JSON.", "Cases are whole numbers in JSON."]),
        isStructural: true, fallback: "`string`", documentation: "The type of the raw values.", example: "type: int")
    static let closed = GrammarKey(
        "closed", kind: .bool, fallback: "`false`",
        documentation: "A closed enum rejects unknown values; an open one keeps them as `unknown`.",
        example: "closed: true")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "A description, used as the doc comment.", example: "doc: How an entry feels.")
    static let cases = GrammarKey(
        "cases", kind: CaseKeys.kind, isRequired: true, synonyms: ["values"],
        documentation: "The cases: a list of names, or a mapping of names to raw values.",
        example: "cases: [low, high]")

    static let mapKind = ValueParser<[EnumerationDeclaration]>(.map(name: "enum", of: .section("enum"))) {
        node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            let (enumeration, isUnreadable) = reading.readingMember { read(name, node: value, into: &$0) }
            var member =
                enumeration
                ?? EnumerationDeclaration(name: name, isInteger: false, isClosed: false, documentation: nil, cases: [])
            member.isUnreadable = isUnreadable
            return member
        }
    }

    private static func read(
        _ name: Located<String>, node: Node, into reading: inout GrammarReading
    ) -> EnumerationDeclaration? {
        if case .mapping(let entries) = node.content, entries.contains(where: { $0.key.text == "cases" }) {
            return readLong(name, entries: entries, into: &reading)
        }
        guard !node.isScalar else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The enum '\(name.value.shortened)'", expected: "a list of names or a mapping",
                    example: "Mood: [sad, neutral, happy]"))
        }
        return EnumerationDeclaration(
            name: name, isInteger: false, isClosed: false, documentation: nil,
            cases: CaseKeys.read(node, key: cases.description, into: &reading).map {
                CaseKeys.declare($0, isInteger: false, into: &reading)
            } ?? [])
    }

    private static func readLong(
        _ name: Located<String>, entries: [Node.Entry], into reading: inout GrammarReading
    ) -> EnumerationDeclaration {
        let fields = Fields(entries, of: .enumeration, owner: name, reading: &reading)
        let rawKind = fields.read(type, into: &reading)
        let isInteger = rawKind == .int
        let read = fields.read(cases, into: &reading) ?? []
        // If the type itself is unreadable, raw values are not checked against it.
        let hasType = rawKind != nil || fields.node(type) == nil
        return EnumerationDeclaration(
            name: name, isInteger: isInteger, isClosed: fields.read(closed, into: &reading) ?? false,
            documentation: fields.read(doc, into: &reading),
            cases: hasType ? CaseKeys.declare(read, isInteger: isInteger, into: &reading) : [])
    }
}

extension GrammarSection {
    static let enumeration = GrammarSection(
        "enum", noun: "an enum", title: "Enums",
        documentation: "A fixed set of named values. The long form is a mapping with the key `cases`.",
        shortForms: [
            ShortForm(
                .list(of: .name, leastCount: 1), example: "Mood: [sad, neutral, happy]",
                documentation: "The raw values are the names."),
            ShortForm(
                .map(name: "case", of: .section("case"), without: "cases"), example: "Size: { small: S, large: L }",
                documentation: "The names with their raw values."),
        ],
        keys: [
            EnumerationKeys.type.description, EnumerationKeys.closed.description, EnumerationKeys.doc.description,
            EnumerationKeys.cases.description,
        ],
        example: """
            enums:
              Mood: [sad, neutral, happy]
              Size: { small: S, large: L }
              Priority:
                type: int
                closed: true
                doc: How soon it must be done.
                cases: { low: 0, high: 10 }
            """)
}

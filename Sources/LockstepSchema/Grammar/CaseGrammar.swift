/// The keys of the long form of an enum's case.
enum CaseKeys {
    static let value = GrammarKey(
        "value", kind: .text, synonyms: ["raw", "rawValue"],
        documentation:
            "The raw value. In an `int` enum it is a whole number; the default is the previous one plus one.",
        example: "value: S")
    static let renamedFrom = GrammarKey(
        "renamedFrom", kind: .name, synonyms: ["renamingIdentifier", "formerly"],
        documentation:
            "The former name, so that `lockstep migrate` records that it replaces that case. Remove it afterwards.",
        example: "renamedFrom: tiny")
    static let doc = GrammarKey(
        "doc", kind: .prose, synonyms: SchemaKeys.documentationSynonyms,
        documentation: "A description, used as the doc comment.", example: "doc: Up to 30 cm.")

    /// A case as it is written, before it is known whether raw values are texts or numbers.
    struct Written: Sendable {
        var name: Located<String>
        var value: Node?
        var renamedFrom: Located<String>?
        var documentation: String?
    }

    static let kind = ValueParser<[Written]>(
        .either([.list(of: .name, leastCount: 1), .map(name: "case", of: .section("case"))])
    ) { node, key, reading in
        read(node, key: key, into: &reading)
    }

    /// A list of names, or a mapping of names to raw values or long forms.
    static func read(_ node: Node, key: KeyDescription, into reading: inout GrammarReading) -> [Written]? {
        switch node.content {
        case .scalar:
            return reading.fail(.wrongKind(node, under: key))
        case .sequence:
            let names = ValueParser<[Located<String>]>.names.read(node, key, &reading)
            return names?.map { Written(name: $0) }
        case .mapping:
            return reading.readMap(node, under: key, read: readEntry)
        }
    }

    private static func readEntry(_ name: Located<String>, node: Node, into reading: inout GrammarReading) -> Written? {
        guard case .mapping(let entries) = node.content else { return Written(name: name, value: node) }
        let fields = Fields(entries, of: .enumerationCase, owner: name, reading: &reading)
        return Written(
            name: name, value: fields.node(value), renamedFrom: fields.locate(renamedFrom, into: &reading),
            documentation: fields.read(doc, into: &reading))
    }

    /// The cases with raw values of the enum's type.
    static func declare(
        _ written: [Written], isInteger: Bool, into reading: inout GrammarReading
    ) -> [CaseDeclaration] {
        written.map { one in
            let rawValue = one.value.flatMap { readRawValue($0, of: one.name, isInteger: isInteger, into: &reading) }
            return CaseDeclaration(
                name: one.name, rawValue: rawValue, renamedFrom: one.renamedFrom, documentation: one.documentation)
        }
    }

    private static func readRawValue(
        _ node: Node, of name: Located<String>, isInteger: Bool, into reading: inout GrammarReading
    ) -> Located<CaseValue>? {
        let subject = "The case '\(name.value.shortened)'"
        if isInteger {
            guard let number = node.integer else {
                return reading.fail(
                    .wrongKind(
                        node, subject: subject, expected: "a whole number", example: "\(name.value.shortened): 1"))
            }
            return Located(.int(number), range: node.range)
        }
        guard let text = node.presentText, node.integer == nil else {
            let example =
                node.integer.map { "\"\($0)\"' or '{ type: int, cases: … }" } ?? "\(name.value.shortened): text"
            return reading.fail(.wrongKind(node, subject: subject, expected: "text", example: example))
        }
        return Located(.string(text), range: node.range)
    }
}

extension GrammarSection {
    static let enumerationCase = GrammarSection(
        "case", noun: "a case", title: "Cases",
        documentation: """
            A case of an enum whose cases are a mapping. The raw value of a `string` enum is text (numbers require \
            quotes), that of an `int` enum is a whole number.
            """,
        shortForms: [ShortForm(.text, example: "small: S", documentation: "The raw value.")],
        keys: [CaseKeys.value.description, CaseKeys.renamedFrom.description, CaseKeys.doc.description],
        example: """
            enums:
              Size:
                cases:
                  small: { value: S, doc: Up to 30 cm. }
                  large: L
            """)
}

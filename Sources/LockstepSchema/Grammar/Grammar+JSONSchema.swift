extension Grammar {
    /// The language as a JSON Schema (draft 2020-12), with which editors check and complete a schema while it is being
    /// written.
    ///
    ///     # yaml-language-server: $schema=lockstep.schema.json
    package static func jsonSchema() -> String {
        JSONSchemaText(vocabulary: nil).text
    }

    /// The same for one schema: types, destinations, attributes, inverses and cases are exactly those that it declares.
    /// It is derived from the declarations alone, so that a schema with errors has one.
    ///
    /// - Returns: The JSON Schema, `nil` if so much of the schema is unreadable that its names are unknown; and what is
    ///   unreadable.
    package static func jsonSchema(for source: SchemaSource) -> (text: String?, diagnostics: [Diagnostic]) {
        var diagnostics: [Diagnostic] = []
        let declaration = readDeclaration(source, diagnostics: &diagnostics)
        let text = declaration.map { JSONSchemaText(vocabulary: SchemaVocabulary($0)).text }
        return (text, Diagnostic.sortedWithoutRepeats(diagnostics))
    }
}

/// Makes the JSON Schema of the grammar.
private struct JSONSchemaText {
    /// `nil` for one that is valid for every schema.
    let vocabulary: SchemaVocabulary?

    var text: String {
        var members: [(key: String, value: OrderedJSON)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Lockstep schema")),
        ]
        if case .object(let top) = mapping(of: Grammar.sections[0]) { members += top }
        let definitions = Grammar.sections.dropFirst().map { ($0.name, definition(of: $0)) }
        members.append(("$defs", .object(definitions)))
        return OrderedJSON.object(members).text + "\n"
    }

    // MARK: Sections

    /// One of the short forms, or the mapping of keys.
    private func definition(of section: GrammarSection) -> OrderedJSON {
        guard !section.shortForms.isEmpty else { return mapping(of: section) }
        let forms = section.shortForms.map { form in
            schema(of: form.shape).adding("description", value: .string(form.documentation))
        }
        return .object([
            ("description", .string(section.documentation)), ("anyOf", .array(forms + [mapping(of: section)])),
        ])
    }

    private func mapping(of section: GrammarSection) -> OrderedJSON {
        var members: [(key: String, value: OrderedJSON)] = [
            ("description", .string(section.documentation)),
            ("type", .string("object")),
            (
                "properties",
                .object(
                    section.keys.map { key in
                        (key.name, schema(of: key.shape).adding("description", value: .string(key.documentation)))
                    })
            ),
        ]
        if !section.requiredKeys.isEmpty {
            members.append(("required", .array(section.requiredKeys.map { .string($0.name) })))
        }
        members.append(("additionalProperties", .bool(false)))
        let defaults = section === GrammarSection.attribute ? defaultsOfScalars + defaultsOfEnums : []
        if !defaults.isEmpty { members.append(("allOf", .array(defaults))) }
        return .object(members)
    }

    // MARK: Values

    private func schema(of shape: ValueShape) -> OrderedJSON {
        switch shape {
        case .text: return .object([("type", .strings(["string", "number", "boolean"]))])
        case .prose, .name: return .object([("type", .string("string"))])
        case .reference(let referent):
            guard let vocabulary else { return .object([("type", .string("string"))]) }
            return .choice(vocabulary.names(of: referent))
        case .path: return .object([("type", .string("string")), ("pattern", .string(#"^[^.]+(\.[^.]+)*$"#))])
        case .bool: return .object([("type", .string("boolean"))])
        case .integer(let least):
            // The minimum of the type is not worth printing.
            let limit: [(key: String, value: OrderedJSON)] = least == .min ? [] : [("minimum", .integer(least))]
            return .object([("type", .string("integer"))] + limit)
        case .number: return .object([("type", .string("number"))])
        case .choice(let choices): return .choice(choices.map(\.value))
        case .list(let element, let leastCount):
            let limit: [(key: String, value: OrderedJSON)] =
                leastCount == 0 ? [] : [("minItems", .integer(Int64(leastCount)))]
            return .object([("type", .string("array")), ("items", schema(of: element))] + limit)
        case .map(_, let value, let without):
            let exclusion: [(key: String, value: OrderedJSON)] =
                without.map { [("not", .object([("required", .strings([$0]))]))] } ?? []
            return .object([("type", .string("object")), ("additionalProperties", schema(of: value))] + exclusion)
        case .section(let name): return .object([("$ref", .string("#/$defs/\(name)"))])
        case .type(let noun): return type(noun: noun)
        case .either(let shapes): return .object([("anyOf", .array(shapes.map(schema)))])
        case .anything: return .object([])
        }
    }

    // MARK: Types

    /// A type as text, or a list of one.
    private func type(noun: String) -> OrderedJSON {
        let isEntity = noun == "entity"
        guard let vocabulary else {
            let texts = isEntity ? [] : [OrderedJSON.choice(typeTexts(ScalarType.allCases.map(\.rawValue)))]
            return .object([("anyOf", .array(texts + [Self.typeText, list(of: Self.typeName)]))])
        }
        let names = isEntity ? vocabulary.entities : vocabulary.types
        let texts = isEntity ? destinationTexts(names) : typeTexts(names)
        return .object([("anyOf", .array([.choice(texts), list(of: .choice(names))]))])
    }

    /// A list is empty rather than optional.
    private func destinationTexts(_ names: [String]) -> [String] {
        names + names.map { $0 + "?" } + names.map { "[\($0)]" }
    }

    private func typeTexts(_ names: [String]) -> [String] {
        destinationTexts(names) + names.map { "[\($0)]?" }
    }

    private func list(of element: OrderedJSON) -> OrderedJSON {
        .object([
            ("type", .string("array")), ("items", element), ("minItems", .integer(1)), ("maxItems", .integer(1)),
        ])
    }

    /// A name with the brackets and question marks that are allowed.
    private static let typeText = OrderedJSON.object([
        ("type", .string("string")), ("pattern", .string(#"^([^\[\]?]+|\[[^\[\]?]+\])\??$"#)),
    ])

    private static let typeName = OrderedJSON.object([
        ("type", .string("string")), ("pattern", .string(#"^[^\[\]?]+$"#)),
    ])

    // MARK: Defaults

    /// The default of an attribute whose type has only values of one kind in JSON. An optional one can be null.
    private var defaultsOfScalars: [OrderedJSON] {
        let date = OrderedJSON.object([
            (
                "anyOf",
                .array([
                    .object([("type", .string("null"))]),
                    .object([("type", .string("string")), ("pattern", .string("^(now$|[0-9]{4}-)"))]),
                ])
            )
        ])
        let day = OrderedJSON.object([
            ("type", .strings(["string", "null"])), ("pattern", .string("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")),
        ])
        let kinds: [(types: [ScalarType], defaultValue: OrderedJSON)] = [
            ([.bool], .object([("type", .strings(["boolean", "null"]))])),
            ([.int, .int16, .int32, .int64], .object([("type", .strings(["integer", "null"]))])),
            ([.float, .double], .object([("type", .strings(["number", "null"]))])), ([.date], date), ([.day], day),
        ]
        return kinds.map { types, defaultValue in
            implication(.choice(types.flatMap { [$0.rawValue, $0.rawValue + "?"] }), defaultValue: defaultValue)
        }
    }

    /// The default of an attribute that has the type of an enum is one of its cases, and that of a list has only these.
    private var defaultsOfEnums: [OrderedJSON] {
        (vocabulary?.enumerations ?? []).filter { !$0.cases.isEmpty }.flatMap { enumeration in
            let name = enumeration.name
            let isOne = OrderedJSON.choice([name, name + "?"])
            let isList = OrderedJSON.object([
                ("anyOf", .array([.choice(["[\(name)]", "[\(name)]?"]), list(of: .choice([name]))]))
            ])
            let cases = OrderedJSON.choice(enumeration.cases)
            return [
                implication(isOne, defaultValue: cases),
                implication(isList, defaultValue: .object([("type", .string("array")), ("items", cases)])),
            ]
        }
    }

    private func implication(_ type: OrderedJSON, defaultValue: OrderedJSON) -> OrderedJSON {
        .object([
            ("if", .object([("properties", .object([("type", type)])), ("required", .strings(["type"]))])),
            ("then", .object([("properties", .object([("default", defaultValue)]))])),
        ])
    }
}

extension OrderedJSON {
    fileprivate static func strings(_ strings: [String]) -> OrderedJSON { .array(strings.map { .string($0) }) }

    fileprivate static func choice(_ strings: [String]) -> OrderedJSON { .object([("enum", .strings(strings))]) }

    fileprivate func adding(_ key: String, value: OrderedJSON) -> OrderedJSON {
        guard case .object(let members) = self, !members.contains(where: { $0.key == key }) else { return self }
        return .object([(key, value)] + members)
    }
}

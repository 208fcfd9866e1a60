extension Grammar {
    /// The language as a JSON Schema (draft 2020-12), with which editors check and complete a schema while it is being
    /// written.
    ///
    ///     # yaml-language-server: $schema=lockstep.schema.json
    public static func jsonSchema() -> String {
        var members: [(key: String, value: OrderedJSON)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Lockstep schema")),
        ]
        if case .object(let top) = sections[0].mappingSchema { members += top }
        let definitions = sections.dropFirst().map { ($0.name, $0.definition) }
        members.append(("$defs", .object(definitions)))
        return OrderedJSON.object(members).text + "\n"
    }
}

extension GrammarSection {
    /// One of the short forms, or the mapping of keys.
    fileprivate var definition: OrderedJSON {
        guard !shortForms.isEmpty else { return mappingSchema }
        let forms = shortForms.map { form in
            form.shape.jsonSchema.adding("description", .string(form.documentation))
        }
        return .object([("description", .string(documentation)), ("anyOf", .array(forms + [mappingSchema]))])
    }

    fileprivate var mappingSchema: OrderedJSON {
        var members: [(key: String, value: OrderedJSON)] = [
            ("description", .string(documentation)),
            ("type", .string("object")),
            (
                "properties",
                .object(
                    keys.map { key in
                        (key.name, key.shape.jsonSchema.adding("description", .string(key.documentation)))
                    })
            ),
        ]
        if !requiredKeys.isEmpty { members.append(("required", .array(requiredKeys.map { .string($0.name) }))) }
        members.append(("additionalProperties", .bool(false)))
        return .object(members)
    }
}

extension ValueShape {
    fileprivate var jsonSchema: OrderedJSON {
        switch self {
        case .text: return .object([("type", .array([.string("string"), .string("number"), .string("boolean")]))])
        case .prose, .name: return .object([("type", .string("string"))])
        case .bool: return .object([("type", .string("boolean"))])
        case .integer(let least):
            // The minimum of the type is not worth printing.
            let limit: [(key: String, value: OrderedJSON)] = least == .min ? [] : [("minimum", .integer(least))]
            return .object([("type", .string("integer"))] + limit)
        case .number: return .object([("type", .string("number"))])
        case .choice(let choices): return .object([("enum", .array(choices.map { .string($0.value) }))])
        case .list(let element, let leastCount):
            let limit: [(key: String, value: OrderedJSON)] =
                leastCount == 0 ? [] : [("minItems", .integer(Int64(leastCount)))]
            return .object([("type", .string("array")), ("items", element.jsonSchema)] + limit)
        case .map(_, let value, let without):
            let exclusion: [(key: String, value: OrderedJSON)] =
                without.map { [("not", .object([("required", .array([.string($0)]))]))] } ?? []
            return .object([("type", .string("object")), ("additionalProperties", value.jsonSchema)] + exclusion)
        case .section(let name): return .object([("$ref", .string("#/$defs/\(name)"))])
        case .type: return Self.typeSchema
        case .either(let shapes): return .object([("anyOf", .array(shapes.map(\.jsonSchema)))])
        case .anything: return .object([])
        }
    }

    /// A type as text, or a list of one.
    private static let typeSchema: OrderedJSON = {
        let text = OrderedJSON.object([("type", .string("string"))])
        let list: [(key: String, value: OrderedJSON)] = [
            ("type", .string("array")), ("items", text), ("minItems", .integer(1)), ("maxItems", .integer(1)),
        ]
        return .object([("anyOf", .array([text, .object(list)]))])
    }()
}

extension OrderedJSON {
    fileprivate func adding(_ key: String, _ value: OrderedJSON) -> OrderedJSON {
        guard case .object(let members) = self, !members.contains(where: { $0.key == key }) else { return self }
        return .object([(key, value)] + members)
    }
}

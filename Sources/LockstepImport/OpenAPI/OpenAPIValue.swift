/// A schema, with what it refers to and without what only says that it can be null.
struct OpenAPIValue {
    /// The schemas on the way, the outermost first. The last one has the type.
    private(set) var layers: [OpenAPINode]
    /// The name of the schema that it refers to last.
    private(set) var name: String?
    /// The names of all schemas on the way.
    private(set) var names: [String] = []
    private(set) var isNullable = false
    /// Why it cannot be followed.
    private(set) var problem: String?

    /// - Parameter node: A schema; a name that it has itself does not count.
    init(_ node: OpenAPINode, in document: OpenAPIDocument) {
        layers = [node]
        name = node.name
        if let name { names.append(name) }
        var seen: Set<ObjectIdentifier> = []
        while true {
            let step = document.step(from: self.node)
            isNullable = isNullable || step.isNullable
            problem = step.problem
            guard let next = step.next else { break }
            guard seen.insert(ObjectIdentifier(next)).inserted else {
                problem = "it refers to itself"
                break
            }
            guard seen.count <= OpenAPIFiles.chainLimit else {
                problem = "what it refers to refers on more than \(OpenAPIFiles.chainLimit) times"
                break
            }
            if let named = next.name {
                name = named
                names.append(named)
            }
            // OpenAPI 3.0 ignores what is beside a reference.
            if document.dialect == .openAPI30, self.node.peek("$ref") != nil { layers.removeLast() }
            layers.append(next)
        }
        readNull()
    }

    /// The schema that has the type.
    var node: OpenAPINode { layers[layers.count - 1] }

    /// A keyword of the outermost schema that has it.
    subscript(_ key: String) -> OpenAPINode? {
        for layer in layers {
            if let value = layer[key] { return value }
        }
        return nil
    }

    private mutating func readNull() {
        if node.peek("type")?.peekedElements.contains(where: { $0.text == "null" || $0.isNull }) == true {
            isNullable = true
        }
        if node.peek("enum")?.peekedElements.contains(where: \.isNull) == true { isNullable = true }
    }

    // MARK: Types

    /// The types except null, as they are written or as the other keywords imply.
    var types: [String] {
        if let type = node["type"] {
            let all = type.isList ? type.elements.compactMap(\.text) : [type.text].compactMap(\.self)
            return all.filter { $0 != "null" }
        }
        for (type, keys) in Self.implied where keys.contains(where: { node.peek($0) != nil }) { return [type] }
        return typesOfValues
    }

    private static let implied: [(String, [String])] = [
        ("object", ["properties", "additionalProperties", "allOf"]), ("array", ["items"]),
        ("string", ["minLength", "maxLength", "pattern", "contentEncoding"]),
        ("number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ]

    /// The type that all fixed values have, if these are Booleans or numbers. Texts and whole numbers are enums.
    private var typesOfValues: [String] {
        let nodes = (node.peek("enum")?.peekedElements ?? []) + [node.peek("const")].compactMap(\.self)
        let values = nodes.filter { !$0.isNull }
        if values.isEmpty { return [] }
        if values.allSatisfy({ $0.bool != nil }) { return ["boolean"] }
        return values.allSatisfy { $0.number != nil } ? ["number"] : []
    }

    var isObject: Bool { types == ["object"] }
    var isArray: Bool { types == ["array"] }

    /// Whether it is one of several schemas.
    var isChoice: Bool {
        guard node.peek("oneOf") != nil || node.peek("anyOf") != nil else { return false }
        return types.isEmpty || isObject && node.peek("properties") == nil && node.peek("allOf") == nil
    }
}

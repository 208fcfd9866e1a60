/// Where a schema leads to: to the one that it refers to, or to its only branch that is not null.
struct OpenAPIStep {
    /// `nil` for a schema that has the type itself.
    private(set) var next: OpenAPINode?
    private(set) var isNullable = false
    /// Why the next one cannot be found.
    private(set) var problem: String?

    init(from node: OpenAPINode, in document: OpenAPIDocument) { next = follow(node, in: document) }

    private mutating func follow(_ node: OpenAPINode, in document: OpenAPIDocument) -> OpenAPINode? {
        if node.peek("nullable")?.bool == true, node["nullable"] != nil { isNullable = true }
        if let reference = node["$ref"] {
            guard reference.text != nil else {
                problem = "its $ref is not a string"
                return nil
            }
            if let target = document.files.target(of: reference) {
                target.markRead()
                return target
            }
            problem = document.files.loss(of: reference)
            return nil
        }
        if node.peek("properties") != nil || node.peek("enum") != nil { return nil }
        if let all = node.peek("allOf"), all.peekedElements.count == 1 { return node["allOf"]?.elements.first }
        for key in ["oneOf", "anyOf"] {
            guard let choice = node.peek(key) else { continue }
            let rest = choice.peekedElements.filter { !Self.isNull($0) }
            if rest.count < choice.peekedElements.count {
                isNullable = true
                for branch in choice.peekedElements where Self.isNull(branch) { branch.readAll() }
            }
            if rest.count == 1 {
                _ = node[key]?.elements
                return rest[0]
            }
        }
        return nil
    }

    /// Whether a schema allows null only.
    private static func isNull(_ node: OpenAPINode) -> Bool {
        if let type = node.peek("type") {
            let types = type.isList ? type.peekedElements : [type]
            return !types.isEmpty && types.allSatisfy { $0.text == "null" }
        }
        if let constant = node.peek("const") { return constant.isNull }
        let values = node.peek("enum")?.peekedElements ?? []
        return !values.isEmpty && values.allSatisfy(\.isNull)
    }
}

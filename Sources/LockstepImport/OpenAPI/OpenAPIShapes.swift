/// Reports what has another form than OpenAPI and JSON Schema require, and is read as if it were not there.
final class OpenAPIShapes {
    private let context: OpenAPIContext
    private var checked: Set<ObjectIdentifier> = []

    init(_ context: OpenAPIContext) { self.context = context }

    func report() {
        let document = context.document
        for item in document.root.peek("paths")?.peekedEntries ?? [] where !item.key.hasPrefix("x-") {
            checkPath(item.value, at: item.key)
        }
        for (name, node) in document.schemas { checkSchema(node, subject: name, isNamed: true) }
    }

    // MARK: Paths

    private func checkPath(_ item: OpenAPINode, at path: String) {
        guard item.isObject else { return lose(item, text: "\(path) is not an object") }
        for method in OpenAPIPaths.methods {
            guard let operation = item.peek(method) else { continue }
            let subject = "\(method.uppercased()) \(path)"
            guard operation.isObject else {
                lose(operation, text: "\(subject) is not an object")
                continue
            }
            for key in ["responses", "requestBody"] {
                guard let part = operation.peek(key), !part.isObject else { continue }
                lose(part, text: "\(subject): `\(key)` is not an object")
            }
        }
    }

    // MARK: Schemas

    /// The keywords with schemas in them.
    private static let lists = ["allOf", "oneOf", "anyOf"]
    private static let objects = ["properties", "$defs", "definitions"]

    private func checkSchema(_ node: OpenAPINode, subject: String, isNamed: Bool = false) {
        if !isNamed, node.name != nil || !checked.insert(ObjectIdentifier(node)).inserted { return }
        guard node.isObject else {
            // Both are schemas: any value, and none.
            return node.bool == nil ? lose(node, text: "\(subject) is not a schema: a schema is an object") : ()
        }
        for key in Self.lists + ["required", "enum"] {
            if let list = node.peek(key), !list.isList { lose(list, text: "\(subject): `\(key)` is not a list") }
        }
        for key in Self.objects {
            guard let object = node.peek(key) else { continue }
            if !object.isObject { lose(object, text: "\(subject): `\(key)` is not an object") }
            for entry in object.peekedEntries { checkSchema(entry.value, subject: "\(subject).\(entry.key)") }
        }
        for key in Self.lists { node.peek(key)?.peekedElements.forEach { checkSchema($0, subject: subject) } }
        if let items = node.peek("items"), !items.isList { checkSchema(items, subject: "\(subject): `items`") }
    }

    private func lose(_ node: OpenAPINode, text: String) {
        context.notes.left(node.line, text: text)
        node.report()
    }
}

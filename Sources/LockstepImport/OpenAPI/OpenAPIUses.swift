/// Which named schemas refer to which, and how.
struct OpenAPIUses {
    /// The schemas that each one refers to.
    private(set) var references: [String: [String]] = [:]
    /// The schemas that consist of others (`allOf`), by the names of the others.
    private(set) var extensions: [String: [String]] = [:]
    /// The schemas that are a value of another one.
    private(set) var values: Set<String> = []
    /// The schemas that another schema refers to.
    private var users: Set<String> = []
    /// The schemas that something outside of the schemas refers to, such as a path.
    private(set) var outside: Set<String> = []

    init(_ document: OpenAPIDocument) {
        for (name, node) in document.schemas {
            var found = Set<String>()
            walk(node, of: name, isPart: false, in: document, into: &found)
            references[name] = found.sorted()
            users.formUnion(found.subtracting([name]))
        }
        for file in [document.root] + document.files.others { collect(file, in: document) }
    }

    /// Whether a schema is referred to, other than by itself.
    func isUsed(_ name: String) -> Bool { outside.contains(name) || users.contains(name) }

    private mutating func collect(_ node: OpenAPINode, in document: OpenAPIDocument) {
        if node.name != nil { return }
        if let reference = node.peek("$ref"), let name = Self.name(reference, in: document) { outside.insert(name) }
        for part in node.parts { collect(part, in: document) }
    }

    private mutating func walk(
        _ node: OpenAPINode, of owner: String, isPart: Bool, in document: OpenAPIDocument, into found: inout Set<String>
    ) {
        if let named = node.name, named != owner { return }
        switch node.content {
        case .scalar: break
        case .list(let elements):
            for element in elements { walk(element, of: owner, isPart: isPart, in: document, into: &found) }
        case .object(let entries):
            if let reference = node.peek("$ref"), let name = Self.name(reference, in: document) {
                found.insert(name)
                if name != owner {
                    if isPart { extensions[name, default: []].append(owner) } else { values.insert(name) }
                }
            }
            let isOwn = node.name == owner
            for entry in entries {
                walk(entry.value, of: owner, isPart: isOwn && entry.key == "allOf", in: document, into: &found)
            }
        }
    }

    private static func name(_ reference: OpenAPINode, in document: OpenAPIDocument) -> String? {
        document.files.target(of: reference)?.name
    }

    /// These schemas and all that they refer to.
    func reached(from names: some Sequence<String>) -> Set<String> {
        var open = Array(names)
        var reached: Set<String> = []
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += references[next] ?? [] }
        }
        return reached
    }
}

/// A property of an object.
struct OpenAPIProperty {
    let key: String
    let node: OpenAPINode
    let isRequired: Bool
}

/// The properties of objects, with those of the schemas that they consist of (`allOf`).
final class OpenAPIProperties {
    private let document: OpenAPIDocument
    private var known: [ObjectIdentifier: [OpenAPIProperty]] = [:]
    /// The names in `required` that are no properties.
    private var missing: [ObjectIdentifier: Set<String>] = [:]
    private var open: Set<ObjectIdentifier> = []
    /// The schemas whose `allOf` leads back to themselves.
    private(set) var loops: [OpenAPINode] = []

    /// The deepest `allOf` that is followed, and the number of properties of one object: merging them again and again
    /// would otherwise take quadratic time.
    private static let depthLimit = 32
    private static let countLimit = 2_000
    /// The number of properties of all objects together.
    static let totalLimit = 200_000
    private var total = 0
    /// Whether there are more properties than the limit.
    var isExhausted: Bool { total > Self.totalLimit }

    init(_ document: OpenAPIDocument) { self.document = document }

    /// The properties of an object, those of `allOf` first. A property that is there twice has its last schema.
    ///
    /// - Parameter bases: The parts of `allOf` that are left out, because the entity extends them.
    func all(of node: OpenAPINode, except bases: [OpenAPINode] = []) -> [OpenAPIProperty] {
        let key = ObjectIdentifier(node)
        if bases.isEmpty, let known = known[key] { return known }
        guard !isExhausted else { return [] }
        guard open.count < Self.depthLimit, open.insert(key).inserted else {
            loops.append(node)
            return []
        }
        defer { open.remove(key) }
        var result: [OpenAPIProperty] = []
        var positions: [String: Int] = [:]
        func add(_ property: OpenAPIProperty) {
            if let position = positions[property.key] {
                let isRequired = property.isRequired || result[position].isRequired
                result[position] = OpenAPIProperty(key: property.key, node: property.node, isRequired: isRequired)
            } else if result.count < Self.countLimit {
                positions[property.key] = result.count
                result.append(property)
            }
        }
        for part in parts(of: node) where !bases.contains(where: { $0 === part }) { all(of: part).forEach(add) }
        var required = Set(node["required"]?.elements.compactMap(\.text) ?? [])
        for part in parts(of: node) { required.formUnion(missing[ObjectIdentifier(part)] ?? []) }
        for entry in node["properties"]?.entries ?? [] {
            add(OpenAPIProperty(key: entry.key, node: entry.value, isRequired: required.contains(entry.key)))
        }
        // What `required` says of the properties of another part.
        for name in required {
            guard let position = positions[name] else {
                missing[key, default: []].insert(name)
                continue
            }
            if result[position].isRequired { continue }
            result[position] = OpenAPIProperty(key: name, node: result[position].node, isRequired: true)
        }
        total += result.count
        if bases.isEmpty { known[key] = result }
        return result
    }

    /// The names in `required` that are no properties of an object.
    func missing(of node: OpenAPINode) -> [String] { missing[ObjectIdentifier(node)]?.sorted() ?? [] }

    /// The schemas that an object consists of, without those that cannot be found.
    func parts(of node: OpenAPINode) -> [OpenAPINode] {
        (node["allOf"]?.elements ?? []).compactMap { part in
            let value = OpenAPIValue(part, in: document)
            // What a schema with a name leads to is reported for that schema.
            if value.problem != nil, value.names.isEmpty, let reference = value.node["$ref"] {
                document.lose(reference)
            }
            return value.problem == nil && (value.types.isEmpty || value.isObject) ? value.node : nil
        }
    }
}

/// An object that only has a list of records, and what belongs to it: `{ object: list, data: […], has_more: true }`.
struct OpenAPIEnvelope {
    /// The property with the list.
    let list: OpenAPIProperty

    /// `nil` if an object is something else.
    init?(_ value: OpenAPIValue, in context: OpenAPIContext) {
        let all = context.properties.all(of: value.node)
        let isList = all.contains { $0.key == "object" && $0.node.peek("enum")?.peekedElements.first?.text == "list" }
        let rest = all.filter { !EnvelopeNames.isCompanion($0.key, isList: isList) }
        guard rest.count == 1, all.count > 1, EnvelopeNames.containers.contains(rest[0].key),
            Self.hasObjects(rest[0], in: context.document)
        else { return nil }
        list = rest[0]
        for property in all where property.key != list.key { property.node.ignore() }
        value.node["required"]?.readAll()
    }

    private static func hasObjects(_ property: OpenAPIProperty, in document: OpenAPIDocument) -> Bool {
        let list = OpenAPIValue(property.node, in: document)
        guard list.isArray, let items = list.node.peek("items") else { return false }
        let element = OpenAPIValue(items, in: document)
        return element.problem == nil && element.isObject
    }
}

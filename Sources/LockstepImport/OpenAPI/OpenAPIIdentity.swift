import LockstepSchema

/// Which property identifies the records of a schema.
struct OpenAPIIdentity {
    private let document: OpenAPIDocument
    private let properties: OpenAPIProperties

    init(_ document: OpenAPIDocument, properties: OpenAPIProperties) {
        (self.document, self.properties) = (document, properties)
    }

    private static let names = ["id", "_id", "uuid", "identifier", "guid"]

    /// The first property with a usual name that is a text or a whole number; `nil` if there is none.
    ///
    /// - Parameter parameter: The parameter in the path of a single record (`/posts/{slug}`), which is the second
    ///   choice.
    func property(of node: OpenAPINode, named name: String, parameter: String? = nil) -> OpenAPIProperty? {
        let all = properties.all(of: node)
        let own = Self.plain(name)
        let usual = Self.names.map(Self.plain) + ["\(own)id", "\(own)uuid"]
        var found: (rank: Int, property: OpenAPIProperty)?
        for property in all {
            guard let rank = usual.firstIndex(of: Self.plain(property.key)), rank < found?.rank ?? usual.count,
                isSuitable(property)
            else {
                continue
            }
            found = (rank, property)
        }
        if let found { return found.property }
        guard let parameter else { return nil }
        return all.first { $0.key == parameter && isSuitable($0) }
    }

    /// Names that differ in case and underscores only.
    static func plain(_ name: String) -> String { name == "_id" ? name : MemberNames.plain(name) }

    private func isSuitable(_ property: OpenAPIProperty) -> Bool {
        let value = OpenAPIValue(property.node, in: document)
        guard value.problem == nil, !value.isChoice, value.node.peek("enum") == nil else { return false }
        return value.types == ["string"] || value.types == ["integer"]
    }
}

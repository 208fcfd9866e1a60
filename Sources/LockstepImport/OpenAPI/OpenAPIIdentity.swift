import LockstepSchema

/// Which property identifies the records of a schema.
struct OpenAPIIdentity {
    private let document: OpenAPIDocument
    private let properties: OpenAPIProperties

    init(_ document: OpenAPIDocument, properties: OpenAPIProperties) {
        (self.document, self.properties) = (document, properties)
    }

    /// The first property with a usual name that is a text or a whole number; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - parameter: The parameter in the path of a single record (`/posts/{slug}`), which is the second choice.
    ///   - isListed: Whether the records are requested by themselves.
    func property(
        of node: OpenAPINode, named name: String, parameter: String? = nil, isListed: Bool = false
    ) -> OpenAPIProperty? {
        let all = properties.all(of: node)
        let keys = all.map(\.key)
        var found = IdentityNames.identities(in: keys, of: name, isOther: document.hasSchema(named:))
        if let parameter { found += Self.keys(in: keys, meantBy: parameter, of: name) }
        if isListed { found += IdentityNames.listedIdentities(in: keys, of: name, isOther: document.hasSchema(named:)) }
        return found.lazy.compactMap { key in all.first { $0.key == key && isSuitable($0) } }.first
    }

    /// The property that identifies the records of a schema, of which paths say how they are requested.
    func property(of node: OpenAPINode, named name: String, requestedAt paths: OpenAPIPaths) -> OpenAPIProperty? {
        let parameter = paths.remotes[name]?.parameter
        let isListed = paths.remotes[name] != nil || paths.listed.contains(name)
        return property(of: node, named: name, parameter: parameter, isListed: isListed)
    }

    /// The keys that the parameter of a path can mean, which can begin with the entity's name: `gid` for `{shelf_gid}`.
    private static func keys(in keys: [String], meantBy parameter: String, of name: String) -> [String] {
        let words = UsableName.words(parameter).map(IdentityNames.plain)
        return words.indices.flatMap { start -> [String] in
            guard IdentityNames.plain(name).contains(words[..<start].joined()) || start == 0 else { return [] }
            return keys.filter { IdentityNames.plain($0) == words[start...].joined() }
        }
    }

    private func isSuitable(_ property: OpenAPIProperty) -> Bool {
        let value = OpenAPIValue(property.node, in: document)
        guard value.problem == nil, !value.isChoice, value.node.peek("enum") == nil else { return false }
        return value.types == ["string"] || value.types == ["integer"]
    }
}

/// The members that JSON:API (jsonapi.org) gives to documents and resources.
enum JSONAPI {
    static let attributes = "attributes"
    static let relationships = "relationships"

    static func isDocument(_ members: [SampleMember]) -> Bool {
        guard let data = members.first(where: { $0.key == "data" })?.value else { return false }
        let known: Set<String> = ["data", "included", "links", "meta", "jsonapi", "errors"]
        let resources = data.elements ?? [data]
        return !resources.isEmpty && members.allSatisfy { known.contains($0.key) }
            && resources.allSatisfy { resource in
                resource["type"]?.text != nil && resource["id"]?.identityText != nil
                    && (resource[attributes]?.members != nil || resource[relationships]?.members != nil)
            }
    }
}

/// The names that a schema declares, for editors.
struct SchemaVocabulary: Sendable {
    /// Those with records.
    let entities: [String]
    let abstractEntities: [String]
    /// The types of attributes: those of the language, then the schema's own.
    let types: [String]
    let enumerations: [Enumeration]
    let attributes: [String]
    let relationships: [String]

    struct Enumeration: Sendable {
        var name: String
        var cases: [String]
    }

    init(_ declaration: SchemaDeclaration) {
        entities = declaration.entities.filter { !$0.isAbstract }.map(\.name.value)
        abstractEntities = declaration.entities.filter(\.isAbstract).map(\.name.value)
        types =
            ScalarType.allCases.map(\.rawValue) + declaration.enumerations.map(\.name.value)
            + declaration.types.map(\.name.value)
        enumerations = declaration.enumerations.map {
            Enumeration(name: $0.name.value, cases: $0.cases.map(\.name.value))
        }
        attributes = Set(declaration.entities.flatMap(\.attributes).map(\.name.value)).sorted()
        relationships = Set(declaration.entities.flatMap(\.relationships).map(\.name.value)).sorted()
    }

    func names(of referent: Referent) -> [String] {
        switch referent {
        case .abstractEntity: abstractEntities
        case .relationship: relationships
        case .attribute: attributes
        case .member: Set(attributes + relationships).sorted()
        case .sortKey: attributes + attributes.map { "-" + $0 }
        }
    }
}

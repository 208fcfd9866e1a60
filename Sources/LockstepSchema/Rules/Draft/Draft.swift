/// A schema between its declaration and its resolution: references are followed and names are decided as far as
/// possible. Creating it reports nothing; `nil` marks unresolved references, which the rules look for.
final class Draft {
    let declaration: SchemaDeclaration
    let columnSpelling: NameSpelling
    let wireSpelling: NameSpelling
    let pathSpelling: PathSpelling
    let dateFormat: DateFormat
    let uuidSpelling: UUIDSpelling
    let types: TypeTable
    /// All entities in declared order, abstract ones included.
    let entities: [DraftEntity]
    let entitiesByName: [String: DraftEntity]
    /// The entities whose names are not allowed, by the names that the remedies propose.
    let entitiesByCorrectedName: [String: DraftEntity]
    /// Every attribute and every relationship as declared.
    private(set) var attributes: [DraftAttribute] = []
    private(set) var relationships: [DraftRelationship] = []
    /// Names that are used twice in one scope, found while names were decided.
    var clashes: [Clash] = []
    var joinTables: [JoinTable] = []
    /// The relationships of all concrete entities, implied ones included.
    private(set) var links: [Link] = []

    init(_ declaration: SchemaDeclaration) {
        self.declaration = declaration
        columnSpelling = declaration.columnSpelling?.value ?? .snake_case
        wireSpelling = declaration.wire?.names?.value ?? .asWritten
        pathSpelling = declaration.wire?.paths?.value ?? .snake_case
        dateFormat = declaration.wire?.dates?.value ?? .iso8601
        uuidSpelling = declaration.wire?.uuids?.value ?? .lower
        types = TypeTable(declaration)
        entities = declaration.entities.enumerated().map { DraftEntity($1, order: $0) }
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        entitiesByCorrectedName = Dictionary(
            entities.compactMap { entity in Identifier.correctedTypeName(entity.name).map { ($0, entity) } },
            uniquingKeysWith: { first, _ in first })
        makeMembers()
        inherit()
        link()
        nameMembers()
        storeLinks()
        spellOnWire()
        makeScopes()
        makeIndexes()
        links = entities.flatMap(\.links)
    }

    /// The entities that have records.
    var concreteEntities: [DraftEntity] { entities.filter { !$0.isAbstract } }

    private func makeMembers() {
        for entity in entities {
            entity.tableName = entity.declaration.table?.value ?? columnSpelling.spell(entity.name)
            entity.ownAttributes = entity.declaration.attributes.indices.map {
                DraftAttribute($0, of: entity, in: self)
            }
            entity.ownRelationships = entity.declaration.relationships.map {
                let reference = $0.isUnreadable ? nil : reference(to: $0.destination.value)
                return DraftRelationship($0, of: entity, to: reference ?? EntityReference())
            }
            attributes += entity.ownAttributes
            relationships += entity.ownRelationships
        }
    }
}

package import LockstepEvolution

/// Where the names of a schema are declared, and what is declared to be renamed, for its versions.
package struct SchemaPlaces: Sendable {
    /// The whole document.
    let document: SourceRange
    /// The schema's name.
    package let name: SourceRange
    /// The value of `version:`; `nil` if there is none.
    package let version: SourceRange?
    private var ranges: [MemberPath: SourceRange] = [:]
    /// What has a `renamedFrom:`, by its former path. Members have the new name of their entity.
    package private(set) var renames: [MemberPath: String] = [:]
    /// The cases that have one, by the enum and the former name.
    package private(set) var caseRenames: [MemberPath: String] = [:]

    init(_ declaration: SchemaDeclaration) {
        document = declaration.range
        name = declaration.name.range
        version = declaration.version?.range
        for enumeration in declaration.enumerations {
            let type = enumeration.name.value
            ranges[MemberPath(type)] = enumeration.name.range
            for one in enumeration.cases {
                ranges[MemberPath(type, one.name.value)] = one.name.range
                if let former = one.renamedFrom { caseRenames[MemberPath(type, former.value)] = one.name.value }
            }
        }
        let entities = Dictionary(declaration.entities.map { ($0.name.value, $0) }) { first, _ in first }
        for entity in declaration.entities where !entity.isAbstract {
            let type = entity.name.value
            ranges[MemberPath(type)] = entity.name.range
            if let former = entity.renamedFrom { renames[MemberPath(former.value)] = type }
            var seen: Set<String> = []
            addMembers(of: entity, to: type, entities, &seen)
        }
    }

    /// Adds own and inherited members. Its own are added first, and stay.
    private mutating func addMembers(
        of entity: EntityDeclaration, to type: String, _ entities: [String: EntityDeclaration],
        _ seen: inout Set<String>
    ) {
        guard seen.insert(entity.name.value).inserted else { return }
        for attribute in entity.attributes { add(attribute.name, attribute.renamedFrom, to: type) }
        for relationship in entity.relationships { add(relationship.name, relationship.renamedFrom, to: type) }
        for base in entity.extends {
            if let base = entities[base.value] { addMembers(of: base, to: type, entities, &seen) }
        }
    }

    private mutating func add(_ name: Located<String>, _ former: Located<String>?, to type: String) {
        let path = MemberPath(type, name.value)
        guard ranges[path] == nil else { return }
        ranges[path] = name.range
        if let former { renames[MemberPath(type, former.value)] = name.value }
    }

    /// The renames that the schema declares, without those that were recorded already.
    package func renames(since former: SchemaTree, to new: SchemaTree) -> [MemberPath: String] {
        let types = renames.filter { path, name in
            path.member == nil && former.entities[path.type] != nil && former.entities[name] == nil
        }
        let formerNames = Dictionary(types.map { ($0.value, $0.key.type) }) { first, _ in first }
        let members = renames.filter { path, name in
            guard let member = path.member else { return false }
            let entity = former.entities[formerNames[path.type] ?? path.type]
            return entity?.members[member] != nil && entity?.members[name] == nil
                && new.entities[path.type]?.members[name] != nil
        }
        return types.merging(members) { first, _ in first }
    }

    /// The location of a name; of its entity if it is not declared, and of the schema if that is not, either.
    package func range(of path: MemberPath) -> SourceRange {
        ranges[path] ?? ranges[MemberPath(path.type)] ?? name
    }
}

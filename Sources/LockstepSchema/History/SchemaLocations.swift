/// Where the names of a schema are declared, and what is declared to be renamed, for its versions.
///
/// Nearly every run finds that the versions are as they should be, and asks for none of it, so it is looked up then.
package struct SchemaLocations: Sendable {
    private let declaration: SchemaDeclaration

    init(_ declaration: SchemaDeclaration) { self.declaration = declaration }

    /// The whole document.
    var document: SourceRange { SourceRange(paths: declaration.paths, range: declaration.range) }
    /// The schema's name.
    package var name: SourceRange { SourceRange(paths: declaration.paths, range: declaration.name.range) }
    /// The value of `version:`; `nil` if there is none.
    package var version: SourceRange? {
        declaration.version.map { SourceRange(paths: declaration.paths, range: $0.range) }
    }

    /// The parts that have a `renamedFrom:`, by their former path. Members have the new name of their entity.
    package var renames: [MemberPath: String] {
        var renames: [MemberPath: String] = [:]
        let entities = entitiesByName
        for entity in declaration.entities where !entity.isAbstract {
            let type = entity.name.value
            if let former = entity.renamedFrom { renames[MemberPath(former.value)] = type }
            for member in members(of: entity, entities: entities) {
                if let former = member.formerName { renames[MemberPath(type, member: former)] = member.name.value }
            }
        }
        return renames
    }

    /// The cases that have one, by the enum and the former name.
    package var caseRenames: [MemberPath: String] {
        var renames: [MemberPath: String] = [:]
        for enumeration in declaration.enumerations {
            for one in enumeration.cases {
                if let former = one.renamedFrom {
                    renames[MemberPath(enumeration.name.value, member: former.value)] = one.name.value
                }
            }
        }
        return renames
    }

    /// The renames that the schema declares, without those that were recorded already.
    package func renames(since former: SchemaTree, to new: SchemaTree) -> [MemberPath: String] {
        let renames = self.renames
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
        let range = declaredRange(of: path) ?? declaredRange(of: MemberPath(path.type)) ?? declaration.name.range
        return SourceRange(paths: declaration.paths, range: range)
    }

    private func declaredRange(of path: MemberPath) -> TextRange? {
        if let enumeration = declaration.enumerations.first(where: { $0.name.value == path.type }) {
            guard let name = path.member else { return enumeration.name.range }
            return enumeration.cases.first { $0.name.value == name }?.name.range
        }
        guard let entity = declaration.entities.first(where: { $0.name.value == path.type && !$0.isAbstract }) else {
            return nil
        }
        guard let name = path.member else { return entity.name.range }
        return members(of: entity, entities: entitiesByName).first { $0.name.value == name }?.name.range
    }

    private var entitiesByName: [String: EntityDeclaration] {
        Dictionary(declaration.entities.map { ($0.name.value, $0) }) { first, _ in first }
    }

    /// A declared attribute or relationship.
    private struct Member {
        var name: Located<String>
        var formerName: String?
    }

    /// Own members, then inherited ones that they do not override.
    private func members(of entity: EntityDeclaration, entities: [String: EntityDeclaration]) -> [Member] {
        var members: [Member] = []
        var seenEntities: Set<String> = []
        var seenMembers: Set<String> = []
        func add(_ entity: EntityDeclaration) {
            guard seenEntities.insert(entity.name.value).inserted else { return }
            let own =
                entity.attributes.map { Member(name: $0.name, formerName: $0.renamedFrom?.value) }
                + entity.relationships.map { Member(name: $0.name, formerName: $0.renamedFrom?.value) }
            members += own.filter { seenMembers.insert($0.name.value).inserted }
            for base in entity.extends {
                if let base = entities[base.value] { add(base) }
            }
        }
        add(entity)
        return members
    }
}

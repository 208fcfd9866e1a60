extension Draft {
    /// The maximum length of a chain of entities that extend each other. It is never reached in practice, and bounds
    /// the depth of everything that follows `extends`.
    static let extendsDepthLimit = 64

    /// Gives every entity what it inherits: attributes, relationships, identity, version, scope, access, remote.
    func inherit() {
        for entity in entities where !entity.declaration.extends.isEmpty {
            entity.extendsProblem = extendsProblem(of: entity)
        }
        for entity in entities where entity.extendsProblem == nil {
            entity.bases = entity.declaration.extends.compactMap { entitiesByName[$0.value] }.filter(\.isAbstract)
        }
        for entity in entities {
            flatten(entity)
            entity.identity = identity(of: entity)
            entity.version = nearest(to: entity, \.version)
            entity.remote = remote(of: entity)
            // Inherited ones are useless for records that stay on the device.
            if entity.remote != nil || entity.isAbstract {
                entity.scopeDeclaration = nearest(to: entity, \.scope)
                entity.accessDeclaration = nearest(to: entity, \.access)
            } else {
                entity.scopeDeclaration = entity.declaration.scope
                entity.accessDeclaration = entity.declaration.access
            }
        }
    }

    private func extendsProblem(of entity: DraftEntity) -> ExtendsProblem? {
        var seen: Set<String> = []
        var level = entity.declaration.extends.map(\.value)
        var depth = 1
        while !level.isEmpty {
            if level.contains(entity.name) { return .loop }
            if depth > Self.extendsDepthLimit { return .tooDeep }
            level = level.filter { seen.insert($0).inserted }
                .flatMap { self.entitiesByName[$0]?.declaration.extends.map(\.value) ?? [] }
            depth += 1
        }
        return nil
    }

    private func flatten(_ entity: DraftEntity) {
        guard !entity.isFlat else { return }
        entity.isFlat = true
        entity.bases.forEach(flatten)
        entity.isIncomplete =
            entity.declaration.isIncomplete || entity.bases.contains(where: \.isIncomplete)
            || entity.declaration.extends.contains { entitiesByName[$0.value]?.declaration.isIncomplete ?? true }
        flattenAttributes(of: entity)
        flattenRelationships(of: entity)
    }

    /// An own attribute overrides an inherited one with its name. Of two inherited ones, the first is used.
    private func flattenAttributes(of entity: DraftEntity) {
        let own = entity.ownAttributes
        entity.attributesByName = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        if entity.bases.isEmpty, entity.attributesByName.count == own.count {
            entity.attributes = own
        } else {
            mergeAttributes(of: entity)
        }
    }

    private func mergeAttributes(of entity: DraftEntity) {
        var positions: [String: Int] = [:]
        var attributes: [DraftAttribute] = []
        for attribute in entity.bases.flatMap(\.attributes) + entity.ownAttributes {
            guard let position = positions[attribute.name] else {
                positions[attribute.name] = attributes.count
                attributes.append(attribute)
                continue
            }
            let inherited = attributes[position]
            // Inherited on two paths, or a repeated key, which the syntax reports.
            guard inherited.owner !== attribute.owner else { continue }
            if let own = attribute.type, let other = inherited.type,
                own != other || attribute.isOptional != inherited.isOptional
            {
                entity.overrides.append(Override(own: .attribute(attribute), inherited: .attribute(inherited)))
            }
            if attribute.owner === entity { attributes[position] = attribute }
        }
        entity.attributes = attributes
        entity.attributesByName = Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func flattenRelationships(of entity: DraftEntity) {
        var positions: [String: Int] = [:]
        var relationships: [DraftRelationship] = []
        for relationship in entity.bases.flatMap(\.relationships) + entity.ownRelationships {
            guard let position = positions[relationship.name] else {
                positions[relationship.name] = relationships.count
                relationships.append(relationship)
                continue
            }
            let inherited = relationships[position]
            guard inherited.owner !== relationship.owner else { continue }
            if !relationship.declaration.isUnreadable, !inherited.declaration.isUnreadable,
                !relationship.hasSameType(as: inherited)
            {
                entity.overrides.append(Override(own: .relationship(relationship), inherited: .relationship(inherited)))
            }
            if relationship.owner === entity { relationships[position] = relationship }
        }
        entity.relationships = relationships
    }

    /// The nearest declared value: the entity's own, otherwise that of the nearest ancestor that has one.
    private func nearest<Value>(to entity: DraftEntity, _ value: (EntityDeclaration) -> Value?) -> Value? {
        if let own = value(entity.declaration) { return own }
        if entity.bases.isEmpty { return nil }
        for ancestor in ancestors(of: entity) {
            if let inherited = value(ancestor.declaration) { return inherited }
        }
        return nil
    }

    private func identity(of entity: DraftEntity) -> DraftIdentity {
        guard let declared = nearest(to: entity, \.identity) else {
            if entity.isIncomplete { return DraftIdentity() }
            guard let id = entity.attributesByName["id"] else { return DraftIdentity(value: IdentityStructure.none) }
            return DraftIdentity(value: .attributes(["id"]), keyAttributes: [id])
        }
        var identity = DraftIdentity(declaration: declared)
        if entity.isIncomplete { return identity }
        switch declared.value {
        case .none:
            identity.value = IdentityStructure.none
        case .attributes(let names):
            let attributes = names.compactMap { entity.attributesByName[$0.value] }
            if attributes.count == names.count, !names.isEmpty {
                identity.value = .attributes(names.map(\.value))
                identity.keyAttributes = attributes
            }
        case .local(let local, let remote):
            if let key = entity.attributesByName[local.value], let other = entity.attributesByName[remote.value] {
                identity.value = .local(local.value, remote: remote.value)
                identity.keyAttributes = [key]
                identity.remoteAttribute = other
            }
        }
        return identity
    }

    private func remote(of entity: DraftEntity) -> Remote? {
        guard let declared = nearest(to: entity, \.remote) else {
            return Remote(path: defaultPath(of: entity), writes: Remote.Write.allCases, wrapKey: nil)
        }
        guard let value = declared.value else { return nil }
        var remote = Remote(
            path: value.path?.value ?? defaultPath(of: entity), writes: Remote.Write.allCases, wrapKey: nil)
        if let writes = value.writes {
            remote.writes = Remote.Write.allCases.filter { write in writes.contains { $0.value == write } }
        }
        switch value.wrap?.value {
        case .key(let key): remote.wrapKey = key
        case .flag(true): remote.wrapKey = Noun.singular(NameSpelling.snake_case.spell(entity.name))
        case .flag(false), nil: break
        }
        return remote
    }

    /// The path of an entity's collection if none is given.
    private func defaultPath(of entity: DraftEntity) -> String {
        let plural = Noun.plural(NameSpelling.snake_case.spell(entity.name))
        return switch pathSpelling {
        case .snake_case: "/" + plural
        case .kebabCase: "/" + plural.replacing("_", with: "-")
        case .names: "/" + wireSpelling.spell(Noun.plural(entity.name))
        }
    }

    /// The entities that `entity` extends, directly and indirectly, the nearest first and each once.
    func ancestors(of entity: DraftEntity) -> [DraftEntity] {
        var ancestors: [DraftEntity] = []
        var seen: Set<Int> = []
        var level = entity.bases
        while !level.isEmpty {
            level = level.filter { seen.insert($0.order).inserted }
            ancestors += level
            level = level.flatMap(\.bases)
        }
        return ancestors
    }
}

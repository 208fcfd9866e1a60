extension Draft {
    /// The resolved schema. Only for a draft in which the rules found no error.
    func schema() -> Schema {
        Schema(
            name: declaration.name.value,
            swiftName: declaration.name.value + "Schema",
            version: Int(declaration.version?.value ?? 1),
            documentation: declaration.documentation,
            access: declaration.access?.value ?? .internal,
            source: declaration.paths[0],
            dateFormat: dateFormat,
            enumerations: declaration.enumerations.map(Enumeration.init),
            customTypes: declaration.types.compactMap(CustomType.init),
            abstractEntities: entities.filter(\.isAbstract).map(finishedAbstract),
            entities: concreteEntities.map(finished),
            joinTables: joinTables,
            oldest: (declaration.oldest?.value).map(Int.init),
            compatibility: declaration.wire?.compatible?.value ?? .none,
            server: declaration.server.map {
                ServerOptions(userClaim: $0.value.user?.value ?? "sub", hasCustomAccess: hasCustomAccess)
            })
    }

    private func finished(_ entity: DraftEntity) -> Entity {
        Entity(
            name: entity.name,
            swiftName: entity.swiftName,
            representationName: entity.name + "Representation",
            tableName: entity.tableName,
            documentation: entity.declaration.documentation,
            protocols: ancestors(of: entity).map(\.swiftName),
            identity: entity.identity.value ?? IdentityStructure.none,
            version: version(of: entity),
            together: together(of: entity),
            attributes: entity.attributes.compactMap { finished($0, in: entity) },
            relationships: entity.links.compactMap(finished),
            columns: columns(of: entity),
            indexes: entity.indexes,
            remote: entity.remote,
            scope: entity.recordScope.map(RecordScope.init),
            readers: readers(of: entity),
            writers: writers(of: entity))
    }

    /// An inherited version is useless for records that are never sent separately.
    private func version(of entity: DraftEntity) -> String? {
        entity.remote == nil || entity.identity.isNone ? nil : entity.version?.value
    }

    private func finishedAbstract(_ entity: DraftEntity) -> AbstractEntity {
        AbstractEntity(
            name: entity.name,
            swiftName: entity.swiftName,
            documentation: entity.declaration.documentation,
            protocols: ancestors(of: entity).map(\.swiftName),
            attributes: entity.ownAttributes.compactMap { finished($0, in: entity) },
            relationships: entity.ownRelationships.map { relationship in
                AbstractRelationship(
                    swiftName: SwiftName.member(relationship.name),
                    documentation: relationship.declaration.documentation,
                    destinationSwiftName: SwiftName.type(relationship.declaration.destination.value),
                    isToMany: relationship.declaration.isToMany,
                    isOptional: relationship.declaration.isToMany || relationship.declaration.isOptional)
            })
    }

    private func finished(_ attribute: DraftAttribute, in entity: DraftEntity) -> Attribute? {
        guard let type = attribute.type else { return nil }
        let key = entity.identity.keyAttributes
        let isWholeKey = key.count == 1 && key[0] === attribute
        return Attribute(
            name: attribute.name,
            swiftName: attribute.swiftName,
            columnName: attribute.columnName,
            type: type,
            isOptional: attribute.isOptional,
            defaultValue: attribute.defaultReading.value
                ?? (isWholeKey && type == .scalar(.uuid) ? DefaultValue.newUUID : nil),
            limits: AttributeLimits(
                minimum: attribute.declaration.minimum?.value.withoutPlus,
                maximum: attribute.declaration.maximum?.value.withoutPlus,
                minimumLength: (attribute.declaration.minimumLength?.value).map(Int.init),
                maximumLength: (attribute.declaration.maximumLength?.value).map(Int.init)),
            wire: wire(of: attribute, in: entity),
            // A primary key is always unique.
            isUnique: !isWholeKey && (attribute.isUnique || entity.identity.remoteAttribute === attribute),
            isAttachment: attribute.isAttachment,
            renamedFrom: attribute.declaration.renamedFrom?.value,
            documentation: attribute.declaration.documentation,
            deprecation: attribute.declaration.deprecation)
    }

    private func finished(_ link: Link) -> Relationship? {
        guard let destination = link.destination, let storage = finishedStorage(of: link) else { return nil }
        return Relationship(
            name: link.name,
            swiftName: link.swiftName,
            destination: destination.name,
            isToMany: link.isToMany,
            isOptional: link.isOptional,
            isOrdered: link.isOrdered,
            inverse: link.inverse?.name,
            isImplied: link.isImplied,
            onDelete: link.onDelete,
            unlisted: link.declaration?.unlisted?.value,
            sortedBy: link.declaration?.sortedBy.map(\.value) ?? [],
            storage: storage,
            wire: link.wire,
            documentation: link.declaration?.documentation,
            deprecation: link.declaration?.deprecation)
    }

    private func finishedStorage(of link: Link) -> Relationship.Storage? {
        switch link.storage {
        case .foreignKey: return link.foreignKey.map(Relationship.Storage.foreignKey)
        case .inverseForeignKey: return .inverseForeignKey
        case .joinTable: return link.joinTable.map { .joinTable($0.name, isLeft: $0.isLeft) }
        case nil: return nil
        }
    }
}

extension RecordScope {
    fileprivate init(_ scope: DraftScope) {
        switch scope {
        case .own: self = .own
        case .everyone: self = .everyone
        case .attribute(let attribute): self = .attribute(attribute.name)
        case .relationship(let link): self = .relationship(link.name)
        }
    }
}

extension Enumeration {
    fileprivate init(_ declaration: EnumerationDeclaration) {
        let rawValues = RawValues(declaration).values
        self.init(
            name: declaration.name.value,
            swiftName: SwiftName.type(declaration.name.value),
            documentation: declaration.documentation,
            isClosed: declaration.isClosed,
            rawType: declaration.isInteger ? .int : .string,
            cases: zip(declaration.cases, rawValues).map { enumerationCase, rawValue in
                Case(
                    name: enumerationCase.name.value,
                    swiftName: SwiftName.enumerationCase(enumerationCase.name.value),
                    rawValue: rawValue ?? .string(enumerationCase.name.value),
                    documentation: enumerationCase.documentation)
            })
    }
}

extension CustomType {
    fileprivate init?(_ declaration: TypeDeclaration) {
        guard let stored = ScalarType(rawValue: declaration.stored.value) else { return nil }
        self.init(
            name: declaration.name.value, stored: stored, module: declaration.module?.value,
            documentation: declaration.documentation)
    }
}

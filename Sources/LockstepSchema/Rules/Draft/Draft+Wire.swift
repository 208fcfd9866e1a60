extension Draft {
    /// Determines how relationships are encoded, and registers the paths of everything that is in JSON.
    func spellOnWire() {
        for entity in entities where !entity.isAbstract {
            for attribute in entity.attributes {
                guard let wire = wire(of: attribute, in: entity) else { continue }
                claimWirePath(wire.path, claim: .attribute(attribute), in: entity)
            }
            for link in entity.links {
                link.wire = wire(of: link)
                for path in link.wire.paths { claimWirePath(path, claim: .relationship(link), in: entity) }
                if let property = link.identityProperty { claimMember(property, claim: .identities(link), in: entity) }
            }
        }
    }

    /// The local part of an identity is not in JSON, unless the schema gives it a key.
    func wire(of attribute: DraftAttribute, in entity: DraftEntity) -> AttributeWire? {
        if case .local(attribute.name, remote: _) = entity.identity.value, attribute.declaration.key == nil {
            return nil
        }
        guard uuidSpelling == .upper, attribute.storedScalar == .uuid, var wire = attribute.wire,
            case .attributes(let names) = entity.identity.value, names.contains(attribute.name)
        else { return attribute.wire }
        wire.format = .uppercase
        return wire
    }

    /// The encoding of `link`: the declared one, otherwise the default for its kind.
    func wireForm(of link: Link) -> RelationshipWireDeclaration {
        if let declared = link.declaration?.wire?.value { return declared }
        if link.isImplied { return .none }
        switch link.storage {
        case nil: return .none
        // A record without identity is only sent inside its owner, which is determined by its location there.
        case .foreignKey: return link.owner.identity.isNone && isEmbedded(link) ? .none : .id
        case .inverseForeignKey: return link.isToMany && link.inverse?.isImplied ?? false ? .embedded : .none
        case .joinTable:
            // A list of IDs has one value for each record.
            if link.destination.map({ $0.identity.keyAttributes.count > 1 }) ?? false { return .none }
            return link.isToMany ? .ids : .id
        }
    }

    /// Whether the other end embeds the whole record.
    private func isEmbedded(_ link: Link) -> Bool { link.inverse.map { wireForm(of: $0) == .embedded } ?? false }

    private func wire(of link: Link) -> RelationshipWire {
        let key = link.declaration?.key?.value
        let name = wireSpelling.spell(link.name)
        switch wireForm(of: link) {
        case .none: return .none
        case .embedded: return .embedded(path: key ?? [name], idsPath: link.declaration?.idsKey?.value ?? [])
        case .ids:
            return .ids(
                path: key ?? [wireSpelling.spell(Noun.singular(link.name), "IDs")],
                embeddedPath: link.declaration?.embeddedKey?.value ?? [])
        case .id:
            guard let attributes = link.destination?.identity.keyAttributes, !attributes.isEmpty else { return .none }
            // An embedded record does not embed its owner, unless the schema requires it.
            let embeddedPath =
                link.declaration?.embeddedKey?.value
                ?? (link.declaration?.wire == nil && isEmbedded(link) ? [] : [name])
            if attributes.count > 1 {
                let paths = attributes.map { [wireSpelling.spell(link.name, $0.name)] }
                return .id(paths: paths, embeddedPath: embeddedPath)
            }
            return .id(paths: [key ?? [wireSpelling.spell(link.name, "ID")]], embeddedPath: embeddedPath)
        }
    }
}

extension Link {
    /// The property of the representation with identities that no property of the model has.
    fileprivate var identityProperty: String? {
        switch wire {
        case .ids: Noun.singular(name) + "IDs"
        case .id: storage == .joinTable ? name + "ID" : nil
        case .none, .embedded: nil
        }
    }
}

extension RelationshipWire {
    /// Every path that it reads.
    var paths: [[String]] {
        switch self {
        case .none: []
        case .id(let paths, let embeddedPath): embeddedPath.isEmpty ? paths : paths + [embeddedPath]
        case .ids(let path, let other), .embedded(let path, let other):
            other.isEmpty || other == path ? [path] : [path, other]
        }
    }
}

extension Draft {
    /// Decides how relationships travel, and takes the paths of everything that does.
    func spellOnWire() {
        for entity in entities where !entity.isAbstract {
            for attribute in entity.attributes {
                guard let wire = wire(of: attribute, in: entity) else { continue }
                claimWirePath(wire.path, .attribute(attribute), in: entity)
            }
            for link in entity.links {
                link.wire = wire(of: link)
                for path in link.wire.paths { claimWirePath(path, .relationship(link), in: entity) }
                if case .ids = link.wire {
                    claimMember(Noun.singular(link.name) + "IDs", .identities(link), in: entity)
                }
            }
        }
    }

    /// The local half of an identity stays on the device, unless the schema gives it a key.
    func wire(of attribute: DraftAttribute, in entity: DraftEntity) -> AttributeWire? {
        if case .local(attribute.name, remote: _) = entity.identity.value, attribute.declaration.key == nil {
            return nil
        }
        return attribute.wire
    }

    /// The form in which `link` travels: the declared one, else by what it is.
    func wireForm(of link: Link) -> RelationshipWireDeclaration {
        if let declared = link.declaration?.wire?.value { return declared }
        if link.isImplied { return .none }
        switch link.storage {
        case nil: return .none
        // The owner carries the whole record; its place there says whose it is.
        case .foreignKey: return link.inverse.map { wireForm(of: $0) == .embedded } ?? false ? .none : .id
        case .inverseForeignKey: return link.isToMany && link.inverse?.isImplied ?? false ? .embedded : .none
        case .joinTable:
            // A list of ids has one value for each record.
            return link.destination.map { $0.identity.keyAttributes.count > 1 } ?? false ? .none : .ids
        }
    }

    private func wire(of link: Link) -> RelationshipWire {
        let key = link.declaration?.key?.value
        let name = wireSpelling.spell(link.name)
        switch wireForm(of: link) {
        case .none: return .none
        case .embedded: return .embedded(path: key ?? [name])
        case .ids: return .ids(path: key ?? [wireSpelling.spell(Noun.singular(link.name), "IDs")])
        case .id:
            guard let attributes = link.destination?.identity.keyAttributes, !attributes.isEmpty else { return .none }
            if attributes.count > 1 {
                return .id(paths: attributes.map { [wireSpelling.spell(link.name, $0.name)] }, embeddedPath: [name])
            }
            return .id(paths: [key ?? [wireSpelling.spell(link.name, "ID")]], embeddedPath: [name])
        }
    }
}

extension RelationshipWire {
    /// Every path that it reads.
    var paths: [[String]] {
        switch self {
        case .none: []
        case .id(let paths, let embeddedPath): paths + [embeddedPath]
        case .ids(let path), .embedded(let path): [path]
        }
    }
}

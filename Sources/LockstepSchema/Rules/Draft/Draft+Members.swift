extension Draft {
    /// Registers the names of all members: attributes and relationships as declared, then implied relationships, which
    /// must not clash with them.
    func nameMembers() {
        for entity in entities {
            entity.scope.reserve(entity.attributes.count + 2 * entity.relationships.count)
            if !entity.isAbstract, entity.identity.isNone {
                entity.scope.members[SurrogateKey.property] = .surrogateKey(entity)
                entity.scope.columns[SurrogateKey.column] = .surrogateKey(entity)
            }
            for attribute in entity.attributes {
                claimMember(attribute.swiftName, claim: .attribute(attribute), in: entity)
                if let column = attribute.columnName { claimColumn(column, claim: .attribute(attribute), in: entity) }
            }
            for link in entity.links { claimName(of: link, in: entity) }
            if entity.isAbstract {
                for relationship in entity.relationships {
                    claimMember(
                        SwiftName.member(relationship.name), claim: .declaredRelationship(relationship), in: entity)
                }
            }
        }
        implyInverses()
    }

    func claimName(of link: Link, in entity: DraftEntity) {
        claimMember(link.swiftName, claim: .relationship(link), in: entity)
    }

    func claimMember(_ name: String, claim: Claim, in entity: DraftEntity) {
        guard let first = entity.scope.members.updateValue(claim, forKey: name) else { return }
        entity.scope.members[name] = first
        note(.member, named: name, first: first, second: claim, in: entity)
    }

    func claimColumn(_ name: String, claim: Claim, in entity: DraftEntity) {
        let key = name.lowercased()
        guard let first = entity.scope.columns.updateValue(claim, forKey: key) else { return }
        entity.scope.columns[key] = first
        note(.column, named: name, first: first, second: claim, in: entity)
    }

    func claimWirePath(_ keys: [String], claim: Claim, in entity: DraftEntity) {
        guard let key = keys.first else { return }
        let path = WirePath(keys: keys, claim: claim)
        guard let first = entity.scope.wirePaths.updateValue(path, forKey: key) else { return }
        entity.scope.wirePaths[key] = first
        for other in [first] + (entity.scope.furtherWirePaths[key] ?? []) {
            let shorter = min(keys.count, other.keys.count)
            guard keys.prefix(shorter) == other.keys.prefix(shorter) else { continue }
            let longer = keys.count > other.keys.count ? keys : other.keys
            let kind = keys.count == other.keys.count ? Clash.Kind.wirePath : .wirePathInside
            note(kind, named: longer.joined(separator: "."), first: other.claim, second: claim, in: entity)
            return
        }
        entity.scope.furtherWirePaths[key, default: []].append(path)
    }

    private func note(_ kind: Clash.Kind, named name: String, first: Claim, second: Claim, in entity: DraftEntity) {
        guard kind == .wirePathInside || !first.isRepeated(by: second) else { return }
        guard entity.scope.clashing.insert(second.range.start).inserted else { return }
        clashes.append(Clash(kind: kind, name: name, entity: entity, first: first, second: second))
    }
}

/// The key of a table whose entity has no identity.
enum SurrogateKey {
    static let column = "lockstep_id"
    static let property = "lockstepID"
}

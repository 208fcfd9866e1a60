extension Draft {
    /// The groups of attributes that count as one value, its own or inherited ones, by name. What never conflicts is
    /// not in the group of all.
    func together(of entity: DraftEntity) -> [[String]] {
        guard entity.remote != nil, !entity.identity.isNone else { return [] }
        let declarations = ancestors(of: entity).reversed().map(\.declaration.together) + [entity.declaration.together]
        var groups: [[String]] = []
        for declaration in declarations {
            switch declaration {
            case nil: break
            case .groups(let lists, at: _): groups += lists.map { $0.map(\.value) }
            case .all:
                let all = entity.attributes.filter { entity.unsuitabilityTogether(of: $0) == nil }
                return all.count > 1 ? [all.map(\.name)] : []
            }
        }
        return groups
    }
}

extension DraftEntity {
    /// Why an attribute cannot be decided together with others; `nil` if it can.
    func unsuitabilityTogether(of attribute: DraftAttribute) -> String? {
        if attribute.isTransient { return "is transient, and not stored" }
        if identity.keyAttributes.contains(where: { $0 === attribute }) || identity.remoteAttribute === attribute {
            return "is the identity"
        }
        if version?.value == attribute.name { return "is the version, which the server sets" }
        guard let wire = attribute.wire else { return "is not sent" }
        return wire.isReadOnly ? "is read-only, so that the server always wins" : nil
    }
}

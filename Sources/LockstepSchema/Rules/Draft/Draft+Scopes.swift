/// A scope cannot lead back to itself: it would be a cycle of required relationships.
extension Draft {
    /// Whether a server is made of the schema, so that every synced record belongs to something.
    var hasScopes: Bool {
        declaration.server != nil || syncedEntities.contains { $0.scopeDeclaration != nil }
    }

    /// Whether functions of the server say who reads and writes a scope, not the entities.
    var hasCustomAccess: Bool { declaration.server?.value.access?.value == .custom }

    /// The entities with records that are sent.
    var syncedEntities: [DraftEntity] { concreteEntities.filter { $0.remote != nil } }

    /// Finds what the records of each entity belong to.
    func makeScopes() {
        for entity in syncedEntities { entity.recordScope = scope(of: entity) }
    }

    private func scope(of entity: DraftEntity) -> DraftScope? {
        switch entity.scopeDeclaration?.value {
        case .own: return .own
        case .everyone: return .everyone
        case .member(let name):
            if let attribute = entity.attributesByName[name] { return .attribute(attribute) }
            return entity.linksByName[name].map(DraftScope.relationship)
        case nil: return nil
        }
    }

    /// Who reads the scope that an entity defines.
    func readers(of entity: DraftEntity) -> AccessRule? {
        guard let scope = entity.recordScope, !hasCustomAccess else { return nil }
        if let declared = entity.accessDeclaration?.value.read { return rule(declared, of: entity) }
        switch scope {
        case .everyone: return .everyone
        case .attribute(let attribute): return .users([AccessPath(attribute: attribute.name)])
        case .own, .relationship: return nil
        }
    }

    /// Who writes the records of an entity.
    func writers(of entity: DraftEntity) -> AccessRule? {
        guard let scope = entity.recordScope, !hasCustomAccess else { return nil }
        if let declared = entity.accessDeclaration?.value.write { return rule(declared, of: entity) }
        switch scope {
        case .everyone: return .nobody
        case .attribute(let attribute): return .users([AccessPath(attribute: attribute.name)])
        case .own, .relationship: return nil
        }
    }

    private func rule(_ declared: Located<AccessRuleDeclaration>, of entity: DraftEntity) -> AccessRule {
        switch declared.value {
        case .nobody: .nobody
        case .everyone: .everyone
        case .paths(let paths): .users(paths.compactMap { AccessPath(text: $0.value) })
        }
    }
}

extension DraftAttribute {
    /// Why it cannot hold a user; `nil` if it can. A type that is unknown is reported elsewhere.
    func unsuitabilityAsUser(in entity: DraftEntity, draft: Draft) -> String? {
        if isTransient { return "is transient, and not stored" }
        switch type {
        case nil: return nil
        case .scalar, .custom:
            guard let storedScalar, Self.userTypes.contains(storedScalar) else { break }
            return draft.wire(of: self, in: entity) == nil ? "is not sent" : nil
        case .enumeration, .list, .attachment: break
        }
        return "is of the type '\(typeText)'"
    }

    /// Whether a server can find records by it. A type that is unknown is reported elsewhere.
    var canBeKeyOnServer: Bool {
        switch type {
        case .scalar, .custom: storedScalar.map(Self.userTypes.contains) ?? true
        case .enumeration, nil: true
        case .list, .attachment: false
        }
    }

    private static let userTypes: Set<ScalarType> = [.string, .uuid, .int, .int16, .int32, .int64]

    /// The remedy for an attribute that cannot hold a user.
    static let userRemedy = "Use a 'string', a 'uuid' or an integer that is sent."
}

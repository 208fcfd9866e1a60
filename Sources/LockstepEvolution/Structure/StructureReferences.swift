extension SchemaStructure {
    /// Reads what a file has recorded, which can be anything.
    ///
    /// - Throws: `StructureError` if it cannot be read, or if it contradicts itself: it names an attribute, an entity,
    ///   an inverse or a join table that is not there, a key has too many columns or none, or a scope or an access path
    ///   leads nowhere.
    package init(recorded tree: SchemaTree) throws(StructureError) {
        try self.init(tree)
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in entities {
            try entity.checkAttributes()
            try entity.checkScope(among: byName)
            try entity.checkAccess(among: byName)
            for relationship in entity.relationships {
                let reference = StructureReference(relationship: relationship, entity: entity)
                guard let destination = byName[relationship.destination] else {
                    throw reference.error("to", "there is no entity '\(relationship.destination)'")
                }
                try reference.checkStorage(destination)
                try reference.checkWire(destination)
            }
        }
    }
}

extension EntityStructure {
    fileprivate func checkAttributes() throws(StructureError) {
        let names = Set(attributes.map(\.name))
        if case .attributes(let key) = identity, key.isEmpty {
            throw StructureError([name, "identity"], reason: "it has no attribute")
        }
        if let missing = identity.attributes.first(where: { !names.contains($0) }) {
            throw StructureError([name, "identity"], reason: "there is no attribute '\(missing)'")
        }
        if let version, !names.contains(version) {
            throw StructureError([name, "version"], reason: "there is no attribute '\(version)'")
        }
        if let missing = together.joined().first(where: { !names.contains($0) }) {
            throw StructureError([name, "together"], reason: "there is no attribute '\(missing)'")
        }
        for attribute in attributes {
            guard let wire = attribute.wire, ([wire.path] + wire.formerPaths).contains(where: \.isEmpty) else {
                continue
            }
            throw StructureError([name, attribute.name, "key"], reason: "it is empty")
        }
    }
}

/// A relationship that a file has recorded.
private struct StructureReference {
    let relationship: RelationshipStructure
    let entity: EntityStructure

    func error(_ property: String, _ reason: String) -> StructureError {
        StructureError([entity.name, relationship.name, property], reason: reason)
    }

    func checkStorage(_ destination: EntityStructure) throws(StructureError) {
        let inverse = relationship.inverse.flatMap(destination.relationship)
        switch relationship.storage {
        case .foreignKey(columns: let columns, position: _): try check(columns, areKeyOf: destination)
        case .inverseForeignKey:
            if inverse?.foreignKeyColumns.isEmpty ?? true { throw error("inverse", "it holds no key") }
        case .joinTable(let table):
            try check(table.leftColumns, areKeyOf: entity)
            try check(table.rightColumns, areKeyOf: destination)
        case .inverseJoinTable(let name):
            guard case .joinTable(let table) = inverse?.storage, table.name == name else {
                throw error("join", "there is no join table '\(name)'")
            }
        }
        if let name = relationship.inverse, inverse?.destination != entity.name {
            throw error("inverse", "'\(name)' is not the other end")
        }
    }

    private func check(_ columns: [String], areKeyOf entity: EntityStructure) throws(StructureError) {
        guard !columns.isEmpty, columns.count == entity.identity.keyAttributes.count else {
            throw error("columns", "they are not as many as the key of '\(entity.name)' has attributes")
        }
    }

    func checkWire(_ destination: EntityStructure) throws(StructureError) {
        let paths: [[String]]
        switch relationship.wire {
        case .none: return
        case .id(paths: let keys, embeddedPath: _):
            guard keys.count == destination.identity.keyAttributes.count else {
                throw error("keys", "they are not as many as the key of '\(destination.name)' has attributes")
            }
            paths = keys
        case .ids(path: let path, embeddedPath: _), .embedded(path: let path, idsPath: _): paths = [path]
        }
        if paths.contains(where: \.isEmpty) { throw error("keys", "one is empty") }
    }
}

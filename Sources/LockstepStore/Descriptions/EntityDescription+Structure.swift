package import LockstepEvolution
import LockstepSystem

/// The descriptions of a structure's entities, made without generated code: for files of versions whose models the app
/// no longer has.
///
/// Enums are described by their raw values, and types of the app by the types they are stored as.
package final class StructureDescriptions: Sendable {
    private let structure: SchemaStructure
    private let lookup: SchemaLookup
    private let known = Locked<[String: EntityDescription]>([:])

    package init(_ structure: SchemaStructure) {
        self.structure = structure
        lookup = SchemaLookup(structure)
        for entity in structure.entities {
            let description = description(of: entity)
            known.withLock { $0[entity.name] = description }
        }
    }

    /// The plans of all entities, in the order of the structure. They keep this object, by which they refer to each
    /// other.
    package var plans: SchemaPlan { structure.entities.map { entity($0.name).plan } }

    private func entity(_ name: String) -> EntityDescription {
        guard let description = known.withLock({ $0[name] }) else {
            preconditionFailure("The structure has no entity '\(name)'")
        }
        return description
    }

    private func description(of entity: EntityStructure) -> EntityDescription {
        let columns = lookup.columns(of: entity)
        func index(_ attribute: String) -> Int { columns.firstIndex { $0.content == .attribute(attribute) } ?? 0 }
        let identity: IdentityDescription =
            switch entity.identity {
            case .none: .none
            case .attributes(let names): .columns(names.map(index))
            case .local(let local, remote: let remote): .local(index(local), remote: index(remote))
            }
        return EntityDescription(
            name: entity.name, table: entity.table, identity: identity, version: entity.version.map(index),
            columns: columns.map { self.column($0, of: entity) },
            relationships: entity.relationships.compactMap { relationship($0, columns: columns) },
            remote: entity.remote.map { remote in
                RemoteDescription(
                    path: remote.path,
                    writes: Set(
                        RemoteDescription.Write.allCases.filter { write in
                            remote.writes.contains { "\($0)" == "\(write)" }
                        }), wrapKey: remote.wrapKey)
            })
    }

    private func column(_ column: EntityColumn, of entity: EntityStructure) -> ColumnDescription {
        switch column.content {
        case .surrogateKey: return .surrogateKey
        case .position(let name):
            // The description names the list, the structure the to-one with the key.
            return .position(entity.relationship(name)?.inverse ?? name, column: column.name)
        case .foreignKey(let name):
            return .foreignKey(name, column: column.name, type(column.type), isOptional: column.isOptional)
        case .attribute(let name):
            guard let attribute = entity.attribute(name) else { return .surrogateKey }
            return .attribute(
                name, type(attribute.type), column: attribute.column, isOptional: attribute.isOptional,
                isUnique: attribute.isUnique, wire: attribute.wire.map(WireDescription.init),
                default: attribute.defaultValue.map { defaultDescription($0, as: attribute.type) },
                limits: Limits(
                    min: attribute.limits.minimum, max: attribute.limits.maximum,
                    minLength: attribute.limits.minimumLength, maxLength: attribute.limits.maximumLength))
        }
    }

    private func type(_ type: ValueType) -> StoredType {
        switch type {
        case .scalar(let scalar): StoredType(scalar)
        case .list(let element): .list(of: self.type(element))
        case .attachment: .attachment
        case .enumeration(let name):
            if let enumeration = structure.enumeration(name) {
                .enumeration(
                    enumeration.isInteger ? .int : .string,
                    closed: enumeration.isClosed
                        ? enumeration.cases.map { CaseValue($0.rawValue) } : nil)
            } else {
                .string
            }
        }
    }

    private func defaultDescription(_ value: DefaultValue, as type: ValueType) -> DefaultValue {
        switch value {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .decimal(let digits): .decimal(digits)
        case .date(let seconds): .date(seconds)
        case .uuid(let text): .uuid(text)
        case .url(let text): .url(text)
        case .data(let bytes): .data(bytes)
        case .json(let text): .json(text)
        case .now: .now
        case .newUUID: .newUUID
        case .enumerationCase(let name):
            switch type.enumerationName.flatMap(structure.enumeration)?.rawValue(ofCase: name) {
            case .int(let number): .integer(number)
            case .string(let text): .string(text)
            case nil: .string(name)
            }
        case .list(let elements):
            if case .list(let element) = type {
                .list(elements.map { defaultDescription($0, as: element) })
            } else {
                .list([])
            }
        }
    }

    private func relationship(_ relationship: RelationshipStructure, columns: [EntityColumn])
        -> RelationshipDescription?
    {
        guard let kind = kind(of: relationship, columns: columns) else { return nil }
        return RelationshipDescription(
            name: relationship.name,
            destination: EntityReference { [self] in entity(relationship.destination) },
            inverse: relationship.inverse, kind: kind, onDelete: DeleteRule(relationship.onDelete), sortedBy: [],
            wire: RelationshipWireDescription(relationship.wire))
    }

    private func kind(
        of relationship: RelationshipStructure, columns: [EntityColumn]
    ) -> RelationshipDescription.Kind? {
        switch relationship.storage {
        case .foreignKey(columns: let names, position: let position):
            return .toOne(
                columns: names.compactMap { name in columns.firstIndex { $0.name == name } },
                position: position.flatMap { name in columns.firstIndex { $0.name == name } },
                isRequired: !relationship.isOptional)
        case .inverseForeignKey:
            return relationship.isToMany ? .toMany(isOrdered: relationship.isOrdered) : .toOneInverse
        case .joinTable(let table):
            return .manyToMany(
                JoinDescription(
                    table: table.name, sourceColumns: table.leftColumns, destinationColumns: table.rightColumns,
                    position: table.leftPosition, inversePosition: table.rightPosition,
                    isSymmetric: table.isSymmetric, isToOne: !relationship.isToMany))
        case .inverseJoinTable(let name):
            guard let table = lookup.joinTables.first(where: { $0.name == name }) else { return nil }
            return .manyToMany(
                JoinDescription(
                    table: name, sourceColumns: table.right.columns, destinationColumns: table.left.columns,
                    position: table.right.positionColumn, inversePosition: table.left.positionColumn))
        }
    }
}

extension StoredType {
    fileprivate init(_ scalar: ScalarType) {
        switch scalar {
        case .string: self = .string
        case .bool: self = .bool
        case .int: self = .int
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64: self = .int64
        case .float: self = .float
        case .double: self = .double
        case .decimal: self = .decimal
        case .date: self = .date
        case .uuid: self = .uuid
        case .url: self = .url
        case .data: self = .data
        case .json: self = .json
        }
    }
}

extension CaseValue {
    fileprivate init(_ value: CaseValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .int(let number): self = .int(number)
        }
    }
}

extension DeleteRule {
    fileprivate init(_ rule: DeleteRule) {
        switch rule {
        case .nullify: self = .nullify
        case .cascade: self = .cascade
        case .deny: self = .deny
        case .none: self = .none
        }
    }
}

extension WireDescription {
    fileprivate init(_ wire: WireStructure) {
        let format: Format =
            switch wire.format {
            case nil, "iso8601": .plain
            case "text": .text
            case "uppercase": .uppercase
            case "secondsSince1970": .date(.secondsSince1970)
            case "millisecondsSince1970": .date(.millisecondsSince1970)
            case "microsecondsSince1970": .date(.microsecondsSince1970)
            case "fractionalSecondsSince1970": .date(.fractionalSecondsSince1970)
            case "fractionalMillisecondsSince1970": .date(.fractionalMillisecondsSince1970)
            case let pattern?: .date(.pattern(pattern))
            }
        self.init(path: wire.path, format: format, former: wire.formerPaths, isReadOnly: wire.isReadOnly)
    }
}

extension RelationshipWireDescription {
    fileprivate init(_ wire: RelationshipWire) {
        switch wire {
        case .none: self = .none
        case .id(paths: let paths, embeddedPath: let embedded):
            self = .id(paths.map(WirePath.init), embedded: embedded.isEmpty ? nil : WirePath(embedded))
        case .ids(path: let path, embeddedPath: let embedded):
            self = .ids(WirePath(path), embedded: embedded.isEmpty ? nil : WirePath(embedded))
        case .embedded(path: let path, idsPath: let ids):
            self = .embedded(WirePath(path), ids: ids.isEmpty ? nil : WirePath(ids))
        }
    }
}

package import LockstepEvolution

/// The types and options that are not in a structure, because they are neither stored nor sent. Members are named
/// `Entity.member`.
package struct SchemaTypes: Sendable {
    /// The models by the names of their entities; none for a version whose models the app no longer has.
    var models: [String: any EntityType.Type] = [:]
    /// The types of the app, by the attributes that have them.
    var custom: [String: any CustomAttribute.Type] = [:]
    /// The attributes that to-many relationships are sorted by.
    var sorting: [String: [SortDescription]] = [:]
    /// The treatment of unlisted members by a merge, where that is not the default.
    var unlisted: [String: UnlistedRule] = [:]

    package init(
        models: [String: any EntityType.Type] = [:], custom: [String: any CustomAttribute.Type] = [:],
        sorting: [String: [SortDescription]] = [:], unlisted: [String: UnlistedRule] = [:]
    ) {
        (self.models, self.custom, self.sorting, self.unlisted) = (models, custom, sorting, unlisted)
    }
}

/// Makes the plans of a structure's entities.
///
/// Without models, enums are described by their raw values, and types of the app by the types they are stored as.
struct EntityPlanMaker {
    let structure: SchemaStructure
    let lookup: SchemaLookup
    let types: SchemaTypes
    /// The plan that the entities are made for, and that they find each other in.
    let schema: SchemaPlan
    /// The to-one relationships to the entities that embed an entity's records, by that entity.
    private let ownerRelationships: [String: [Int]]
    /// The entities whose records are sent only inside others.
    private let inside: Set<String>

    init(_ structure: SchemaStructure, types: SchemaTypes, for schema: SchemaPlan) {
        (self.structure, self.types, self.schema) = (structure, types, schema)
        lookup = SchemaLookup(structure)
        ownerRelationships = Self.ownerRelationships(in: structure)
        inside = Self.entities(inside: structure, ownerRelationships)
    }

    private static func ownerRelationships(in structure: SchemaStructure) -> [String: [Int]] {
        let embedded = structure.entities.flatMap(\.relationships).filter {
            if case .embedded = $0.wire { true } else { false }
        }
        let lists = Dictionary(grouping: embedded, by: \.destination)
        let members = structure.entities.map { entity in
            let ends = Dictionary(entity.relationships.enumerated().map { ($1.name, $0) }) { first, _ in first }
            let indexes = (lists[entity.name] ?? []).compactMap { list in
                list.inverse.flatMap { ends[$0] }.flatMap { index in
                    entity.relationships[index].foreignKeyColumns.isEmpty ? nil : index
                }
            }
            return (entity.name, indexes)
        }
        return Dictionary(members) { first, _ in first }
    }

    /// The members of entities that accept updates, and their members, as long as these accept no writes of their own.
    private static func entities(
        inside structure: SchemaStructure, _ ownerRelationships: [String: [Int]]
    ) -> Set<String> {
        let candidates = structure.entities.filter { $0.identity != .none && $0.remote?.writes.isEmpty ?? true }
        var members: [String: [String]] = [:]
        for member in candidates {
            for index in ownerRelationships[member.name] ?? [] {
                members[member.relationships[index].destination, default: []].append(member.name)
            }
        }
        let roots = structure.entities.filter {
            $0.identity != .none && $0.remote?.writes.contains(.update) == true
        }
        var (open, inside) = (roots.map(\.name), Set<String>())
        while let owner = open.popLast() {
            // Each entity once: in a recorded structure, any number may contain each other.
            for member in members.removeValue(forKey: owner) ?? [] where inside.insert(member).inserted {
                open.append(member)
            }
        }
        return inside
    }

    func plan(of entity: EntityStructure) -> EntityPlan {
        let columns = lookup.columns(of: entity)
        func index(_ attribute: String) -> Int { columns.index(of: attribute) { $0.content == .attribute(attribute) } }
        let hasIdentity = entity.identity != .none
        let remote: String? = if case .local(_, remote: let remote) = entity.identity { remote } else { nil }
        return EntityPlan(
            name: entity.name, table: entity.table, hasIdentity: hasIdentity,
            keyColumns: hasIdentity ? entity.identity.keyAttributes.map(index) : [0],
            remoteColumn: remote.map(index), versionColumn: entity.version.map(index), together: entity.together,
            columns: columns.map { self.column($0, of: entity) },
            relationships: entity.relationships.map { relationship($0, of: entity, columns: columns) },
            ownerRelationships: ownerRelationships[entity.name] ?? [], travelsInside: inside.contains(entity.name),
            remote: entity.remote)
    }

    private func column(_ column: EntityColumn, of entity: EntityStructure) -> ColumnDescription {
        switch column.content {
        case .surrogateKey:
            return ColumnDescription(column.name, content: column.content, type: .int64, isUnique: true)
        case .position: return ColumnDescription(column.name, content: column.content, type: .int, isOptional: true)
        case .foreignKey(let name):
            return ColumnDescription(
                column.name, content: column.content, type: keyType(of: column, in: entity.relationship(name)),
                isOptional: column.isOptional)
        case .attribute(let name):
            guard let attribute = entity.attribute(name) else { preconditionFailure("There is no attribute '\(name)'") }
            return ColumnDescription(
                column.name, content: column.content, type: type(attribute.type, of: "\(entity.name).\(name)"),
                isOptional: attribute.isOptional, isUnique: attribute.isUnique,
                wire: attribute.wire.map(WireDescription.init),
                default: attribute.defaultValue.map { defaultValue($0, as: attribute.type) },
                limits: Limits(attribute.limits))
        }
    }

    /// The type of a foreign key's column: that of the destination's attribute.
    private func keyType(of column: EntityColumn, in relationship: RelationshipStructure?) -> StoredType {
        guard let relationship, let part = relationship.foreignKeyColumns.firstIndex(of: column.name),
            let keys = lookup.entities[relationship.destination]?.identity.keyAttributes, part < keys.count
        else { return type(column.type, of: "") }
        return type(column.type, of: "\(relationship.destination).\(keys[part])")
    }

    private func type(_ type: ValueType, of member: String) -> StoredType {
        switch type {
        case .scalar(let scalar):
            let stored = StoredType(scalar)
            return types.custom[member].map { .custom(CustomDescription(type: $0, stored: stored)) } ?? stored
        case .list(let element): return .list(of: self.type(element, of: member))
        case .attachment: return .attachment
        case .enumeration(let name):
            guard let enumeration = structure.enumeration(name) else { return .string }
            return .enumeration(
                enumeration.isInteger ? .int : .string,
                closed: enumeration.isClosed ? enumeration.cases.map(\.rawValue) : nil)
        }
    }

    /// The default with the raw values of enums.
    private func defaultValue(_ value: DefaultValue, as type: ValueType) -> DefaultValue {
        switch (value, type) {
        case (.enumerationCase(let name), .enumeration(let enumeration)):
            switch structure.enumeration(enumeration)?.rawValue(ofCase: name) {
            case .int(let number): .integer(number)
            case .string(let text): .string(text)
            case nil: .string(name)
            }
        case (.list(let elements), .list(let element)): .list(elements.map { defaultValue($0, as: element) })
        default: value
        }
    }

    private func relationship(
        _ relationship: RelationshipStructure, of entity: EntityStructure, columns: [EntityColumn]
    ) -> RelationshipDescription {
        let member = "\(entity.name).\(relationship.name)"
        return RelationshipDescription(
            name: relationship.name, destination: relationship.destination,
            model: types.models[relationship.destination], in: schema, inverse: relationship.inverse,
            kind: kind(of: relationship, columns: columns), onDelete: relationship.onDelete,
            unlisted: types.unlisted[member], sortedBy: types.sorting[member] ?? [], wire: relationship.wire)
    }

    private func kind(
        of relationship: RelationshipStructure, columns: [EntityColumn]
    ) -> RelationshipDescription.Kind {
        func index(_ name: String) -> Int { columns.index(of: name) { $0.name == name } }
        switch relationship.storage {
        case .foreignKey(columns: let names, position: let position):
            return .toOne(
                columns: names.map(index), position: position.map(index), isRequired: !relationship.isOptional)
        case .inverseForeignKey:
            return relationship.isToMany ? .toMany(isOrdered: relationship.isOrdered) : .toOneInverse
        case .joinTable(let table):
            return .manyToMany(
                JoinDescription(
                    table: table.name, sourceColumns: table.leftColumns, destinationColumns: table.rightColumns,
                    position: table.leftPosition, inversePosition: table.rightPosition,
                    isSymmetric: table.isSymmetric, isToOne: !relationship.isToMany))
        case .inverseJoinTable(let name):
            guard let table = lookup.joinTable(named: name) else { preconditionFailure("There is no table '\(name)'") }
            return .manyToMany(
                JoinDescription(
                    table: name, sourceColumns: table.right.columns, destinationColumns: table.left.columns,
                    position: table.right.positionColumn, inversePosition: table.left.positionColumn,
                    isSymmetric: false, isToOne: false))
        }
    }
}

extension Array<EntityColumn> {
    /// The index of the column that a structure names. Those that files record are checked when they are read.
    fileprivate func index(of name: String, where isColumn: (EntityColumn) -> Bool) -> Int {
        guard let index = firstIndex(where: isColumn) else { preconditionFailure("There is no column of '\(name)'") }
        return index
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
        case .day: self = .day
        case .uuid: self = .uuid
        case .url: self = .url
        case .data: self = .data
        case .json: self = .json
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

package import LockstepJSON

extension SchemaTree {
    /// The tree of a structure.
    package init(_ structure: SchemaStructure) {
        self.init(name: structure.name)
        for enumeration in structure.enumerations { enumerations[enumeration.name] = enumeration.properties }
        for entity in structure.entities { entities[entity.name] = EntityTree(entity) }
    }
}

extension EnumerationStructure {
    fileprivate var properties: JSONObject {
        var properties: JSONObject = [
            "cases": .object(JSONObject(cases.map { ($0.name, $0.rawValue.json) }))
        ]
        if isClosed { properties["closed"] = true }
        if isInteger { properties["type"] = "int" }
        return properties
    }
}

extension CaseValue {
    var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .int(let number): .integer(number)
        }
    }
}

extension EntityTree {
    fileprivate init(_ entity: EntityStructure) {
        properties["table"] = .string(entity.table)
        properties["identity"] = entity.identity.json
        properties["version"] = entity.version.map(JSONValue.string)
        if !entity.together.isEmpty { properties["together"] = .array(entity.together.map(path)) }
        properties["remote"] = entity.remote?.json
        properties["scope"] = entity.scope?.json
        properties["read"] = entity.readers?.json
        properties["write"] = entity.writers?.json
        if !entity.indexes.isEmpty {
            properties["indexes"] = .object(JSONObject(entity.indexes.map { ($0.name, $0.json) }))
        }
        for attribute in entity.attributes { members[attribute.name] = attribute.properties }
        for relationship in entity.relationships { members[relationship.name] = relationship.properties }
    }
}

extension IdentityStructure {
    fileprivate var json: JSONValue? {
        switch self {
        case .none: nil
        case .attributes(let names): path(names)
        case .local(let local, remote: let remote): ["local": .string(local), "remote": .string(remote)]
        }
    }
}

extension IndexStructure {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["on": path(columns)]
        if isUnique { object["unique"] = true }
        return .object(object)
    }
}

extension RemoteStructure {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["path": .string(path)]
        if writes.count < Write.allCases.count {
            object["write"] = .array(Write.allCases.filter(writes.contains).map { .string($0.rawValue) })
        }
        object["wrap"] = wrapKey.map(JSONValue.string)
        return .object(object)
    }
}

extension AttributeStructure {
    fileprivate var properties: JSONObject {
        var properties: JSONObject = ["type": .string(type.text + (isOptional ? "?" : ""))]
        if column != name { properties["column"] = .string(column) }
        if isUnique { properties["unique"] = true }
        if let defaultValue { properties["default"] = defaultValue.json }
        if let minimum = limits.minimum { properties["min"] = .string(minimum) }
        if let maximum = limits.maximum { properties["max"] = .string(maximum) }
        if let length = limits.minimumLength { properties["minLength"] = .integer(Int64(length)) }
        if let length = limits.maximumLength { properties["maxLength"] = .integer(Int64(length)) }
        guard let wire else {
            properties["sent"] = false
            return properties
        }
        if wire.path != [name] { properties["key"] = path(wire.path) }
        if let format = wire.format { properties["wire"] = .string(format) }
        if !wire.formerPaths.isEmpty { properties["formerKeys"] = .array(wire.formerPaths.map(path)) }
        if wire.isReadOnly { properties["readOnly"] = true }
        return properties
    }
}

extension ValueType {
    /// The type as it is written in a schema: `string`, `[Mood]`.
    package var text: String {
        switch self {
        case .scalar(let scalar): scalar.rawValue
        case .enumeration(let name): name
        case .list(let element): "[\(element.text)]"
        case .attachment: "attachment"
        }
    }
}

extension DefaultValue {
    package var json: JSONValue {
        switch self {
        case .string(let text), .day(let text), .uuid(let text), .url(let text), .json(let text), .decimal(let text):
            .string(text)
        case .enumerationCase(let name): .string(name)
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number), .date(let number): .string(number.description)
        case .data(let bytes): .string(Base64.text(bytes))
        case .now: "now"
        case .newUUID: "new"
        case .list(let elements): .array(elements.map(\.json))
        }
    }
}

extension RelationshipStructure {
    fileprivate var properties: JSONObject {
        let destination = isToMany ? "[\(destination)]" : destination + (isOptional ? "?" : "")
        var properties: JSONObject = ["to": .string(destination)]
        if isOrdered { properties["ordered"] = true }
        properties["inverse"] = inverse.map(JSONValue.string)
        if onDelete != .nullify { properties["onDelete"] = .string(onDelete.rawValue) }
        switch storage {
        case .foreignKey(columns: let columns, position: let position):
            properties["columns"] = path(columns)
            properties["position"] = position.map(JSONValue.string)
        case .inverseForeignKey: break
        case .joinTable(let table): properties["join"] = table.json
        case .inverseJoinTable(let name): properties["join"] = .string(name)
        }
        properties["wire"] = wire.json
        return properties
    }
}

extension RelationshipWire {
    fileprivate var json: JSONValue? {
        switch self {
        case .none: return nil
        case .id(paths: let paths, embeddedPath: let embedded):
            var object: JSONObject = ["id": .array(paths.map(path))]
            if !embedded.isEmpty { object["object"] = path(embedded) }
            return .object(object)
        case .ids(path: let keys, embeddedPath: let embedded):
            var object: JSONObject = ["ids": path(keys)]
            if !embedded.isEmpty { object["objects"] = path(embedded) }
            return .object(object)
        case .embedded(path: let keys, idsPath: let ids):
            var object: JSONObject = ["embedded": path(keys)]
            if !ids.isEmpty { object["identities"] = path(ids) }
            return .object(object)
        }
    }
}

extension JoinTableStructure {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "table": .string(name), "columns": path(leftColumns), "inverseColumns": path(rightColumns),
        ]
        object["position"] = leftPosition.map(JSONValue.string)
        object["inversePosition"] = rightPosition.map(JSONValue.string)
        if isSymmetric { object["symmetric"] = true }
        return .object(object)
    }
}

/// Names in order: the only one as a text, several as a list.
private func path(_ names: [String]) -> JSONValue {
    names.count == 1 ? .string(names[0]) : .array(names.map(JSONValue.string))
}

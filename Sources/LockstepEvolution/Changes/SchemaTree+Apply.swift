package import LockstepJSON

extension SchemaTree {
    /// Applies a change.
    ///
    /// - Throws: `StructureError` if it does not fit: what it names is missing, exists already, or differs from what
    ///   the change says it was. The tree is then unchanged.
    package mutating func apply(_ change: SchemaChange) throws(StructureError) {
        switch change.action {
        case .add(let properties): try add(change.path, properties: properties)
        case .remove(was: let properties): try remove(change.path, properties: properties)
        case .rename(to: let name): try rename(change.path, to: name)
        case .change(from: let former, to: let new): try self.change(change.path, from: former, to: new)
        }
    }

    private func error(_ path: MemberPath, reason: String) -> StructureError {
        StructureError([path.description], reason: reason)
    }

    // MARK: Adding and removing

    private mutating func add(_ path: MemberPath, properties: JSONObject) throws(StructureError) {
        guard definition(of: path) == nil else { throw error(path, reason: "it is added, but exists already") }
        if let member = path.member {
            guard entities[path.type] != nil else { throw error(path, reason: "there is no entity '\(path.type)'") }
            entities[path.type]?.members[member] = properties
        } else if properties["cases"] != nil {
            enumerations[path.type] = properties
        } else {
            entities[path.type] = try EntityTree(json: .object(properties), path: [path.type])
        }
    }

    private mutating func remove(_ path: MemberPath, properties: JSONObject) throws(StructureError) {
        guard let definition = definition(of: path) else {
            throw error(path, reason: "it is removed, but does not exist")
        }
        guard definition == properties else { throw error(path, reason: "it is removed, but was something else") }
        if let member = path.member {
            entities[path.type]?.members[member] = nil
        } else {
            enumerations[path.type] = nil
            entities[path.type] = nil
        }
    }

    /// The properties of what a path names; those of an entity contain its members. `nil` if there is none.
    package func definition(of path: MemberPath) -> JSONObject? {
        if let member = path.member { return entities[path.type]?.members[member] }
        if let enumeration = enumerations[path.type] { return enumeration }
        guard case .object(let object)? = entities[path.type]?.json else { return nil }
        return object
    }

    // MARK: Changing

    private mutating func change(
        _ path: MemberPath, from former: JSONObject, to new: JSONObject
    ) throws(StructureError) {
        guard var properties = ownProperties(of: path) else {
            throw error(path, reason: "it is changed, but does not exist")
        }
        for key in Set(former.keys).union(new.keys) {
            guard properties[key] ?? .null == former[key] ?? .null else {
                throw error(path, reason: "its '\(key)' is changed, but was something else")
            }
            let value = new[key] ?? .null
            properties[key] = value == .null ? nil : value
        }
        if let member = path.member {
            entities[path.type]?.members[member] = properties
        } else if enumerations[path.type] != nil {
            enumerations[path.type] = properties
        } else {
            entities[path.type]?.properties = properties
        }
    }

    /// The properties of what a path names, without members.
    package func ownProperties(of path: MemberPath) -> JSONObject? {
        if let member = path.member { return entities[path.type]?.members[member] }
        return enumerations[path.type] ?? entities[path.type]?.properties
    }

    // MARK: Renaming

    /// Renames something, and every reference to it.
    private mutating func rename(_ path: MemberPath, to name: String) throws(StructureError) {
        let target = path.member == nil ? MemberPath(name) : MemberPath(path.type, member: name)
        guard let properties = ownProperties(of: path) else {
            throw error(path, reason: "it is renamed, but does not exist")
        }
        guard definition(of: target) == nil else {
            throw error(path, reason: "it is renamed to '\(name)', which exists already")
        }
        if let member = path.member {
            entities[path.type]?.members[member] = nil
            entities[path.type]?.members[name] = properties
            renameInAccess(of: path.type, member: member, to: name)
            if properties.isRelationship {
                renameInverses(member, to: name, of: path.type, properties: properties)
            } else {
                renameInProperties(of: path.type, member: member, to: name)
            }
        } else if enumerations[path.type] != nil {
            enumerations[path.type] = nil
            enumerations[name] = properties
            mapMembers { $0["type"] = $0["type"].map { TypeText.replacing(path.type, with: name, in: $0) } }
        } else {
            let entity = entities.removeValue(forKey: path.type)
            entities[name] = entity
            mapMembers { $0["to"] = $0["to"].map { TypeText.replacing(path.type, with: name, in: $0) } }
        }
    }

    private mutating func mapMembers(_ body: (inout JSONObject) -> Void) {
        for entity in entities.keys {
            for member in entities[entity]?.members.keys.sorted() ?? [] {
                if var properties = entities[entity]?.members[member] {
                    body(&properties)
                    entities[entity]?.members[member] = properties
                }
            }
        }
    }

    private mutating func renameInverses(_ member: String, to name: String, of entity: String, properties: JSONObject) {
        guard case .string(let text)? = properties["to"] else { return }
        let destination = TypeText.name(in: text)
        for (other, properties) in entities[destination]?.members ?? [:] {
            guard case .string(let to)? = properties["to"], TypeText.name(in: to) == entity,
                properties["inverse"] == .string(member)
            else { continue }
            entities[destination]?.members[other]?["inverse"] = .string(name)
        }
    }

    private mutating func renameInProperties(of entity: String, member: String, to name: String) {
        func renamed(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(member): .string(name)
            case .array(let elements): .array(elements.map(renamed))
            case .object(let members): .object(members.mapValues(renamed))
            default: value
            }
        }
        for key in ["identity", "version", "together"] {
            let value = entities[entity]?.properties[key]
            entities[entity]?.properties[key] = value.map(renamed)
        }
    }
}

/// The notation of types and destinations: `Mood?`, `[Tag]`.
enum TypeText {
    /// The name without what surrounds it.
    static func name(in text: String) -> String { text.filter { !"[]?".contains($0) } }

    static func replacing(_ name: String, with other: String, in value: JSONValue) -> JSONValue {
        guard case .string(let text) = value, self.name(in: text) == name else { return value }
        let brackets = text.prefix { $0 == "[" }
        return .string(brackets + other + text.dropFirst(brackets.count + name.count))
    }
}

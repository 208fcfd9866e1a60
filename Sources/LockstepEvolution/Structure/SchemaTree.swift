package import LockstepJSON

/// A structure as names with properties: the form in which versions are compared, recorded and hashed.
///
/// A property that has its usual value is left out: a column and a JSON key that have the attribute's name, an identity
/// that is missing, a delete rule that unlinks. A rename therefore takes along what had the former name.
package struct SchemaTree: Hashable, Sendable {
    package var name: String
    package var enumerations: [String: JSONObject] = [:]
    package var entities: [String: EntityTree] = [:]

    package init(name: String) { self.name = name }
}

/// An entity's own properties, and those of its members: attributes have a `type`, relationships a destination, `to`.
package struct EntityTree: Hashable, Sendable {
    package var properties: JSONObject = [:]
    package var members: [String: JSONObject] = [:]

    package init() {}

    package init(properties: JSONObject, members: [String: JSONObject]) {
        self.properties = properties
        self.members = members
    }
}

extension JSONObject {
    /// Whether these are the properties of a relationship; otherwise, those of an attribute.
    package var isRelationship: Bool { self["to"] != nil }
}

/// A structure or a history that cannot be read.
package struct StructureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names and keys that lead to the location.
    package var path: [String]
    package var reason: String

    package init(_ path: [String], reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { path.isEmpty ? reason : "\(path.joined(separator: ".")): \(reason)" }
}

// MARK: As JSON

extension SchemaTree {
    /// The whole tree as one JSON value.
    package var json: JSONValue {
        .object([
            "schema": .string(name), "enums": .object(JSONObject(enumerations.mapValues(JSONValue.object))),
            "entities": .object(JSONObject(entities.mapValues(\.json))),
        ])
    }

    package init(json: JSONValue) throws(StructureError) {
        guard case .object(let members) = json, case .string(let name)? = members["schema"] else {
            throw StructureError([], reason: "it is not a schema")
        }
        self.init(name: name)
        for (name, value) in try Self.object(members["enums"], at: ["enums"]) {
            enumerations[name] = try Self.object(value, at: ["enums", name])
        }
        for (name, value) in try Self.object(members["entities"], at: ["entities"]) {
            entities[name] = try EntityTree(json: value, path: ["entities", name])
        }
    }

    /// The members of an object; none for a missing value.
    package static func object(_ value: JSONValue?, at path: [String]) throws(StructureError) -> JSONObject {
        switch value {
        case nil, .null?: return [:]
        case .object(let members)?: return members
        default: throw StructureError(path, reason: "it is not a mapping")
        }
    }
}

extension EntityTree {
    package var json: JSONValue {
        var object = properties
        let attributes = members.filter { !$1.isRelationship }
        let relationships = members.filter { $1.isRelationship }
        if !attributes.isEmpty { object["attributes"] = .object(JSONObject(attributes.mapValues(JSONValue.object))) }
        if !relationships.isEmpty {
            object["relationships"] = .object(JSONObject(relationships.mapValues(JSONValue.object)))
        }
        return .object(object)
    }

    package init(json: JSONValue, path: [String]) throws(StructureError) {
        properties = try SchemaTree.object(json, at: path)
        for key in ["attributes", "relationships"] {
            let section = properties.removeValue(forKey: key)
            for (name, value) in try SchemaTree.object(section, at: path + [key]) {
                let member = try SchemaTree.object(value, at: path + [name])
                guard member.isRelationship == (key == "relationships") else {
                    throw StructureError(path + [name], reason: "it is not one of the \(key)")
                }
                guard members.updateValue(member, forKey: name) == nil else {
                    throw StructureError(path + [name], reason: "there are two members of this name")
                }
            }
        }
    }
}

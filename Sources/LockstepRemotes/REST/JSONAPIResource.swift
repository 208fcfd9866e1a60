import Foundation
import LockstepEvolution
import LockstepTables

/// Converts resources of JSON:API to records as the schema describes them, and back.
struct JSONAPIResource {
    let entity: RemoteEntity
    /// The type of an entity's resources.
    let type: @Sendable (RemoteEntity) -> String

    // MARK: Reading

    /// The record of a resource; anything that is no resource is unchanged.
    func record(of resource: JSONValue) -> JSONValue {
        guard case .object = resource, resource["type"] != nil else { return resource }
        var record: JSONValue = if let members = resource["attributes"], case .object = members { members } else { [:] }
        if let id = resource["id"], let path = identityPath { record.set(id, at: path) }
        for link in links {
            guard let data = link.member(of: resource["relationships"])?["data"] else { continue }
            record.set(Self.identities(in: data), at: link.path)
        }
        return record
    }

    /// Identities of a `data` member: `null`, one, or a list.
    private static func identities(in data: JSONValue) -> JSONValue {
        switch data {
        case .array(let elements): .array(elements.map(identities))
        case .object: data["id"] ?? .null
        default: .null
        }
    }

    // MARK: Writing

    /// The resource of a record, or of its changed members.
    ///
    /// - Parameter identity: The record's identity; `nil` if the server assigns it.
    func resource(of members: JSONValue, identity: RemoteIdentity?) -> JSONValue {
        var attributes = members
        var relationships: JSONObject = [:]
        for link in links {
            guard let value = attributes.value(at: link.path) else { continue }
            attributes = attributes.removing(at: link.path)
            relationships[link.name] = ["data": linkage(value, to: type(RemoteEntity(link.destination)))]
        }
        if let path = identityPath { attributes = attributes.removing(at: path) }
        var resource: JSONValue = ["type": .string(type(entity))]
        if let identity { resource["id"] = .string(entity.text(of: identity)) }
        if attributes != [:] { resource["attributes"] = attributes }
        if !relationships.isEmpty { resource["relationships"] = .object(relationships) }
        return resource
    }

    private func linkage(_ value: JSONValue, to type: String) -> JSONValue {
        switch value {
        case .null: .null
        case .array(let elements): .array(elements.map { linkage($0, to: type) })
        default: ["type": .string(type), "id": .string(RemoteIdentity([value]).text)]
        }
    }

    // MARK: The schema

    /// The path of the identity in a record; `nil` if it does not have exactly one value.
    private var identityPath: [String]? { entity.identityPaths.count == 1 ? entity.identityPaths[0] : nil }

    private var links: [Link] { entity.plan.relationships.compactMap(Link.init) }

    /// A relationship that a record has as an identity, or as a list of them.
    private struct Link {
        /// The keys in the record.
        let path: [String]
        /// The member of `relationships`.
        let name: String
        let destination: EntityPlan

        init?(_ relationship: RelationshipDescription) {
            switch relationship.wire {
            case .id(let paths, _) where paths.count == 1: path = paths[0]
            case .ids(let path, _): self.path = path
            default: return nil
            }
            destination = relationship.destination
            name = Self.name(of: relationship, under: path.last ?? "")
        }

        /// The key without its ending, in the style of the key: `author` for `author_id`, `product_reviews` for
        /// `product_review_ids`. A key without such an ending is the name.
        private static func name(of relationship: RelationshipDescription, under key: String) -> String {
            guard ["_id", "_ids", "Id", "Ids", "ID", "IDs"].contains(where: key.hasSuffix) else { return key }
            guard key.contains("_") else { return relationship.name }
            return relationship.name.reduce(into: "") { name, letter in
                if letter.isUppercase, !name.isEmpty { name += "_" }
                name += letter.lowercased()
            }
        }

        /// The member of `relationships`, under the name in this or another style.
        func member(of relationships: JSONValue?) -> JSONValue? {
            guard case .object(let members)? = relationships else { return nil }
            if let member = members[name] { return member }
            return members.first { $0.key.withoutStyle == name.withoutStyle }?.value
        }
    }
}

import LockstepJSON
import LockstepSchema

extension SampleMembers {
    /// Adds the members of a resource: what is in `attributes`, and the relationships.
    func addResource(_ entity: SampleEntity, at level: inout Level) {
        if let identity = entity.identity {
            level.identityName = free(SampleNames.member(identity), in: entity.name)
            if let member = entity.shape.members[identity] { addIdentity(member, key: identity, at: &level) }
        }
        for key in entity.shape.keys where key != entity.identity {
            guard let member = entity.shape.members[key] else { continue }
            switch key {
            case "type":
                var type = MemberSketch(name: free("type", in: entity.name), type: .one("string"))
                type.defaultValue = (entity.shape.examples.first?["type"]?.text).map(JSONValue.string)
                type.key = ["type"]
                level.attributes.append(type)
            case JSONAPI.attributes:
                var inner = level
                inner.path = [key]
                inner.shape = member.object ?? SampleShape()
                inner.isOptional = !entity.shape.isRequired(key)
                addMembers(&inner)
                level.attributes = inner.attributes
            case JSONAPI.relationships:
                for name in member.object?.keys ?? [] {
                    if let shape = member.object?.members[name] { addLinkage(shape, key: name, at: &level) }
                }
            default: leave(member, key: key, at: level, what: "it belongs to the response")
            }
        }
    }

    private func addLinkage(_ member: SampleMemberShape, key: String, at level: inout Level) {
        let path = [JSONAPI.relationships, key]
        guard let data = member.object?.members["data"], data.kinds == [.object], let object = data.object,
            let types = object.members["type"]?.texts.distinct, types.count == 1, let type = types.first,
            let destination = entities.entity(named: SampleNames.entity(type), isPlural: false),
            let id = object.members["id"], haveSameType(id, to: destination)
        else {
            var attribute = MemberSketch(name: free(SampleNames.member(key), in: level.entity), type: .optional("json"))
            attribute.key = path
            level.attributes.append(attribute)
            let (reason, help) = linkageReason(member, at: path, level: level)
            notes.decided(
                level.shape.firstLocation, text: "\(level.entity).\(attribute.name) is json: \(reason)", help: help)
            return
        }
        let name = SampleNames.member(key)
        links.append(
            SampleLink(
                owner: level.entity, name: free(name, in: level.entity), destination: destination.name,
                isToMany: false, wire: .id, path: path + ["data", "id"]))
        var attribute = MemberSketch(name: free(name + "Type", in: level.entity), type: .optional("string"))
        attribute.key = path + ["data", "type"]
        attribute.comment = "the type of the record that it refers to: \(type)"
        level.attributes.append(attribute)
        for other in member.object?.keys ?? [] where other != "data" {
            leftOut.insert([level.entity] + path + [other])
            notes.left(level.shape.firstLocation, text: "\(level.entity).\(path.joined(separator: ".")).\(other)")
        }
    }

    /// Why a linkage is no relationship, and what to do.
    private func linkageReason(
        _ member: SampleMemberShape, at path: [String], level: Level
    ) -> (reason: String, help: String?) {
        guard let data = member.object?.members["data"] else { return ("it has no `data`", nil) }
        let isList = data.kinds == [.list]
        guard let object = isList ? data.elements?.object : data.kinds == [.object] ? data.object : nil else {
            if isList { return ("its list is always empty in the samples", nil) }
            return (data.kinds.isEmpty ? "it is always null in the samples" : "it has several kinds of `data`", nil)
        }
        let types = (object.members["type"]?.texts.distinct ?? []).sorted()
        guard types.count == 1 else {
            return ("it refers to records of several types: \(types.joined(separator: ", "))", nil)
        }
        guard let id = object.members["id"],
            let destination = entities.entity(named: SampleNames.entity(types[0]), isPlural: false),
            haveSameType(id, to: destination)
        else { return ("it refers to \(types[0]), of which the samples have no record", nil) }
        let reason =
            "it is a list of types and identities of \(destination.name), and a relationship would be sent "
            + "as identities only"
        if let back = reference(from: destination, to: level.entity) {
            return (reason, "'\(back)' of \(destination.name) refers back, and is enough: remove the attribute.")
        }
        let key = "[\((path + ["data"]).joined(separator: ", "))]"
        return (
            reason,
            "To only read it as a relationship, write `{ to: [\(destination.name)], wire: ids, key: \(key), "
                + "embeddedKey: \(key) }`."
        )
    }

    /// The key of a relationship to one record that leads from an entity to another one.
    private func reference(from entity: SampleEntity, to name: String) -> String? {
        let relationships = entity.shape.members[JSONAPI.relationships]?.object
        return relationships?.keys.first { key in
            let data = relationships?.members[key]?.object?.members["data"]
            guard data?.kinds == [.object], let types = data?.object?.members["type"]?.texts.distinct, types.count == 1,
                let type = types.first
            else { return false }
            return entities.entity(named: SampleNames.entity(type), isPlural: false)?.name == name
        }
    }
}

import LockstepJSON
import LockstepSchema

extension SampleMembers {
    /// Adds the members of a resource: what is in `attributes`, and the relationships.
    func addResource(_ entity: SampleEntity, _ level: inout Level) {
        if let identity = entity.identity {
            level.identityName = free(SampleNames.member(identity), in: entity.name)
            if let member = entity.shape.members[identity] { addIdentity(member, identity, &level) }
        }
        for key in entity.shape.keys where key != entity.identity {
            guard let member = entity.shape.members[key] else { continue }
            switch key {
            case "type":
                var type = MemberSketch(name: free("type", in: entity.name), type: "string")
                if let name = entity.shape.examples.first?["type"]?.text { type.set("default", .string(name)) }
                type.set("key", "type")
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
                    if let shape = member.object?.members[name] { addLinkage(shape, name, &level) }
                }
            default: leave(member, key, level, "it belongs to the response")
            }
        }
    }

    private func addLinkage(_ member: SampleMemberShape, _ key: String, _ level: inout Level) {
        let path = [JSONAPI.relationships, key]
        guard let data = member.object?.members["data"], data.kinds == [.object], let object = data.object,
            let types = object.members["type"]?.texts.distinct, types.count == 1, let type = types.first,
            let destination = entities.entity(named: SampleNames.entity(type), isPlural: false),
            let id = object.members["id"], haveSameType(id, destination)
        else {
            var attribute = MemberSketch(name: free(SampleNames.member(key), in: level.entity), type: "json?")
            attribute.set("key", SampleNames.key(path))
            level.attributes.append(attribute)
            notes.decided(
                level.shape.firstPlace,
                "\(level.entity).\(attribute.name) is json: it is a list of types and identities, "
                    + "has several types, or refers to nothing in the samples",
                help: "If the records at the other end refer back, that relationship is enough.")
            return
        }
        let name = SampleNames.member(key)
        links.append(
            SampleLink(
                owner: level.entity, name: free(name, in: level.entity), destination: destination.name,
                isToMany: false, wire: "id", path: path + ["data", "id"]))
        var attribute = MemberSketch(name: free(name + "Type", in: level.entity), type: "string?")
        attribute.set("key", SampleNames.key(path + ["data", "type"]))
        attribute.comment = "the type of the record that it refers to: \(type)"
        level.attributes.append(attribute)
        for other in member.object?.keys ?? [] where other != "data" {
            leftOut.insert([level.entity] + path + [other])
            notes.left(level.shape.firstPlace, "\(level.entity).\(path.joined(separator: ".")).\(other)")
        }
    }
}

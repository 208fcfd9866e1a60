import LockstepSchema

/// Where the values of an entity's records are.
struct ProofPlan {
    private(set) var root = ProofNodes()
    /// The paths of values that must be there.
    private(set) var required: [[String]] = []
    /// The path of the identity; `nil` if none is received.
    private(set) var identity: [String]?
    var requiredCount: Int { required.count }

    init(_ entity: Entity, entities: [String: Entity], leftOut: Set<[String]>) {
        let keys = entity.identity.keyAttributes
        identity = keys.count == 1 ? entity.attributes.first { $0.name == keys[0] }?.wire?.path : nil
        for path in leftOut where path.first == entity.name { root.insert(.leftOut, at: path.dropFirst()) }
        for attribute in entity.attributes {
            guard let wire = attribute.wire else { continue }
            let isRequired = !attribute.isOptional && attribute.defaultValue == nil
            if isRequired { required.append(wire.path) }
            root.insert(
                .value(SampleCodec(attribute.type, wire: wire.format), isRequired: isRequired), at: wire.path[...])
        }
        for relationship in entity.relationships {
            let identity = entities[relationship.destination].flatMap { destination in
                destination.identity.keyAttributes.first.flatMap { name in
                    destination.attributes.first { $0.name == name }
                }
            }
            switch relationship.wire {
            case .none: break
            case .id(let paths, embeddedPath: _):
                guard let path = paths.first, let identity else { continue }
                root.insert(
                    .value(SampleCodec(identity.type), isRequired: !relationship.isOptional), at: path[...])
            case .ids(let path, embeddedPath: _):
                guard let identity else { continue }
                root.insert(.value(SampleCodec(.list(identity.type)), isRequired: false), at: path[...])
            case .embedded(let path, idsPath: _):
                let name = relationship.destination
                root.insert(relationship.isToMany ? .records(name) : .record(name), at: path[...])
            }
        }
    }
}

/// The values below an object, by their keys.
struct ProofNodes {
    private(set) var members: [String: ProofNode] = [:]

    mutating func insert(_ node: ProofNode, at path: ArraySlice<String>) {
        guard let key = path.first else { return }
        if path.count == 1 { return members[key] = node }
        var inner = ProofNodes()
        if case .nodes(let known) = members[key] { inner = known }
        inner.insert(node, at: path.dropFirst())
        members[key] = .nodes(inner)
    }
}

/// A node of the plan: how the value at a path is read.
indirect enum ProofNode {
    case value(SampleCodec, isRequired: Bool)
    case nodes(ProofNodes)
    /// A record of an entity.
    case record(String)
    case records(String)
    /// It was left out, with a note.
    case leftOut
    /// Nothing is read.
    case missing
}

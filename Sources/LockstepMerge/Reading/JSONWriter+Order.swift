import LockstepJSON
import LockstepStore

extension JSONWriter {
    /// Writes a record, or a list of records, with the members of each in the order in which a representation has them:
    /// its attributes, and then its relationships in the order of the schema.
    ///
    /// If a payload contradicts itself within one record, the order counts (Rules.md, M16).
    mutating func write(_ value: JSONValue, inOrderOf plan: EntityPlan) throws(JSONWritingError) {
        switch value {
        case .array(let elements):
            try beginArray()
            for element in elements { try write(element, inOrderOf: plan) }
            endArray()
        case .object(let members):
            let places = plan.memberPlaces
            let ordered = members.map { (key: $0, value: $1, place: places[KeyName.plain($0)]) }.sorted {
                ($0.place?.rank ?? .max, $0.key) < ($1.place?.rank ?? .max, $1.key)
            }
            try beginObject()
            for member in ordered {
                key(member.key)
                if let destination = member.place?.destination {
                    try write(member.value, inOrderOf: destination)
                } else {
                    try write(member.value)
                }
            }
            endObject()
        default: try write(value)
        }
    }
}

/// Where a member of a record's JSON comes in a representation.
private struct MemberPlace {
    let rank: Int
    /// The entity of the records in it, if it is embedded.
    let destination: EntityPlan?
}

extension EntityPlan {
    /// The places of all members, by their plain names.
    fileprivate var memberPlaces: [String: MemberPlace] {
        var places: [String: MemberPlace] = [:]
        func add(_ path: [String], _ rank: Int, _ destination: EntityPlan? = nil) {
            guard let key = path.first else { return }
            places[KeyName.plain(key)] = MemberPlace(rank: rank, destination: path.count == 1 ? destination : nil)
        }
        for (column, description) in columns.enumerated() {
            if let path = description.wire?.path { add(path, column) }
        }
        for (index, relationship) in relationships.enumerated() {
            let rank = columns.count + index
            let destination = relationship.destination.entity.plan
            switch relationship.wire {
            case .none: break
            case .id(let paths, let embedded):
                for path in paths { add(path.keys, rank) }
                if let embedded { add(embedded.keys, rank, destination) }
            case .ids(let path): add(path.keys, rank)
            case .embedded(let path): add(path.keys, rank, destination)
            }
        }
        return places
    }
}

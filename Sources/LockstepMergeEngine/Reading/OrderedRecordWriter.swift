import LockstepEvolution
import LockstepJSON
import LockstepTables

/// Writes records with the members of each in the order in which a representation has them: its attributes, and then
/// its relationships in the order of the schema.
///
/// If a payload contradicts itself within one record, the order counts (Rules.md, M16).
struct OrderedRecordWriter {
    private var positions: [ObjectIdentifier: [String: MemberPosition]] = [:]

    /// The JSON of a record, or of a list of records.
    mutating func bytes(of value: JSONValue, plan: EntityPlan) throws(JSONWritingError) -> [UInt8] {
        var writer = JSONWriter()
        try write(value, of: plan, writer: &writer)
        return writer.bytes
    }

    private mutating func write(
        _ value: JSONValue, of plan: EntityPlan, writer: inout JSONWriter
    ) throws(JSONWritingError) {
        switch value {
        case .array(let elements):
            try writer.beginArray()
            for element in elements { try write(element, of: plan, writer: &writer) }
            writer.endArray()
        case .object(let members):
            let positions = positions(of: plan)
            let ordered = members.map { (key: $0, value: $1, position: positions[KeyName.plain($0)]) }.sorted {
                ($0.position?.rank ?? .max, $0.key) < ($1.position?.rank ?? .max, $1.key)
            }
            try writer.beginObject()
            for member in ordered {
                writer.key(member.key)
                if let destination = member.position?.destination {
                    try write(member.value, of: destination, writer: &writer)
                } else {
                    try writer.write(member.value)
                }
            }
            writer.endObject()
        default: try writer.write(value)
        }
    }

    private mutating func positions(of plan: EntityPlan) -> [String: MemberPosition] {
        if let known = positions[ObjectIdentifier(plan)] { return known }
        let made = plan.memberPositions
        positions[ObjectIdentifier(plan)] = made
        return made
    }
}

/// Where a member of a record's JSON comes in a representation.
private struct MemberPosition {
    let rank: Int
    /// The entity of the records in it, if it is embedded.
    let destination: EntityPlan?
}

extension EntityPlan {
    /// The positions of all members, by their plain names.
    fileprivate var memberPositions: [String: MemberPosition] {
        var positions: [String: MemberPosition] = [:]
        func add(_ path: [String], rank: Int, to destination: EntityPlan? = nil) {
            guard let key = path.first else { return }
            positions[KeyName.plain(key)] = MemberPosition(rank: rank, destination: path.count == 1 ? destination : nil)
        }
        for (column, description) in columns.enumerated() {
            if let path = description.wire?.path { add(path, rank: column) }
        }
        for (index, relationship) in relationships.enumerated() {
            let rank = columns.count + index
            let destination = relationship.destination
            switch relationship.wire {
            case .none: break
            case .id(let paths, let embedded):
                for path in paths { add(path, rank: rank) }
                add(embedded, rank: rank, to: destination)
            case .ids(let path, let embedded):
                add(path, rank: rank, to: embedded == path ? destination : nil)
                if embedded != path { add(embedded, rank: rank, to: destination) }
            case .embedded(let path, let ids):
                add(path, rank: rank, to: destination)
                if ids != path { add(ids, rank: rank) }
            }
        }
        return positions
    }
}

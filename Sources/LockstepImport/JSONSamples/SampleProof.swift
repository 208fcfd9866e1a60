import LockstepJSON
import LockstepSchema

/// Reads and writes each record of the samples with the schema, and reports what does not round-trip.
final class SampleProof {
    private let plans: [String: ProofPlan]
    private let notes: SampleNotes
    private var differences: [[String]: Difference] = [:]
    private var order: [[String]] = []

    /// How many differences of a member are shown.
    private static let shownLimit = 3

    /// A difference between the values of a member.
    private struct Difference {
        var count = 0
        /// How many are the same time, written in another way.
        var sameTimes = 0
        var example = ""
        var shown: [(location: SampleLocation, text: String)] = []
    }

    /// - Parameter leftOut: Entities and paths that are reported already.
    init(_ schema: Schema, leftOut: Set<[String]>, notes: SampleNotes) {
        self.notes = notes
        let entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
        plans = entities.mapValues { ProofPlan($0, entities: entities, leftOut: leftOut) }
    }

    func run(_ entities: SampleEntities) {
        for entity in entities.list {
            for collection in entity.collections {
                for (index, record) in collection.records.enumerated() {
                    check(
                        record, of: entity.name, trail: Trail(file: collection.file) { collection.path(index) })
                }
            }
        }
        report()
    }

    /// How a value is reached. The text is only made for a difference.
    private struct Trail {
        let file: Int
        let text: () -> String

        func key(_ key: String) -> Trail {
            Trail(file: file) { [text] in text().isEmpty ? key : "\(text()).\(key)" }
        }

        func index(_ index: Int) -> Trail { Trail(file: file) { [text] in "\(text())[\(index)]" } }
    }

    // MARK: Records

    private func check(_ record: SampleValue, of entity: String, trail: Trail) {
        guard let plan = plans[entity] else { return }
        guard let members = record.members else {
            return add([entity], value: record, trail: trail, text: "an object is expected")
        }
        var met = 0
        walk(members, nodes: plan.root, at: [entity], trail: trail, met: &met)
        if met == plan.requiredCount { return }
        for path in plan.required where !isPresent(path[...], value: record) {
            add(
                [entity] + path, value: record, trail: trail,
                text: "'\(path.joined(separator: "."))' is required, but missing")
        }
    }

    private func isPresent(_ path: ArraySlice<String>, value: SampleValue) -> Bool {
        guard let key = path.first else { return value.kind != nil }
        return value[key].map { isPresent(path.dropFirst(), value: $0) } ?? false
    }

    /// - Parameter met: Counts the required values.
    private func walk(_ members: [SampleMember], nodes: ProofNodes, at path: [String], trail: Trail, met: inout Int) {
        for member in members {
            let node = nodes.members[member.key] ?? .missing
            check(member.value, node: node, at: path + [member.key], trail: trail.key(member.key), met: &met)
        }
    }

    private func check(_ value: SampleValue, node: ProofNode, at path: [String], trail: Trail, met: inout Int) {
        switch node {
        case .leftOut: return
        case .missing:
            add(path, value: value, trail: trail, text: "nothing in the schema has it, so it is not sent back")
        case .value(let codec, let isRequired):
            if value.kind != nil {
                if isRequired { met += 1 }
                compare(value, codec: codec, at: path, trail: trail)
            } else if isRequired {
                add(path, value: value, trail: trail, text: "null cannot be read, because it is required")
                met += 1
            }
        case .nodes(let nodes):
            if let members = value.members { return walk(members, nodes: nodes, at: path, trail: trail, met: &met) }
            let keys = nodes.members.keys.sorted().joined(separator: ", ")
            add(
                path, value: value, trail: trail,
                text: "\(text(value.json, at: path)) comes back as an object with \(keys)")
        case .record(let entity): if value.kind != nil { check(value, of: entity, trail: trail) }
        case .records(let entity):
            if value.kind == nil { return }
            guard let elements = value.elements else {
                return add(path, value: value, trail: trail, text: "a list is expected")
            }
            for (index, element) in elements.enumerated() { check(element, of: entity, trail: trail.index(index)) }
        }
    }

    private func compare(_ value: SampleValue, codec: SampleCodec, at path: [String], trail: Trail) {
        guard let copy = try? codec.copy(value) else {
            return add(path, value: value, trail: trail, text: "\(text(value.json, at: path)) cannot be read")
        }
        if copy == value.json { return }
        if codec.areSameTime(value.json, copy: copy) {
            note(path)
            differences[path]?.sameTimes += 1
            differences[path]?.example = "\(text(copy, at: path)) for \(text(value.json, at: path))"
            return
        }
        add(
            path, value: value, trail: trail,
            text: "\(text(value.json, at: path)) comes back as \(text(copy, at: path))")
    }

    // MARK: Differences

    private func note(_ path: [String]) {
        guard differences[path] == nil else { return }
        order.append(path)
        differences[path] = Difference()
    }

    private func add(_ path: [String], value: SampleValue, trail: Trail, text: String) {
        note(path)
        differences[path]?.count += 1
        guard let known = differences[path], known.shown.count < Self.shownLimit else { return }
        let location = SampleLocation(file: trail.file, line: value.line)
        let subject = trail.text()
        differences[path]?.shown.append((location, subject.isEmpty ? text : "\(subject): \(text)"))
    }

    private func report() {
        for path in order {
            guard let difference = differences[path] else { continue }
            let subject = path.joined(separator: ".")
            if difference.sameTimes > 0 {
                notes.decided(
                    nil as SampleLocation?,
                    text: "\(subject) is sent as the same time in another format: \(difference.example)")
            }
            for shown in difference.shown { notes.unequal(shown.location, text: shown.text) }
            let more = difference.count - difference.shown.count
            if more > 0 { notes.unequal(nil as SampleLocation?, text: "and \(more) more of \(subject)") }
        }
    }

    private func text(_ value: JSONValue, at path: [String]) -> String { SecretNames.shown(value, at: path) }
}

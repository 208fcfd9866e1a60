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
    private static let textLimit = 60

    /// What differs in the values of a member.
    private struct Difference {
        var count = 0
        /// How many are the same time, written in another way.
        var sameTimes = 0
        var example = ""
        var shown: [(place: SamplePlace, text: String)] = []
    }

    /// - Parameter leftOut: Entities and paths that are reported already.
    init(_ schema: Schema, leftOut: Set<[String]>, notes: SampleNotes) {
        self.notes = notes
        let entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
        plans = entities.mapValues { ProofPlan($0, entities, leftOut: leftOut) }
    }

    func run(_ entities: SampleEntities) {
        for entity in entities.list {
            for collection in entity.collections {
                for (index, record) in collection.records.enumerated() {
                    check(
                        record, entity.name, Trail(file: collection.file) { collection.path(index) })
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

    private func check(_ record: SampleValue, _ entity: String, _ trail: Trail) {
        guard let plan = plans[entity] else { return }
        guard let members = record.members else {
            return add([entity], record, trail, "an object is expected")
        }
        var met = 0
        walk(members, plan.root, [entity], trail, &met)
        if met == plan.requiredCount { return }
        for path in plan.required where !isPresent(path[...], record) {
            add([entity] + path, record, trail, "'\(path.joined(separator: "."))' is required, but missing")
        }
    }

    private func isPresent(_ path: ArraySlice<String>, _ value: SampleValue) -> Bool {
        guard let key = path.first else { return value.kind != nil }
        return value[key].map { isPresent(path.dropFirst(), $0) } ?? false
    }

    /// - Parameter met: Counts the required values.
    private func walk(
        _ members: [SampleMember], _ nodes: ProofNodes, _ path: [String], _ trail: Trail, _ met: inout Int
    ) {
        for member in members {
            let node = nodes.members[member.key] ?? .missing
            check(member.value, node, path + [member.key], trail.key(member.key), &met)
        }
    }

    private func check(
        _ value: SampleValue, _ node: ProofNode, _ path: [String], _ trail: Trail, _ met: inout Int
    ) {
        switch node {
        case .leftOut: return
        case .missing: add(path, value, trail, "nothing in the schema has it, so it is not sent back")
        case .value(let codec, let isRequired):
            if value.kind != nil {
                if isRequired { met += 1 }
                compare(value, codec, path, trail)
            } else if isRequired {
                add(path, value, trail, "null cannot be read, because it is required")
                met += 1
            }
        case .nodes(let nodes):
            if let members = value.members { return walk(members, nodes, path, trail, &met) }
            let keys = nodes.members.keys.sorted().joined(separator: ", ")
            add(path, value, trail, "\(text(value.json)) comes back as an object with \(keys)")
        case .record(let entity): if value.kind != nil { check(value, entity, trail) }
        case .records(let entity):
            if value.kind == nil { return }
            guard let elements = value.elements else { return add(path, value, trail, "a list is expected") }
            for (index, element) in elements.enumerated() { check(element, entity, trail.index(index)) }
        }
    }

    private func compare(_ value: SampleValue, _ codec: SampleCodec, _ path: [String], _ trail: Trail) {
        guard let copy = try? codec.copy(value) else {
            return add(path, value, trail, "\(text(value.json)) cannot be read")
        }
        if copy == value.json { return }
        if codec.areSameTime(value, copy) {
            note(path)
            differences[path]?.sameTimes += 1
            differences[path]?.example = "\(text(copy)) for \(text(value.json))"
            return
        }
        add(path, value, trail, "\(text(value.json)) comes back as \(text(copy))")
    }

    // MARK: Differences

    private func note(_ path: [String]) {
        guard differences[path] == nil else { return }
        order.append(path)
        differences[path] = Difference()
    }

    private func add(_ path: [String], _ value: SampleValue, _ trail: Trail, _ text: String) {
        note(path)
        differences[path]?.count += 1
        guard let known = differences[path], known.shown.count < Self.shownLimit else { return }
        let place = SamplePlace(file: trail.file, line: value.line)
        let subject = trail.text()
        differences[path]?.shown.append((place, subject.isEmpty ? text : "\(subject): \(text)"))
    }

    private func report() {
        for path in order {
            guard let difference = differences[path] else { continue }
            let subject = path.joined(separator: ".")
            if difference.sameTimes > 0 {
                notes.decided(
                    nil as SamplePlace?,
                    "\(subject) is sent as the same time in another format: \(difference.example)")
            }
            for shown in difference.shown { notes.unequal(shown.place, shown.text) }
            let more = difference.count - difference.shown.count
            if more > 0 { notes.unequal(nil as SamplePlace?, "and \(more) more of \(subject)") }
        }
    }

    private func text(_ value: JSONValue) -> String {
        let text = StoredJSON.text(of: value)
        return text.count > Self.textLimit ? "\(text.prefix(Self.textLimit))…" : text
    }
}

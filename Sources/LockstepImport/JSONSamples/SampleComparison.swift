import LockstepEvolution
package import LockstepJSON
package import LockstepSchema

/// Compares records of samples with what came back of them: merged into a store, and encoded again.
///
/// What the import has left out, and reported, is not compared.
package struct SampleComparison {
    /// What came back of the records of one entity.
    package struct Result: Hashable, Sendable {
        package let entity: String
        /// How many records the samples have.
        package var count = 0
        /// How many of them came back with equal values.
        package var equalCount = 0
        /// The differences, at most three: `Sighting 7: 'notes' is "A", and came back as "B"`.
        package fileprivate(set) var differences: [String] = []
    }

    private let plans: [String: ProofPlan]

    package init(_ schema: Schema) {
        let entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
        plans = entities.mapValues { ProofPlan($0, entities: entities, leftOut: []) }
    }

    /// Compares the records of one entity.
    ///
    /// - Parameter others: The encoded records of the entity; those without an identity in the order of the samples.
    package func compare(_ samples: SampleRecords, with others: [JSONValue]) -> Result {
        var result = Result(entity: samples.entity)
        guard let plan = plans[samples.entity] else { return result }
        for (name, record, other) in pairs(samples.records, with: others, identity: plan.identity) {
            var differences: [String] = []
            walk(record, nodes: plan.root, other: other, at: [], into: &differences)
            if other == nil { differences = ["it did not come back"] }
            result.count += 1
            if differences.isEmpty { result.equalCount += 1 }
            let space = Self.shownLimit - result.differences.count
            result.differences += differences.prefix(space).map { "\(samples.entity) \(name): \($0)" }
        }
        return result
    }

    private static let shownLimit = 3

    private typealias Pair = (name: String, record: JSONValue, other: JSONValue?)

    /// Each record with what came back of it.
    private func pairs(_ records: [JSONValue], with others: [JSONValue], identity: [String]?) -> [Pair] {
        guard let identity else {
            return records.enumerated().map { ("\($0 + 1)", $1, others.indices.contains($0) ? others[$0] : nil) }
        }
        var found: [String: JSONValue] = [:]
        for other in others { if let text = Self.identity(of: other, at: identity) { found[text] = other } }
        return records.map { record in
            let text = Self.identity(of: record, at: identity)
            return (text ?? "without an identity", record, text.flatMap { found[$0] })
        }
    }

    /// The identity as text. UUIDs are equal in capital and in small letters.
    private static func identity(of record: JSONValue, at path: [String]) -> String? {
        switch path.reduce(record as JSONValue?, { $0?[$1] }) {
        case .null, nil: nil
        case .string(let text): TextFormat(text) == .capitalUUID ? text.lowercased() : text
        case let value?: StoredJSON.text(of: value)
        }
    }

    // MARK: Values

    private func walk(
        _ value: JSONValue, nodes: ProofNodes, other: JSONValue?, at path: [String], into differences: inout [String]
    ) {
        guard case .object(let members) = value else { return }
        for (key, member) in members.sorted(by: { $0.key < $1.key }) {
            guard let node = nodes.members[key] else { continue }
            check(member, node: node, other: other?[key], at: path + [key], into: &differences)
        }
    }

    private func check(
        _ value: JSONValue, node: ProofNode, other: JSONValue?, at path: [String], into differences: inout [String]
    ) {
        switch node {
        case .leftOut, .missing: return
        case .value(let codec, isRequired: _):
            // A missing value is null, too.
            let copy = other ?? .null
            if copy == value || codec.areSameTime(value, copy: copy) { return }
            differences.append(difference(value, other: other, at: path))
        case .nodes(let nodes): walk(value, nodes: nodes, other: other, at: path, into: &differences)
        case .record(let entity):
            if value == .null, let other, other != .null {
                differences.append(difference(value, other: other, at: path))
            }
            guard let plan = plans[entity] else { return }
            walk(value, nodes: plan.root, other: other, at: path, into: &differences)
        case .records(let entity):
            guard let plan = plans[entity], case .array(let elements) = value else { return }
            var others: [JSONValue] = []
            if case .array(let list)? = other { others = list }
            if others.count > elements.count {
                let name = path.joined(separator: ".")
                differences.append("'\(name)' came back with \(others.count) records, not \(elements.count)")
            }
            for (name, element, match) in pairs(elements, with: others, identity: plan.identity) {
                let path = path.dropLast() + ["\(path.last ?? "")[\(name)]"]
                if match == nil { differences.append("'\(path.joined(separator: "."))' did not come back") }
                walk(element, nodes: plan.root, other: match ?? element, at: Array(path), into: &differences)
            }
        }
    }

    private func difference(_ value: JSONValue, other: JSONValue?, at path: [String]) -> String {
        let name = "'\(path.joined(separator: "."))'"
        guard let other else { return "\(name) did not come back" }
        let (text, otherText) = (SecretNames.shown(value, at: path), SecretNames.shown(other, at: path))
        if text == otherText { return "\(name) came back with another value" }
        return "\(name) is \(text), and came back as \(otherText)"
    }
}

import LockstepJSON
import LockstepSchema

/// Changes what the language does not allow, until a sketch breaks no rule. A source can have what no schema has: two
/// names that are one column, a default outside of its limits, an inverse that does not refer back.
struct SketchRepair {
    /// A change, for the report.
    struct Change: Hashable {
        /// Whether something was left out; otherwise it has another name.
        let isLoss: Bool
        /// The line of the source; `nil` if it is not known.
        let line: Int?
        let text: String
        let help: String?
    }

    private var sketch: SchemaSketch
    private(set) var changes: [Change] = []
    /// The members that have another name, and the entities that have another identity. Each gets one once.
    private var renamed: Set<String> = []
    private var identified: Set<String> = []

    init(_ sketch: SchemaSketch) { self.sketch = sketch }

    /// Repairs the sketch. A change can break another rule, so the rules are checked again after it. This ends: every
    /// time, something is left out, or gets the one other name or identity that it can have.
    ///
    /// - Throws: ``ImportFailure`` if a rule is broken that no part of the sketch can be left out for.
    mutating func run(path: String) throws(ImportFailure) -> RepairedSchema {
        while true {
            let tree = SketchTree(sketch)
            let reading = readSchema(tree.root, path: path)
            if let schema = reading.schemas.first { return RepairedSchema(sketch: sketch, tree: tree, schema: schema) }
            var done: Set<SketchPart> = []
            // From the end, so that the indices of what is left stay the same.
            for error in reading.diagnostics.reversed() where error.severity == .error {
                let part = tree.part(line: error.location.start.line)
                if let part, !done.insert(part.whole).inserted { continue }
                guard let part, change(part, because: error) else {
                    throw ImportFailure(path, reason: "No schema can be created from it: \(error.message).")
                }
            }
        }
    }

    private mutating func change(_ part: SketchPart, because error: Diagnostic) -> Bool {
        switch part {
        case .entity: return false
        case .enumeration(let index): replaceEnum(index, reason: error.reason)
        case .option(let entity, let option):
            let sketched = sketch.entities[entity]
            let written = Self.remove(option, from: &sketch.entities[entity])
            lose(sketched.line, what: "\(sketched.name): \(written)", reason: error.cause ?? error.reason)
        case .identity(let entity): return replaceIdentity(of: entity, reason: error.reason)
        case .index(let entity, let index):
            let members = sketch.entities[entity].indexes.remove(at: index).members.joined(separator: ", ")
            let sketched = sketch.entities[entity]
            lose(sketched.line, what: "\(sketched.name): the index over \(members)", reason: error.reason)
        case .attribute(let entity, let index, let option):
            change(\.attributes, at: index, of: entity, option: option, because: error)
        case .relationship(let entity, let index, let option):
            change(\.relationships, at: index, of: entity, option: option, because: error)
        }
        return true
    }

    private mutating func lose(_ line: Int?, what: String, reason: String, help: String? = nil) {
        changes.append(Change(isLoss: true, line: line, text: "\(what) was left out, because \(reason)", help: help))
    }

    /// Leaves out the option that an error is about. A member with a wrong name gets another one. If that does not
    /// help, it is left out.
    private mutating func change(
        _ section: WritableKeyPath<EntitySketch, [MemberSketch]>, at index: Int, of entity: Int,
        option: MemberOption?, because error: Diagnostic
    ) {
        let (owner, member) = (sketch.entities[entity], sketch.entities[entity][keyPath: section][index])
        let subject = "\(owner.name).\(member.name)"
        if let option {
            let written = Self.remove(option, from: &sketch.entities[entity][keyPath: section][index])
            lose(
                member.line, what: "\(subject): \(written)", reason: error.cause ?? error.reason, help: option.help)
        } else if section == \.relationships, let copy = copiedKey(of: member, in: entity) {
            change(\.attributes, at: copy, of: entity, option: nil, because: error)
        } else if renamed.insert(subject).inserted, !owner.identity.names.contains(member.name) {
            let name = free("\(member.name)Value", in: entity)
            renamed.insert("\(owner.name).\(name)")
            let noun = section == \.relationships ? "relationship" : "attribute"
            changes.append(
                Change(
                    isLoss: false, line: member.line,
                    text: "\(subject): the \(noun) was renamed to '\(name)', because \(error.reason)",
                    help: "To choose another name, change it in the schema."))
            if member.key.isEmpty {
                sketch.entities[entity][keyPath: section][index].key = derivedKey(
                    of: member, in: entity, isAttribute: section == \.attributes)
            }
            sketch.entities[entity][keyPath: section][index].name = name
            follow(member.name, named: name, of: entity)
        } else {
            sketch.entities[entity][keyPath: section].remove(at: index)
            lose(member.line, what: subject, reason: error.reason)
        }
    }

    /// The attribute whose column a relationship has, too: a copy of the identity that it refers to (`userID` beside
    /// `user`), which is renamed, and not the relationship.
    private func copiedKey(of relationship: MemberSketch, in entity: Int) -> Int? {
        let sketched = sketch.entities[entity]
        return sketched.attributes.firstIndex { attribute in
            MemberNames.plain(attribute.name) == MemberNames.plain(relationship.name + "ID")
                && !sketched.identity.names.contains(attribute.name)
                && !renamed.contains("\(sketched.name).\(attribute.name)")
        }
    }

    /// The JSON key that a member has by its name, to be written before it gets another one; empty if it has none, or
    /// if another member has it.
    private func derivedKey(of member: MemberSketch, in entity: Int, isAttribute: Bool) -> [String] {
        guard isAttribute && member.wire != .unsent || member.wire == .embedded, !member.isTransient else { return [] }
        let key = sketch.keys.name(member.name)
        let others = sketch.entities[entity].attributes + sketch.entities[entity].relationships
        return others.contains { $0.name != member.name && jsonKeys($0).contains(key) } ? [] : [key]
    }

    /// The keys that a member can have in JSON, as an attribute, a record or an identity.
    private func jsonKeys(_ member: MemberSketch) -> [String] {
        if !member.key.isEmpty { return member.key.count == 1 ? member.key : [] }
        return [sketch.keys.name(member.name), sketch.keys.link(member.name)]
    }

    /// The longest value that is quoted.
    private static let lengthLimit = 60

    /// Removes an option.
    ///
    /// - Returns: The option as the schema would have it: `default: 0`.
    private static func remove<Option: SketchOption>(_ option: Option, from part: inout Option.Part) -> String {
        let value = option.value(in: part).map(YAMLText.flow) ?? ""
        option.remove(from: &part)
        return value.isEmpty || value.count > lengthLimit ? "`\(option.rawValue)`" : "`\(option.rawValue): \(value)`"
    }

    private func free(_ name: String, in entity: Int) -> String {
        let all = sketch.entities[entity].attributes + sketch.entities[entity].relationships
        let taken = Set(all.map { $0.name.lowercased() })
        return freeName(name) { taken.contains($0.lowercased()) }
    }

    /// Renames what refers to a member.
    private mutating func follow(_ former: String, named name: String, of entity: Int) {
        let type = sketch.entities[entity].name
        for index in sketch.entities[entity].indexes.indices {
            let members = sketch.entities[entity].indexes[index].members
            sketch.entities[entity].indexes[index].members = members.map { $0 == former ? name : $0 }
        }
        for other in sketch.entities.indices {
            for index in sketch.entities[other].relationships.indices {
                let end = sketch.entities[other].relationships[index]
                guard end.type.name == type, end.inverse == former else { continue }
                sketch.entities[other].relationships[index].inverse = name
            }
        }
    }

    /// Attributes of an enum that is not possible have the type of its raw values.
    private mutating func replaceEnum(_ index: Int, reason: String) {
        let enumeration = sketch.enums.remove(at: index)
        let type = enumeration.isInteger ? "int" : "string"
        lose(
            enumeration.line, what: "The enum \(enumeration.name)", reason: reason,
            help: "Its attributes have the type \(type).")
        for entity in sketch.entities.indices {
            for attribute in sketch.entities[entity].attributes.indices
            where sketch.entities[entity].attributes[attribute].type.name == enumeration.name {
                sketch.entities[entity].attributes[attribute].type.name = type
                sketch.entities[entity].attributes[attribute].defaultValue = nil
            }
        }
    }

    /// An identity that is not possible is replaced by one that is assigned by the device.
    private mutating func replaceIdentity(of entity: Int, reason: String) -> Bool {
        let sketched = sketch.entities[entity]
        guard identified.insert(sketched.name).inserted else { return false }
        let name = free("localID", in: entity)
        lose(
            sketched.line, what: "\(sketched.name): the identity \(sketched.identity.names.joined(separator: ", "))",
            reason: reason, help: "Each record gets a new '\(name)' on the device.")
        sketch.entities[entity].attributes.append(
            .localKey(named: name, because: "the model's identity cannot be used"))
        sketch.entities[entity].identity = .attributes([name])
        return true
    }
}

extension SchemaSketch {
    /// Changes what the language does not allow, and notes it.
    ///
    /// - Parameter path: The path of the source, for errors.
    /// - Returns: The sketch after its repair, and the schema that it is.
    /// - Throws: ``ImportFailure`` if no schema can be created from it.
    mutating func repair(_ notes: ImportNotes, path: String) throws(ImportFailure) -> RepairedSchema {
        noteAttributes(in: notes)
        removeSecretDefaults(in: notes)
        var repair = SketchRepair(self)
        let repaired = try repair.run(path: path)
        self = repaired.sketch
        for change in repair.changes {
            notes.add(change.isLoss ? .left : .decided, at: change.line, text: change.text, help: change.help)
        }
        var counts = counts
        counts.entities = repaired.schema.entities.count
        notes.count(counts)
        return repaired
    }
}

/// A sketch that breaks no rule.
struct RepairedSchema {
    let sketch: SchemaSketch
    let tree: SketchTree
    /// The schema that the sketch is.
    let schema: Schema
}

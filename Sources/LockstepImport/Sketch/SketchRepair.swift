import Foundation
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

    private(set) var sketch: SchemaSketch
    /// The YAML that was read without an error.
    private(set) var text = ""
    private(set) var changes: [Change] = []
    private var renamed: Set<String> = []

    /// More rounds than there are options of a member, and fewer than a user would wait for.
    private static let roundLimit = 100

    init(_ sketch: SchemaSketch) { self.sketch = sketch }

    /// Repairs the sketch.
    ///
    /// - Returns: The schema that it is read as.
    /// - Throws: ``ImportFailure`` if a rule is broken that no part of the sketch can be left out for.
    mutating func run(path: String) throws(ImportFailure) -> Schema {
        for _ in 0..<Self.roundLimit {
            let writer = SketchWriter(self.sketch)
            let source = SchemaSource(path: path, bytes: Array(writer.text.utf8))
            let reading = readSchemas([source])
            if let schema = reading.schemas.first {
                text = writer.text
                return schema
            }
            let errors = reading.diagnostics.filter { $0.severity == .error }
            var done: Set<SketchLocation> = []
            // From the end, so that the indices of what is left stay the same.
            for error in errors.reversed() {
                guard let location = writer.location(line: error.location.start.line) else {
                    throw ImportFailure(path, reason: "No schema can be created from it: \(error.message).")
                }
                guard done.insert(location).inserted else { continue }
                let option = writer.option(
                    line: error.location.start.line, column: error.location.start.column)
                guard change(location, option: option, reason: error.message) else {
                    throw ImportFailure(path, reason: "No schema can be created from it: \(error.message).")
                }
            }
        }
        throw ImportFailure(path, reason: "No schema can be created from it: its parts contradict each other.")
    }

    private mutating func change(_ location: SketchLocation, option: String?, reason: String) -> Bool {
        switch location {
        case .entity: return false
        case .enumeration(let index): replaceEnum(index, reason: reason)
        case .option(let entity, let key):
            let sketched = sketch.entities[entity]
            let option = RepairText.option(key, value: sketched.options.first { $0.key == key }?.value)
            sketch.entities[entity].options.removeAll { $0.key == key }
            lose(sketched.line, what: "\(sketched.name): \(option)", reason: RepairText.reason(reason, of: key))
        case .identity(let entity): replaceIdentity(of: entity, reason: reason)
        case .index(let entity, let index):
            let members = sketch.entities[entity].indexes.remove(at: index).members.joined(separator: ", ")
            let sketched = sketch.entities[entity]
            lose(sketched.line, what: "\(sketched.name): the index over \(members)", reason: RepairText.reason(reason))
        case .attribute(let entity, let index):
            change(\.attributes, at: index, of: entity, option: option, reason: reason)
        case .relationship(let entity, let index):
            change(\.relationships, at: index, of: entity, option: option, reason: reason)
        }
        return true
    }

    private mutating func lose(_ line: Int?, what: String, reason: String, help: String? = nil) {
        changes.append(Change(isLoss: true, line: line, text: "\(what) was left out, because \(reason)", help: help))
    }

    /// Leaves out the option that an error is about. A member with a wrong name gets another one. If that does not
    /// help, it is left out.
    private mutating func change(
        _ section: WritableKeyPath<EntitySketch, [MemberSketch]>, at index: Int, of entity: Int, option: String?,
        reason: String
    ) {
        var member = sketch.entities[entity][keyPath: section][index]
        let subject = "\(sketch.entities[entity].name).\(member.name)"
        if let option {
            let written = RepairText.option(option, value: member.options.first { $0.key == option }?.value)
            member.remove(option)
            lose(
                member.line, what: "\(subject): \(written)", reason: RepairText.reason(reason, of: option),
                help: RepairText.helps[option])
            sketch.entities[entity][keyPath: section][index] = member
        } else if section == \.relationships, let copy = copiedKey(of: member, in: entity) {
            change(\.attributes, at: copy, of: entity, option: nil, reason: reason)
        } else if renamed.insert(subject).inserted, !sketch.entities[entity].identity.contains(member.name) {
            let name = free("\(member.name)Value", in: entity)
            renamed.insert("\(sketch.entities[entity].name).\(name)")
            let noun = section == \.relationships ? "relationship" : "attribute"
            changes.append(
                Change(
                    isLoss: false, line: member.line,
                    text: "\(subject): the \(noun) was renamed to '\(name)', because \(RepairText.reason(reason))",
                    help: "To choose another name, change it in the schema."))
            let former = member.name
            keepKey(of: &member, in: entity, isAttribute: section == \.attributes)
            member.name = name
            sketch.entities[entity][keyPath: section][index] = member
            follow(former, named: name, of: entity)
        } else {
            sketch.entities[entity][keyPath: section].remove(at: index)
            lose(member.line, what: subject, reason: RepairText.reason(reason))
        }
    }

    /// The attribute whose column a relationship has, too: a copy of the identity that it refers to (`userID` beside
    /// `user`), which is renamed, and not the relationship.
    private func copiedKey(of relationship: MemberSketch, in entity: Int) -> Int? {
        let sketched = sketch.entities[entity]
        return sketched.attributes.firstIndex { attribute in
            MemberNames.plain(attribute.name) == MemberNames.plain(relationship.name + "ID")
                && !sketched.identity.contains(attribute.name)
                && !renamed.contains("\(sketched.name).\(attribute.name)")
        }
    }

    /// Writes the JSON key that a member has by its name, before it gets another one.
    private func keepKey(of member: inout MemberSketch, in entity: Int, isAttribute: Bool) {
        let wire = member.options.first { $0.key == "wire" }?.value
        guard isAttribute || wire == "embedded", wire != "none",
            !member.options.contains(where: { ["key", "transient"].contains($0.key) })
        else { return }
        let key = sketch.wire["names"] == "snake_case" ? UsableName.snakeCase(member.name) : member.name
        let others = sketch.entities[entity].attributes + sketch.entities[entity].relationships
        let isTaken = others.contains { $0.name != member.name && Self.jsonKeys($0, in: sketch).contains(key) }
        if !isTaken { member.set("key", to: .string(key)) }
    }

    /// The keys that a member can have in JSON by its name, as an attribute, a record or an identity.
    private static func jsonKeys(_ member: MemberSketch, in sketch: SchemaSketch) -> [String] {
        if let key = member.options.first(where: { $0.key == "key" })?.value {
            if case .string(let key) = key { return [key] }
            return []
        }
        if sketch.wire["names"] != "snake_case" { return [member.name, "\(member.name)ID"] }
        return [UsableName.snakeCase(member.name), UsableName.snakeCase(member.name) + "_id"]
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
                let isOther = end.plainType == type
                guard isOther, end.options.contains(where: { $0.key == "inverse" && $0.value == .string(former) })
                else {
                    continue
                }
                sketch.entities[other].relationships[index].set("inverse", to: .string(name))
            }
        }
    }

    /// Attributes of an enum that is not possible have the type of its raw values.
    private mutating func replaceEnum(_ index: Int, reason: String) {
        let enumeration = sketch.enums.remove(at: index)
        let type = enumeration.isInteger ? "int" : "string"
        lose(
            enumeration.line, what: "The enum \(enumeration.name)", reason: RepairText.reason(reason),
            help: "Its attributes have the type \(type).")
        for entity in sketch.entities.indices {
            for attribute in sketch.entities[entity].attributes.indices
            where sketch.entities[entity].attributes[attribute].plainType == enumeration.name {
                let former = sketch.entities[entity].attributes[attribute].type
                sketch.entities[entity].attributes[attribute].type = former.replacingOccurrences(
                    of: enumeration.name, with: type)
                sketch.entities[entity].attributes[attribute].remove("default")
            }
        }
    }

    /// An identity that is not possible is replaced by one that is assigned by the device.
    private mutating func replaceIdentity(of entity: Int, reason: String) {
        let former = sketch.entities[entity].identity.joined(separator: ", ")
        let name = free("localID", in: entity)
        lose(
            sketch.entities[entity].line, what: "\(sketch.entities[entity].name): the identity \(former)",
            reason: RepairText.reason(reason), help: "Each record gets a new '\(name)' on the device.")
        sketch.entities[entity].attributes.append(
            .localKey(named: name, because: "the model's identity cannot be used"))
        sketch.entities[entity].identity = [name]
    }
}

extension SchemaSketch {
    /// Changes what the language does not allow, and notes it.
    ///
    /// - Parameters:
    ///   - source: The name of the source, for the comments.
    ///   - path: The path of the source, for errors.
    /// - Returns: The sketch after its repair, and the schema that it is read as.
    /// - Throws: ``ImportFailure`` if no schema can be created from it.
    mutating func repair(
        _ notes: ImportNotes, from source: String, path: String
    ) throws(ImportFailure) -> RepairedSchema {
        noteAttributes(in: notes)
        comment(notes.report, from: source)
        var repair = SketchRepair(self)
        let schema = try repair.run(path: path)
        self = repair.sketch
        for change in repair.changes {
            notes.add(change.isLoss ? .left : .decided, at: change.line, text: change.text, help: change.help)
        }
        var counts = counts
        counts.entities = schema.entities.count
        notes.count(counts)
        return RepairedSchema(sketch: self, schema: schema, text: repair.text)
    }
}

/// A sketch that breaks no rule.
struct RepairedSchema {
    let sketch: SchemaSketch
    /// The schema that the sketch is read as.
    let schema: Schema
    /// Its YAML, which the schema was read from.
    let text: String
}

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
        /// The member that has another name.
        var member: String?
    }

    private var sketch: SchemaSketch
    private(set) var changes: [Change] = []
    /// The members that were left out, as notes name them: by their names here and in the source.
    private(set) var lost: Set<String> = []
    /// The former names of the members that have another one, and the entities that have another identity. Each gets
    /// one once.
    private var formerNames: [String: String] = [:]
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
        case .entity(let index):
            guard error.code == .reservedTable else { return false }
            changeTable(of: index, reason: error.reason)
        case .enumeration(let index): replaceEnum(index, reason: error.reason)
        case .option(let entity, let option):
            let sketched = sketch.entities[entity]
            let written = Self.remove(option, from: &sketch.entities[entity])
            lose(
                sketched.line, what: "\(sketched.name): \(written)", reason: error.cause ?? error.reason,
                help: option.help)
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

    /// The rules that a member can obey with another name.
    private static let namingRules: Set<DiagnosticCode> = [
        .columnClash, .duplicateKey, .idNotIdentity, .keyClash, .keyInsideAnother, .memberNamedLikeType, .nameClash,
        .notAnIdentifier, .overrideDiffers, .reservedName, .unusableName,
    ]

    /// Gives an entity a table with another name than the one that is derived from its own.
    private mutating func changeTable(of entity: Int, reason: String) {
        let taken = Set(sketch.entities.map { sketch.tableName(of: $0).lowercased() })
        let table = freeName("table_" + sketch.tableName(of: sketch.entities[entity])) {
            taken.contains($0.lowercased())
        }
        sketch.entities[entity].table = table
        changes.append(
            Change(
                isLoss: false, line: sketch.entities[entity].line,
                text: "\(sketch.entities[entity].name): its table is '\(table)', because \(reason)",
                help: "To choose another name, change 'table:' in the schema."))
    }

    /// Leaves out the option that an error is about. A member with a wrong name gets another one. If that does not
    /// help, or if the error is not about the name, it is left out.
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
        } else if Self.namingRules.contains(error.code), section == \.relationships,
            let copy = copiedKey(of: member, in: entity)
        {
            change(\.attributes, at: copy, of: entity, option: nil, because: error)
        } else if Self.namingRules.contains(error.code), formerNames[subject] == nil,
            !owner.identity.names.contains(member.name)
        {
            rename(section, at: index, of: entity, because: error)
        } else {
            // The source of a relationship can be a key without a name.
            let source = section == \.attributes ? member.source : nil
            let former = source ?? formerNames[subject] ?? member.name
            if member.name == "id" { nameIdentity(from: owner.name) }
            changes.removeAll { $0.member == subject }
            for owner in [owner.name, owner.source ?? owner.name] {
                lost.formUnion([former, formerNames[subject] ?? member.name].map { "\(owner).\($0)" })
            }
            sketch.entities[entity][keyPath: section].remove(at: index)
            let reason = error.reason.replacingOccurrences(of: "'\(member.name)'", with: "'\(former)'")
            lose(member.line, what: "\(owner.name).\(former)", reason: reason)
        }
    }

    /// Makes entities say that `id` was their identity, so that they get another one if it is missing.
    private mutating func nameIdentity(from owner: String) {
        let bases = Dictionary(sketch.entities.map { ($0.name, $0.extends) }) { first, _ in first }
        for index in sketch.entities.indices where !sketch.entities[index].isAbstract {
            guard sketch.entities[index].identity == .derived else { continue }
            var (level, visited): (String?, Set<String>) = (sketch.entities[index].name, [])
            while let name = level, name != owner, visited.insert(name).inserted { level = bases[name] ?? nil }
            if level == owner { sketch.entities[index].identity = .attributes(["id"]) }
        }
    }

    private mutating func rename(
        _ section: WritableKeyPath<EntitySketch, [MemberSketch]>, at index: Int, of entity: Int,
        because error: Diagnostic
    ) {
        let (owner, former) = (sketch.entities[entity].name, sketch.entities[entity][keyPath: section][index])
        var member = former
        member.name = free("\(former.name)Value", in: entity)
        formerNames["\(owner).\(member.name)"] = former.name
        let isAttribute = section == \.attributes
        var (effect, help) = ("", "To choose another name, change it in the schema.")
        if former.key.isEmpty, let key = derivedKey(of: former, isAttribute: isAttribute) {
            if isTaken(key, in: entity, by: former.name) {
                member.wire = .unsent
                // What is not received must be optional or have a default.
                if member.defaultValue == nil, isAttribute || !member.type.isList { member.isOptional = true }
                (effect, help) = (" and is not in JSON", "Another member has its key. \(help)")
            } else {
                member.key = [key]
            }
        }
        changes.append(
            Change(
                isLoss: false, line: member.line,
                text: "\(owner).\(former.name): the \(isAttribute ? "attribute" : "relationship") was renamed to "
                    + "'\(member.name)'\(effect), because \(error.reason)",
                help: help, member: "\(owner).\(member.name)"))
        sketch.entities[entity][keyPath: section][index] = member
        follow(former.name, named: member.name, of: entity)
    }

    /// The attribute whose column a relationship has, too: a copy of the identity that it refers to (`userID` beside
    /// `user`), which is renamed, and not the relationship.
    private func copiedKey(of relationship: MemberSketch, in entity: Int) -> Int? {
        let sketched = sketch.entities[entity]
        return sketched.attributes.firstIndex { attribute in
            MemberNames.plain(attribute.name) == MemberNames.plain(relationship.name + "ID")
                && !sketched.identity.names.contains(attribute.name)
                && formerNames["\(sketched.name).\(attribute.name)"] == nil
        }
    }

    /// The JSON key that a member has by its name, to be written before it gets another one; `nil` if it has none.
    private func derivedKey(of member: MemberSketch, isAttribute: Bool) -> String? {
        guard isAttribute && member.wire != .unsent || member.wire == .embedded, !member.isTransient else { return nil }
        return sketch.keys.name(member.name)
    }

    /// Whether another member has a JSON key.
    private func isTaken(_ key: String, in entity: Int, by name: String) -> Bool {
        let others = sketch.entities[entity].attributes + sketch.entities[entity].relationships
        return others.contains { $0.name != name && jsonKeys($0).contains(key) }
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

    /// A name that no member, and no foreign key, has as its column.
    private func free(_ name: String, in entity: Int) -> String {
        let (attributes, relationships) = (sketch.entities[entity].attributes, sketch.entities[entity].relationships)
        let names = (attributes + relationships).map(\.name) + relationships.map { $0.name + "ID" }
        let taken = Set(names.map(MemberNames.plain))
        return freeName(name) { taken.contains(MemberNames.plain($0)) }
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
        let isUnsent = sketch.isFromServer
        lose(
            sketched.line, what: "\(sketched.name): the identity \(sketched.identity.names.joined(separator: ", "))",
            reason: reason,
            help: "Each record gets a new '\(name)' on the device"
                + (isUnsent ? ", where it stays (`remote: none`)." : "."))
        let why = "the model's identity cannot be used"
        sketch.entities[entity].attributes.append(
            isUnsent ? .unsentKey(named: name, because: why) : .localKey(named: name, because: why))
        if isUnsent { sketch.entities[entity].remote = .absent }
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
        removeSecretDefaults(in: notes)
        var repair = SketchRepair(self)
        let repaired = try repair.run(path: path)
        noteAttributes(in: notes, without: repair.lost)
        notes.removeDecisions(about: repair.lost)
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

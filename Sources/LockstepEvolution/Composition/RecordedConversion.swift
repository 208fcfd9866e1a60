/// A conversion of rows that the app writes in Swift: the attributes of one entity that a version records with
/// `convert: swift`.
package struct RecordedConversion: Sendable {
    /// The version that records it.
    package let version: Int
    /// The version's name, if it has one.
    package let versionName: String?
    /// The entity's name before the version.
    package let formerEntity: String
    /// The entity's name in the version.
    package let entity: String
    /// The attributes before the version, as columns store them. Attachments are not among them.
    package let inputs: [ValueStep.Shape]
    /// The attributes that it makes, by name.
    package let outputs: [Output]

    package struct Output: Sendable {
        package let shape: ValueStep.Shape
        /// The input with the former value, if every such value is one of the output's type.
        let keptInput: Int?
        /// The value until the conversion sets it, if it has no former one; `nil` for none.
        let initialValue: SQLLiteral?
    }

    /// Identifies it in the statements of a migration: `split-name/Person`. A version's number may change when branches
    /// are merged, so it consists of names, and two versions with conversions of one entity have different names.
    package let id: String

    /// The most attributes that an entity with a conversion can have, with those that the conversion makes: SQLite's
    /// functions take 127 arguments.
    package static let maximumAttributeCount = 120
}

extension SchemaHistory.Version {
    /// The conversions of the version.
    ///
    /// - Parameters:
    ///   - before: The structure of the version before.
    ///   - after: The structure of this version.
    /// - Throws: `StructureError` if a change names something that does not exist.
    func conversions(from before: SchemaTree, to after: SchemaTree) throws(StructureError) -> [RecordedConversion] {
        var formerNames: [String: String] = [:]
        var members: [String: [String]] = [:]
        var formerMembers: [MemberPath: String] = [:]
        for change in changes {
            if case .rename(to: let name) = change.action {
                if let member = change.path.member {
                    let path = MemberPath(change.path.type, member: name)
                    formerMembers[path] = formerMembers[change.path] ?? member
                } else {
                    formerNames[name] = formerNames[change.path.type] ?? change.path.type
                }
            }
            if change.answers.convert == ChangeAnswers.swift, let member = change.path.member {
                members[change.path.type, default: []].append(member)
            }
        }
        var conversions: [RecordedConversion] = []
        for (entity, names) in members.sorted(by: { $0.key < $1.key }) {
            let former = formerNames[entity] ?? entity
            var (inputs, outputs): ([ValueStep.Shape], [RecordedConversion.Output]) = ([], [])
            for attribute in try before.entity(former)?.attributes ?? [] where attribute.type != .attachment {
                if let shape = try ValueStep.Shape(former, member: attribute.name, in: before) { inputs.append(shape) }
            }
            for name in names.sorted() {
                guard let shape = try ValueStep.Shape(entity, member: name, in: after) else { continue }
                let path = MemberPath(entity, member: name)
                let change = changes.first { $0.path == path && $0.answers.convert != nil }
                let isChanged = if case .change? = change?.action { true } else { false }
                let kept = inputs.firstIndex { input in
                    isChanged && input.attribute.name == formerMembers[path] ?? name
                        && ValueStep.isWider(shape.storedType, than: input.storedType)
                }
                outputs.append(
                    RecordedConversion.Output(
                        shape: shape, keptInput: kept,
                        initialValue: shape.initialValue(change?.answers ?? ChangeAnswers())))
            }
            let id = "\(name ?? "version \(number)")/\(former)"
            conversions.append(
                RecordedConversion(
                    version: number, versionName: name, formerEntity: former, entity: entity, inputs: inputs,
                    outputs: outputs, id: id))
        }
        return conversions
    }
}

extension SchemaHistory {
    /// The conversions of all versions, in order.
    ///
    /// - Throws: `StructureError` if a change does not fit.
    package func conversions() throws(StructureError) -> [RecordedConversion] {
        var conversions: [RecordedConversion] = []
        var tree = base
        for version in versions {
            let before = tree
            for change in version.changes { try tree.apply(change) }
            conversions += try version.conversions(from: before, to: tree)
        }
        return conversions
    }
}

extension ChangeAnswers {
    /// The conversion that the app writes in Swift.
    package static let swift = "swift"
}

extension ValueStep.Shape {
    /// The value of an output that its conversion does not set: the one of `fill`, the default if it is a constant, or
    /// none; for a required attribute, zero.
    fileprivate func initialValue(_ answers: ChangeAnswers) -> SQLLiteral? {
        let value = answers.fill.flatMap { DefaultValue(json: $0, as: attribute.type) } ?? attribute.defaultValue
        if let value, value != .now, value != .newUUID {
            let lookup = SchemaLookup(SchemaStructure(name: "", enumerations: [enumeration].compactMap(\.self)))
            let literal = DefaultLiteral(lookup: lookup, dialect: .sqlite).literal(value, as: attribute.type)
            if let literal { return literal }
        }
        return attribute.isOptional ? nil : allowed(.sqlite)
    }
}

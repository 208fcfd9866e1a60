import LockstepJSON
import LockstepSchema

/// The attributes and relationships of one entity.
final class OpenAPIMembers {
    let context: OpenAPIContext
    let owner: String
    /// Whether the records of a list can refer to their owner.
    private let hasIdentity: Bool
    var attributes: [MemberSketch] = []
    private(set) var relationships: [MemberSketch] = []
    /// The names of the members, as columns compare them.
    private var taken: Set<String> = []

    /// The deepest object whose properties become attributes, and the most attributes that one becomes.
    private static let depthLimit = 3
    private static let countLimit = 20

    init(_ context: OpenAPIContext, owner: String, hasIdentity: Bool) {
        (self.context, self.owner, self.hasIdentity) = (context, owner, hasIdentity)
    }

    private var notes: ImportNotes { context.notes }

    /// A name that no member has.
    func free(_ name: String) -> String {
        let free = freeName(name) { taken.contains(IdentityNames.plain($0)) }
        taken.insert(IdentityNames.plain(free))
        return free
    }

    func insert(_ attribute: MemberSketch) { attributes.insert(attribute, at: 0) }

    /// Adds a property.
    ///
    /// - Parameter path: The keys of the objects that it is in.
    func add(_ property: OpenAPIProperty, path: [String] = [], isOptional: Bool = false) {
        let value = OpenAPIValue(property.node, in: context.document)
        context.used.formUnion(value.names)
        let subject = ([owner] + path + [property.key]).joined(separator: ".")
        if value["writeOnly"]?.bool == true {
            property.node.readAll()
            return notes.left(
                property.node.line, text: "\(subject) is only sent (`writeOnly`)",
                help: "Send it in a request of your own.")
        }
        let isOptional = isOptional || !property.isRequired || value.isNullable
        let inner = UsableName.camelCase((path + [property.key]).joined(separator: "_"))
        let name = free(context.memberName(path.isEmpty ? property.key : inner))
        var member = MemberSketch(name: name, type: .one("json"), line: property.node.line)
        addKey(property.key, at: path, to: &member)
        if let problem = value.problem {
            notes.left(property.node.line, text: "\(subject): \(problem)", help: "It is json. Write its type instead.")
            return append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
        }
        add(value, to: &member, subject: subject, property: property, at: path, isOptional: isOptional)
    }

    private func addKey(_ key: String, at path: [String], to member: inout MemberSketch) {
        if !path.isEmpty || context.keys.name(member.name) != key { member.key = path + [key] }
    }

    private func add(
        _ value: OpenAPIValue, to member: inout MemberSketch, subject: String, property: OpenAPIProperty,
        at path: [String], isOptional: Bool
    ) {
        if let fixed = OpenAPIEnumeration(value) {
            return add(fixed, value: value, to: &member, subject: subject, key: property.key, isOptional: isOptional)
        }
        if let name = value.name, path.isEmpty, context.roles.role(of: name) == .entity {
            return addRelationship(to: name, value: value, member: member, isToMany: false, isOptional: isOptional)
        }
        if path.isEmpty, let expandable = OpenAPIExpandable(value, in: context) {
            return add(
                expandable, value: value, member: member, key: property.key, isToMany: false, isOptional: isOptional)
        }
        if value.isChoice {
            let line = property.node.line
            notes.decided(line, text: "\(subject), one of several schemas, is json", help: "Read it in Swift.")
            for key in ["oneOf", "anyOf", "discriminator"] { value.node[key]?.report() }
            return append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
        }
        if value.isArray {
            return addList(value, to: &member, subject: subject, property: property, at: path, isOptional: isOptional)
        }
        if value.isObject {
            return addObject(value, to: &member, subject: subject, property: property, at: path, isOptional: isOptional)
        }
        addScalar(value, to: &member, subject: subject, isOptional: isOptional, isList: false, options: value)
    }

    // MARK: Scalars

    private func add(
        _ fixed: OpenAPIEnumeration, value: OpenAPIValue, to member: inout MemberSketch, subject: String,
        key: String, isOptional: Bool
    ) {
        checkType(of: value, fixed: fixed)
        if let name = context.enumeration(fixed, of: value, named: owner + UsableName.type(key)) {
            append(&member, as: name, value: value, subject: subject, isOptional: isOptional)
            // What it says of itself is at the enum.
            if value.layers.dropLast().allSatisfy({ $0.peek("description") == nil }) {
                attributes[attributes.count - 1].documentation = nil
            }
            return
        }
        if fixed.values.isEmpty {
            notes.left(value.node.line, text: "\(subject): an enum without values")
        } else {
            notes.left(
                value.node.line, text: "\(subject): that it is one of \(fixed.text)",
                help: "An enum has strings or whole numbers. Check it in Swift, in `validate()`.")
        }
        addScalar(value, to: &member, subject: subject, isOptional: isOptional, isList: false, options: value)
    }

    /// Reports a type that the values of an enum have not.
    private func checkType(of value: OpenAPIValue, fixed: OpenAPIEnumeration) {
        let expected = fixed.isInteger == true ? ["integer", "number"] : ["string"]
        let others = value.types.filter { !expected.contains($0) }
        if fixed.isInteger != nil, !others.isEmpty {
            notes.left(value.node.line, text: "The type \(others.joined(separator: ", ")) of an enum of \(fixed.text)")
        }
    }

    private func addScalar(
        _ value: OpenAPIValue, to member: inout MemberSketch, subject: String, isOptional: Bool, isList: Bool,
        options: OpenAPIValue
    ) {
        let scalar = OpenAPIScalar(value)
        let line = value.node.line
        if let decision = scalar.decision { notes.decided(line, text: "\(subject) \(decision): it is \(scalar.type)") }
        if let loss = scalar.loss {
            notes.left(line, text: "\(subject): \(loss)", help: "Check it in Swift, in `validate()`.")
        }
        member.wire = scalar.wire
        append(&member, as: scalar.type, value: options, subject: subject, isOptional: isOptional, isList: isList)
    }

    private func append(
        _ member: inout MemberSketch, as type: String, value: OpenAPIValue, subject: String, isOptional: Bool,
        isList: Bool = false
    ) {
        let isReadOnly = value["readOnly"]?.bool == true
        // A new record has no value until the server sets it.
        if isReadOnly, !isOptional { context.readOnly.append(subject) }
        let isOptional = isOptional || isReadOnly
        member.type = TypeSketch(name: type, isList: isList, isOptional: isOptional)
        OpenAPIOptions(value: value, subject: subject, notes: notes).add(to: &member, scalar: type, isList: isList)
        member.isReadOnly = isReadOnly
        attributes.append(member)
    }

    // MARK: Lists

    private func addList(
        _ value: OpenAPIValue, to member: inout MemberSketch, subject: String, property: OpenAPIProperty,
        at path: [String], isOptional: Bool
    ) {
        guard let items = value.node["items"] else {
            notes.decided(value.node.line, text: "\(subject), a list of any values, is json")
            return append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
        }
        let element = OpenAPIValue(items, in: context.document)
        context.used.formUnion(element.names)
        if let problem = element.problem {
            notes.left(items.line, text: "\(subject): \(problem)", help: "It is json. Write its type instead.")
            return append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
        }
        if let fixed = OpenAPIEnumeration(element) {
            checkType(of: element, fixed: fixed)
            let name = owner + UsableName.type(Noun.singular(property.key))
            if let type = context.enumeration(fixed, of: element, named: name) {
                return append(&member, as: type, value: value, subject: subject, isOptional: isOptional, isList: true)
            }
        }
        if path.isEmpty, hasIdentity, let expandable = OpenAPIExpandable(element, in: context) {
            return add(
                expandable, value: value, member: member, key: property.key, isToMany: true, isOptional: isOptional)
        }
        if path.isEmpty, hasIdentity, element.isObject, !element.isChoice {
            if let name = element.name, context.roles.role(of: name) == .entity {
                return addRelationship(to: name, value: value, member: member, isToMany: true, isOptional: isOptional)
            }
            if !context.properties.all(of: element.node).isEmpty {
                return addEmbedded(
                    element, value: value, member: member, subject: subject, property: property, isOptional: isOptional)
            }
        }
        guard !element.isArray, !element.isObject, !element.isChoice, !element.types.isEmpty, !element.isNullable
        else {
            notes.decided(value.node.line, text: "\(subject), a list of \(Self.noun(element)), is json")
            items.report()
            return append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
        }
        addScalar(element, to: &member, subject: subject, isOptional: isOptional, isList: true, options: value)
    }

    private static func noun(_ element: OpenAPIValue) -> String {
        if element.isChoice { return "several schemas" }
        if element.isArray { return "lists" }
        if element.isObject { return "objects" }
        return element.isNullable ? "values that can be null" : "any values"
    }

    // MARK: Relationships

    func addRelationship(
        to name: String, value: OpenAPIValue, member: MemberSketch, isToMany: Bool, isOptional: Bool,
        change: (inout MemberSketch) -> Void = { $0.wire = .embedded }
    ) {
        let target = context.typeNames[name] ?? name
        var member = member
        member.type = isToMany ? .list(of: target) : TypeSketch(name: target, isOptional: isOptional)
        change(&member)
        OpenAPIOptions(value: value, subject: "\(owner).\(member.name)", notes: notes).addDocumentation(to: &member)
        if value.layers.first?.peek("description") == nil { member.documentation = nil }
        relationships.append(member)
    }

    /// A list of objects without an identity, which belong to their owner.
    private func addEmbedded(
        _ element: OpenAPIValue, value: OpenAPIValue, member: MemberSketch, subject: String,
        property: OpenAPIProperty, isOptional: Bool
    ) {
        let plain = element.name ?? owner + UsableName.type(Noun.singular(property.key))
        let (name, isNew) = context.embedded(element.node, named: plain)
        let isIdentified = context.identity.property(of: element.node, named: plain) != nil
        if isNew {
            notes.decided(
                value.node.line,
                text: isIdentified
                    ? "\(subject): its elements are the entity '\(name)'"
                    : "\(subject): its elements are the entity '\(name)' without an identity: they belong to their "
                        + "owner",
                help: isIdentified ? nil : "If something identifies them, write 'identity:'.")
        }
        addRelationship(to: name, value: value, member: member, isToMany: true, isOptional: isOptional)
    }

    // MARK: Objects

    private func addObject(
        _ value: OpenAPIValue, to member: inout MemberSketch, subject: String, property: OpenAPIProperty,
        at path: [String], isOptional: Bool
    ) {
        let properties = context.properties.all(of: value.node)
        let line = property.node.line
        if path.isEmpty, let list = OpenAPIEnvelope(value, in: context)?.list {
            member.key = [property.key, list.key]
            notes.decided(line, text: "\(subject), an envelope, is the list '\(list.key)' that it has")
            let inner = OpenAPIProperty(key: property.key, node: list.node, isRequired: list.isRequired)
            let value = OpenAPIValue(list.node, in: context.document)
            return addList(value, to: &member, subject: subject, property: inner, at: path, isOptional: isOptional)
        }
        if let count = flatCount(value, depth: path.count), count > 0, count <= Self.countLimit {
            notes.decided(
                line, text: "\(subject), an object, is one attribute for each of its properties",
                help: "For a value of its own, write `\(member.name): json`.")
            taken.remove(IdentityNames.plain(member.name))
            context.reportMissing(of: value.node, subject: subject)
            value["description"]?.ignore()
            for inner in properties {
                add(inner, path: path + [property.key], isOptional: isOptional)
            }
            return
        }
        if properties.isEmpty {
            notes.decided(line, text: "\(subject), an object with any keys, is json")
            value.node["additionalProperties"]?.report()
        } else {
            notes.decided(line, text: "\(subject), an object of objects and lists, is json", help: "Read it in Swift.")
            value.node["properties"]?.report()
            value.node["allOf"]?.report()
            value.node["required"]?.readAll()
        }
        append(&member, as: "json", value: value, subject: subject, isOptional: isOptional)
    }

    /// The number of attributes that an object becomes; `nil` if it has more than scalars in it.
    private func flatCount(_ value: OpenAPIValue, depth: Int) -> Int? {
        guard depth < Self.depthLimit, value.node.peek("additionalProperties")?.isObject != true else { return nil }
        var count = 0
        for property in context.properties.all(of: value.node) {
            let inner = OpenAPIValue(property.node, in: context.document)
            guard inner.problem == nil else { return nil }
            if OpenAPIEnumeration(inner) != nil {
                count += 1
            } else if inner.isChoice || inner.types.isEmpty {
                return nil
            } else if inner.isObject {
                if let name = inner.name, context.roles.role(of: name) == .entity { return nil }
                guard let nested = flatCount(inner, depth: depth + 1), nested > 0 else { return nil }
                count += nested
            } else if inner.isArray {
                guard let items = inner.node["items"] else { return nil }
                let element = OpenAPIValue(items, in: context.document)
                guard element.problem == nil, !element.isObject, !element.isArray, !element.isChoice else { return nil }
                count += 1
            } else {
                count += 1
            }
            if count > Self.countLimit { return nil }
        }
        return count
    }
}

extension OpenAPIMembers {
    /// Adds the attribute that identifies a record.
    func addIdentity(_ property: OpenAPIProperty, named name: String, isOptional: Bool) {
        let value = OpenAPIValue(property.node, in: context.document)
        let subject = "\(owner).\(property.key)"
        let scalar = OpenAPIScalar(value)
        var member = MemberSketch(
            name: name, type: TypeSketch(name: scalar.type, isOptional: isOptional), line: property.node.line)
        if context.keys.name(name) != property.key { member.key = [property.key] }
        member.wire = scalar.wire
        if let loss = scalar.loss {
            context.notes.left(
                value.node.line, text: "\(subject): \(loss)", help: "Check it in Swift, in `validate()`.")
        }
        OpenAPIOptions(value: value, subject: subject, notes: context.notes).add(
            to: &member, scalar: scalar.type, isList: false)
        attributes.append(member)
    }
}

import LockstepSchema

/// How a model and its representation copy values from each other.
enum ModelRepresentation {
    static func code(for shape: EntityShape) -> Code {
        .sections([representation(shape), update(shape), matches(shape), identities(shape)])
    }

    private static func representation(_ shape: EntityShape) -> Code {
        let name = shape.entity.representationName
        let arguments = shape.fields.map { "\($0.property.label): \(value(of: $0, shape: shape))" as Code }
        let made: Code =
            arguments.isEmpty
            ? "\(name)()"
            : """
            \(name)(
                \(Code.list(arguments))
            )
            """
        let omissions = shape.fields.compactMap { omission(of: $0, shape: shape) }
        let reading = reading(shape)
        let body: Code =
            omissions.isEmpty
            ? (reading.isEmpty ? made : .lines([reading, "return \(made)"]))
            : """
            \(reading)
            var value = \(made)
            \(Code.lines(omissions))
            return value
            """
        return """
            \(shape.scope.access)var representation: \(name) {
                \(body)
            }
            """
    }

    /// The call that counts as reading every stored property; empty without properties.
    private static func reading(_ shape: EntityShape) -> Code {
        shape.entity.attributes.contains { !shape.isKey($0) } ? "willRead()" : Code()
    }

    /// A link to a record without an ID on the server cannot be sent, which is not the same as `null`.
    private static func omission(of field: WireField, shape: EntityShape) -> Code? {
        guard case .identity(let relationship, paths: _, embeddedPath: _) = field.content,
            shape.scope.remoteAttribute(of: shape.scope.entity(relationship.destination)) != nil,
            let name = CodingKeyCase.cases(of: field, in: shape).first?.rawValue
        else { return nil }
        let link = shape.heldKey(of: relationship)?.key.property ?? relationship.member(in: shape)
        return """
            if \(link) != nil, value.\(field.property) == nil {
                value.omittedKeys.insert(\(SwiftLiteral.string(name)))
            }
            """
    }

    private static func value(of field: WireField, shape: EntityShape) -> String {
        switch field.content {
        case .attribute(let attribute, _):
            return shape.storage(of: attribute).qualified
        case .identity(let relationship, paths: _, embeddedPath: _):
            return identity(of: relationship, shape: shape)
        case .identities(let relationship, path: _, embeddedPath: _):
            return "\(relationship.member(in: shape)).wireIdentities"
        case .embedded(let relationship, path: _, idsPath: _):
            let member = relationship.member(in: shape)
            if relationship.isToMany { return "\(member).representations" }
            return relationship.isOptional ? "embeddedRepresentation(of: \(member))" : "\(member).representation"
        }
    }

    /// The identity of a to-one's record in JSON.
    private static func identity(of relationship: Relationship, shape: EntityShape) -> String {
        guard let key = shape.heldKey(of: relationship) else {
            return "\(relationship.list(in: shape)).wireIdentities.first"
        }
        if shape.scope.remoteAttribute(of: key.destination) != nil { return wireIdentity(of: key) }
        return key.key.property.qualified
    }

    /// The server's identity of a record that may not have been received yet.
    private static func wireIdentity(of key: EntityShape.HeldKey) -> String {
        "wireIdentity(\(key.relationshipIndex), \(key.key.property.qualified), of: \(key.destination.swiftName).self)"
    }

    private static func update(_ shape: EntityShape) -> Code {
        let attributes = shape.fields.compactMap { field -> Code? in
            guard case .attribute(let attribute, _) = field.content, !shape.isKey(attribute) else { return nil }
            let assignment: Code =
                "\(shape.target(of: attribute)) = representation.\(shape.representationStorage(of: attribute))"
            return unlessOmitted(field, statement: assignment, of: shape)
        }
        let keys = shape.foreignKeys.map { key -> Code in
            guard let field = shape.fields.first(where: { $0.isIdentity(of: key.relationship) }),
                shape.scope.remoteAttribute(of: key.destination) == nil
            else { return Code() }
            return unlessOmitted(field, statement: "\(key.key.property) = representation.\(field.property)", of: shape)
        }
        let updates = Code.lines([.lines(attributes), .lines(keys), linkUpdates(shape, isNew: false)])
        return """
            \(shape.scope.access)func update(from representation: \(shape.entity.representationName)) {
                guard accepts(representation) else { return }
                \(ModelInitializers.beginOneChange(if: updates))
                \(updates)
            }
            """
    }

    /// The statement, under the condition that the field's key was present if it is not required.
    private static func unlessOmitted(_ field: WireField, statement: Code, of shape: EntityShape) -> Code {
        guard field.mayBeOmitted else { return statement }
        return .conditional("!representation.omits(\(field.keyName(in: shape)))", then: statement)
    }

    /// The relationships of a representation that need the context: embedded ones, lists of IDs, IDs of the server.
    static func linkUpdates(_ shape: EntityShape, isNew: Bool) -> Code {
        .lines(
            shape.fields.map { field in
                switch field.content {
                case .attribute: return Code()
                case .identity(let relationship, paths: _, embeddedPath: _) where relationship.isSymmetricToOne:
                    return symmetricLink(relationship, field: field, of: shape, isNew: isNew)
                case .identity(let relationship, paths: _, embeddedPath: _):
                    let link = remoteLink(relationship, field: field, of: shape)
                    return isNew || link.isEmpty ? link : unlessOmitted(field, statement: link, of: shape)
                case .identities(let relationship, path: _, embeddedPath: _):
                    let member = relationship.member(in: shape)
                    return .conditional(
                        "let \(field.property) = representation.\(shape.representationStorage(of: field))",
                        then: "\(member).link(to: \(field.property))")
                case .embedded(let relationship, path: _, idsPath: _):
                    let update = embeddedUpdate(relationship, field: field, of: shape)
                    return isNew || relationship.isToMany ? update : unlessOmitted(field, statement: update, of: shape)
                }
            })
    }

    /// A new record without a value may be linked already: the other record may have come first.
    private static func symmetricLink(
        _ relationship: Relationship, field: WireField, of shape: EntityShape, isNew: Bool
    ) -> Code {
        let type = shape.scope.entity(relationship.destination).swiftName
        func link(to identity: String) -> Code {
            "linkSymmetricToOne(\(relationship.index(in: shape)), to: \(identity), of: \(type).self)"
        }
        guard isNew else {
            return unlessOmitted(field, statement: link(to: "representation.\(field.property)"), of: shape)
        }
        return .conditional(
            "let \(field.property) = representation.\(field.property)", then: link(to: field.property))
    }

    private static func remoteLink(_ relationship: Relationship, field: WireField, of shape: EntityShape) -> Code {
        guard let key = shape.heldKey(of: relationship), shape.scope.remoteAttribute(of: key.destination) != nil
        else { return Code() }
        let find = "context.linked(\(key.destination.swiftName).self, wireIdentity: $0)"
        return """
            \(relationship.setter(in: shape))(
                \(key.relationshipIndex),
                representation.\(field.property).flatMap { \(find) }
            )
            """
    }

    private static func embeddedUpdate(_ relationship: Relationship, field: WireField, of shape: EntityShape) -> Code {
        let member = relationship.member(in: shape)
        let stored = shape.representationStorage(of: relationship)
        if relationship.isToMany {
            return .conditional(
                "let \(field.property) = representation.\(stored)", then: "\(member).merge(\(field.property))")
        }
        let index = relationship.index(in: shape)
        let setter = relationship.setter(in: shape)
        let type = shape.scope.entity(relationship.destination).swiftName
        let current =
            relationship.isOptional
            ? member : "toOne(\(index), \(shape.heldKey(of: relationship)?.key.property ?? "nil"))"
        let merged = "merge(representation.\(stored), current: \(current))"
        return "\(setter)(\(index), \(merged) as \(type)?)"
    }

    /// A list of calls, each of which compares a property. As operands of `&&` the conditions would be one expression,
    /// which the compiler takes seconds to type-check; and the operators would be inlined, in every model.
    private static func matches(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let compared = shape.fields.compactMap { comparison(of: $0, shape: shape) }
        let links = Code.lines(shape.fields.map { link($0, of: shape) })
        var body: [Code] = []
        if !compared.isEmpty {
            body.append(reading(shape))
            body.append("var comparison = \(scope.runtime("ValueComparison"))(with: representation)")
            body += compared
        }
        if compared.isEmpty || !links.isEmpty {
            let difference: Code = compared.isEmpty ? "" : "guard comparison.isEqual else { return false }"
            body += [difference, links, "return true"]
        } else {
            body.append("return comparison.isEqual")
        }
        return """
            \(scope.access)func matches(_ representation: \(shape.entity.representationName)) -> \(scope.standard("Bool")) {
                \(Code.lines(body))
            }
            """
    }

    /// The call that compares a stored property with that of a representation.
    private static func comparison(of field: WireField, shape: EntityShape) -> Code? {
        let own: String
        let other = "representation.\(shape.representationStorage(of: field))"
        switch field.content {
        case .attribute(let attribute, _): own = shape.storage(of: attribute).qualified
        case .identity(let relationship, paths: _, embeddedPath: _):
            guard isStoredIdentity(of: relationship, shape: shape) else { return nil }
            own = identity(of: relationship, shape: shape)
        case .identities, .embedded: return nil
        }
        let key = field.mayBeOmitted ? CodingKeyCase.cases(of: field, in: shape).first?.rawValue : nil
        let arguments = [own, other] + (key.map { [SwiftLiteral.string($0)] } ?? [])
        return .call("comparison." + field.comparison(in: shape), arguments: arguments)
    }

    /// Whether the identity in JSON is the foreign key. If not, it must be looked up.
    private static func isStoredIdentity(of relationship: Relationship, shape: EntityShape) -> Bool {
        shape.heldKey(of: relationship).map { shape.scope.remoteAttribute(of: $0.destination) == nil } ?? false
    }

    private static func link(_ field: WireField, of shape: EntityShape) -> Code {
        switch field.content {
        case .attribute: return Code()
        case .identity(let relationship, paths: _, embeddedPath: _):
            guard !isStoredIdentity(of: relationship, shape: shape) else { return Code() }
            let differs = "\(identity(of: relationship, shape: shape)) != representation.\(field.property)"
            let isPresent = field.mayBeOmitted ? ["!representation.omits(\(field.keyName(in: shape)))"] : []
            return .conditional(isPresent + [differs], then: "return false")
        case .identities(let relationship, path: _, embeddedPath: _):
            let condition = "!\(relationship.member(in: shape)).matches(identities: \(field.property))"
            return .conditional(
                "let \(field.property) = representation.\(shape.representationStorage(of: field))", condition,
                then: "return false")
        case .embedded(let relationship, path: _, idsPath: _):
            let member = relationship.member(in: shape)
            let stored = shape.representationStorage(of: relationship)
            guard relationship.isToMany else {
                let optional =
                    relationship.isOptional ? "" : " as \(shape.scope.entity(relationship.destination).swiftName)?"
                let condition = "!representation.omits(\(field.keyName(in: shape)))"
                let match = "!matches(representation.\(stored), current: \(member)\(optional))"
                return .conditional(condition, match, then: "return false")
            }
            return .conditional(
                "let \(field.property) = representation.\(stored)", "!\(member).matches(\(field.property))",
                then: "return false")
        }
    }

    /// With `self.`, because a getter cannot begin with the name `get` or another one of an accessor.
    private static func identities(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let keys = shape.keyAttributes
        let value: Code =
            switch keys.count {
            case 0: "lockstepID"
            case 1: "self.\(keys[0].swiftName)"
            default:
                "Identity(\(keys.map { "\($0.swiftName.label): self.\($0.swiftName)" }.joined(separator: ", ")))"
            }
        let type = keys.count > 1 ? "Identity" : scope.identityType(of: shape.entity)
        let remote = scope.remoteAttribute(of: shape.entity).map { attribute -> Code in
            let name = attribute.deprecation == nil ? attribute.swiftName : shape.storage(of: attribute)
            return "\(scope.access)var wireIdentity: \(scope.typeName(attribute.type))? { self.\(name) }"
        }
        return .lines(["\(scope.access)var identity: \(type) { \(value) }", remote ?? Code()])
    }
}

extension WireField {
    /// The method of the runtime that compares two values of the property: `string`, `optionalUUID`, `value`.
    func comparison(in shape: EntityShape) -> String {
        switch content {
        case .attribute(let attribute, _): return attribute.type.comparison(isOptional: attribute.isOptional)
        case .identity(let relationship, paths: _, embeddedPath: _):
            let attributes = shape.wireIdentityAttributes(of: relationship)
            return attributes.count == 1 ? attributes[0].type.comparison(isOptional: true) : "optionalValue"
        case .identities, .embedded: return "optionalValue"
        }
    }

    /// The case of `CodingKeys` for checking its presence: `.title`.
    func keyName(in shape: EntityShape) -> String {
        "." + (CodingKeyCase.cases(of: self, in: shape).first?.name ?? property)
    }
}

import LockstepSchema

/// The initializers of a model: from values, from a representation, from a row.
enum ModelInitializers {
    static func code(for shape: EntityShape) -> Code {
        .sections([memberwise(shape), fromRepresentation(shape), fromRow(shape)])
    }

    private static func memberwise(_ shape: EntityShape) -> Code {
        let access = shape.scope.access
        // Without members, the initializer is that of the base class.
        let parameters = parameters(shape)
        let links = Code.lines(shape.entity.relationships.map { link($0, of: shape) })
        return """
            /// Creates a new \(shape.nounPhrase) in `context`, which is stored when the context is saved.
            @discardableResult
            \(access)\(parameters.count == 1 ? "override " : "")init(
                \(Code.list(parameters))
            ) {
                \(Code.lines(shape.entity.attributes.map { "self.\(shape.storage(of: $0)) = \($0.swiftName)\($0.rounding)" }))
                \(surrogateKey(shape))
                super.init(context: context)
                \(beginOneChange(if: links))
                context.insert(self)
                \(links)
            }
            """
    }

    /// Attributes that only the server sets are last: a new record rarely has them.
    private static func parameters(_ shape: EntityShape) -> [Code] {
        let scope = shape.scope
        let readOnly = shape.entity.attributes.filter { $0.wire?.isReadOnly ?? false }
        let written = shape.entity.attributes.filter { !($0.wire?.isReadOnly ?? false) }
        let relationships = shape.entity.relationships.filter { !$0.isImplied }.map { relationship -> Code in
            let destination = scope.entity(relationship.destination).swiftName
            if relationship.isToMany { return "\(relationship.swiftName): [\(destination)] = []" }
            let suffix = relationship.isOptional ? "? = nil" : ""
            return "\(relationship.swiftName): \(destination)\(suffix)"
        }
        return written.map { parameter($0, in: scope) } + relationships + readOnly.map { parameter($0, in: scope) }
            + ["context: \(scope.runtime("ManagedObjectContext"))"]
    }

    private static func parameter(_ attribute: Attribute, in scope: SwiftScope) -> Code {
        let type = scope.typeName(attribute.type, isOptional: attribute.isOptional)
        return "\(attribute.swiftName): \(type)\(defaultValue(of: attribute, in: scope))"
    }

    private static func defaultValue(of attribute: Attribute, in scope: SwiftScope) -> String {
        if let value = attribute.defaultValue { return " = " + scope.expression(value, as: attribute.type) }
        return attribute.isOptional ? " = nil" : ""
    }

    private static func surrogateKey(_ shape: EntityShape) -> Code {
        shape.hasSurrogateKey ? "lockstepID = \(shape.scope.runtime("ManagedObjectContext")).newLockstepID()" : Code()
    }

    private static func link(_ relationship: Relationship, of shape: EntityShape) -> Code {
        guard !relationship.isImplied else { return Code() }
        let name = relationship.swiftName
        if relationship.isToMany {
            return "\(relationship.member(in: shape)).insert(contentsOf: \(name))"
        }
        let assignment: Code =
            relationship.deprecation == nil
            ? "self.\(name) = \(name)" : "\(relationship.setter(in: shape))(\(relationship.index(in: shape)), \(name))"
        return relationship.isOptional ? "if let \(name) { \(assignment) }" : assignment
    }

    private static func fromRepresentation(_ shape: EntityShape) -> Code {
        let access = shape.scope.access
        let initialized = shape.entity.attributes.map { attribute -> Code in
            guard attribute.wire != nil else {
                return "\(shape.storage(of: attribute)) = \(absentValue(of: attribute, in: shape.scope))"
            }
            let value = "representation.\(shape.representationStorage(of: attribute))"
            return "\(shape.storage(of: attribute)) = \(value)\(attribute.rounding)"
        }
        let links = ModelRepresentation.linkUpdates(shape, isNew: true)
        return """
            @discardableResult
            \(access)init?(representation: \(shape.entity.representationName), context: \(shape.scope.runtime("ManagedObjectContext"))) {
                guard Self.isValid(representation) else { return nil }
                \(Code.lines(initialized))
                \(surrogateKey(shape))
                \(Code.lines(shape.foreignKeys.map { assignKey($0, of: shape) }))
                super.init(context: context)
                \(beginOneChange(if: links))
                context.insert(self)
                \(links)
            }
            """
    }

    /// Makes the changes of the rest of a function one step of the undo history; empty if there is no rest.
    static func beginOneChange(if rest: Code) -> Code {
        guard !rest.isEmpty else { return Code() }
        return """
            context.beginChange()
            defer { context.endChange() }
            """
    }

    /// The value of an attribute that is not sent, for a record that came from a server.
    private static func absentValue(of attribute: Attribute, in scope: SwiftScope) -> String {
        if let value = attribute.defaultValue {
            return scope.expression(value, as: attribute.type) + attribute.rounding(ofDefault: value)
        }
        // The rules require a default for every required attribute that is not sent, except for a local text identity.
        return attribute.isOptional ? "nil" : "\(scope.runtime("ManagedObjectContext")).newLocalID()"
    }

    private static func assignKey(_ key: EntityShape.HeldKey, of shape: EntityShape) -> Code {
        guard let field = shape.fields.first(where: { $0.isIdentity(of: key.relationship) }),
            shape.scope.remoteAttribute(of: key.destination) == nil
        else { return Code() }
        return "\(shape.storage(of: key.key.property)) = representation.\(field.property)"
    }

    private static func fromRow(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let surrogate: Code = shape.hasSurrogateKey ? "lockstepID = row.int64(0)" : Code()
        let attributes = shape.entity.attributes.map { attribute -> Code in
            guard !attribute.isTransient else {
                return "\(shape.storage(of: attribute).qualified) = \(transientValue(of: attribute, in: scope))"
            }
            return "\(shape.storage(of: attribute).qualified) = \(ModelStorage.read(attribute, of: shape))"
        }
        let keys = shape.foreignKeys.flatMap { key in
            [
                ModelStorage.readKey(key, into: shape.storage(of: key.key.property), of: shape),
                ModelStorage.readPosition(key, of: shape),
            ]
        }
        return """
            \(scope.access)required init(row: \(scope.runtime("RowReader")), context: \(scope.runtime("ManagedObjectContext"))) {
                \(surrogate)
                \(Code.lines(attributes))
                \(Code.lines(keys))
                super.init(loadedIn: context)
            }
            """
    }

    private static func transientValue(of attribute: Attribute, in scope: SwiftScope) -> String {
        guard let value = attribute.defaultValue else { return "nil" }
        return scope.expression(value, as: attribute.type) + attribute.rounding(ofDefault: value)
    }
}

extension String {
    /// `JobSheet` as `job sheet`. Acronyms keep their capitals.
    var spacedWords: String {
        var words: [String] = []
        var current = ""
        var previousIsUpper = true
        for character in self {
            if character.isUppercase, !previousIsUpper {
                words.append(current)
                current = ""
            }
            previousIsUpper = character.isUppercase
            current.append(character)
        }
        words.append(current)
        return words.map { $0.dropFirst().contains(where: \.isUppercase) ? $0 : $0.lowercased() }.joined(separator: " ")
    }

}

extension Relationship {
    func index(in shape: EntityShape) -> Int {
        shape.entity.relationships.firstIndex { $0.name == name } ?? 0
    }

    /// The relationship's property, or its storage if the property is deprecated.
    func member(in shape: EntityShape) -> String {
        guard deprecation != nil else { return "self.\(swiftName)" }
        if isToMany { return list(in: shape) }
        let type = shape.scope.entity(destination).swiftName
        guard let key = shape.heldKey(of: self) else {
            return "(\(isSymmetricToOne ? "symmetricToOne" : "toOneInverse")(\(index(in: shape))) as \(type)?)"
        }
        return "(toOne(\(index(in: shape)), \(key.key.property)) as \(type)?)"
    }

    /// The runtime's function that sets this to-one.
    func setter(in shape: EntityShape) -> String {
        if isSymmetricToOne { return "setSymmetricToOne" }
        return shape.heldKey(of: self) == nil ? "setToOneInverse" : "setToOne"
    }

    /// A symmetric to-one as a list, of at most one member, for its identity.
    func list(in shape: EntityShape) -> String {
        let type = shape.scope.entity(destination).swiftName
        return "(toMany(\(index(in: shape))) as \(shape.scope.runtime("ToMany"))<\(type)>)"
    }

    /// The representation's property for a to-one that is encoded as an identity: `productID`.
    var identityProperty: String? {
        switch storage {
        case .foreignKey(let key): key.property
        case .joinTable: name + "ID"
        case .inverseForeignKey: nil
        }
    }

    /// The representation's property for a to-many that is encoded as a list of identities: `tagIDs`.
    var identitiesProperty: String {
        Noun.singular(name) + "IDs"
    }
}

extension WireField {
    func isIdentity(of relationship: Relationship) -> Bool {
        if case .identity(let own, paths: _, embeddedPath: _) = content { own.name == relationship.name } else { false }
    }
}

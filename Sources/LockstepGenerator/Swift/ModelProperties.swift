import LockstepSchema

/// The properties of a model: attributes in declared order, then relationships with their foreign keys.
enum ModelProperties {
    static func code(for shape: EntityShape) -> Code {
        .sections([
            .lines([surrogateKey(shape)] + shape.entity.attributes.map { attribute($0, shape) }),
            .sections(shape.entity.relationships.map { relationship($0, shape) }),
        ])
    }

    private static func surrogateKey(_ shape: EntityShape) -> Code {
        guard shape.hasSurrogateKey else { return Code() }
        return """
            /// The key of the row. The entity has no other identity.
            \(shape.scope.access)let lockstepID: \(shape.scope.standard("Int64"))
            """
    }

    private static func attribute(_ attribute: Attribute, _ shape: EntityShape) -> Code {
        let scope = shape.scope
        let type = scope.typeName(attribute.type, isOptional: attribute.isOptional)
        let documentation = Code.documentation(attribute.documentation)
        if shape.isKey(attribute) {
            return .lines([documentation, "\(scope.access)let \(attribute.swiftName): \(type)"])
        }
        // Only the server sets it, in its responses.
        let setting = shape.entity.version == attribute.name ? "private(set) " : ""
        let access = attribute.deprecation == nil ? scope.access + setting : "private "
        let stored = observed(
            "\(access)var \(attribute.storageName): \(type)", observer: observer(of: attribute, shape),
            isPlain: attribute.isTransient)
        guard let deprecation = attribute.deprecation else { return .lines([documentation, stored]) }
        return """
            \(stored)
            \(documentation)
            \(Code.deprecation(deprecation))
            \(scope.access)\(setting)var \(attribute.swiftName): \(type) {
                get { \(attribute.storageName) }
                set { \(attribute.storageName) = newValue }
            }
            """
    }

    /// What happens after a property has changed: dates are rounded to the store's precision, and the context is
    /// notified.
    private static func observer(of attribute: Attribute, _ shape: EntityShape) -> [String] {
        let name = attribute.storageName.qualified
        let rounding = attribute.rounding
        let function = "didChange" + (attribute.isOptional ? "Optional" : "") + attribute.type.observedName
        let report = "\(function)(\(shape.column(of: attribute)), from: oldValue, to: \(name))"
        return rounding.isEmpty ? [report] : ["\(name) = \(name)\(rounding)", report]
    }

    private static func observed(_ declaration: String, observer: [String], isPlain: Bool) -> Code {
        guard !isPlain else { return Code(declaration) }
        let line = "\(declaration) { didSet { \(observer.joined(separator: "; ")) } }"
        guard observer.count > 1 || line.utf8.count > 116 else { return Code(line) }
        return """
            \(declaration) {
                didSet {
                    \(Code.lines(observer.map { Code($0) }))
                }
            }
            """
    }

    private static func relationship(_ relationship: Relationship, _ shape: EntityShape) -> Code {
        let scope = shape.scope
        let index = shape.entity.relationships.firstIndex { $0.name == relationship.name } ?? 0
        let head = Code.lines([
            .documentation(relationship.documentation), .deprecation(relationship.deprecation),
        ])
        let destination = scope.entity(relationship.destination).swiftName
        if relationship.isToMany {
            let type = "\(scope.runtime("ToMany"))<\(destination)>"
            return """
                \(head)
                \(scope.access)var \(relationship.swiftName): \(type) { toMany(\(index)) }
                """
        }
        let optional = relationship.isOptional ? "?" : ""
        let key = shape.heldKey(of: relationship)
        let getter = relationship.isSymmetricToOne ? "symmetricToOne" : "toOneInverse"
        let accessors =
            key.map { accessorsOfKeyHolder($0, index) }
            ?? "get { \(getter)(\(index)) }\nset { \(relationship.setter(in: shape))(\(index), newValue) }"
        return .lines([
            key.map { foreignKey($0, scope) } ?? Code(),
            """
            \(head)
            \(scope.access)var \(relationship.swiftName): \(destination)\(optional) {
                \(accessors)
            }
            """,
        ])
    }

    private static func accessorsOfKeyHolder(_ key: EntityShape.HeldKey, _ index: Int) -> Code {
        let getter = key.relationship.isOptional ? "toOne" : "requiredToOne"
        return """
            get { \(getter)(\(index), \(key.key.property)) }
            set { setToOne(\(index), newValue) }
            """
    }

    private static func foreignKey(_ key: EntityShape.HeldKey, _ scope: SwiftScope) -> Code {
        let property = key.key.property
        let declaration = "\(scope.access)var \(property): \(key.type)?"
        var lines: [Code] = [
            .documentation(
                "The identity of `\(key.relationship.swiftName.unescaped)`, kept even if it is not in the store."),
            observed(
                declaration,
                observer: ["didChangeKey(\(key.relationshipIndex), from: oldValue, to: \(property.qualified))"],
                isPlain: false),
        ]
        if let position = key.key.positionProperty, let column = key.positionColumn {
            lines.append(.documentation("The place in the order that `\(key.relationship.swiftName.unescaped)` keeps."))
            lines.append(
                observed(
                    "\(scope.access)var \(position): \(scope.standard("Int"))?",
                    observer: ["didChangeOptionalInt(\(column), from: oldValue, to: \(position.qualified))"],
                    isPlain: false))
        }
        return .lines(lines)
    }
}

extension Attribute {
    /// The stored property: the attribute's own, or a private one behind a deprecated property, so that generated code
    /// never uses deprecated declarations.
    var storageName: String {
        deprecation == nil ? swiftName : "_" + swiftName.unescaped
    }

    /// The suffix that rounds a value to the store's precision; empty for all types but dates.
    var rounding: String {
        let optional = isOptional ? "?" : ""
        switch type {
        case .scalar(.date): return optional + ".roundedToStore"
        case .list(.scalar(.date)): return optional + ".map(\\.roundedToStore)"
        default: return ""
        }
    }
}

extension Attribute {
    /// The suffix that rounds a default to the store's precision. Dates in the schema are rounded already.
    func rounding(ofDefault value: DefaultValue) -> String {
        value == .now ? ".roundedToStore" : ""
    }
}

extension String {
    /// The name without backticks.
    var unescaped: String {
        utf8.first == UInt8(ascii: "`") ? String(dropFirst().dropLast()) : self
    }

    /// The name as an argument label in a call, where Swift allows keywords without backticks.
    var label: String {
        unescaped == "inout" ? self : unescaped
    }

    /// The property with this name, with `self.` if a parameter or an implicit name would hide it.
    var qualified: String {
        Self.hiding.contains(unescaped) ? "self." + self : self
    }

    private static let hiding: Set<String> = [
        "column", "comparison", "context", "encoder", "hasher", "newValue", "oldValue", "other", "owner", "position",
        "relationship", "representation", "row", "wire",
    ]
}

import LockstepSchema

/// The properties of a model: attributes in declared order, then relationships with their foreign keys.
enum ModelProperties {
    static func code(for shape: EntityShape) -> Code {
        .sections([
            .lines([surrogateKey(shape)] + shape.entity.attributes.map { attribute($0, of: shape) }),
            .sections(shape.entity.relationships.map { relationship($0, of: shape) }),
        ])
    }

    private static func surrogateKey(_ shape: EntityShape) -> Code {
        guard shape.hasSurrogateKey else { return Code() }
        return """
            /// The key of the row. The entity has no other identity.
            \(shape.scope.access)let lockstepID: \(shape.scope.standard("Int64"))
            """
    }

    private static func attribute(_ attribute: Attribute, of shape: EntityShape) -> Code {
        let scope = shape.scope
        let type = scope.typeName(attribute.type, isOptional: attribute.isOptional)
        let documentation = Code.documentation(attribute.documentation)
        if shape.isKey(attribute) {
            return .lines([documentation, "\(scope.access)let \(attribute.swiftName): \(type)"])
        }
        // Only the server sets it, in its responses.
        let setting = shape.entity.version == attribute.name ? "private(set) " : ""
        return .lines([
            documentation,
            .deprecation(attribute.deprecation),
            property(
                "\(scope.access)\(setting)var", named: attribute.swiftName, type: type,
                number: number(of: attribute, shape: shape),
                report: report(of: attribute, shape: shape), isDeprecated: attribute.deprecation != nil, of: shape),
        ])
    }

    /// The number by which the context knows an attribute: its column, or for transient ones -1, -2, and so on.
    private static func number(of attribute: Attribute, shape: EntityShape) -> Int {
        guard attribute.isTransient else { return shape.column(of: attribute) }
        let transient = shape.entity.attributes.filter(\.isTransient)
        return -1 - (transient.firstIndex { $0.name == attribute.name } ?? 0)
    }

    /// How a property reports a change to the context.
    private struct Report {
        /// The call with the names of the former and of the new value.
        let call: (_ old: String, _ new: String) -> String
        /// Whether the call needs the former value.
        var needsFormer = true
        /// The suffix that rounds a new value to the store's precision.
        var rounding = ""
    }

    private static func report(of attribute: Attribute, shape: EntityShape) -> Report {
        if attribute.isTransient {
            let call = "didChangeTransient(\(number(of: attribute, shape: shape)))"
            return Report(call: { _, _ in call }, needsFormer: false)
        }
        let function = "didChange" + (attribute.isOptional ? "Optional" : "") + attribute.type.observedName
        let column = shape.column(of: attribute)
        return Report(
            call: { "\(function)(\(column), from: \($0), to: \($1))" }, rounding: attribute.rounding)
    }

    /// A property whose reads and changes the context is notified of, and the stored property behind it.
    ///
    /// The class itself cannot set a deprecated property without a warning, so that of the storage is observed.
    private static func property(
        _ declaration: String, named name: String, type: String, number: Int, report: Report,
        isDeprecated: Bool = false, of shape: EntityShape
    ) -> Code {
        let storage = shape.storage(of: name)
        let head = "\(declaration) \(name): \(type)"
        return """
            \(head) {
                get {
                    willRead(\(number))
                    return \(storage)
                }
                \(isDeprecated ? "set { \(storage) = newValue }" : setter(storage, report: report))
            }
            \(isDeprecated ? observed(storage, as: type, report: report) : "private var \(storage): \(type)")
            """
    }

    private static func setter(_ storage: String, report: Report) -> Code {
        """
        set {
            \(report.needsFormer ? "let former = \(storage)" : Code())
            \(storage) = newValue\(report.rounding)
            \(report.call("former", report.rounding.isEmpty ? "newValue" : storage))
        }
        """
    }

    private static func observed(_ storage: String, as type: String, report: Report) -> Code {
        """
        private var \(storage): \(type) {
            didSet {
                \(report.rounding.isEmpty ? Code() : "\(storage) = \(storage)\(report.rounding)")
                \(report.call("oldValue", storage))
            }
        }
        """
    }

    private static func relationship(_ relationship: Relationship, of shape: EntityShape) -> Code {
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
            key.map { accessorsOfKeyHolder($0, at: index) }
            ?? "get { \(getter)(\(index)) }\nset { \(relationship.setter(in: shape))(\(index), newValue) }"
        return .lines([
            key.map { foreignKey($0, of: shape) } ?? Code(),
            """
            \(head)
            \(scope.access)var \(relationship.swiftName): \(destination)\(optional) {
                \(accessors)
            }
            """,
        ])
    }

    private static func accessorsOfKeyHolder(_ key: EntityShape.HeldKey, at index: Int) -> Code {
        let getter = key.relationship.isOptional ? "toOne" : "requiredToOne"
        return """
            get { \(getter)(\(index), \(key.key.property)) }
            set { setToOne(\(index), newValue) }
            """
    }

    private static func foreignKey(_ key: EntityShape.HeldKey, of shape: EntityShape) -> Code {
        let name = key.key.property
        let access = "\(shape.scope.access)var"
        let report = Report(call: { "didChangeKey(\(key.relationshipIndex), from: \($0), to: \($1))" })
        var lines: [Code] = [
            .documentation(
                "The identity of `\(key.relationship.swiftName.unescaped)`, kept even if it is not in the store."),
            property(
                access, named: name, type: key.type + "?", number: key.columns.first ?? 0, report: report, of: shape),
        ]
        if let position = key.key.positionProperty, let column = key.positionColumn {
            let report = Report(call: { "didChangeOptionalInt(\(column), from: \($0), to: \($1))" })
            let type = shape.scope.standard("Int") + "?"
            lines.append(.documentation("The place in the order that `\(key.relationship.swiftName.unescaped)` keeps."))
            lines.append(property(access, named: position, type: type, number: column, report: report, of: shape))
        }
        return .lines(lines)
    }
}

extension Attribute {
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

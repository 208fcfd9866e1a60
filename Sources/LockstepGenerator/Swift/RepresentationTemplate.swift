import LockstepSchema

/// `EntryRepresentation.swift`: the entity as a value, and how it is decoded from and encoded as JSON.
enum RepresentationTemplate {
    static func file(for shape: EntityShape) -> SwiftFile {
        let scope = shape.scope
        let name = shape.entity.representationName
        let article = name.first.map { "AEIOU".contains($0) } == true ? "An" : "A"
        let body: Code = """
            /// \(article) `\(shape.entity.swiftName)` as a value, as it is sent and received.
            \(scope.typeAccess)struct \(name): \(scope.runtime(shape.isReadFromRows ? "RowRepresentation" : "Representation")) {
                \(Code.lines(shape.fields.map { property($0, of: shape) }))
                \(omittedKeys(shape))

                \(codingKeys(shape))

                \(memberwise(shape))
            }

            extension \(name): \(scope.runtime("ComparedRepresentation")) {
                \(scope.access)typealias Object = \(shape.entity.swiftName)

                \(wireIdentity(shape))

                \(RepresentationEquality.comparison(shape))

                \(RepresentationEquality.hash(shape))

                \(fromRow(shape))

                \(RepresentationCoding.reader(shape))

                \(RepresentationCoding.writer(shape))
            }
            """
        return SwiftFile(modules: Imports.modules(forRepresentation: shape), body: body, callsRuntimeInternals: true)
    }

    private static func property(_ field: WireField, of shape: EntityShape) -> Code {
        let scope = shape.scope
        let documentation = Code.documentation(field.documentation)
        let observer = observer(of: field, shape: shape)
        let storage = shape.representationStorage(of: field)
        guard let deprecation = field.deprecation else {
            return .lines([documentation, "\(scope.access)var \(field.property): \(field.type)\(observer)"])
        }
        return """
            var \(storage): \(field.type)\(observer)
            \(documentation)
            \(Code.deprecation(deprecation))
            \(scope.access)var \(field.property): \(field.type) {
                get { \(storage) }
                set { \(storage) = newValue }
            }
            """
    }

    /// A value that is set counts as present, even if it was absent from the JSON.
    private static func observer(of field: WireField, shape: EntityShape) -> Code {
        guard field.mayBeOmitted else { return Code() }
        let removals = CodingKeyCase.cases(of: field, in: shape).map { key -> Code in
            "omittedKeys.remove(\(SwiftLiteral.string(key.rawValue)))"
        }
        let lengthWithout = shape.scope.access.utf8.count + field.property.utf8.count + field.type.utf8.count
        if removals.count == 1, lengthWithout + removals[0].bytes.count < 90 {
            return " { didSet { \(removals[0]) } }"
        }
        return """
             {
                didSet {
                    \(Code.lines(removals))
                }
            }
            """
    }

    private static func omittedKeys(_ shape: EntityShape) -> Code {
        """
        \(shape.scope.access)var omittedKeys = \(shape.scope.runtime("OmittedKeys"))()
        """
    }

    private static func memberwise(_ shape: EntityShape) -> Code {
        let parameters = shape.fields.map { field -> Code in
            "\(field.property): \(field.type)\(field.isOptional ? " = nil" : "")"
        }
        guard !parameters.isEmpty else { return "\(shape.scope.access)init() {}" }
        return """
            \(shape.scope.access)init(
                \(Code.list(parameters))
            ) {
                \(Code.lines(shape.fields.map { "self.\(shape.representationStorage(of: $0)) = \($0.property)" }))
            }
            """
    }

    /// Reads the same as the model's own initializer, for the columns that are sent.
    private static func fromRow(_ shape: EntityShape) -> Code {
        guard shape.isReadFromRows else { return Code() }
        let values = shape.fields.map { field -> Code in
            switch field.content {
            case .attribute(let attribute, _):
                return
                    "\(shape.representationStorage(of: field).qualified) = \(ModelStorage.read(attribute, of: shape))"
            case .identity(let relationship, paths: _, embeddedPath: _):
                return shape.heldKey(of: relationship).map { key in
                    ModelStorage.readKey(key, into: key.key.property.qualified, of: shape)
                } ?? Code()
            case .identities, .embedded: return Code()
            }
        }
        return """
            \(shape.scope.access)init(row: \(shape.scope.runtime("RowReader"))) {
                \(Code.lines(values))
            }
            """
    }

    /// Only cases whose key differs from their name are written out. A nested key is written with dots.
    private static func codingKeys(_ shape: EntityShape) -> Code {
        let access = shape.scope.typeAccess
        guard !shape.fields.isEmpty else { return "\(access)enum CodingKeys: \(shape.scope.standard("CodingKey")) {}" }
        var plain: [String] = []
        var renamed: [Code] = []
        for key in shape.fields.flatMap({ CodingKeyCase.cases(of: $0, in: shape) }) {
            if key.name.unescaped == key.rawValue {
                plain.append(key.name)
            } else {
                renamed.append("case \(key.name) = \(SwiftLiteral.string(key.rawValue))")
            }
        }
        return """
            \(access)enum CodingKeys: \(shape.scope.standard("String")), \(shape.scope.standard("CodingKey")) {
                \(wrapped(plain))
                \(Code.lines(renamed))
            }
            """
    }

    /// `case a, b, c` in lines of at most 120 columns.
    private static func wrapped(_ names: [String]) -> Code {
        var lines: [String] = []
        for name in names {
            if let last = lines.last, last.count + name.count + 2 <= 112 {
                lines[lines.count - 1] = last + ", " + name
            } else {
                lines.append("case " + name)
            }
        }
        return .lines(lines.map { Code($0) })
    }

    private static func wireIdentity(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let type = shape.entity.swiftName + ".WireIdentity?"
        let names: [Attribute]
        if let remote = scope.remoteAttribute(of: shape.entity) {
            names = [remote]
        } else {
            names = shape.keyAttributes
        }
        guard names.allSatisfy({ $0.wire != nil }), !names.isEmpty else {
            return "\(scope.access)var wireIdentity: \(type) { nil }"
        }
        // With `self.`, because a getter cannot begin with the name `get`.
        let value =
            names.count == 1
            ? "self." + shape.representationStorage(of: names[0])
            : "\(shape.entity.swiftName).Identity"
                + "(\(names.map { "\($0.swiftName.label): \($0.swiftName)" }.joined(separator: ", ")))"
        return "\(scope.access)var wireIdentity: \(type) { \(value) }"
    }
}

/// One case of `CodingKeys`.
struct CodingKeyCase {
    var name: String
    var rawValue: String

    /// The cases of a field: one, or one for each part of a composite identity.
    static func cases(of field: WireField, in shape: EntityShape) -> [CodingKeyCase] {
        switch field.content {
        case .attribute(_, let wire):
            return [CodingKeyCase(name: field.property, rawValue: wire.path.joined(separator: "."))]
        case .identities(_, let path, embeddedPath: _), .embedded(_, let path, idsPath: _):
            return [CodingKeyCase(name: field.property, rawValue: path.joined(separator: "."))]
        case .identity(let relationship, let paths, embeddedPath: _):
            guard paths.count > 1 else {
                return [CodingKeyCase(name: field.property, rawValue: (paths.first ?? []).joined(separator: "."))]
            }
            let attributes = shape.scope.keyAttributes(of: shape.scope.entity(relationship.destination))
            return zip(attributes, paths).map { attribute, path in
                CodingKeyCase(name: attribute.partName(of: relationship), rawValue: path.joined(separator: "."))
            }
        }
    }
}

extension Attribute {
    /// The name of a composite foreign key's part: `ownerCountry`.
    func partName(of relationship: Relationship) -> String {
        relationship.name + name.prefix(1).uppercased() + name.dropFirst()
    }
}

extension WireField {
    var deprecation: String? {
        switch content {
        case .attribute(let attribute, _): attribute.deprecation
        case .identity: nil
        case .identities(let relationship, path: _, embeddedPath: _), .embedded(let relationship, path: _, idsPath: _):
            relationship.deprecation
        }
    }

    var documentation: String? {
        switch content {
        case .attribute(let attribute, _): attribute.documentation
        case .identity: nil
        case .identities(let relationship, path: _, embeddedPath: _), .embedded(let relationship, path: _, idsPath: _):
            relationship.documentation
        }
    }
}

import LockstepSchema

/// What follows the class: its columns for queries, its composite identity, and the description that the runtime's bulk
/// operations use.
enum EntityDescriptionTemplate {
    static func code(for shape: EntityShape) -> Code {
        let scope = shape.scope
        return """
            extension \(shape.entity.swiftName) {
                \(Code.lines([identityType(shape), wireIdentityType(shape)]))
                \(scope.access)typealias Representation = \(shape.entity.representationName)

                \(compositeIdentity(shape))

                /// The columns of `\(shape.entity.tableName)`, for requests: `\(example(shape))`.
                \(scope.typeAccess)enum Columns {
                    \(Code.lines(columns(shape)))
                }

                \(relationships(shape))

                \(scope.access)static let entity = \(scope.runtime("EntityDescription"))(
                    name: \(SwiftLiteral.string(shape.entity.name)),
                    table: \(SwiftLiteral.string(shape.entity.tableName)),
                    identity: \(identity(shape)),
                    \(version(shape))
                    \(Code.list(lists(shape) + remote(shape)))
                )
            }
            """
    }

    private static func identityType(_ shape: EntityShape) -> Code {
        guard shape.keyAttributes.count < 2 else { return Code() }
        return "\(shape.scope.access)typealias Identity = \(shape.scope.identityType(of: shape.entity))"
    }

    private static func wireIdentityType(_ shape: EntityShape) -> Code {
        guard shape.scope.remoteAttribute(of: shape.entity) != nil else { return Code() }
        return "\(shape.scope.access)typealias WireIdentity = \(shape.scope.wireIdentityType(of: shape.entity))"
    }

    private static func compositeIdentity(_ shape: EntityShape) -> Code {
        let keys = shape.keyAttributes
        guard keys.count > 1 else { return Code() }
        let scope = shape.scope
        let access = scope.access
        let optionals = keys.map { "_ \($0.swiftName): \(scope.typeName($0.type))?" }
        let names = keys.map { "let \($0.swiftName)" }.joined(separator: ", ")
        let arguments = keys.map { "\($0.swiftName.label): \($0.swiftName)" }
        return """
            /// The identity of a record.
            \(scope.typeAccess)struct Identity: \(scope.runtime("IdentityValue")) {
                \(Code.lines(keys.map { "\(access)let \($0.swiftName): \(scope.typeName($0.type))" }))

                \(Code.call("\(access)init", arguments: keys.map { "\($0.swiftName): \(scope.typeName($0.type))" })) {
                    \(Code.lines(keys.map { "self.\($0.swiftName) = \($0.swiftName)\($0.rounding)" }))
                }

                /// Creates an identity from its parts; `nil` if one of them is `nil`.
                \(Code.call("\(access)init?", arguments: optionals)) {
                    guard \(names) else { return nil }
                    \(Code.call("self.init", arguments: arguments))
                }

                \(access)var keyValues: [\(scope.runtime("DatabaseValue"))] {
                    \(Code.joined(keys.map { "self.\($0.swiftName).keyValues" }, separator: keys.count > 3 ? "\n    + " : " + "))
                }
            }
            """
    }

    private static func example(_ shape: EntityShape) -> String {
        guard let column = shape.entity.columns.first else { return "" }
        return "\(shape.entity.swiftName).order(\\.\(column.property))"
    }

    private static func columns(_ shape: EntityShape) -> [Code] {
        let scope = shape.scope
        return shape.entity.columns.map { column in
            let attribute = shape.attribute(of: column)
            let declaration =
                "\(scope.access)static let \(columnName(column, of: shape)) = "
                + "\(scope.runtime("AttributeColumn"))<\(scope.typeName(column.type))>"
                + "(\(SwiftLiteral.string(column.name)))"
            return .lines([.deprecation(attribute?.deprecation), Code(declaration)])
        }
    }

    /// A part of a composite foreign key has no property of its own. Its column is named by relationship and attribute.
    private static func columnName(_ column: Column, of shape: EntityShape) -> String {
        guard case .foreignKey(let relationship, let attribute) = column.content,
            let key = shape.foreignKeys.first(where: { $0.relationship.name == relationship }), key.columns.count > 1
        else { return column.property }
        return relationship + attribute.prefix(1).uppercased() + attribute.dropFirst()
    }

    /// A handle for each relationship. The runtime has a `Relationships` for entities without any.
    private static func relationships(_ shape: EntityShape) -> Code {
        guard let first = shape.entity.relationships.first else { return Code() }
        let scope = shape.scope
        let name = shape.entity.swiftName
        let handles = shape.entity.relationships.map { relationship -> Code in
            let destination = scope.entity(relationship.destination).swiftName
            let type = "\(scope.runtime("RelationshipHandle"))<\(name), \(destination)>"
            let start = "\(scope.access)static let \(relationship.swiftName) ="
            let value = "\(type)(\(SwiftLiteral.string(relationship.name)))"
            let isLong = start.utf8.count + value.utf8.count > 111
            return .lines([
                .deprecation(relationship.deprecation), "\(start)\(isLong ? "\n    " as Code : " ")\(value)",
            ])
        }
        let example = "\(name).prefetch(\\.\(first.swiftName))"
        return """
            \(Code.documentation("The relationships, for requests that load them along: `\(example)`."))
            \(scope.typeAccess)enum Relationships {
                \(Code.lines(handles))
            }
            """
    }

    private static func identity(_ shape: EntityShape) -> String {
        let columns = shape.keyAttributes.map { shape.column(of: $0) }
        if let remote = shape.scope.remoteAttribute(of: shape.entity) {
            return ".local(\(columns.first ?? 0), remote: \(shape.column(of: remote)))"
        }
        return columns.isEmpty ? ".none" : ".columns(\(columns))"
    }

    private static func version(_ shape: EntityShape) -> Code {
        guard let version = shape.entity.attributes.first(where: { $0.name == shape.entity.version }) else {
            return Code()
        }
        return "version: \(shape.column(of: version)),"
    }

    private static func lists(_ shape: EntityShape) -> [Code] {
        let columns = Code.array(shape.entity.columns.map { ColumnTemplate.code(for: $0, of: shape) })
        guard !shape.entity.relationships.isEmpty else { return ["columns: \(columns)"] }
        let relationships = Code.array(shape.entity.relationships.map { RelationshipTemplate.code(for: $0, of: shape) })
        return ["columns: \(columns)", "relationships: \(relationships)"]
    }

    private static func remote(_ shape: EntityShape) -> [Code] {
        guard let remote = shape.entity.remote else { return [] }
        let writes = remote.writes.map { "." + $0.rawValue }.joined(separator: ", ")
        let wrap = remote.wrapKey.map { ", wrapKey: \(SwiftLiteral.string($0))" } ?? ""
        let type = shape.scope.runtime("RemoteDescription")
        return ["remote: \(type)(path: \(SwiftLiteral.string(remote.path)), writes: [\(writes)]\(wrap))"]
    }
}

/// One column in an entity's description.
enum ColumnTemplate {
    static func code(for column: Column, of shape: EntityShape) -> Code {
        let name = SwiftLiteral.string(column.name)
        switch column.content {
        case .surrogateKey:
            return ".surrogateKey"
        case .position(let relationship, inverse: _):
            return ".position(\(SwiftLiteral.string(relationship)), column: \(name))"
        case .foreignKey(let relationship, attribute: _):
            let required = column.isOptional ? "" : ", isOptional: false"
            let type = storedType(column.type, in: shape.scope)
            return ".foreignKey(\(SwiftLiteral.string(relationship)), column: \(name), \(type)\(required))"
        case .attribute:
            guard let attribute = shape.attribute(of: column) else { return Code() }
            return attributeColumn(attribute, column: column.name, in: shape.scope)
        }
    }

    /// The column and the JSON key are written if they are not the attribute's name.
    private static func attributeColumn(_ attribute: Attribute, column: String, in scope: SwiftScope) -> Code {
        var arguments = [SwiftLiteral.string(attribute.name), storedType(attribute.type, in: scope)]
        if column != attribute.name { arguments.append("column: \(SwiftLiteral.string(column))") }
        if attribute.isOptional { arguments.append("isOptional: true") }
        if attribute.isUnique { arguments.append("isUnique: true") }
        if let wire = wireDescription(of: attribute) { arguments.append("wire: \(wire)") }
        if let value = attribute.defaultValue {
            arguments.append("default: \(defaultDescription(value, as: attribute.type, in: scope))")
        }
        if !attribute.limits.isEmpty { arguments.append("limits: \(limits(attribute.limits, in: scope))") }
        let line = ".attribute(\(arguments.joined(separator: ", ")))"
        guard line.utf8.count > 104 else { return Code(line) }
        return """
            .attribute(
                \(Code.list(arguments.map { Code($0) }))
            )
            """
    }

    static func storedType(_ type: AttributeType, in scope: SwiftScope) -> String {
        switch type {
        case .scalar(let scalar): return "." + scalar.rawValue
        case .custom(let name):
            return ".custom(\(scope.typeName(type)).self, of: .\(scope.customType(name).stored.rawValue))"
        case .list(let element): return ".list(of: \(storedType(element, in: scope)))"
        case .attachment: return ".attachment"
        case .enumeration(let name):
            let enumeration = scope.enumeration(name)
            guard enumeration.isClosed else { return ".enumeration(.\(enumeration.rawType.rawValue))" }
            let values = enumeration.cases.map { rawValue($0.rawValue) }.joined(separator: ", ")
            return ".enumeration(.\(enumeration.rawType.rawValue), closed: [\(values)])"
        }
    }

    private static func rawValue(_ value: CaseValue) -> String {
        switch value {
        case .string(let text): SwiftLiteral.string(text)
        case .int(let number): String(number)
        }
    }

    /// How the attribute is encoded; `nil` for the runtime's default: its own name and the format of its type.
    private static func wireDescription(of attribute: Attribute) -> String? {
        guard let wire = attribute.wire else { return "nil" }
        let description = wireDescription(wire)
        return description == SwiftLiteral.string(attribute.name) ? nil : description
    }

    private static func wireDescription(_ wire: AttributeWire) -> String {
        var arguments = [SwiftLiteral.strings(wire.path)]
        switch wire.format {
        case .plain, .date(.iso8601): break
        case .text: arguments.append("format: .text")
        case .uppercase: arguments.append("format: .uppercase")
        case .date(let format): arguments.append("format: .date(\(SwiftLiteral.dateFormat(format)))")
        }
        if !wire.formerPaths.isEmpty {
            arguments.append("former: [\(wire.formerPaths.map(SwiftLiteral.strings).joined(separator: ", "))]")
        }
        if wire.isReadOnly { arguments.append("isReadOnly: true") }
        guard arguments.count > 1 || wire.path.count > 1 else { return SwiftLiteral.string(wire.path[0]) }
        return ".path(\(arguments.joined(separator: ", ")))"
    }

    private static func limits(_ limits: Limits, in scope: SwiftScope) -> String {
        var arguments: [String] = []
        if let minimum = limits.minimum { arguments.append("min: \(SwiftLiteral.string(minimum))") }
        if let maximum = limits.maximum { arguments.append("max: \(SwiftLiteral.string(maximum))") }
        if let length = limits.minimumLength { arguments.append("minLength: \(length)") }
        if let length = limits.maximumLength { arguments.append("maxLength: \(length)") }
        return "\(scope.runtime("Limits"))(\(arguments.joined(separator: ", ")))"
    }

    private static func defaultDescription(_ value: DefaultValue, as type: AttributeType, in scope: SwiftScope)
        -> String
    {
        switch value {
        case .string(let text): ".string(\(SwiftLiteral.string(text)))"
        case .bool(let flag): ".bool(\(flag))"
        case .integer(let number): ".integer(\(number))"
        case .double(let number): ".double(\(number.description))"
        case .decimal(let digits): ".decimal(\(SwiftLiteral.string(digits)))"
        case .date(let seconds): ".date(\(seconds.description))"
        case .uuid(let text): ".uuid(\(SwiftLiteral.string(text)))"
        case .url(let text): ".url(\(SwiftLiteral.string(text)))"
        case .data(let bytes): ".data(\(bytes))"
        case .json(let text): ".json(\(SwiftLiteral.string(text)))"
        case .enumerationCase(let name): enumerationDefault(name, type: type, in: scope)
        case .now: ".now"
        case .newUUID: ".newUUID"
        case .list(let values):
            ".list([\(values.map { listElement($0, as: type, in: scope) }.joined(separator: ", "))])"
        }
    }

    private static func listElement(_ value: DefaultValue, as type: AttributeType, in scope: SwiftScope) -> String {
        guard case .list(let element) = type else { return defaultDescription(value, as: type, in: scope) }
        return defaultDescription(value, as: element, in: scope)
    }

    private static func enumerationDefault(_ name: String, type: AttributeType, in scope: SwiftScope) -> String {
        guard case .enumeration(let enumeration) = type,
            let value = scope.enumeration(enumeration).cases.first(where: { $0.name == name })?.rawValue
        else { return ".string(\(SwiftLiteral.string(name)))" }
        switch value {
        case .string(let text): return ".string(\(SwiftLiteral.string(text)))"
        case .int(let number): return ".integer(\(number))"
        }
    }
}

extension SwiftLiteral {
    static func dateFormat(_ format: DateFormat) -> String {
        switch format {
        case .iso8601: ".iso8601"
        case .secondsSince1970: ".secondsSince1970"
        case .millisecondsSince1970: ".millisecondsSince1970"
        case .microsecondsSince1970: ".microsecondsSince1970"
        case .fractionalSecondsSince1970: ".fractionalSecondsSince1970"
        case .fractionalMillisecondsSince1970: ".fractionalMillisecondsSince1970"
        case .pattern(let pattern): ".pattern(\(string(pattern)))"
        }
    }
}

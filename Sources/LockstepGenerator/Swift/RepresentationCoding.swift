import LockstepSchema

/// How a representation decodes and encodes its keys. The runtime implements Codable's requirements with these two.
enum RepresentationCoding {
    static func reader(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        return """
            \(scope.access)init(from wire: borrowing \(scope.runtime("WireReader"))<CodingKeys>) throws {
                \(Code.lines(shape.fields.map { read($0, of: shape) }))
                omittedKeys = wire.omittedKeys
            }
            """
    }

    static func writer(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        return """
            \(scope.access)func write(to wire: inout \(scope.runtime("WireWriter"))<CodingKeys>) throws {
                \(Code.lines(shape.fields.map { write($0, of: shape) }))
            }
            """
    }

    private static func read(_ field: WireField, of shape: EntityShape) -> Code {
        let target = shape.representationStorage(of: field).qualified
        switch field.content {
        case .attribute(let attribute, let wire):
            let arguments =
                ["." + field.property] + dateFormat(wire.format) + at(wire.path)
                + former(wire.formerPaths) + defaultValue(of: attribute, shape: shape)
            let accessor = attribute.type.accessor(isOptional: attribute.isOptional)
            return .call("\(target) = try wire.\(accessor)", arguments: arguments)
        case .identity(let relationship, let paths, let embeddedPath):
            return readIdentity(field, for: relationship, paths: paths, embeddedPath: embeddedPath, of: shape)
        case .identities(let relationship, let path, let embeddedPath):
            let identity = shape.wireIdentityAttributes(of: relationship).first?.wire?.path ?? []
            let arguments = ["." + field.property] + at(path) + either("orIn", at: embeddedPath)
            return .call(
                "\(target) = try wire.identities",
                arguments: arguments + (embeddedPath.isEmpty ? [] : ["under: \(SwiftLiteral.strings(identity))"]))
        case .embedded(let relationship, let path, let idsPath):
            let accessor = relationship.isToMany ? "embeddedList" : "embedded"
            return .call(
                "\(target) = try wire.\(accessor)",
                arguments: ["." + field.property] + at(path) + either("orIn", at: idsPath))
        }
    }

    private static func readIdentity(
        _ field: WireField, for relationship: Relationship, paths: [[String]], embeddedPath: [String],
        of shape: EntityShape
    ) -> Code {
        let attributes = shape.wireIdentityAttributes(of: relationship)
        let keys = CodingKeyCase.cases(of: field, in: shape)
        let isComposite = attributes.count > 1
        let target = "\(field.property.qualified) = try "
        let reads = zip(zip(attributes, keys), paths).map { pair, path -> Code in
            let (attribute, key) = pair
            var arguments = ["." + key.name] + at(path)
            if let embedded = attribute.wire?.path, !embeddedPath.isEmpty {
                arguments.append("orAt: \(SwiftLiteral.strings(embeddedPath + embedded))")
            }
            let accessor = "wire.\(attribute.type.accessor(isOptional: true))"
            return .call((isComposite ? "try " : target) + accessor, arguments: arguments)
        }
        guard isComposite else { return reads.first ?? Code() }
        let type = shape.scope.wireIdentityType(of: shape.scope.entity(relationship.destination))
        return """
            \(field.property.qualified) = \(type)(
                \(Code.list(reads))
            )
            """
    }

    private static func write(_ field: WireField, of shape: EntityShape) -> Code {
        let value = shape.representationStorage(of: field).qualified
        switch field.content {
        case .attribute(let attribute, let wire):
            let text = wire.format == .text ? ["asText: true"] : []
            let arguments = [value, "." + field.property] + dateFormat(wire.format) + at(wire.path) + text
            let accessor = attribute.type.accessor(isOptional: attribute.isOptional)
            return .call("try wire.\(accessor)", arguments: arguments)
        case .identity(let relationship, let paths, embeddedPath: _):
            let attributes = shape.wireIdentityAttributes(of: relationship)
            let keys = CodingKeyCase.cases(of: field, in: shape)
            return .lines(
                zip(zip(attributes, keys), paths).map { pair, path in
                    let (attribute, key) = pair
                    let part = attributes.count > 1 ? "\(value)?.\(attribute.swiftName)" : value
                    let accessor = attribute.type.accessor(isOptional: true)
                    return .call("try wire.\(accessor)", arguments: [part, "." + key.name] + at(path))
                })
        case .identities(_, let path, embeddedPath: _):
            return .call("try wire.identities", arguments: [value, "." + field.property] + at(path))
        case .embedded(let relationship, let path, idsPath: _):
            let accessor = relationship.isToMany ? "embeddedList" : "embedded"
            return .call("try wire.\(accessor)", arguments: [value, "." + field.property] + at(path))
        }
    }

    private static func at(_ path: [String]) -> [String] {
        path.count > 1 ? ["at: \(SwiftLiteral.strings(path))"] : []
    }

    /// The second path of a relationship that has one.
    private static func either(_ label: String, at path: [String]) -> [String] {
        path.isEmpty ? [] : ["\(label): \(SwiftLiteral.strings(path))"]
    }

    private static func former(_ paths: [[String]]) -> [String] {
        paths.isEmpty ? [] : ["former: [\(paths.map(SwiftLiteral.strings).joined(separator: ", "))]"]
    }

    private static func dateFormat(_ format: AttributeWire.Format) -> [String] {
        guard case .date(let format) = format, format != .iso8601 else { return [] }
        return ["as: \(SwiftLiteral.dateFormat(format))"]
    }

    /// The value for a missing key.
    private static func defaultValue(of attribute: Attribute, shape: EntityShape) -> [String] {
        guard !attribute.isOptional, !shape.isKey(attribute), let value = attribute.defaultValue else { return [] }
        return ["default: \(shape.scope.expression(value, as: attribute.type))"]
    }
}

extension SwiftLiteral {
    fileprivate static func dateFormat(_ format: DateFormat) -> String {
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

import LockstepSchema

/// One relationship in an entity's description.
enum RelationshipTemplate {
    static func code(for relationship: Relationship, of shape: EntityShape) -> Code {
        let (kind, arguments) = parts(relationship, of: shape)
        let line = ".\(kind)(\(arguments.joined(separator: ", ")))"
        guard line.utf8.count > 104 else { return Code(line) }
        return """
            .\(kind)(
                \(Code.list(arguments.map { Code($0) }))
            )
            """
    }

    private static func parts(_ relationship: Relationship, of shape: EntityShape) -> (
        kind: String, arguments: [String]
    ) {
        var arguments = [
            SwiftLiteral.string(relationship.name),
            "to: \(shape.scope.entity(relationship.destination).swiftName).self",
        ]
        if let inverse = relationship.inverse, !relationship.isSymmetricToOne {
            arguments.append("inverse: \(SwiftLiteral.string(inverse))")
        }
        let kind: String
        switch relationship.storage {
        case .foreignKey:
            kind = "toOne"
            arguments += keyArguments(relationship, of: shape)
        case .inverseForeignKey:
            kind = relationship.isToMany ? "toMany" : "toOneInverse"
        case .joinTable(let name, let isLeft):
            kind = relationship.isSymmetricToOne ? "symmetricToOne" : "manyToMany"
            arguments += joinArguments(relationship, named: name, isLeft: isLeft, of: shape)
        }
        if relationship.onDelete != .nullify { arguments.append("onDelete: .\(relationship.onDelete.rawValue)") }
        if let unlisted = relationship.unlisted { arguments.append("unlisted: .\(unlisted.rawValue)") }
        if relationship.isToMany, !relationship.sortedBy.isEmpty {
            let keys = relationship.sortedBy.map { key in
                "\(key.isDescending ? ".descending" : ".ascending")(\(SwiftLiteral.string(key.attribute)))"
            }
            arguments.append("sortedBy: [\(keys.joined(separator: ", "))]")
        }
        if relationship.isOrdered, kind == "toMany" { arguments.append("isOrdered: true") }
        if let wire = wire(relationship.wire) { arguments.append("wire: \(wire)") }
        return (kind, arguments)
    }

    private static func keyArguments(_ relationship: Relationship, of shape: EntityShape) -> [String] {
        guard let key = shape.heldKey(of: relationship) else { return [] }
        var arguments = ["columns: \(key.columns)"]
        if let position = key.positionColumn { arguments.append("position: \(position)") }
        if !relationship.isOptional { arguments.append("isRequired: true") }
        return arguments
    }

    private static func joinArguments(
        _ relationship: Relationship, named name: String, isLeft: Bool, of shape: EntityShape
    ) -> [String] {
        guard let table = shape.scope.schema.joinTables.first(where: { $0.name == name }) else { return [] }
        let (source, destination) = isLeft ? (table.left, table.right) : (table.right, table.left)
        var arguments = [
            "table: \(SwiftLiteral.string(name))",
            "sourceColumns: \(SwiftLiteral.strings(source.columns))",
            "destinationColumns: \(SwiftLiteral.strings(destination.columns))",
        ]
        if let position = source.positionColumn { arguments.append("position: \(SwiftLiteral.string(position))") }
        if let position = destination.positionColumn {
            arguments.append("inversePosition: \(SwiftLiteral.string(position))")
        }
        if table.isSymmetric, relationship.isToMany { arguments.append("isSymmetric: true") }
        return arguments
    }

    private static func wire(_ wire: RelationshipWire) -> String? {
        switch wire {
        case .none: nil
        case .id(let paths, let embeddedPath):
            ".id([\(paths.map(keyPath).joined(separator: ", "))]"
                + (embeddedPath.isEmpty ? ")" : ", embedded: \(SwiftLiteral.strings(embeddedPath)))")
        case .ids(let path, let embeddedPath): ".ids(\(keyPath(path))" + second("embedded", at: embeddedPath)
        case .embedded(let path, let idsPath): ".embedded(\(keyPath(path))" + second("ids", at: idsPath)
        }
    }

    /// The second path of a relationship that has one, and the end of its call.
    private static func second(_ label: String, at path: [String]) -> String {
        path.isEmpty ? ")" : ", \(label): \(keyPath(path)))"
    }

    private static func keyPath(_ path: [String]) -> String {
        path.count == 1 ? SwiftLiteral.string(path[0]) : SwiftLiteral.strings(path)
    }
}

extension Relationship {
    /// Whether it is a to-one that is its own inverse: one whose links are in a table of their own.
    var isSymmetricToOne: Bool { if case .joinTable = storage { !isToMany } else { false } }
}

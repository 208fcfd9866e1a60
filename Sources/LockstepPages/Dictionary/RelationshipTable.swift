import LockstepSchema

/// The relationships of an entity, one per row.
struct RelationshipTable {
    let schema: Schema

    func table(_ relationships: [Relationship]) -> Table {
        Table(
            title: "Relationships",
            headings: ["Name", "To", "Inverse", "On delete", "JSON", "Stored in", "Notes"],
            rows: relationships.map(row))
    }

    private func row(_ relationship: Relationship) -> [Cell] {
        [
            .code(relationship.name), destination(of: relationship), .code(relationship.inverse),
            .text(relationship.onDelete.rawValue), json(relationship.wire, isToMany: relationship.isToMany),
            storage(of: relationship), notes(about: relationship),
        ]
    }

    private func destination(of relationship: Relationship) -> Cell {
        let name = relationship.destination
        let text = relationship.isToMany ? "[\(name)]" : name + (relationship.isOptional ? "?" : "")
        return [.link(text, .entity(name))]
    }

    private func json(_ wire: RelationshipWire, isToMany: Bool) -> Cell {
        switch wire {
        case .none: "not sent"
        case .id(let paths, let embedded):
            paths.map(code).joined(separator: ", ") + also("a record", at: embedded)
        case .ids(let path, let embedded): code(path) + ": identities" + also("records", at: embedded)
        case .embedded(let path, let identities):
            code(path) + (isToMany ? ": records" : ": the record") + also("identities", at: identities)
        }
    }

    private func code(_ path: [String]) -> Cell { .code(path.joined(separator: ".")) }

    /// Describes other keys that are also read.
    private func also(_ content: String, at path: [String]) -> Cell {
        path.isEmpty ? [] : .text("; \(content) in ") + code(path) + " is read"
    }

    private func storage(of relationship: Relationship) -> Cell {
        switch relationship.storage {
        case .foreignKey(let key):
            (key.columns + [key.positionColumn].compactMap(\.self)).map { Cell.code($0) }.joined(separator: ", ")
        case .inverseForeignKey: .text("the table of \(relationship.destination)")
        case .joinTable(let name, _): [.link(name, .joinTable(name))]
        }
    }

    private func notes(about relationship: Relationship) -> Cell {
        let order = relationship.sortedBy.map { Cell.code(($0.isDescending ? "-" : "") + $0.attribute) }
        let notes: [Cell] = [
            relationship.isImplied ? "not in the schema; the other end of a to-many relationship" : "",
            relationship.isOrdered ? "ordered" : "",
            order.isEmpty ? "" : "sorted by " + order.joined(separator: ", "),
            unlisted(relationship.unlisted),
            .text(relationship.deprecation.map { "deprecated: " + $0 }),
            .text(relationship.documentation),
        ]
        return notes.joined(separator: "; ")
    }

    private func unlisted(_ rule: UnlistedRule?) -> Cell {
        switch rule {
        case .delete: "records that the server does not list are deleted"
        case .unlink: "records that the server does not list are unlinked"
        case nil: ""
        }
    }
}

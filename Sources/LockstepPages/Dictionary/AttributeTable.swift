import LockstepSchema

/// The attributes of an entity, one per row.
struct AttributeTable {
    let schema: Schema
    /// `nil` for an abstract entity.
    let entity: Entity?

    func table(_ attributes: [Attribute]) -> Table {
        Table(
            title: "Attributes", headings: ["Name", "Type", "Default", "Limits", "JSON", "Column", "Notes"],
            rows: attributes.map(row))
    }

    private func row(_ attribute: Attribute) -> [Cell] {
        [
            .code(attribute.name), type(of: attribute), .code(attribute.defaultValue?.text),
            .text(attribute.limits.text(of: attribute.type)), attribute.wire.map(json) ?? [],
            .code(attribute.columnName), notes(about: attribute),
        ]
    }

    private func type(of attribute: Attribute) -> Cell {
        let text = attribute.type.text + (attribute.isOptional ? "?" : "")
        return attribute.type.anchor.map { [.link(text, $0)] } ?? .code(text)
    }

    private func json(_ wire: AttributeWire) -> Cell {
        let format: Cell =
            switch wire.format {
            case .plain: []
            case .text: " as text"
            case .uppercase: " in upper case"
            case .date(let format): format == schema.dateFormat ? [] : .text(" as " + format.text)
            }
        return .code(wire.path.joined(separator: ".")) + format
    }

    private func notes(about attribute: Attribute) -> Cell {
        let former = attribute.wire?.formerPaths.map { Cell.code($0.joined(separator: ".")) } ?? []
        let isIdentity = entity?.identity.keyAttributes.contains(attribute.name) ?? false
        let notes: [Cell] = [
            isIdentity ? "identity" : "",
            attribute.isUnique ? "unique" : "",
            attribute.isTransient ? "not stored" : "",
            attribute.isAttachment ? "a file, sent separately" : "",
            attribute.wire?.isReadOnly ?? false ? "read, never sent" : "",
            former.isEmpty ? "" : "formerly in JSON: " + former.joined(separator: ", "),
            attribute.renamedFrom.map { [.text("formerly "), .code($0)] } ?? [],
            .text(attribute.deprecation.map { "deprecated: " + $0 }),
            .text(attribute.documentation),
        ]
        return notes.joined(separator: "; ")
    }
}

extension AttributeType {
    /// The section of the type; `nil` for a type of the language.
    var anchor: Anchor? {
        switch self {
        case .scalar, .attachment: nil
        case .enumeration(let name): .enumeration(name)
        case .custom(let name): .customType(name)
        case .list(let element): element.anchor
        }
    }
}

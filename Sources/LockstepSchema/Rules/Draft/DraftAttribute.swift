/// An attribute as it was declared, shared by the entities that inherit it.
final class DraftAttribute {
    /// The entity's own attributes, including this one. They are shared, because a declaration is large and there are
    /// many.
    private let declarations: [AttributeDeclaration]
    private let index: Int
    unowned let owner: DraftEntity
    let name: String
    /// `nil` if there is no such type.
    let type: AttributeType?
    /// The stored type of a value, or of an element of the list; `nil` for an enum and for an unknown type.
    let storedScalar: ScalarType?
    let swiftName: String
    /// `nil` for a transient attribute.
    let columnName: String?
    /// `nil` if it is not in JSON, except for the local part of an identity.
    let wire: AttributeWire?
    let defaultReading: DefaultReading
    let hasLimits: Bool

    /// - Parameter index: The index of this one among the attributes that `owner` declares.
    init(_ index: Int, of owner: DraftEntity, in draft: Draft) {
        declarations = owner.declaration.attributes
        self.index = index
        self.owner = owner
        name = declarations[index].name.value
        let element =
            declarations[index].isUnreadable ? nil : draft.types.type(named: declarations[index].typeName.value)
        let isAttachment = declarations[index].isAttachment?.value == true && element == .scalar(.data)
        type =
            declarations[index].isList
            ? element.map(AttributeType.list) : isAttachment ? AttributeType.attachment : element
        storedScalar = element.flatMap(draft.types.storedScalar)
        swiftName = SwiftName.member(name)
        let spelling = Spelling(of: declarations[index], storedScalar: storedScalar, in: draft)
        columnName = spelling.columnName
        wire = spelling.wire
        if let node = declarations[index].defaultValue {
            let limits = LimitCheck(
                minimum: declarations[index].minimum?.value, maximum: declarations[index].maximum?.value,
                minimumLength: declarations[index].minimumLength?.value,
                maximumLength: declarations[index].maximumLength?.value)
            defaultReading = DefaultReader(types: draft.types)
                .read(node, as: type, isOptional: declarations[index].isOptional, limits: limits)
        } else {
            defaultReading = .absent
        }
        hasLimits =
            declarations[index].minimum != nil || declarations[index].maximum != nil
            || declarations[index].minimumLength != nil || declarations[index].maximumLength != nil
    }

    /// The names of an attribute in SQL and in JSON.
    private struct Spelling {
        var columnName: String?
        var wire: AttributeWire?

        /// Inlined, because a declaration is too large to be copied for each attribute.
        @inline(__always)
        init(of declaration: borrowing AttributeDeclaration, storedScalar: ScalarType?, in draft: Draft) {
            guard declaration.isTransient?.value != true else { return }
            let isSameSpelling = draft.columnSpelling == draft.wireSpelling
            let column = draft.columnSpelling.spell(declaration.name.value)
            columnName = declaration.column?.value ?? column
            let form = declaration.wire?.value
            guard form != .some(.none) else { return }
            let path =
                declaration.key?.value
                ?? [isSameSpelling ? column : draft.wireSpelling.spell(declaration.name.value)]
            let format: AttributeWire.Format =
                switch form {
                case .text: .text
                case .date(let format): .date(format)
                case .some(.none), nil: storedScalar == .date ? .date(draft.dateFormat) : .plain
                }
            wire = AttributeWire(
                path: path, format: format, formerPaths: declaration.formerKeys?.value.map(\.value) ?? [],
                isReadOnly: declaration.isReadOnly?.value ?? false)
        }
    }

    /// Borrowed, not copied.
    var declaration: AttributeDeclaration {
        _read { yield declarations[index] }
    }

    /// Whether the grammar has reported that its type cannot be read.
    var isUnreadable: Bool { declaration.isUnreadable }
    var isOptional: Bool { declaration.isOptional }
    var isList: Bool { declaration.isList }
    var isTransient: Bool { declaration.isTransient?.value ?? false }
    var isAttachment: Bool { declaration.isAttachment?.value ?? false }
    var isUnique: Bool { declaration.isUnique?.value ?? false }

    var isJSON: Bool { storedScalar == .json }

    /// The type as it is written in the schema.
    var typeText: String {
        let name = declaration.typeName.value
        return (isList ? "[\(name)]" : name) + (isOptional ? "?" : "")
    }
}

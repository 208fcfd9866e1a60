/// An attribute as it was declared, in whichever entities it ends up by inheritance.
final class DraftAttribute {
    let declaration: AttributeDeclaration
    unowned let owner: DraftEntity
    let name: String
    /// `nil` if there is no such type.
    let type: AttributeType?
    /// What a value, or an element of the list, is stored as; `nil` for an enum and for an unknown type.
    let storedScalar: ScalarType?
    let swiftName: String
    /// `nil` for a transient attribute.
    let columnName: String?
    /// `nil` where it does not travel, an identity's local half aside.
    let wire: AttributeWire?
    let defaultReading: DefaultReading

    init(_ declaration: AttributeDeclaration, of owner: DraftEntity, in draft: Draft) {
        self.declaration = declaration
        self.owner = owner
        name = declaration.name.value
        let element = draft.types.type(named: declaration.typeName.value)
        type = declaration.isList ? element.map(AttributeType.list) : element
        storedScalar = element.flatMap(draft.types.storedScalar)
        swiftName = SwiftName.member(name)
        let isTransient = declaration.isTransient?.value ?? false
        columnName = isTransient ? nil : declaration.column?.value ?? draft.columnSpelling.spell(name)
        let travels = !isTransient && declaration.isAttachment?.value != true && declaration.wire?.value != .some(.none)
        wire = travels ? Self.wire(of: declaration, storedScalar: storedScalar, in: draft) : nil
        defaultReading = DefaultReader(types: draft.types).read(declaration, as: type)
    }

    private static func wire(
        of declaration: AttributeDeclaration, storedScalar: ScalarType?, in draft: Draft
    ) -> AttributeWire {
        let path = declaration.key?.value ?? [draft.wireSpelling.spell(declaration.name.value)]
        switch declaration.wire?.value {
        case .text: return AttributeWire(path: path, format: .text)
        case .date(let format): return AttributeWire(path: path, format: .date(format))
        case .some(.none), nil:
            return AttributeWire(path: path, format: storedScalar == .date ? .date(draft.dateFormat) : .plain)
        }
    }

    var isOptional: Bool { declaration.isOptional }
    var isList: Bool { declaration.isList }
    var isTransient: Bool { declaration.isTransient?.value ?? false }
    var isAttachment: Bool { declaration.isAttachment?.value ?? false }
    var isUnique: Bool { declaration.isUnique?.value ?? false }

    var isJSON: Bool { storedScalar == .json }

    /// The type as the schema writes it.
    var typeText: String {
        let name = declaration.typeName.value
        return (isList ? "[\(name)]" : name) + (isOptional ? "?" : "")
    }
}

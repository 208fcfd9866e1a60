/// A member that overrides an inherited one must have the same type, because the abstract entity's protocol requires
/// it. Other options may differ.
enum OverrideDiffers: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            for override in entity.overrides { report.add(message(override, in: entity)) }
        }
    }

    private static func message(_ override: Override, in entity: DraftEntity) -> Diagnostic {
        let own = override.own
        let inherited = override.inherited
        let isOwn = own.owner === entity
        return Diagnostic(
            .overrideDiffers, at: isOwn ? own.typeRange : entity.declaration.name.range,
            message: isOwn
                ? "'\(own.name)' is '\(own.typeText)' here, but '\(inherited.typeText)' in '\(inherited.owner.name)'"
                : "'\(entity.name)' inherits '\(own.name)' as '\(inherited.typeText)' and as '\(own.typeText)'",
            remedy: isOwn
                ? "Write '\(inherited.typeText)', or rename it."
                : "Rename one of the two inherited members.",
            notes: [Diagnostic.Note("'\(inherited.name)' is inherited from here", at: inherited.typeRange)]
                + (isOwn ? [] : [Diagnostic.Note("And from here", at: own.typeRange)]))
    }

    static let entry = CatalogueEntry(
        code: .overrideDiffers,
        title: "Override changes the type",
        explanation: """
            An entity can redeclare an inherited member to change a default, a limit or a key. The type cannot change, \
            and neither can optionality, because the protocol of the abstract entity requires it.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid, title: string }
              Entry:
                extends: Item
                attributes: { title: string? }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid, title: string }
              Entry:
                extends: Item
                attributes: { title: { type: string, default: Untitled } }
            """)
}

extension Override.Member {
    fileprivate var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        }
    }

    fileprivate var owner: DraftEntity {
        switch self {
        case .attribute(let attribute): attribute.owner
        case .relationship(let relationship): relationship.owner
        }
    }

    fileprivate var typeRange: TextRange {
        switch self {
        case .attribute(let attribute): attribute.declaration.typeName.range
        case .relationship(let relationship): relationship.declaration.destination.range
        }
    }

    fileprivate var typeText: String {
        switch self {
        case .attribute(let attribute): return attribute.typeText
        case .relationship(let relationship):
            let declaration = relationship.declaration
            let name = declaration.destination.value
            return declaration.isToMany ? "[\(name)]" : name + (declaration.isOptional ? "?" : "")
        }
    }
}

extension DiagnosticCode {
    /// A member whose type differs from that of the inherited one that it overrides.
    package static let overrideDiffers = DiagnosticCode(rawValue: "override-differs")
}

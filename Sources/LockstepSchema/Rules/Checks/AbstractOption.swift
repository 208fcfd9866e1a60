/// An abstract entity has no table and no path on a server; each that extends it has its own.
enum AbstractOption: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where entity.isAbstract {
            let remote = entity.declaration.remote?.value
            if let table = entity.declaration.table { report.add(message("table", at: table.range, of: entity)) }
            if let path = remote?.path { report.add(message("path", at: path.range, of: entity)) }
            if let wrap = remote?.wrap, case .key = wrap.value {
                report.add(message("wrap", at: wrap.range, of: entity))
            }
        }
    }

    private static func message(_ option: String, at range: TextRange, of entity: DraftEntity) -> Diagnostic {
        .notAllowed(
            option, code: .abstractOption, at: range,
            because: "'\(entity.name)' is abstract, and entities that extend it would share it",
            remedy: "Move '\(option):' to the entities that extend '\(entity.name)'.")
    }

    static let entry = CatalogueEntry(
        code: .abstractOption,
        title: "Option not allowed in an abstract entity",
        explanation: """
            An entity inherits the attributes, relationships, indexes and identity of the entities that it extends, and \
            whether and how its records are sent. A table or a path cannot be inherited, because it would be shared.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                table: item
                attributes: { id: uuid }
              Entry:
                extends: Item
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid }
              Entry:
                extends: Item
                table: item
            """)
}

extension DiagnosticCode {
    /// An option that entities would share by inheritance.
    package static let abstractOption = DiagnosticCode(rawValue: "abstract-option")
}

/// With `access: public`, apps import the models beside Foundation, Observation and Lockstep. If both have a type of
/// one name, an app that writes the name does not compile.
enum AmbiguousTypeName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        guard draft.declaration.access?.value == .public else { return }
        for enumeration in draft.declaration.enumerations {
            check(
                SwiftName.type(enumeration.name.value), named: enumeration.name, remedy: "Rename the enum",
                into: &report)
        }
        for entity in draft.entities {
            let remedy = "Rename the entity, and keep the table's name with 'table:'"
            check(entity.swiftName, named: entity.declaration.name, remedy: remedy, into: &report)
        }
    }

    private static func check(_ type: String, named name: Located<String>, remedy: String, into report: inout Report) {
        guard let module = ReservedNames.ambiguous.first(where: { $0.types.contains(type) })?.module else { return }
        report.add(
            Diagnostic(
                .ambiguousTypeName, at: name.range,
                message: "The public type '\(type)' is ambiguous in apps: \(module) has a type of that name",
                remedy: "\(remedy), or write 'access: internal'.", severity: .warning))
    }

    static let entry = CatalogueEntry(
        code: .ambiguousTypeName,
        title: "Ambiguous type name",
        explanation: """
            With `access: public`, an app imports the models beside Foundation, Observation and Lockstep. If an entity \
            or an enum has the name of one of their types (`Unit`, `Process`; `Observable`; `Store`, `SyncStatus`) or of \
            GRDB's, which Lockstep exports (`Record`, `Table`), Swift cannot decide which is meant, and the app does not \
            compile where it uses the name. Names of the standard library (`Task`) are not \
            ambiguous: Swift prefers those of other modules.
            """,
        wrong: """
            lockstep: 1
            schema: Recipes
            access: public
            entities:
              Unit:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Recipes
            access: public
            entities:
              KitchenUnit:
                table: unit
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// A public type with the name of one that apps import.
    package static let ambiguousTypeName = DiagnosticCode(rawValue: "ambiguous-type-name")
}

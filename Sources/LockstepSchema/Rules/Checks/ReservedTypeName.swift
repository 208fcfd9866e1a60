/// A type of the schema cannot have the name of a module that generated code uses to qualify types: in the user's
/// module, the type would hide the module, and nothing would compile.
enum ReservedTypeName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where ReservedNames.modules.contains(enumeration.name.value) {
            report.add(message(enumeration.name, "enum", keep: ""))
        }
        for type in draft.declaration.types {
            // A custom type is used under its own name, so an underscore would not help.
            if ReservedNames.modules.contains(type.name.value) || SwiftName.unusableTypes.contains(type.name.value) {
                report.add(message(type.name, "type", keep: ""))
            }
        }
        for entity in draft.entities where ReservedNames.modules.contains(entity.name) {
            report.add(message(entity.declaration.name, "entity", keep: ", and keep the table's name with 'table:'"))
        }
    }

    private static func message(_ name: Located<String>, _ noun: String, keep: String) -> Diagnostic {
        Diagnostic(
            .reservedTypeName, at: name.range, "'\(name.value)' is reserved for generated code",
            remedy: "Rename the \(noun)\(keep).")
    }

    static let entry = CatalogueEntry(
        code: .reservedTypeName,
        title: "Reserved type name",
        explanation: """
            Generated code refers to types by the names of their modules: \
            \(ReservedNames.modules.sorted().map { "`\($0)`" }.joined(separator: ", ")). A type with the name of a \
            module would hide it. You can use names of well-known types (`Task`, `List`, `Store`), but not the names \
            of types that generated code nests in models (`Columns`, `Identity`).
            """,
        wrong: """
            lockstep: 1
            schema: Giving
            entities:
              Foundation:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Giving
            entities:
              Charity:
                table: foundation
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// The name of a module that generated code needs.
    public static let reservedTypeName = DiagnosticCode(rawValue: "reserved-type-name")
}

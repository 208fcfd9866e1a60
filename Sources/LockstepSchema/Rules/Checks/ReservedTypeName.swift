/// A type of the schema cannot have the name of a module that generated code uses to qualify types: in the user's
/// module, the type would hide the module, and nothing would compile. One with the name of a module that macros refer
/// to is a warning, because only the uses of these macros do not compile.
enum ReservedTypeName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations {
            check(enumeration.name, reserved: ReservedNames.modules, noun: "enum", keep: "", into: &report)
        }
        for type in draft.declaration.types {
            // A custom type is used under its own name, so an underscore would not help.
            let reserved = ReservedNames.modules.union(SwiftName.unusableTypes)
            check(type.name, reserved: reserved, noun: "type", keep: "", into: &report)
        }
        for entity in draft.entities {
            let keep = ", and keep the table's name with 'table:'"
            check(entity.declaration.name, reserved: ReservedNames.modules, noun: "entity", keep: keep, into: &report)
        }
    }

    private static func check(
        _ name: Located<String>, reserved: Set<String>, noun: String, keep: String, into report: inout Report
    ) {
        let isReserved = reserved.contains(name.value)
        guard isReserved || ReservedNames.modulesOfMacros.contains(name.value) else { return }
        let macros =
            "'\(name.value)' hides the module of that name: macros that refer to it do not compile beside this type"
        report.add(
            Diagnostic(
                .reservedTypeName, at: name.range,
                message: isReserved ? "'\(name.value)' is reserved for generated code" : macros,
                remedy: "Rename the \(noun)\(keep).", severity: isReserved ? .error : .warning))
    }

    static let entry = CatalogueEntry(
        code: .reservedTypeName,
        title: "Reserved type name",
        explanation: """
            Generated code refers to types by the names of their modules: \
            \(ReservedNames.modules.sorted().map { "`\($0)`" }.joined(separator: ", ")). A type with the name of a \
            module would hide it. You can use names of well-known types (`Task`, `List`, `Store`), but not the names \
            of types that generated code nests in models (`Columns`, `Identity`). `Observation`, `SwiftUI` and \
            `Testing` are a warning: macros refer to these modules, so `@Observable`, for example, does not compile in \
            a module with a type `Observation`.
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
    package static let reservedTypeName = DiagnosticCode(rawValue: "reserved-type-name")
}

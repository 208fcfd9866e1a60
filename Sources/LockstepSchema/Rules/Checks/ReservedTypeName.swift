/// Enums, entities and types of the user's cannot be called like a type that generated code names: in the user's module theirs would
/// take its place, and nothing would compile.
enum ReservedTypeName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where ReservedNames.types.contains(enumeration.name.value) {
            report.add(message(enumeration.name, "enum", keep: ""))
        }
        for type in draft.declaration.types {
            // Theirs is used as it is called, so that an underscore would not help.
            if ReservedNames.types.contains(type.name.value) || SwiftName.unusableTypes.contains(type.name.value) {
                report.add(message(type.name, "type", keep: ""))
            }
        }
        for entity in draft.entities where ReservedNames.types.contains(entity.name) {
            report.add(message(entity.declaration.name, "entity", keep: ", and keep the table's name with 'table:'"))
        }
    }

    private static func message(_ name: Located<String>, _ noun: String, keep: String) -> Diagnostic {
        Diagnostic(
            .reservedTypeName, at: name.range, "'\(name.value)' is a type that generated code needs",
            remedy: "Call the \(noun) otherwise\(keep).")
    }

    static let entry = CatalogueEntry(
        code: .reservedTypeName,
        title: "Reserved type name",
        explanation: """
            Generated code names types of Swift, of Foundation and of the store: \
            \(ReservedNames.types.sorted().map { "`\($0)`" }.joined(separator: ", ")). \
            A type of the same name beside it would take their place. Other names of well-known types (`Task`, `List`) may be used.
            """,
        wrong: """
            lockstep: 1
            schema: Cars
            entities:
              Model:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Cars
            entities:
              CarModel:
                table: model
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// The name of a type that generated code needs.
    public static let reservedTypeName = DiagnosticCode(rawValue: "reserved-type-name")
}

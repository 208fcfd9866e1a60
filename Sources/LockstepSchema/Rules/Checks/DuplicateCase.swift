/// The names of an enum's cases must be unique, in Swift too.
enum DuplicateCase: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations {
            var firsts: [String: Located<String>] = [:]
            for enumerationCase in enumeration.cases {
                let name = SwiftName.enumerationCase(enumerationCase.name.value)
                guard let first = firsts[name] else {
                    firsts[name] = enumerationCase.name
                    continue
                }
                report.add(
                    Diagnostic(
                        .duplicateCase, at: enumerationCase.name.range,
                        message: "'\(enumeration.name.value)' has two cases '\(name)' in Swift",
                        remedy: "Remove or rename one of the two.",
                        notes: [Diagnostic.Note("The first is here", at: first.range)]))
            }
        }
    }

    static let entry = CatalogueEntry(
        code: .duplicateCase,
        title: "Duplicate case",
        explanation: "The cases of an enum must have different names.",
        wrong: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [sad, happy, sad]
            entities:
              Entry:
                attributes: { id: uuid, mood: Mood }
            """,
        right: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [sad, happy]
            entities:
              Entry:
                attributes: { id: uuid, mood: Mood }
            """)
}

extension DiagnosticCode {
    /// Two cases with the same name.
    package static let duplicateCase = DiagnosticCode(rawValue: "duplicate-case")
}

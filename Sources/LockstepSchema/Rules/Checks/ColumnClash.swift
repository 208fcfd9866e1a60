/// Two values cannot share a column. SQL treats names that differ only in case as equal, and `columns: snake_case`
/// converts `userID` and `user_id` to the same name.
enum ColumnClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .column {
            report.add(
                Diagnostic(
                    .columnClash, at: clash.second.range,
                    message:
                        "The column '\(clash.name)' of '\(clash.entity.name)' would store both \(clash.first.text) "
                        + "and \(clash.second.text)",
                    remedy: "Give one of the two another column with 'column:', or rename it.",
                    notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .columnClash,
        title: "Duplicate column",
        explanation: """
            The name of a column is set by `column:`, or derived according to `columns:` (snake_case by default). Two \
            attributes can get the same column name in this way. In SQL, names that differ only by case are the same \
            name.
            """,
        wrong: """
            lockstep: 1
            schema: Users
            entities:
              User:
                attributes: { id: uuid, userID: int, user_id: string }
            """,
        right: """
            lockstep: 1
            schema: Users
            entities:
              User:
                attributes: { id: uuid, userID: int, user_id: { type: string, column: user_text } }
            """)
}

extension DiagnosticCode {
    /// Two values that would share a column.
    package static let columnClash = DiagnosticCode(rawValue: "column-clash")
}

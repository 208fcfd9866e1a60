/// Two values cannot share a column. SQL takes names that differ only by case for one, and `columns: snake_case`
/// spells `userID` and `user_id` alike.
enum ColumnClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .column {
            report.add(
                Diagnostic(
                    .columnClash, at: clash.second.range,
                    "The column '\(clash.name)' of '\(clash.entity.name)' would hold \(clash.first.text) "
                        + "and \(clash.second.text)",
                    remedy: "Give one of the two another column with 'column:', or call it otherwise.",
                    notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .columnClash,
        title: "Two values in one column",
        explanation: """
            Columns are named by `columns:` (snake_case unless the schema says otherwise) or by `column:`. Two \
            attributes may come to the same name that way; SQL also takes names that differ only by case for one.
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
    public static let columnClash = DiagnosticCode(rawValue: "column-clash")
}

/// The triggers that end what is known of attachments' bytes on servers (Rules.md, P14).
///
/// A server may drop bytes as soon as no record refers to them. So they are uploaded again for the next record,
/// whatever has deleted or changed the one before: the app, a merge, SQL. Whether another record has the same bytes is
/// not looked up, which would read the whole table for each deleted record: uploading what a server has is harmless.
enum AttachmentTriggers {
    /// The statements that create the triggers.
    static func statements(_ plans: SchemaPlan) -> [String] { plans.flatMap(triggers) }

    private static func triggers(of plan: EntityPlan) -> [String] {
        let columns = plan.attachmentColumns.filter { plan.columns[$0].wire != nil }
        if columns.isEmpty { return [] }
        let names = columns.map { SQLName.quoted(plan.columns[$0].name) }
        return [
            trigger("bytes_removed", of: plan, event: "DELETE", statements: names.map { forget("OLD.\($0)") }),
            trigger(
                "bytes_changed", of: plan, event: "UPDATE OF \(names.joined(separator: ", "))",
                statements: names.map { forget("OLD.\($0)", and: " AND OLD.\($0) IS NOT NEW.\($0)") }),
        ]
    }

    private static func trigger(_ name: String, of plan: EntityPlan, event: String, statements: [String]) -> String {
        """
        CREATE TRIGGER \(SQLName.quoted("\(OutboxTriggers.prefix)\(plan.table)_\(name)")) AFTER \(event) \
        ON \(SQLName.quoted(plan.table)) BEGIN
        \(statements.map { "    \($0);\n" }.joined())END
        """
    }

    /// The statement for a column with a reference: `sha256-`, 64 digits, `-` and the number of bytes.
    private static func forget(_ reference: String, and condition: String = "") -> String {
        "UPDATE \(AttachmentTable.name) SET uploaded_at = NULL WHERE hash = substr(\(reference), 8, 64)\(condition)"
    }
}

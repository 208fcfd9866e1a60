/// The names of tables must be unique and differ by more than case, because SQLite treats `Entry` and `entry` as equal.
enum TableClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        var owners: [String: DraftEntity] = [:]
        for entity in draft.entities where !entity.isAbstract {
            let key = entity.tableName.lowercased()
            guard let first = owners[key] else {
                owners[key] = entity
                continue
            }
            // A repeated key in one mapping, or two types with the same file, are reported by other rules.
            if first.swiftName.lowercased() == entity.swiftName.lowercased() { continue }
            report.add(message(entity, first: first))
        }
        checkJoinTables(draft, owners: owners, into: &report)
    }

    /// Names of join tables that are not declared are derived so that they are free.
    private static func checkJoinTables(_ draft: Draft, owners: [String: DraftEntity], into report: inout Report) {
        var first: [String: (name: String, range: TextRange, link: Link?)] = owners.mapValues {
            ($0.name, $0.tableRange, nil)
        }
        for link in draft.links where link.storage == .joinTable {
            guard let table = link.declaration?.table else { continue }
            let name = "\(link.owner.name).\(link.name)"
            guard let other = first[table.value.lowercased()] else {
                first[table.value.lowercased()] = (name, table.range, link)
                continue
            }
            if let known = other.link, known === link.inverse { continue }
            report.add(
                Diagnostic(
                    .tableClash, at: table.range,
                    message: "The table '\(table.value)' would be used for '\(other.name)' and '\(name)'",
                    remedy: "Give one of the two another table with 'table:'.",
                    notes: [Diagnostic.Note("First used by '\(other.name)'", at: other.range)]))
        }
    }

    private static func message(_ entity: DraftEntity, first: DraftEntity) -> Diagnostic {
        Diagnostic(
            .tableClash, at: entity.tableRange,
            message: "The table '\(entity.tableName)' would be used for '\(first.name)' and '\(entity.name)'",
            remedy: "Give one of the two another table with 'table:'.",
            notes: [Diagnostic.Note("First used by '\(first.name)'", at: first.tableRange)])
    }

    static let entry = CatalogueEntry(
        code: .tableClash,
        title: "Duplicate table",
        explanation: """
            The name of a table is set by `table:`, or derived from the entity's name according to `columns:`. In \
            SQLite, names that differ only by case are the same name.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid }
              Page:
                table: entry
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid }
              Page:
                table: journal_page
                attributes: { id: uuid }
            """)
}

extension DraftEntity {
    /// Where the name of its table comes from.
    var tableRange: TextRange { declaration.table?.range ?? declaration.name.range }
}

extension DiagnosticCode {
    /// Two entities that would share a table.
    package static let tableClash = DiagnosticCode(rawValue: "table-clash")
}

extension MigrationPlan {
    /// The statements for the tables of records and of pending changes, in the order in which a store runs them. The
    /// store also changes the contents of its own tables, and creates the triggers.
    package var statements: [String] {
        var statements = tableRenames + tables.flatMap(\.renames) + tables.flatMap(\.baseRenames)
        for table in tables {
            statements += table.droppedIndexes.map { "DROP INDEX \(SQLWriter.quoted($0))" }
            statements += table.baseSeeds + table.statements + table.baseStatements
        }
        for table in droppedTables {
            statements.append("DROP TABLE \(SQLWriter.quoted(table))")
            statements.append("DROP TABLE \(SQLWriter.quoted("lockstep_base_\(table)"))")
        }
        return statements + createdTables + tables.flatMap(\.createdIndexes)
    }
}

extension TablePlanner {
    /// The base of a record goes through the same steps as the record. Its columns have no types, so that a value is
    /// changed in place.
    func planBase(_ migration: inout TableMigration) {
        guard hasBase else {
            migration.baseRenames = []
            return
        }
        migration.baseSeeds = baseSeeds()
        let base = quoted("lockstep_base_\(new.name)")
        let drops = migration.droppedColumns.values.sorted().map { column in
            "ALTER TABLE \(base) DROP COLUMN \(quoted(column))"
        }
        var additions: [String] = []
        var values: [(name: String, value: String)] = []
        for column in new.columns {
            guard let source = sources[column.name] else { continue }
            let name = quoted(column.name)
            if source.origin == nil {
                let constant = source.constant.map(text)
                let isDefault = source.constant?.isPlain ?? false
                let value = isDefault ? constant.map { " DEFAULT \($0)" } ?? "" : ""
                additions.append("ALTER TABLE \(base) ADD COLUMN \(name)\(value)")
                if !isDefault, let constant { values.append((name, constant)) }
            }
            guard let expression = source.expression else { continue }
            let value =
                source.isRandom ? "coalesce(\(ownValue(of: name, base: base)), \(expression(name)))" : expression(name)
            values.append((name, value))
        }
        if sources.values.contains(where: \.needsRow) {
            // All expressions see the former values.
            let assignments = values.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
            migration.baseStatements = additions + ["UPDATE \(base) SET \(assignments)"] + drops
        } else {
            let updates = values.map { "UPDATE \(base) SET \($0.name) = \($0.value)" }
            migration.baseStatements = drops + additions + updates
        }
    }

    private var hasBase: Bool { entity != nil && file.baseTables.contains("lockstep_base_\(former.name)") }

    /// A call that results in another value for each row.
    private static let newUUID = "lockstep_uuid()"

    /// The expression for the values of records. Instead of NULL, a record gets the new UUID of its base: otherwise,
    /// each record with an edit would seem to have edited this attribute, too.
    func rowExpression(_ column: String) -> ((String) -> String)? {
        guard let source = sources[column], let expression = source.expression else { return nil }
        guard hasBase, source.origin != nil else { return expression }
        let base = quoted("lockstep_base_\(new.name)")
        let value = "(SELECT \(base).\(quoted(column)) FROM \(base) WHERE \(isRecord(base)))"
        return { expression($0).replacing(Self.newUUID, with: "coalesce(\(value), \(Self.newUUID))") }
    }

    /// The statements that give bases new UUIDs first.
    func baseSeeds() -> [String] {
        guard hasBase else { return [] }
        return new.columns.compactMap { column in
            let name = quoted(column.name)
            guard let source = sources[column.name], source.origin != nil,
                source.expression?(name).contains(Self.newUUID) == true
            else { return nil }
            let base = quoted("lockstep_base_\(new.name)")
            return "UPDATE \(base) SET \(name) = \(Self.newUUID) WHERE \(name) IS NULL"
        }
    }

    /// The value that the record of a base got.
    private func ownValue(of column: String, base: String) -> String {
        let table = quoted(new.name)
        return "(SELECT \(table).\(column) FROM \(table) WHERE \(isRecord(base)))"
    }

    /// Whether a base and a record have the same key.
    private func isRecord(_ base: String) -> String {
        let keys = new.primaryKey.isEmpty ? new.columns.filter { $0.key != .none }.map(\.name) : new.primaryKey
        let table = quoted(new.name)
        return keys.map { "\(table).\(quoted($0)) = \(base).\(quoted($0))" }.joined(separator: " AND ")
    }
}

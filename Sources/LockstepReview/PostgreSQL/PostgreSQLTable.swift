import LockstepEvolution

/// Plans the change of a table that both structures have.
struct PostgreSQLTable {
    let former: CreateTable
    let new: CreateTable
    /// The name of the table between the two files.
    let name: String
    let columns: [PostgreSQLColumn]
    /// The former columns that no new one comes from.
    let dropped: [ColumnDefinition]

    init(former: CreateTable, new: CreateTable, isRenamedLate: Bool, sources: [String: ValueSource]) {
        self.former = former
        self.new = new
        name = isRenamedLate ? former.name : new.name
        columns = new.columns.map { column in
            PostgreSQLColumn(column, source: sources[column.name] ?? .empty, former: former)
        }
        let kept = Set(columns.compactMap { $0.former?.name })
        dropped = former.columns.filter { !kept.contains($0.name) }
    }

    func column(_ name: String) -> PostgreSQLColumn? { columns.first { $0.definition.name == name } }

    /// The new column that is this former one, unchanged.
    func unchanged(_ former: String) -> String? {
        columns.first { $0.isSame && $0.former?.name == former }?.definition.name
    }

    private var table: String { PostgreSQLText.name(name) }
    /// The name when the contract file tightens the table.
    private var finalTable: String { PostgreSQLText.name(new.name) }

    /// The names of former columns that are gone in the end.
    private var gone: [String] {
        dropped.map(\.name) + columns.filter { !$0.isSame }.compactMap { $0.former?.name }
    }

    func plan(_ steps: inout PostgreSQLSteps) {
        for column in dropped where column.isRequired && !keyColumns(former).contains(column.name) {
            steps.add(.loosen, statement: alter("ALTER COLUMN \(PostgreSQLText.name(column.name)) DROP NOT NULL"))
        }
        for column in columns {
            switch column.origin {
            case .same: planSame(column, steps: &steps)
            case .replaced: planReplaced(column, steps: &steps)
            case .added: planAdded(column, steps: &steps)
            }
            if !column.isSettled {
                steps.add(
                    .renameColumns,
                    statement: alter(
                        "RENAME COLUMN \(PostgreSQLText.name(column.name)) TO "
                            + PostgreSQLText.name(column.definition.name)))
            }
        }
        planKey(&steps)
        for name in gone { steps.add(.dropColumns, statement: alter("DROP COLUMN \(PostgreSQLText.name(name))")) }
        planTrigger(&steps)
    }

    private func alter(_ action: String) -> String { "ALTER TABLE \(table) \(action)" }

    private func alterFinal(_ action: String) -> String { "ALTER TABLE \(finalTable) \(action)" }

    // MARK: Columns

    private func planSame(_ column: PostgreSQLColumn, steps: inout PostgreSQLSteps) {
        guard let old = column.former else { return }
        let (new, name) = (column.definition, PostgreSQLText.name(column.name))
        if old.type != new.type {
            steps.add(.loosen, statement: alter("ALTER COLUMN \(name) TYPE \(PostgreSQLConversion.name(new.type))"))
        }
        if old.isRequired, !new.isRequired, !keyColumns(former).contains(old.name) {
            steps.add(.loosen, statement: alter("ALTER COLUMN \(name) DROP NOT NULL"))
        }
        if column.source.expression != nil {
            let value = column.forward(name)
            steps.add(
                .fill, statement: "UPDATE \(table) SET \(name) = \(value) WHERE \(name) IS DISTINCT FROM \(value)")
        }
        if !old.isRequired, new.isRequired, !keyColumns(self.new).contains(new.name) {
            steps.add(.tighten, statement: alterFinal("ALTER COLUMN \(name) SET NOT NULL"))
        }
        if old.checks != new.checks {
            if !old.checks.isEmpty {
                steps.dropConstraints(.check, of: self.name, over: [old.name], in: .loosen)
            }
            addChecks(new, steps: &steps)
        }
        if old.isUnique != new.isUnique {
            if new.isUnique {
                steps.add(.tighten, statement: alterFinal("ADD UNIQUE (\(name))"))
            } else {
                steps.dropConstraints(.unique, of: self.name, over: [old.name], in: .loosen)
            }
        }
        if old.defaultValue != new.defaultValue {
            setDefault(new, steps: &steps, in: old.defaultValue == nil ? .loosen : .tighten)
        }
    }

    private func planReplaced(_ column: PostgreSQLColumn, steps: inout PostgreSQLSteps) {
        let new = column.definition
        let old = PostgreSQLText.name(column.former?.name ?? "")
        let name = PostgreSQLText.name(column.name)
        steps.add(.addColumns, statement: alter("ADD COLUMN \(PostgreSQLText.column(column.name, definition: new))"))
        steps.add(.fill, statement: "UPDATE \(table) SET \(name) = \(column.forward(old))")
        tighten(column, steps: &steps)
        if new.defaultValue != nil { setDefault(new, steps: &steps, in: .tighten) }
        addChecks(new, steps: &steps)
    }

    /// An added column has a default until no server of the former version adds rows.
    private func planAdded(_ column: PostgreSQLColumn, steps: inout PostgreSQLSteps) {
        let new = column.definition
        var definition = PostgreSQLText.column(column.name, definition: new)
        let seed = new.key == .generated ? nil : column.seed
        if let seed {
            definition += new.isRequired ? " NOT NULL DEFAULT \(seed)" : " DEFAULT \(seed)"
            definition += new.checks.map { " " + PostgreSQLText.check($0.renamed(to: column.name)) }.joined()
        }
        steps.add(.addColumns, statement: alter("ADD COLUMN \(definition)"))
        if let value = column.filledValue {
            steps.add(.fill, statement: "UPDATE \(table) SET \(PostgreSQLText.name(column.name)) = \(value)")
        }
        if seed == nil {
            tighten(column, steps: &steps)
            addChecks(new, steps: &steps)
        } else if new.isUnique {
            steps.add(.tighten, statement: alterFinal("ADD UNIQUE (\(PostgreSQLText.name(new.name)))"))
        }
        let isFinal = seed == new.defaultValue.map(PostgreSQLText.literal)
        if !isFinal { setDefault(new, steps: &steps, in: .tighten) }
    }

    private func tighten(_ column: PostgreSQLColumn, steps: inout PostgreSQLSteps) {
        let (new, name) = (column.definition, PostgreSQLText.name(column.definition.name))
        if new.isRequired, !keyColumns(self.new).contains(new.name), new.key != .generated {
            steps.add(.tighten, statement: alterFinal("ALTER COLUMN \(name) SET NOT NULL"))
        }
        if new.isUnique { steps.add(.tighten, statement: alterFinal("ADD UNIQUE (\(name))")) }
    }

    private func addChecks(_ column: ColumnDefinition, steps: inout PostgreSQLSteps) {
        for check in column.checks { steps.add(.tighten, statement: alterFinal("ADD \(PostgreSQLText.check(check))")) }
    }

    private func setDefault(_ column: ColumnDefinition, steps: inout PostgreSQLSteps, in phase: PostgreSQLSteps.Phase) {
        let name = PostgreSQLText.name(column.name)
        let action = column.defaultValue.map { "SET DEFAULT \(PostgreSQLText.literal($0))" } ?? "DROP DEFAULT"
        let statement = "ALTER COLUMN \(name) \(action)"
        steps.add(phase, statement: phase.isExpanding ? alter(statement) : alterFinal(statement))
    }

    // MARK: The key

    private func keyColumns(_ table: CreateTable) -> [String] {
        table.primaryKey.isEmpty ? table.columns.filter { $0.key != .none }.map(\.name) : table.primaryKey
    }

    private func planKey(_ steps: inout PostgreSQLSteps) {
        let (old, key) = (keyColumns(former), keyColumns(new))
        guard old.map(unchanged) != key.map(Optional.some) else { return }
        if !old.isEmpty {
            steps.dropConstraints(.primaryKey, of: name, over: nil, in: .dropKeys)
        }
        if !key.isEmpty { steps.add(.tighten, statement: alterFinal("ADD PRIMARY KEY (\(PostgreSQLText.names(key)))")) }
        for name in old {
            // A key's columns are required after it has gone, too.
            guard let kept = columns.first(where: { $0.isSame && $0.former?.name == name }), !kept.definition.isRequired
            else { continue }
            steps.add(.dropKeys, statement: alter("ALTER COLUMN \(PostgreSQLText.name(name)) DROP NOT NULL"))
        }
    }

    // MARK: Both shapes in step

    /// A write in one shape changes the columns of the other. If a row is added with both, the new one counts.
    private func planTrigger(_ steps: inout PostgreSQLSteps) {
        let replaced = columns.filter { !$0.isSame && !$0.isAdded }
        let fitted = columns.filter { $0.isSame && $0.source.expression != nil }
        guard !replaced.isEmpty || !fitted.isEmpty else { return }
        var body = replaced.map(inStep).joined()
        for column in fitted {
            let value = "NEW.\(PostgreSQLText.name(column.name))"
            body += "    \(value) := \(column.forward(value));\n"
        }
        let function = PostgreSQLText.name("lockstep_sync_\(name)")
        steps.add(
            .synchronize,
            statement: """
                CREATE OR REPLACE FUNCTION \(function)() RETURNS TRIGGER LANGUAGE plpgsql AS $lockstep$
                BEGIN
                \(body)    RETURN NEW;
                END
                $lockstep$
                """)
        steps.add(
            .synchronize,
            statement: """
                CREATE TRIGGER \(function) BEFORE INSERT OR UPDATE ON \(table)
                    FOR EACH ROW EXECUTE FUNCTION \(function)()
                """)
        steps.add(.dropTriggers, statement: "DROP TRIGGER \(function) ON \(table)")
        steps.add(.dropTriggers, statement: "DROP FUNCTION \(function)()")
    }

    private func inStep(_ column: PostgreSQLColumn) -> String {
        let new = PostgreSQLText.name(column.name)
        let old = PostgreSQLText.name(column.former?.name ?? "")
        return """
                IF TG_OP = 'INSERT' AND NEW.\(new) IS NOT NULL
                    OR TG_OP = 'UPDATE' AND NEW.\(new) IS DISTINCT FROM OLD.\(new) THEN
                    NEW.\(old) := \(column.backward("NEW.\(new)"));
                ELSIF TG_OP = 'INSERT' OR NEW.\(old) IS DISTINCT FROM OLD.\(old) THEN
                    NEW.\(new) := \(column.forward("NEW.\(old)"));
                END IF;

            """
    }
}

import LockstepEvolution

/// What notes the changes of tables, whoever writes them.
struct ChangeTriggers {
    let schema: ServerSchema

    func statements() -> [Code] {
        schema.entities.filter(isTouched).map { touchFunction($0).statement }
            + schema.entities.flatMap { [changeFunction($0).statement, triggers(on: $0.table, $0.object("changed"))] }
            + schema.joinTables.flatMap(statements)
    }

    // MARK: The rows of an entity

    private func changeFunction(_ entity: ServerEntity) -> ServerFunction {
        ServerFunction(
            signature: "\(name: entity.object("changed"))()", result: "trigger",
            comment: "-- Notes what a statement has changed in \(entity.table).", language: .plpgsql,
            body: """
                BEGIN
                    IF TG_OP = 'INSERT' THEN
                        \(inserted(entity))
                    ELSIF TG_OP = 'UPDATE' THEN
                        \(updated(entity))
                    ELSE
                        \(deleted(entity))
                    END IF;
                    RETURN NULL;
                END
                """)
    }

    private func inserted(_ entity: ServerEntity) -> Code {
        let rows = """
            SELECT \(entity.keyText("n")) AS id, \(entity.scopeText("n")) AS scope, FALSE AS gone FROM lockstep_new n
            """ as Code
        return .lines([
            locks(of: entity, rows: "lockstep_new"), carriers(of: entity, "lockstep_new"), note(entity, rows),
        ])
    }

    private func updated(_ entity: ServerEntity) -> Code {
        let present: Code = """
            SELECT \(entity.keyText("n")) AS id, \(entity.scopeText("n")) AS scope, FALSE AS gone
                FROM lockstep_new n LEFT JOIN lockstep_old o ON \(entity.sameKey("o", "n")) WHERE o IS DISTINCT FROM n
            """
        // Rows that have left their scope. Where only other rows know what that was, it is looked up.
        let moved: Code =
            entity.knowsItsScope && entity.scope != .own && entity.scope != .everyone
            ? " OR \(scopeDiffers(entity))" : Code()
        let scope: Code = entity.knowsItsScope ? entity.scopeText("o") : "NULL"
        let former: Code = """
            UNION ALL SELECT \(entity.keyText("o")), \(scope), TRUE
                FROM lockstep_old o LEFT JOIN lockstep_new n ON \(entity.sameKey("n", "o"))
                WHERE n.\(name: entity.key[0].column) IS NULL\(moved)
            """
        return .lines(
            [
                locks(of: entity, rows: "(SELECT * FROM lockstep_new UNION ALL SELECT * FROM lockstep_old)"),
                carriers(of: entity, changed(entity)), note(entity, .lines([present, former])),
            ] + schema.descendants(of: entity).map { movedDescendants(of: entity, $0) })
    }

    private func deleted(_ entity: ServerEntity) -> Code {
        let scope: Code = entity.knowsItsScope ? entity.scopeText("o") : "NULL"
        let rows: Code = """
            SELECT \(entity.keyText("o")) AS id, \(scope) AS scope, TRUE AS gone FROM lockstep_old o
            """
        return .lines([
            locks(of: entity, rows: "lockstep_old"), carriers(of: entity, "lockstep_old"), note(entity, rows),
        ])
    }

    private func note(_ entity: ServerEntity, _ rows: Code) -> Code {
        let (function, gone): (Code, Code) =
            entity.knowsItsScope
            ? ("lockstep_note", ", array_agg(r.gone)") : ("lockstep_note_present", "")
        return """
            PERFORM \(function)(\(quoted: entity.name), array_agg(r.id), array_agg(r.scope)\(gone)) FROM (
                \(rows)
            ) r HAVING count(*) > 0;
            """
    }

    private func scopeDiffers(_ entity: ServerEntity) -> Code {
        let columns = entity.scopeColumns
        if columns.isEmpty { return "FALSE" }
        let (new, old) = (columns.map { "n.\(name: $0)" as Code }, columns.map { "o.\(name: $0)" as Code })
        return "(\(Code.joined(new, separator: ", "))) IS DISTINCT FROM (\(Code.joined(old, separator: ", ")))"
    }

    // MARK: Rows that decide the scopes of others

    /// Locks the rows that decide the scopes of others, so that none of them moves before this transaction has ended.
    private func locks(of entity: ServerEntity, rows: Code) -> Code {
        guard !entity.knowsItsScope, let (relationship, destination) = entity.scopeLink else { return Code() }
        let columns = Code.joined(relationship.foreignKeyColumns.map { "n.\(name: $0)" }, separator: ", ")
        let deciding: Code = """
            (\(destination.keyColumns("d"))) IN (SELECT \(columns) FROM \(rows) n)
            """
        let source: Code = "(SELECT d.* FROM \(name: destination.table) d WHERE \(deciding))"
        let lock: Code = """
            PERFORM FROM \(name: destination.table) d WHERE \(deciding)
                ORDER BY \(destination.keyColumns("d")) FOR NO KEY UPDATE;
            """
        return .lines([lock, locks(of: destination, rows: source)])
    }

    /// Notes the records whose scope is that of rows that have moved. These rows are locked, and whoever changes one of
    /// the records locks them first, so its own row need not be.
    private func movedDescendants(of entity: ServerEntity, _ descendant: ServerSchema.Descendant) -> Code {
        let row = descendant.alias
        return """
            PERFORM lockstep_note_present(\(quoted: descendant.entity.name),
                    array_agg(\(descendant.entity.keyText(row))), array_agg(\(descendant.entity.scopeText(row))))
                FROM lockstep_new n JOIN lockstep_old o ON \(entity.sameKey("o", "n")) AND \(scopeDiffers(entity))
                \(descendant.joins) HAVING count(*) > 0;
            """
    }

    private func isTouched(_ entity: ServerEntity) -> Bool {
        entity.structure.relationships.contains { schema.carries($0, of: entity) }
    }

    private func touchFunction(_ entity: ServerEntity) -> ServerFunction {
        ServerFunction(
            signature: "\(name: entity.object("touch"))(text[])", result: "void",
            comment: """
                -- Notes records of \(entity.table) whose lists other rows have changed. Their rows are locked
                -- first, so that none moves to another scope in the meantime, and in the order in which a change of
                -- them locks.
                """,
            language: .plpgsql,
            body: """
                BEGIN
                    PERFORM FROM \(name: entity.table) r JOIN unnest($1) AS i(id) ON \(entity.hasKey("r", "i.id"))
                        ORDER BY \(entity.keyColumns("r")) FOR NO KEY UPDATE OF r;
                    \(locks(of: entity, rows: touchedRows(entity)))
                    PERFORM lockstep_note_present(\(quoted: entity.name), array_agg(i.id),
                            array_agg(\(entity.scopeText("r"))))
                        FROM unnest($1) AS i(id) LEFT JOIN \(name: entity.table) r ON \(entity.hasKey("r", "i.id"))
                        HAVING count(*) > 0;
                END
                """)
    }

    private func touchedRows(_ entity: ServerEntity) -> Code {
        "(SELECT r.* FROM \(name: entity.table) r JOIN unnest($1) AS i(id) ON \(entity.hasKey("r", "i.id")))"
    }

    // MARK: Records that list others

    /// Notes the records whose lists contain rows of this table.
    private func carriers(of entity: ServerEntity, _ rows: Code) -> Code {
        .lines(
            schema.carriers(of: entity).map { carrier, columns in
                let keys = columns.map { "n.\(name: $0)" as Code }
                let list = Code.joined(keys, separator: ", ")
                let key: Code = keys.count == 1 ? "\(list)::text" : "jsonb_build_array(\(list))::text"
                return """
                    PERFORM \(name: carrier.object("touch"))(array_agg(DISTINCT \(key)))
                        FROM \(rows) n WHERE \(keys[0]) IS NOT NULL HAVING count(*) > 0;
                    """
            })
    }

    /// The rows before and after an update that differ in what a list shows of them.
    private func changed(_ entity: ServerEntity) -> Code {
        let links = entity.structure.relationships.filter { !$0.foreignKeyColumns.isEmpty }
        let columns =
            entity.key.map(\.column) + links.flatMap(\.foreignKeyColumns) + links.compactMap(\.positionColumn)
        let list = Code.joined(columns.map { "\(name: $0)" }, separator: ", ")
        return """
            ((SELECT \(list) FROM lockstep_new EXCEPT SELECT \(list) FROM lockstep_old)
                UNION (SELECT \(list) FROM lockstep_old EXCEPT SELECT \(list) FROM lockstep_new))
            """
    }

    private func statements(of table: LockstepEvolution.JoinTable) -> [Code] {
        let ends = [table.left, table.right].prefix(table.isSymmetric ? 1 : 2).compactMap { end in
            schema.entity(end.entity).flatMap { entity -> (ServerEntity, [String])? in
                let relationship = end.relationship.flatMap(entity.structure.relationship)
                return relationship.map { schema.carries($0, of: entity) } == true ? (entity, end.columns) : nil
            }
        }
        func touches(_ rows: Code) -> Code {
            .lines(
                ends.map { entity, columns in
                    """
                    PERFORM \(name: entity.object("touch"))(array_agg(DISTINCT n.\(name: columns[0])::text))
                        FROM \(rows) n HAVING count(*) > 0;
                    """
                })
        }
        if ends.isEmpty { return [truncation(of: table.name)] }
        let name = "lockstep_\(table.name)_changed"
        let function = ServerFunction(
            signature: "\(name: name)()", result: "trigger",
            comment: "-- Notes the records whose lists a statement has changed in \(table.name).", language: .plpgsql,
            body: """
                BEGIN
                    IF TG_OP <> 'DELETE' THEN
                        \(touches("lockstep_new"))
                    END IF;
                    IF TG_OP <> 'INSERT' THEN
                        \(touches("lockstep_old"))
                    END IF;
                    RETURN NULL;
                END
                """)
        return [function.statement, triggers(on: table.name, name)]
    }

    // MARK: Triggers

    private func triggers(on table: String, _ function: String) -> Code {
        let events: [(name: Code, event: Code, tables: Code)] = [
            ("lockstep_insert", "INSERT", "NEW TABLE AS lockstep_new"),
            ("lockstep_update", "UPDATE", "OLD TABLE AS lockstep_old NEW TABLE AS lockstep_new"),
            ("lockstep_delete", "DELETE", "OLD TABLE AS lockstep_old"),
        ]
        return .lines(
            events.map { trigger, event, tables in
                """
                CREATE OR REPLACE TRIGGER \(trigger) AFTER \(event) ON \(name: table) REFERENCING \(tables)
                    FOR EACH STATEMENT EXECUTE FUNCTION \(name: function)();
                """
            } + [truncation(of: table)])
    }

    private func truncation(of table: String) -> Code {
        """
        CREATE OR REPLACE TRIGGER lockstep_truncate BEFORE TRUNCATE ON \(name: table)
            FOR EACH STATEMENT EXECUTE FUNCTION lockstep_refuse_truncate();
        """
    }
}

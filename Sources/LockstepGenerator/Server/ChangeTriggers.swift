import LockstepEvolution

/// What notes the changes of tables, whoever writes them.
///
/// A trigger only finds out which records a statement has touched. What is noted of them is read from the tables
/// afterwards: other triggers may have changed a row again.
struct ChangeTriggers {
    let schema: ServerSchema

    func statements() -> [Code] {
        schema.entities.map { noteFunction($0).statement }
            + schema.entities.flatMap { [changeFunction($0).statement, triggers(on: $0.table, $0.object("changed"))] }
            + schema.joinTables.flatMap(statements)
    }

    // MARK: Noting records

    private func noteFunction(_ entity: ServerEntity) -> ServerFunction {
        let rows: Code = """
            (SELECT r.* FROM unnest($1) AS i(id) CROSS JOIN \(entity.lookup("r", key: "i.id")))
            """
        let lock: Code = """
            PERFORM FROM \(name: entity.table) r JOIN unnest($1) AS i(id) ON \(entity.hasKey("r", equalTo: "i.id"))
                ORDER BY \(entity.keyColumns("r")) FOR NO KEY UPDATE OF r;
            """
        let isCarrier = entity.structure.relationships.contains { schema.carries($0, of: entity) }
        return ServerFunction(
            signature: "\(name: entity.object("note"))(text[])", result: "void",
            comment: """
                -- Notes records of \(entity.table) in the scopes to which they belong now.
                """,
            language: .plpgsql, settings: ServerFunction.probing,
            body: """
                BEGIN
                    \(isCarrier ? lock : Code())
                    \(locks(of: entity, rows: rows))
                    PERFORM lockstep_note(\(quoted: entity.name), array_agg(i.id), array_agg(\(entity.scopeText("r"))))
                        FROM (SELECT DISTINCT u.id FROM unnest($1) AS u(id)) i
                        LEFT JOIN \(entity.lookup("r", key: "i.id")) ON TRUE
                        HAVING count(*) > 0;
                END
                """)
    }

    /// Locks the rows that decide the scopes of others, so that none of them moves before this transaction has ended.
    private func locks(of entity: ServerEntity, rows: Code) -> Code {
        guard !entity.knowsItsScope, let (relationship, destination) = entity.scopeLink else { return Code() }
        let columns = Code.joined(relationship.foreignKeyColumns.map { "n.\(name: $0)" }, separator: ", ")
        let deciding: Code = "(\(destination.keyColumns("d"))) IN (SELECT \(columns) FROM \(rows) n)"
        let source: Code = "(SELECT d.* FROM \(name: destination.table) d WHERE \(deciding))"
        let lock: Code = """
            PERFORM FROM \(name: destination.table) d WHERE \(deciding)
                ORDER BY \(destination.keyColumns("d")) FOR NO KEY UPDATE;
            """
        return .lines([lock, locks(of: destination, rows: source)])
    }

    // MARK: The rows of an entity

    private func changeFunction(_ entity: ServerEntity) -> ServerFunction {
        ServerFunction(
            signature: "\(name: entity.object("changed"))()", result: "trigger",
            comment: "-- Notes what a statement has changed in \(entity.table).", language: .plpgsql,
            body: """
                BEGIN
                    IF TG_OP = 'INSERT' THEN
                        \(carriers(of: entity, "lockstep_new"))
                        \(note(entity, selecting: "SELECT \(entity.keyText("n")) AS id FROM lockstep_new n"))
                        \(descendants(of: entity, "lockstep_new"))
                    ELSIF TG_OP = 'UPDATE' THEN
                        \(locks(of: entity, rows: "lockstep_old"))
                        \(carriers(of: entity, listed(entity)))
                        \(note(entity, selecting: changed(entity)))
                        \(descendants(of: entity, moved(entity)))
                    ELSE
                        \(locks(of: entity, rows: "lockstep_old"))
                        \(carriers(of: entity, "lockstep_old"))
                        \(note(entity, selecting: "SELECT \(entity.keyText("o")) AS id FROM lockstep_old o"))
                        \(descendants(of: entity, "lockstep_old"))
                    END IF;
                    RETURN NULL;
                END
                """)
    }

    private func note(_ entity: ServerEntity, selecting identities: Code) -> Code {
        """
        PERFORM \(name: entity.object("note"))(array_agg(c.id)) FROM (
            \(identities)
        ) c HAVING count(*) > 0;
        """
    }

    /// The identities of an update's rows that differ in what is sent of them, or in their scope.
    private func changed(_ entity: ServerEntity) -> Code {
        let sent = entity.sentColumns
        let (new, old) = (sent.map { "n.\(name: $0)" as Code }, sent.map { "o.\(name: $0)" as Code })
        return """
            SELECT \(entity.keyText("n")) AS id
                FROM lockstep_new n LEFT JOIN lockstep_old o ON \(entity.sameKey("o", as: "n"))
                WHERE \(differ(new, from: old))
            UNION SELECT \(entity.keyText("o"))
                FROM lockstep_old o LEFT JOIN lockstep_new n ON \(entity.sameKey("n", as: "o"))
                WHERE n.\(name: entity.key[0].column) IS NULL
            """
    }

    // MARK: Records in the scope of others

    /// The rows of an update that have another scope than before.
    private func moved(_ entity: ServerEntity) -> Code {
        let columns = entity.scopeColumns
        let (new, old) = (columns.map { "n.\(name: $0)" as Code }, columns.map { "o.\(name: $0)" as Code })
        return """
            (SELECT n.* FROM lockstep_new n JOIN lockstep_old o ON \(entity.sameKey("o", as: "n")) AND \(differ(new, from: old)))
            """
    }

    private func differ(_ values: [Code], from others: [Code]) -> Code {
        let (values, others) = (Code.joined(values, separator: ", "), Code.joined(others, separator: ", "))
        return "ROW(\(values)) IS DISTINCT FROM ROW(\(others))"
    }

    /// Notes the records whose scope is that of rows that are new, deleted or in another scope. These rows are locked,
    /// and whoever changes one of the records locks them first, so its own row need not be.
    private func descendants(of entity: ServerEntity, _ rows: Code) -> Code {
        .lines(
            schema.descendants(of: entity).map { descendant in
                let row = descendant.alias
                return """
                    PERFORM lockstep_note(\(quoted: descendant.entity.name),
                            array_agg(\(descendant.entity.keyText(row))),
                            array_agg(\(descendant.entity.scopeText(row))))
                        FROM \(rows) n \(descendant.joins) HAVING count(*) > 0;
                    """
            })
    }

    // MARK: Records that list others

    /// Notes the records whose lists contain rows of this table. They lock their rows before a scope, as a change of
    /// them does, so they come first.
    private func carriers(of entity: ServerEntity, _ rows: Code) -> Code {
        .lines(
            schema.carriers(of: entity).map { carrier, columns in
                let keys = columns.map { "n.\(name: $0)" as Code }
                return """
                    PERFORM \(name: carrier.object("note"))(array_agg(DISTINCT \(ServerEntity.keyText(keys))))
                        FROM \(rows) n WHERE \(keys[0]) IS NOT NULL HAVING count(*) > 0;
                    """
            })
    }

    /// The rows before and after an update that differ in what a list shows of them.
    private func listed(_ entity: ServerEntity) -> Code {
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
        let ends = schema.ends(of: table).filter(\.isCarrier).prefix(table.isSymmetric ? 1 : 2)
        func touches(_ rows: Code) -> Code {
            .lines(
                ends.map { end in
                    let key = ServerEntity.keyText(end.columns.map { "n.\(name: $0)" })
                    return """
                        PERFORM \(name: end.entity.object("note"))(array_agg(DISTINCT \(key)))
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

import LockstepEvolution
package import LockstepReview
package import LockstepSchema

/// The statements that update a server from one version of its tables to the next, for the two files of a migration.
///
/// Between the files, the tables have the columns of both versions. The server then reads and writes those of the new
/// version, under the names that they have until the former columns are dropped. Triggers update the former columns. So
/// apps and servers of both versions can write, if their JSON is compatible. Entities that the new version does not
/// have stay until the second file.
///
/// - Returns: `nil` if neither version has a server.
package func serverSteps(
    for schema: Schema, former: SchemaStructure, migration: PostgreSQLMigration
) -> PostgreSQLServerSteps? {
    guard schema.hasScopes || former.entities.contains(where: { $0.scope != nil }) else { return nil }
    // Without its names between the files, the former server stays until the second one.
    let between = migration.between.flatMap { structure in
        serverStatements(for: schema, tables: structure).map { statements in
            let resending = resending(migration.refilledTables, of: schema, tables: structure)
            return Code.sections([settled, statements, grants] + resending)
        }
    }
    let after = serverStatements(for: schema, tables: schema.structure).map { [settled, $0] } ?? []
    return PostgreSQLServerSteps(
        mark: migration.contract.isEmpty ? "" : text(mark), removal: text(removal), between: between.map(text),
        after: text(Code.sections([unmark] + after)))
}

private func text(_ code: Code) -> String { String(decoding: code.text, as: UTF8.self) }

/// PostgreSQL does not drop or change a column that a policy uses, nor drop a table that a function has as a parameter.
private let removal: Code = """
    -- The parts of the server that depend on tables and columns. They are created again below, in this transaction.
    DO $lockstep$
    DECLARE
        part record;
    BEGIN
        FOR part IN SELECT p.polname AS name, p.polrelid::regclass AS relation
            FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
            WHERE c.relnamespace = current_schema()::regnamespace
                AND p.polname IN ('lockstep_select', 'lockstep_insert', 'lockstep_update', 'lockstep_delete')
        LOOP
            EXECUTE format('DROP POLICY %I ON %s', part.name, part.relation);
        END LOOP;
        FOR part IN SELECT t.tgname AS name, t.tgrelid::regclass AS relation
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
                AND t.tgname IN ('lockstep_insert', 'lockstep_update', 'lockstep_delete', 'lockstep_truncate')
        LOOP
            EXECUTE format('DROP TRIGGER %I ON %s', part.name, part.relation);
        END LOOP;
        FOR part IN SELECT DISTINCT p.oid::regprocedure AS name
            FROM pg_proc p CROSS JOIN unnest(p.proargtypes::oid[]) AS a(type) JOIN pg_type y ON y.oid = a.type
            WHERE p.pronamespace = current_schema()::regnamespace AND starts_with(p.proname, 'lockstep_')
                AND y.typtype = 'c'
        LOOP
            EXECUTE format('DROP FUNCTION %s', part.name);
        END LOOP;
        -- An index on a column that had another name between the two files has one under its own name, too.
        FOR part IN SELECT c.oid::regclass AS name FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i'
                AND starts_with(c.relname, 'lockstep_') AND strpos(c.relname, '_lockstep_new_') > 0
        LOOP
            EXECUTE format('DROP INDEX %s', part.name);
        END LOOP;
    END
    $lockstep$;
    """

private let mark: Code = """
    -- Until the second file has been run, the tables have the columns of two versions.
    CREATE TABLE IF NOT EXISTS lockstep_between ();
    """

private let unmark: Code = "DROP TABLE IF EXISTS lockstep_between;"

/// Refuses to replace the server of the first file by that of one version.
let oneVersionCheck: Code = """
    DO $lockstep$ BEGIN
        IF to_regclass(quote_ident(current_schema()) || '.lockstep_between') IS NOT NULL THEN
            RAISE EXCEPTION 'the tables have the columns of two versions, which this server does not serve'
                USING HINT = 'Run the contract file of the last version instead. It creates this server, too.';
        END IF;
    END $lockstep$;
    """

/// PostgreSQL creates no index on a table whose rows it still has to check.
private let settled: Code = "SET CONSTRAINTS ALL IMMEDIATE;"

/// If a user writes the columns of the new version, a trigger writes those of the former one.
private let grants: Code = """
    -- The triggers that keep both shapes in step convert values with the rights of the user.
    DO $lockstep$
    DECLARE
        part record;
    BEGIN
        FOR part IN SELECT p.oid::regprocedure AS name FROM pg_proc p
            WHERE p.pronamespace = current_schema()::regnamespace AND p.pronargs = 1
                AND p.proname ~ '^lockstep_[a-z_]+_to_[a-z_]+$' AND p.proargnames = ARRAY['value']
        LOOP
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO authenticated', part.name);
        END LOOP;
    END
    $lockstep$;
    """

/// Rows with values that this migration has created, which no device has yet.
private func resending(_ tables: Set<String>, of schema: Schema, tables structure: SchemaStructure) -> [Code] {
    let server = ServerSchema(schema, structure: structure)
    let entities = server.entities.filter { tables.contains($0.table) }
    if entities.isEmpty { return [] }
    let statements = entities.map { entity -> Code in
        """
        PERFORM \(name: entity.object("note"))(array_agg(\(entity.keyText("r"))))
            FROM \(name: entity.table) r HAVING count(*) > 0;
        """
    }
    return [
        """
        -- Devices read these records again: this file has made or converted values of them.
        \(ServerFunction.block(
            """
            BEGIN
                \(Code.lines(statements))
            END
            """))
        """
    ]
}

/// The tables of the server that are no entity's, and the functions that write them.
struct ServerTables {
    let schema: ServerSchema

    var roles: Code {
        """
        -- The roles of requests, as PostgREST and Supabase have them: of a signed-in user, and of anybody else.
        DO $lockstep$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
                CREATE ROLE authenticated NOLOGIN;
            END IF;
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'anon') THEN
                CREATE ROLE anon NOLOGIN;
            END IF;
        END $lockstep$;
        """
    }

    var tables: Code {
        """
        -- The scopes. A row is locked from the first change of a transaction in this scope until its end, so the order
        -- of its numbers is that of commits: whoever has read number 7 has missed nothing below. A sequence or a time
        -- alone would not do, because a transaction with a lower number may end later.
        CREATE TABLE IF NOT EXISTS lockstep_scope (
            scope text PRIMARY KEY,
            floor bigint NOT NULL DEFAULT 0  -- the greatest number of a deletion that has expired
        );

        -- The last change of each record in each scope. A record that is deleted, or has moved to another scope, is
        -- gone.
        CREATE TABLE IF NOT EXISTS lockstep_change (
            scope text NOT NULL,
            n bigint NOT NULL,
            entity text NOT NULL,
            id text NOT NULL,
            gone timestamptz,
            PRIMARY KEY (id, entity, scope),
            UNIQUE (scope, n)
        );

        CREATE INDEX IF NOT EXISTS lockstep_change_gone ON lockstep_change (gone) WHERE gone IS NOT NULL;

        -- Numbers of changes. They grow with each change of a scope, and with each change of a record.
        CREATE SEQUENCE IF NOT EXISTS lockstep_number;

        -- What was sent and applied, so that it is applied once however often it is sent.
        CREATE TABLE IF NOT EXISTS lockstep_request (
            subject text NOT NULL,
            key text NOT NULL,
            hash text NOT NULL,
            at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (subject, key)
        );
        -- Earlier versions of this file kept responses, and returned records in another form.
        ALTER TABLE lockstep_request DROP COLUMN IF EXISTS response;
        DROP FUNCTION IF EXISTS lockstep_records(text, text[]), lockstep_present(text, text[]);

        -- The epoch changes when a backup is restored: what devices have read since then is not in it.
        CREATE TABLE IF NOT EXISTS lockstep_meta (epoch uuid NOT NULL);
        INSERT INTO lockstep_meta SELECT gen_random_uuid() WHERE NOT EXISTS (SELECT FROM lockstep_meta);
        """
    }

    func functions() -> [Code] { [note, truncation, expire, restored].map(\.statement) }

    private var note: ServerFunction {
        ServerFunction(
            signature: "lockstep_note(text, text[], text[])", result: "void",
            comment: """
                -- Gives numbers to changed records of an entity, whose present scopes are known; NULL for a record that
                -- is gone. It is gone from any other scope. First, the scopes are locked, in the order of their names,
                -- so that two transactions do not wait for each other; numbers are drawn under these locks. A record
                -- that moves is gone from one scope before it is in the other, so its last number is that of the
                -- present.
                """,
            language: .plpgsql, settings: ServerFunction.probing,
            body: """
                BEGIN
                    WITH present AS MATERIALIZED (
                        SELECT DISTINCT p.id, p.scope FROM unnest($2, $3) AS p(id, scope)
                    ), changed AS MATERIALIZED (
                        SELECT p.id, p.scope, FALSE AS is_gone FROM present p WHERE p.scope IS NOT NULL
                        UNION ALL
                        SELECT f.id, f.scope, TRUE FROM present p
                            CROSS JOIN LATERAL (
                                SELECT f.id, f.scope FROM lockstep_change f WHERE f.id = p.id AND f.entity = $1
                                    AND f.gone IS NULL AND f.scope IS DISTINCT FROM p.scope OFFSET 0
                            ) f
                    ), locked AS MATERIALIZED (
                        INSERT INTO lockstep_scope AS s (scope)
                            SELECT DISTINCT c.scope FROM changed c ORDER BY c.scope
                        -- A row that is there is locked, and not written.
                        ON CONFLICT (scope) DO UPDATE SET floor = s.floor WHERE FALSE
                        RETURNING s.scope
                    )
                    INSERT INTO lockstep_change AS f (scope, n, entity, id, gone)
                        SELECT c.scope, nextval('lockstep_number'), $1, c.id, CASE WHEN c.is_gone THEN now() END
                        FROM (
                            SELECT c.* FROM changed c CROSS JOIN (SELECT count(l.scope) FROM locked l) l
                            ORDER BY c.is_gone DESC
                        ) c
                    ON CONFLICT ON CONSTRAINT lockstep_change_pkey
                        DO UPDATE SET n = excluded.n, gone = excluded.gone;
                END
                """)
    }

    /// Notes what was there before the server, and what has another scope than before.
    var backfill: Code {
        let entities = schema.entities.map { entity -> Code in
            """
            LOCK TABLE \(name: entity.table) IN SHARE ROW EXCLUSIVE MODE;
            PERFORM lockstep_note(\(quoted: entity.name), array_agg(r.id), array_agg(r.scope)) FROM (
                SELECT \(entity.keyText("r")) AS id, \(entity.scopeText("r")) AS scope FROM \(name: entity.table) r
            ) r WHERE NOT EXISTS (
                SELECT FROM lockstep_change c WHERE c.id = r.id AND c.entity = \(quoted: entity.name)
                    AND c.scope = r.scope AND c.gone IS NULL
            ) HAVING count(*) > 0;
            PERFORM lockstep_note(\(quoted: entity.name), array_agg(c.id), array_agg(NULL::text))
                FROM lockstep_change c WHERE c.entity = \(quoted: entity.name) AND c.gone IS NULL AND NOT EXISTS (
                    SELECT FROM \(name: entity.table) r WHERE \(entity.keyText("r")) = c.id
                ) HAVING count(*) > 0;
            """
        }
        let names = Code.joined(schema.entities.map { "\(quoted: $0.name)" }, separator: ", ")
        let body: Code = """
            BEGIN
                \(Code.lines(entities))
                DELETE FROM lockstep_change c WHERE c.entity NOT IN (\(names));
            END
            """
        return """
            -- Notes the records that were there before, or that belong to another scope since the schema has changed.
            \(ServerFunction.block(body))
            """
    }

    private var truncation: ServerFunction {
        ServerFunction(
            signature: "lockstep_refuse_truncate()", result: "trigger",
            comment: "-- TRUNCATE does not say which records it deletes, so no device would learn of it.",
            language: .plpgsql, isDefiner: false,
            body: """
                BEGIN
                    RAISE EXCEPTION 'TRUNCATE of "%" would not reach the devices that have its records', TG_TABLE_NAME
                        USING HINT = 'Use DELETE instead.';
                END
                """)
    }

    private var expire: ServerFunction {
        ServerFunction(
            signature: "lockstep_expire(days integer)", result: "void",
            comment: """
                -- Forgets deletions and requests that are older than this. A device that was away for longer reads
                -- everything again. Call it once a day: SELECT cron.schedule('lockstep', '7 3 * * *', 'SELECT
                -- lockstep_expire(90)');
                """,
            language: .plpgsql,
            body: """
                BEGIN
                    -- Scopes are locked before their changes, as writers do.
                    PERFORM FROM lockstep_scope s WHERE s.scope IN (
                        SELECT c.scope FROM lockstep_change c WHERE c.gone < now() - make_interval(days => $1)
                    ) ORDER BY s.scope FOR NO KEY UPDATE;
                    WITH expired AS (
                        DELETE FROM lockstep_change c WHERE c.gone < now() - make_interval(days => $1)
                            RETURNING c.scope, c.n
                    )
                    UPDATE lockstep_scope s SET floor = greatest(s.floor, e.n)
                        FROM (SELECT e.scope, max(e.n) AS n FROM expired e GROUP BY e.scope) e
                        WHERE e.scope = s.scope;
                    DELETE FROM lockstep_request r WHERE r.at < now() - make_interval(days => $1);
                END
                """)
    }

    private var restored: ServerFunction {
        ServerFunction(
            signature: "lockstep_restored()", result: "void",
            comment: """
                -- Call it after a backup was restored, before the first request: devices read everything again. They
                -- may have stored numbers that were lost, as versions of records. None of these is used again: no
                -- server has numbered a million changes per second since 1970.
                """,
            language: .sql,
            body: """
                    UPDATE lockstep_meta SET epoch = gen_random_uuid();
                    SELECT setval('lockstep_number', greatest(
                        (SELECT coalesce(max(n), 0) + 1 FROM lockstep_change),
                        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint))
                """)
    }
}

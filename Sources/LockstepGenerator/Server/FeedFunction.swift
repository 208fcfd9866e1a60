/// The function that devices read.
struct FeedFunction {
    let schema: ServerSchema

    /// At most this many changes are in a response, and the last of them begins within this many bytes of records.
    private static let maximumCount = 1000
    private static let maximumBytes = 4_194_304

    func statements() -> [Code] { [records.statement, changes.statement] }

    /// It is a function, not a view for each table, because a view would prevent that the columns of its table change.
    private var records: ServerFunction {
        ServerFunction(
            signature: "lockstep_records(changes lockstep_change[], bytes bigint)",
            result: "TABLE (scope text, n bigint, entity text, id text, record json)",
            comment: """
                -- Changes with their records as they are sent; NULL for one that is gone, or belongs to another scope.
                -- It ends after the record with which all of them exceed a number of bytes. The loop reads no more
                -- than 50 records ahead, so few are read in vain.
                """,
            language: .plpgsql, isStable: true,
            settings: ServerFunction.probing + ["timezone = 'UTC'"],
            body: """
                DECLARE
                    size bigint := 0;
                BEGIN
                    FOR scope, n, entity, id, record IN
                        SELECT c.scope, c.n, c.entity, c.id, CASE WHEN c.gone IS NULL THEN CASE c.entity
                            \(schema.cases { RecordJSON(entity: $0, schema: schema).record(of: "c") })
                        END END FROM unnest(changes) c
                    LOOP
                        RETURN NEXT;
                        size := size + coalesce(octet_length(record::text), 0);
                        EXIT WHEN size >= bytes;
                    END LOOP;
                END
                """)
    }

    private var changes: ServerFunction {
        ServerFunction(
            signature: "lockstep_changes(cursor text DEFAULT NULL, max integer DEFAULT 1000)", result: "json",
            comment: """
                -- The changes after a cursor, in the order of their commits, of all scopes that the user reads. All of
                -- it is one snapshot, because the function is STABLE. A scope that was never read begins at its first
                -- record, and leaves out what was deleted before; for that, the cursor has its last number at that
                -- time. Without a sort, records are grouped in that order, and are not copied once more.
                """,
            language: .plpgsql, isStable: true,
            settings: [
                "enable_seqscan = off", "enable_sort = off", "jit = off", "plan_cache_mode = force_generic_plan",
            ],
            body: changesBody)
    }

    private var changesBody: Code {
        """
        DECLARE
            epoch constant text := (SELECT m.epoch FROM lockstep_meta m);
            readable constant text[] := ARRAY(SELECT DISTINCT r FROM lockstep_readable() r WHERE r IS NOT NULL);
            limits constant integer := greatest(least(max, \(Self.maximumCount)), 1);
            known jsonb;
            is_expired boolean;
            is_new boolean;
            page json;
        BEGIN
            BEGIN
                known := cursor::jsonb -> 'scopes';
                SELECT cursor::jsonb ->> 'epoch' <> epoch OR jsonb_typeof(known) <> 'object' OR EXISTS (
                    SELECT FROM unnest(readable) r(scope) CROSS JOIN LATERAL (
                        SELECT s.floor FROM lockstep_scope s WHERE s.scope = r.scope OFFSET 0
                    ) s WHERE s.floor > greatest((known -> r.scope ->> 0)::bigint, (known -> r.scope ->> 1)::bigint)
                ) OR EXISTS (
                    SELECT FROM jsonb_each(known) k, lockstep_number q WHERE (k.value ->> 0)::bigint > q.last_value
                ), NOT known ?& readable OR (SELECT count(*) FROM jsonb_each(known)) > cardinality(readable) OR EXISTS (
                    SELECT FROM unnest(readable) r(scope) CROSS JOIN LATERAL (
                        SELECT FROM lockstep_change c
                        WHERE c.scope = r.scope AND c.n > coalesce((known -> r.scope ->> 0)::bigint, 0) OFFSET 0
                    ) c
                ) INTO is_expired, is_new;
                is_expired := is_expired IS NOT FALSE AND cursor IS NOT NULL;
            EXCEPTION WHEN data_exception THEN
                -- It is not a cursor. A device that has lost it reads everything again.
                is_expired := TRUE;
            END;
            IF is_expired THEN
                RETURN json_build_object('expired', TRUE);
            ELSIF NOT is_new THEN
                -- The statement below takes longer to begin than all that is done until here.
                RETURN json_build_object('cursor', cursor, 'more', FALSE, 'lost', '[]'::json, 'scopes', '{}'::json);
            END IF;

            WITH scopes AS MATERIALIZED (
                SELECT r.scope, coalesce((known -> r.scope ->> 0)::bigint, 0) AS after,
                    coalesce((known -> r.scope ->> 1)::bigint, CASE WHEN known -> r.scope IS NULL THEN greatest(
                        (SELECT max(h.n) FROM lockstep_change h WHERE h.scope = r.scope),
                        (SELECT f.floor FROM lockstep_scope f WHERE f.scope = r.scope)
                    ) END, 0) AS started
                FROM unnest(readable) AS r(scope)
            ), changed AS MATERIALIZED (
                -- With one more than are sent, to know whether there are more.
                SELECT ARRAY(
                    SELECT c.change
                    FROM scopes s CROSS JOIN LATERAL (
                        SELECT c AS change, c.n FROM lockstep_change c
                        WHERE c.scope = s.scope AND c.n > s.after AND (c.gone IS NULL OR c.n > s.started)
                        ORDER BY c.n LIMIT limits + 1
                    ) c ORDER BY s.scope, c.n LIMIT limits + 1
                ) AS changes
            ), sent AS MATERIALIZED (
                SELECT r.* FROM changed c CROSS JOIN LATERAL lockstep_records(c.changes, \(Self.maximumBytes)) r
                    LIMIT limits
            ), grouped AS (
                SELECT s.scope, s.entity,
                    coalesce(json_agg(s.record) FILTER (WHERE s.record IS NOT NULL), '[]') AS records,
                    coalesce(json_agg(s.n) FILTER (WHERE s.record IS NOT NULL), '[]') AS versions,
                    coalesce(json_agg(json_strip_nulls(json_build_object(
                        'id', CASE s.entity
                            \(schema.cases { $0.key.count > 1 ? "s.id::json" : $0.key[0].type.json("s.id") })
                        END,
                        'version', s.n,
                        'movedTo', (
                            SELECT m.scope FROM lockstep_change m WHERE m.id = s.id AND m.entity = s.entity
                                AND m.gone IS NULL AND m.scope <> s.scope AND m.scope = ANY(readable) LIMIT 1
                        )
                    ))) FILTER (WHERE s.record IS NULL), '[]') AS deleted
                FROM sent s GROUP BY s.scope, s.entity
            ), entities AS (
                SELECT g.scope, json_object_agg(g.entity, json_build_object(
                    'records', g.records, 'versions', g.versions, 'deleted', g.deleted)) AS changes
                FROM grouped g GROUP BY g.scope
            ), rest AS (
                SELECT (c.changes[(SELECT count(*) + 1 FROM sent)]).scope FROM changed c
            ), ends AS (
                -- A scope that is read to its end is past the deletions that its first read leaves out.
                SELECT s.scope, s.started, CASE
                    WHEN s.scope < rest.scope OR rest.scope IS NULL THEN greatest(t.n, s.after, s.started)
                    ELSE coalesce(t.n, s.after) END AS n
                FROM scopes s CROSS JOIN rest
                    LEFT JOIN (SELECT t.scope, max(t.n) AS n FROM sent t GROUP BY t.scope) t ON t.scope = s.scope
            )
            SELECT json_build_object(
                'cursor', jsonb_build_object('epoch', epoch, 'scopes', (
                    SELECT coalesce(jsonb_object_agg(e.scope, CASE
                        WHEN e.n >= e.started THEN jsonb_build_array(e.n)
                        ELSE jsonb_build_array(e.n, e.started) END), '{}') FROM ends e
                ))::text,
                'more', (SELECT rest.scope IS NOT NULL FROM rest),
                'lost', (
                    SELECT coalesce(json_agg(k.key ORDER BY k.key), '[]')
                    FROM jsonb_object_keys(known) AS k(key)
                    WHERE NOT EXISTS (SELECT FROM scopes s WHERE s.scope = k.key)
                ),
                'scopes', coalesce(json_object_agg(e.scope, e.changes), '{}')
            ) INTO page FROM entities e;
            RETURN page;
        END
        """
    }
}

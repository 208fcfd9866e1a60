/// The function that devices read.
struct FeedFunction {
    let schema: ServerSchema

    /// At most this many changes are in a response, and the last of them begins within this many bytes of records.
    private static let maximumCount = 1000
    private static let maximumBytes = 4_194_304
    /// So many records are read before their bytes are counted.
    private static let batchCount = 50

    func statements() -> [Code] { [records.statement, changes.statement] }

    /// It is a function, not a view for each table, because a view would prevent that the columns of its table change.
    private var records: ServerFunction {
        let queries = schema.entities.map { entity -> Code in
            """
            WHEN \(quoted: entity.name) THEN
                RETURN QUERY \(RecordJSON(entity: entity, schema: schema).query);
            """
        }
        return ServerFunction(
            signature: "lockstep_records(entity text, ids text[])", result: "TABLE (id text, scope text, record json)",
            comment: "-- Records as they are sent, with the scopes to which they belong.", language: .plpgsql,
            isStable: true,
            settings: ServerFunction.probing + ["timezone = 'UTC'"],
            body: """
                BEGIN
                    CASE $1
                    \(Code.lines(queries))
                    END CASE;
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
                -- time.
                """,
            language: .plpgsql, isStable: true,
            settings: [
                "enable_seqscan = off", "jit = off", "plan_cache_mode = force_generic_plan", "timezone = 'UTC'",
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
            page json;
        BEGIN
            BEGIN
                known := cursor::jsonb -> 'scopes';
                is_expired := cursor::jsonb ->> 'epoch' <> epoch OR jsonb_typeof(known) <> 'object' OR EXISTS (
                    SELECT FROM unnest(readable) r(scope) CROSS JOIN LATERAL (
                        SELECT s.floor FROM lockstep_scope s WHERE s.scope = r.scope OFFSET 0
                    ) s WHERE s.floor > greatest((known -> r.scope ->> 0)::bigint, (known -> r.scope ->> 1)::bigint)
                ) OR EXISTS (
                    SELECT FROM jsonb_each(known) k, lockstep_number q WHERE (k.value ->> 0)::bigint > q.last_value
                );
                is_expired := is_expired IS NOT FALSE AND cursor IS NOT NULL;
            EXCEPTION WHEN data_exception THEN
                -- It is not a cursor. A device that has lost it reads everything again.
                is_expired := TRUE;
            END;
            IF is_expired THEN
                RETURN json_build_object('expired', TRUE);
            END IF;

            WITH RECURSIVE scopes AS MATERIALIZED (
                SELECT r.scope, coalesce((known -> r.scope ->> 0)::bigint, 0) AS after,
                    coalesce((known -> r.scope ->> 1)::bigint, CASE WHEN known -> r.scope IS NULL THEN greatest(
                        (SELECT max(h.n) FROM lockstep_change h WHERE h.scope = r.scope),
                        (SELECT f.floor FROM lockstep_scope f WHERE f.scope = r.scope)
                    ) END, 0) AS started
                FROM unnest(readable) AS r(scope)
            ), changed AS MATERIALIZED (
                SELECT c.*, row_number() OVER (ORDER BY c.scope, c.n) AS place
                FROM scopes s CROSS JOIN LATERAL (
                    SELECT c.scope, c.n, c.entity, c.id, c.gone FROM lockstep_change c
                    WHERE c.scope = s.scope AND c.n > s.after AND (c.gone IS NULL OR c.n > s.started)
                    ORDER BY c.n LIMIT limits + 1
                ) c ORDER BY c.scope, c.n LIMIT limits + 1
            ), batches AS (
                -- Records are read in batches, so that few are read in vain if they have many bytes.
                SELECT 0 AS until, 0::bigint AS bytes, NULL::text[] AS entities, NULL::text[] AS ids,
                    NULL::text[] AS scopes, NULL::json[] AS records
                UNION ALL
                SELECT b.until + \(Self.batchCount), b.bytes + r.bytes, r.entities, r.ids, r.scopes, r.records
                FROM batches b CROSS JOIN LATERAL (
                    SELECT coalesce(sum(octet_length(r.record::text)), 0) AS bytes, array_agg(e.entity) AS entities,
                        array_agg(r.id) AS ids, array_agg(r.scope) AS scopes, array_agg(r.record) AS records
                    FROM (
                        SELECT c.entity, array_agg(DISTINCT c.id) AS ids FROM changed c
                        WHERE c.gone IS NULL AND c.place > b.until AND c.place <= b.until + \(Self.batchCount)
                        GROUP BY c.entity
                    ) e CROSS JOIN LATERAL lockstep_records(e.entity, e.ids) r
                ) r WHERE b.bytes < \(Self.maximumBytes) AND b.until < (SELECT count(*) FROM changed)
            ), records AS MATERIALIZED (
                SELECT r.* FROM batches b
                    CROSS JOIN LATERAL unnest(b.entities, b.ids, b.scopes, b.records) AS r(entity, id, scope, record)
            ), sent AS MATERIALIZED (
                SELECT c.*, r.record, coalesce(sum(octet_length(r.record::text)) OVER before, 0) AS bytes
                FROM changed c LEFT JOIN records r
                    ON c.gone IS NULL AND r.entity = c.entity AND r.id = c.id AND r.scope = c.scope
                WINDOW before AS (ORDER BY c.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            ), taken AS MATERIALIZED (
                SELECT * FROM sent WHERE place <= limits AND bytes < \(Self.maximumBytes)
                    AND place <= (SELECT max(b.until) FROM batches b)
            ), grouped AS (
                SELECT t.scope, t.entity,
                    coalesce(json_agg(t.record ORDER BY t.n) FILTER (WHERE t.record IS NOT NULL), '[]') AS records,
                    coalesce(json_agg(t.n ORDER BY t.n) FILTER (WHERE t.record IS NOT NULL), '[]') AS versions,
                    coalesce(json_agg(json_strip_nulls(json_build_object(
                        'id', CASE t.entity
                            \(schema.cases { $0.key.count > 1 ? "t.id::json" : $0.key[0].type.json("t.id") })
                        END,
                        'version', t.n,
                        'movedTo', (
                            SELECT m.scope FROM lockstep_change m WHERE m.id = t.id AND m.entity = t.entity
                                AND m.gone IS NULL AND m.scope <> t.scope AND m.scope = ANY(readable) LIMIT 1
                        )
                    )) ORDER BY t.n) FILTER (WHERE t.record IS NULL), '[]') AS deleted
                FROM taken t GROUP BY t.scope, t.entity
            ), entities AS (
                SELECT g.scope, json_object_agg(g.entity, json_build_object(
                    'records', g.records, 'versions', g.versions, 'deleted', g.deleted)) AS changes
                FROM grouped g GROUP BY g.scope
            ), rest AS (
                SELECT min(s.scope) AS scope FROM sent s WHERE s.place > (SELECT count(*) FROM taken)
            ), ends AS (
                -- A scope that is read to its end is past the deletions that its first read leaves out.
                SELECT s.scope, s.started, CASE
                    WHEN s.scope < rest.scope OR rest.scope IS NULL THEN greatest(t.n, s.after, s.started)
                    ELSE coalesce(t.n, s.after) END AS n
                FROM scopes s CROSS JOIN rest
                    LEFT JOIN (SELECT t.scope, max(t.n) AS n FROM taken t GROUP BY t.scope) t ON t.scope = s.scope
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
                'scopes', (SELECT coalesce(json_object_agg(e.scope, e.changes), '{}') FROM entities e)
            ) INTO page;
            RETURN page;
        END
        """
    }
}

/// The function that devices read.
struct FeedFunction {
    let schema: ServerSchema

    /// At most this many changes are in a response, and the last of them begins within this many bytes of records.
    private static let maximumCount = 1000
    private static let maximumBytes = 4_194_304

    func statements() -> [Code] { [changes.statement] }

    /// An expression for each entity.
    private func each(_ value: (ServerEntity) -> Code) -> Code {
        .lines(schema.entities.map { "WHEN \(quoted: $0.name) THEN \(value($0))" })
    }

    private func record(of entity: ServerEntity) -> Code {
        let view = RecordView(entity: entity, schema: schema).name
        return "(SELECT v.lockstep_record FROM \(name: view) v WHERE \(entity.hasKey("v", "c.id")))"
    }

    private var changes: ServerFunction {
        ServerFunction(
            signature: "lockstep_changes(cursor text DEFAULT NULL, max integer DEFAULT 1000)", result: "json",
            comment: """
                -- The changes after a cursor, in the order of their commits, of all scopes that the user reads. All of it is
                -- one snapshot, because the function is STABLE. A scope that was never read begins at its first record, and
                -- leaves out what was deleted before; for that, the cursor has its last number at that time.
                """,
            language: .plpgsql, isStable: true, settings: ["enable_seqscan = off", "jit = off", "timezone = 'UTC'"],
            body: """
                DECLARE
                    epoch constant text := (SELECT m.epoch FROM lockstep_meta m);
                    readable constant text[] := ARRAY(SELECT lockstep_readable());
                    limits constant integer := least(greatest(coalesce(max, \(Self.maximumCount)), 1), \(Self.maximumCount));
                    known jsonb;
                    page json;
                BEGIN
                    known := coalesce(cursor::jsonb, jsonb_build_object('epoch', epoch, 'scopes', jsonb_build_object()));
                    IF known ->> 'epoch' IS DISTINCT FROM epoch OR EXISTS (
                        SELECT FROM jsonb_each(known -> 'scopes') k JOIN lockstep_scope s ON s.scope = k.key
                        WHERE s.floor > greatest((k.value ->> 0)::bigint, (k.value ->> 1)::bigint)
                    ) OR EXISTS (
                        SELECT FROM jsonb_each(known -> 'scopes') k, lockstep_number q
                        WHERE (k.value ->> 0)::bigint > q.last_value
                    ) THEN
                        RETURN json_build_object('expired', TRUE);
                    END IF;

                    WITH scopes AS MATERIALIZED (
                        SELECT r.scope, coalesce((k.value ->> 0)::bigint, 0) AS after,
                            coalesce((k.value ->> 1)::bigint, CASE WHEN k.value IS NULL THEN (
                                SELECT max(h.n) FROM lockstep_change h WHERE h.scope = r.scope
                            ) END, 0) AS started
                        FROM unnest(readable) AS r(scope) LEFT JOIN jsonb_each(known -> 'scopes') k ON k.key = r.scope
                    ), changed AS MATERIALIZED (
                        SELECT c.* FROM scopes s CROSS JOIN LATERAL (
                            SELECT c.scope, c.n, c.entity, c.id, c.gone FROM lockstep_change c
                            WHERE c.scope = s.scope AND c.n > s.after AND (c.gone IS NULL OR c.n > s.started)
                            ORDER BY c.n LIMIT limits + 1
                        ) c ORDER BY c.scope, c.n LIMIT limits + 1
                    ), sent AS MATERIALIZED (
                        SELECT c.*, row_number() OVER sequence AS place,
                            sum(octet_length(c.record::text)) OVER sequence - octet_length(c.record::text) AS bytes
                        FROM (
                            SELECT c.*, CASE WHEN c.gone IS NULL THEN CASE c.entity
                                \(each { record(of: $0) })
                            END END AS record
                            FROM changed c
                        ) c WINDOW sequence AS (ORDER BY c.scope, c.n)
                    ), taken AS MATERIALIZED (
                        SELECT * FROM sent WHERE place <= limits AND (place = 1 OR coalesce(bytes, 0) < \(Self.maximumBytes))
                    ), grouped AS (
                        SELECT t.scope, t.entity,
                            coalesce(json_agg(t.record ORDER BY t.n) FILTER (WHERE t.record IS NOT NULL), '[]') AS records,
                            coalesce(json_agg(t.n ORDER BY t.n) FILTER (WHERE t.record IS NOT NULL), '[]') AS versions,
                            coalesce(json_agg(json_strip_nulls(json_build_object(
                                'id', CASE t.entity
                                    \(each { $0.key.count > 1 ? "t.id::json" : $0.key[0].type.json("t.id") })
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
                    ), ends AS (
                        SELECT s.scope, s.started, coalesce(t.n, s.after) AS n
                        FROM scopes s LEFT JOIN (SELECT t.scope, max(t.n) AS n FROM taken t GROUP BY t.scope) t
                            ON t.scope = s.scope
                    )
                    SELECT json_build_object(
                        'cursor', jsonb_build_object('epoch', epoch, 'scopes', (
                            SELECT coalesce(jsonb_object_agg(e.scope, CASE
                                WHEN e.n >= e.started THEN jsonb_build_array(e.n)
                                ELSE jsonb_build_array(e.n, e.started) END), '{}') FROM ends e
                        ))::text,
                        'more', (SELECT count(*) FROM sent) > (SELECT count(*) FROM taken),
                        'lost', (
                            SELECT coalesce(json_agg(k.key ORDER BY k.key), '[]') FROM jsonb_object_keys(known -> 'scopes') AS k(key)
                            WHERE k.key <> ALL(readable)
                        ),
                        'scopes', (SELECT coalesce(json_object_agg(e.scope, e.changes), '{}') FROM entities e)
                    ) INTO page;
                    RETURN page;
                END
                """)
    }
}

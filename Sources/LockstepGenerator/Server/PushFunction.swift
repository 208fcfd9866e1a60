import LockstepEvolution

/// The function to which devices send their changes.
struct PushFunction {
    let schema: ServerSchema

    private static let maximumCount = 500
    private static let maximumKeyLength = 200

    func statements() -> [Code] {
        (values + [problem, present, version, claim, groups, lock, record]).map(\.statement)
            + schema.entities.map { ApplyFunction(entity: $0, schema: schema).function.statement } + [push.statement]
    }

    /// The values of JSON that columns take. PostgreSQL would also make a text of an object, and a time of `tomorrow`.
    private var values: [ServerFunction] {
        [
            ServerFunction(
                signature: "lockstep_text(jsonb)", result: "text",
                comment: "-- A single value as text; an object or an array is none.",
                language: .plpgsql, isDefiner: false, isStable: true,
                body: """
                    BEGIN
                        IF jsonb_typeof($1) IN ('object', 'array') THEN
                            RAISE invalid_parameter_value USING MESSAGE = 'a value must not be an object or an array';
                        END IF;
                        RETURN $1 #>> '{}';
                    END
                    """),
            ServerFunction(
                signature: "lockstep_array(jsonb)", result: "jsonb", comment: "-- A list of values.",
                language: .plpgsql, isDefiner: false, isStable: true,
                body: """
                    BEGIN
                        IF jsonb_typeof($1) NOT IN ('array', 'null') THEN
                            RAISE invalid_parameter_value USING MESSAGE = 'a list must be an array';
                        END IF;
                        RETURN nullif($1, 'null');
                    END
                    """),
            ServerFunction(
                signature: "lockstep_timestamp(jsonb, double precision)", result: "timestamptz",
                comment: "-- A time as a number, with the number of these in a second.",
                language: .plpgsql, isDefiner: false, isStable: true,
                body: """
                    BEGIN
                        IF jsonb_typeof($1) NOT IN ('number', 'null') THEN
                            RAISE invalid_datetime_format USING MESSAGE = 'this time must be a number';
                        END IF;
                        RETURN to_timestamp(($1 #>> '{}')::double precision / $2);
                    END
                    """),
            ServerFunction(
                signature: "lockstep_timestamp(jsonb)", result: "timestamptz",
                comment: "-- A time. PostgreSQL also reads words such as 'tomorrow', which no device means.",
                language: .plpgsql, isDefiner: false, isStable: true, settings: ["timezone = 'UTC'"],
                body: """
                    BEGIN
                        IF lockstep_text($1) !~ '^\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+([Zz]|[+-][0-9:]+)?$' THEN
                            RAISE invalid_datetime_format USING MESSAGE = 'this is not a time of ISO 8601';
                        END IF;
                        RETURN lockstep_text($1)::timestamptz;
                    END
                    """),
        ]
    }

    private var problem: ServerFunction {
        ServerFunction(
            signature: "lockstep_problem(status integer, code text, message text)", result: "jsonb",
            comment: "-- The response to a change that is refused.", language: .sql, isDefiner: false, isStable: true,
            body: """
                    SELECT jsonb_build_object('status', $1, 'problem', jsonb_build_object('code', $2, 'message', $3))
                """)
    }

    private var present: ServerFunction {
        ServerFunction(
            signature: "lockstep_present(text, text[])", result: "jsonb[]",
            comment: "-- The versions and the JSON of records; no member of those that the user may not read.",
            language: .plpgsql, settings: ServerFunction.probing,
            body: """
                DECLARE
                    present jsonb;
                BEGIN
                    SELECT jsonb_object_agg(r.id, jsonb_build_object('version', c.n, 'record', r.record)) INTO present
                        FROM lockstep_records($1, $2) r CROSS JOIN LATERAL (
                            SELECT c.n FROM lockstep_change c WHERE c.id = r.id AND c.entity = $1
                                AND c.gone IS NULL AND c.scope IN (SELECT lockstep_readable()) OFFSET 0
                        ) c;
                    RETURN ARRAY(
                        SELECT coalesce(present -> i.id, '{}') FROM unnest($2) WITH ORDINALITY AS i(id, position)
                        ORDER BY i.position
                    );
                END
                """)
    }

    private var record: ServerFunction {
        ServerFunction(
            signature: "lockstep_record(entity text, id json)", result: "json",
            comment: """
                -- One record as it is sent, with its version; without members if it does not exist, or the user may
                -- not read it.
                """,
            language: .plpgsql,
            body: """
                BEGIN
                    RETURN (lockstep_present($1, ARRAY[CASE $1
                        \(schema.cases { $0.keyText(fromJSON: "$2::jsonb") })
                    END]))[1];
                EXCEPTION WHEN data_exception OR case_not_found THEN
                    -- No record has this identity, or there is no such entity.
                    RETURN '{}';
                END
                """)
    }

    private var version: ServerFunction {
        ServerFunction(
            signature: "lockstep_version(text, text[])", result: "bigint[]",
            comment: "-- The versions of records; NULL for those that do not exist, or that the user may not read.",
            language: .plpgsql, isStable: true, settings: ServerFunction.probing,
            body: """
                BEGIN
                    RETURN ARRAY(
                        SELECT (
                            SELECT c.n FROM lockstep_change c WHERE c.id = i.id AND c.entity = $1 AND c.gone IS NULL
                                AND c.scope IN (SELECT lockstep_readable())
                        ) FROM unnest($2) WITH ORDINALITY AS i(id, position) ORDER BY i.position
                    );
                END
                """)
    }

    private var lock: ServerFunction {
        ServerFunction(
            signature: "lockstep_lock(text[])", result: "void",
            comment: """
                -- Locks the scopes of records that the user writes, in the order of their names. Otherwise, two pushes
                -- that change records of the same scopes in another order would wait for each other.
                """,
            language: .plpgsql, settings: ServerFunction.probing,
            body: """
                BEGIN
                    PERFORM FROM lockstep_scope s WHERE s.scope IN (
                        SELECT c.scope FROM unnest($1) AS i(id) CROSS JOIN LATERAL (
                            SELECT c.scope FROM lockstep_change c WHERE c.id = i.id AND c.gone IS NULL OFFSET 0
                        ) c
                    ) AND s.scope IN (SELECT lockstep_writable()) ORDER BY s.scope FOR NO KEY UPDATE;
                END
                """)
    }

    private var claim: ServerFunction {
        ServerFunction(
            signature: "lockstep_claim(text[], text[])", result: "integer",
            comment: """
                -- Takes the keys of changes, which have these hashes, and returns the number of those that were not
                -- applied before. The rows are made first, so that the same change in another transaction waits for the
                -- end of this one.
                """,
            language: .plpgsql,
            body: """
                DECLARE
                    claimed integer;
                BEGIN
                    INSERT INTO lockstep_request (subject, key, hash)
                        SELECT coalesce(lockstep_user(), ''), c.key, c.hash FROM unnest($1, $2) AS c(key, hash)
                        ON CONFLICT DO NOTHING;
                    GET DIAGNOSTICS claimed = ROW_COUNT;
                    IF claimed < cardinality($1) AND EXISTS (
                        SELECT FROM unnest($1, $2) AS c(key, hash) JOIN lockstep_request r
                            ON r.subject = coalesce(lockstep_user(), '') AND r.key = c.key AND r.hash <> c.hash
                    ) THEN
                        RAISE SQLSTATE 'LS422' USING MESSAGE = 'another change was sent with this key';
                    END IF;
                    RETURN claimed;
                END
                """)
    }

    private var groups: ServerFunction {
        let tables = schema.entities.filter { !isAlone($0) }.map { entity -> Code in
            "WHEN \(quoted: entity.name) THEN quote_ident(\(object: entity.table))::regclass"
        }
        let table: Code = tables.isEmpty ? "NULL::regclass" : "CASE $1\n    \(Code.lines(tables))\nEND"
        return ServerFunction(
            signature: "lockstep_groups(text, text)", result: "boolean",
            comment: """
                -- Whether several changes of an entity by an operation have the same effects as one after the other.
                -- Triggers that are not of this file, and unique values of other rows, can depend on the order.
                """,
            language: .plpgsql, isDefiner: false, isStable: true,
            body: """
                DECLARE
                    changed constant regclass := \(table);
                BEGIN
                    RETURN changed IS NOT NULL AND NOT EXISTS (
                        SELECT FROM pg_trigger t WHERE t.tgrelid = changed AND NOT t.tgisinternal
                            AND NOT starts_with(t.tgname, 'lockstep_')
                            AND t.tgtype & CASE $2 WHEN 'create' THEN 4 WHEN 'delete' THEN 8 ELSE 16 END <> 0
                    ) AND ($2 <> 'update' OR NOT EXISTS (
                        SELECT FROM pg_index i WHERE i.indrelid = changed AND NOT i.indisprimary
                            AND (i.indisunique OR i.indisexclusion)
                    ));
                END
                """)
    }

    /// Whether what a change of an entity does can depend on whether another one was applied before: the entity refers
    /// to its own records, its lists are columns of their members, or its rows decide who writes others.
    private func isAlone(_ entity: ServerEntity) -> Bool {
        entity.structure.relationships.contains { relationship in
            relationship.destination == entity.name
                || LinkTable(relationship, of: entity, in: schema)?.isJoinTable == false
        } || schema.accessPaths.contains { $0.tables.contains(entity.table) }
    }

    private func apply(_ entity: ServerEntity) -> Code {
        "\(name: entity.object("apply"))(op, ids, members, expected)"
    }

    /// Selects the identities of the records in whose scopes changed ones are.
    private var parents: [Code] {
        Set(
            schema.entities.flatMap { entity -> [[String]] in
                guard case .id(let paths, _) = entity.scopeLink?.relationship.wire, paths.count == 1 else { return [] }
                return paths
            }
        ).sorted { $0.lexicographicallyPrecedes($1) }.map { path in
            "UNION SELECT c.value -> 'members' #>> \(Code.path(path))"
        }
    }

    private var push: ServerFunction {
        ServerFunction(
            signature: "lockstep_push(changes json)", result: "json",
            comment: """
                -- Applies changes in their order: one that is refused changes nothing, and the others count. It has the
                -- rights of the user, so the policies of the tables decide. Only a change that was applied keeps its
                -- key: one that was refused may be sent again. Changes with the same entity and operation that follow
                -- each other are one statement. If it fails, half of them are tried, until the refused one is alone.
                """,
            language: .plpgsql, isDefiner: false, settings: ["timezone = 'UTC'"],
            body: pushBody)
    }

    private var pushBody: Code {
        """
        DECLARE
            item json;
            items jsonb[] := '{}';
            first integer := 1;
            last integer;
            size integer := \(Self.maximumCount);
            entity text;
            op text;
            ids text[];
            members jsonb[];
            expected bigint[];
            keys text[];
            hashes text[];
            are_keyed boolean;
            are_distinct boolean;
            status integer;
            refusal integer;
            problem jsonb;
            present jsonb[];
            claimed integer;
            responses jsonb[] := '{}';
        BEGIN
            IF json_typeof(changes) IS DISTINCT FROM 'array' THEN
                RAISE SQLSTATE 'PT400' USING MESSAGE = 'changes must be an array';
            ELSIF json_array_length(changes) > \(Self.maximumCount) THEN
                RAISE SQLSTATE 'PT413' USING MESSAGE = 'at most \(Self.maximumCount) changes can be sent at once';
            END IF;
            FOR item IN SELECT c.value FROM json_array_elements(changes) c LOOP
                BEGIN
                    items := array_append(items, item::jsonb);
                EXCEPTION WHEN data_exception THEN
                    -- PostgreSQL stores no text with a NUL, for example.
                    items := array_append(items, NULL);
                END;
            END LOOP;
            PERFORM lockstep_lock(ARRAY(
                SELECT i.id FROM unnest(items) AS c(value) CROSS JOIN LATERAL (
                    SELECT c.value ->> 'id' AS id
                    \(Code.lines(parents))
                ) i WHERE i.id IS NOT NULL
            ));
            WHILE first <= cardinality(items) LOOP
                entity := items[first] ->> 'entity';
                op := items[first] ->> 'op';
                last := first;
                IF size > 1 AND items[first + 1] ->> 'entity' = entity AND items[first + 1] ->> 'op' = op
                    AND lockstep_groups(entity, op)
                THEN
                    WHILE last - first + 1 < size AND items[last + 1] ->> 'entity' = entity
                        AND items[last + 1] ->> 'op' = op
                    LOOP
                        last := last + 1;
                    END LOOP;
                END IF;
                problem := NULL;
                refusal := NULL;
                BEGIN
                    IF items[first] IS NULL THEN
                        RAISE SQLSTATE '22023' USING MESSAGE = 'the database cannot store this change';
                    END IF;
                    SELECT array_agg(i.id ORDER BY i.n), array_agg(i.value -> 'members' ORDER BY i.n),
                        array_agg((i.value ->> 'if')::bigint ORDER BY i.n),
                        array_agg(i.value ->> 'key' ORDER BY i.n), array_agg(md5(i.value::text) ORDER BY i.n),
                        bool_and(coalesce(length(i.value ->> 'key'), 0) BETWEEN 1 AND \(Self.maximumKeyLength)),
                        count(DISTINCT i.id) = count(*)
                    INTO ids, members, expected, keys, hashes, are_keyed, are_distinct
                    FROM (
                        SELECT c.value, c.n, CASE entity
                            \(schema.cases { $0.keyText(fromJSON: "(c.value -> 'id')") })
                        END AS id FROM (SELECT items[n] AS value, n FROM generate_series(first, last) AS n) c
                    ) i;
                    status := CASE op WHEN 'create' THEN 201 WHEN 'update' THEN 200 WHEN 'delete' THEN 204 END;
                    IF NOT are_keyed THEN
                        RAISE SQLSTATE '22023' USING MESSAGE = 'the change has no key, or a long one';
                    ELSIF NOT are_distinct OR status IS NULL THEN
                        RAISE SQLSTATE '22023'
                            USING MESSAGE = 'the entity, the identity or the operation is unknown';
                    END IF;
                    claimed := lockstep_claim(keys, hashes);
                    IF claimed = cardinality(keys) THEN
                        refusal := CASE entity
                            \(schema.cases { apply($0) })
                        END;
                        -- Otherwise, foreign keys would be checked at the end, when only the whole push could fail.
                        SET CONSTRAINTS ALL IMMEDIATE;
                    ELSIF claimed > 0 THEN
                        -- Some were applied before, and some were not.
                        refusal := 409;
                    END IF;
                    IF refusal IS NOT NULL THEN
                        RAISE SQLSTATE 'LS400';
                    END IF;
                    present := lockstep_present(entity, ids);
                EXCEPTION
                    WHEN SQLSTATE 'LS400' THEN
                        problem := CASE refusal
                            WHEN 403 THEN
                                lockstep_problem(403, '42501', 'the user may read this record, but not write it')
                            WHEN 424 THEN
                                lockstep_problem(424, '23503', 'a record that it refers to is not there')
                            ELSE jsonb_build_object('status', refusal)
                        END;
                    WHEN SQLSTATE 'LS422' THEN
                        problem := lockstep_problem(422, 'lockstep-key', SQLERRM);
                    WHEN insufficient_privilege THEN
                        problem := lockstep_problem(403, SQLSTATE, SQLERRM);
                    WHEN unique_violation THEN
                        problem := lockstep_problem(409, SQLSTATE, SQLERRM);
                    WHEN foreign_key_violation OR restrict_violation THEN
                        -- What others refer to cannot be deleted; what is referred to has to be there first.
                        problem := lockstep_problem(CASE op WHEN 'delete' THEN 409 ELSE 424 END, SQLSTATE, SQLERRM);
                    WHEN deadlock_detected OR serialization_failure OR lock_not_available THEN
                        problem := lockstep_problem(503, SQLSTATE, SQLERRM);
                    WHEN data_exception OR integrity_constraint_violation OR raise_exception THEN
                        problem := lockstep_problem(422, SQLSTATE, SQLERRM);
                    WHEN OTHERS THEN
                        -- A server that has no memory or disk, or that stops, fails as a whole. Otherwise, one change
                        -- must not keep all others from being sent.
                        IF left(SQLSTATE, 2) IN ('53', '57', '58', 'XX') THEN
                            RAISE;
                        END IF;
                        problem := lockstep_problem(500, SQLSTATE, SQLERRM);
                END;
                IF problem IS NOT NULL AND last > first THEN
                    -- Each attempt could wait for the same lock.
                    size := CASE problem ->> 'status' WHEN '503' THEN 1 ELSE (last - first + 1) / 2 END;
                    CONTINUE;
                ELSIF problem IS NOT NULL THEN
                    IF problem ->> 'status' IN ('403', '409', '412', '424') THEN
                        problem := problem || (lockstep_present(entity, ids))[1];
                    END IF;
                    responses := array_append(responses, problem || jsonb_build_object('key', items[first] -> 'key'));
                ELSE
                    responses := responses || ARRAY(
                        SELECT jsonb_build_object('status', status, 'key', items[first + r.n::integer - 1] -> 'key')
                            || r.present
                        FROM unnest(present) WITH ORDINALITY AS r(present, n) ORDER BY r.n
                    );
                    size := least(2 * size, \(Self.maximumCount));
                END IF;
                first := last + 1;
            END LOOP;
            RETURN json_build_object('responses', responses);
        END
        """
    }
}

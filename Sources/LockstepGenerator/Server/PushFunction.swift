import LockstepEvolution

/// The function to which devices send their changes.
struct PushFunction {
    let schema: ServerSchema

    private static let maximumCount = 500
    private static let maximumKeyLength = 200

    func statements() -> [Code] {
        (values + [problem, present, version, missing, stored, store, lock, record]).map(\.statement)
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
            signature: "lockstep_present(text, text)", result: "jsonb",
            comment: "-- The version and the JSON of a record, if the user may read it; otherwise, no member.",
            language: .plpgsql,
            body: """
                DECLARE
                    present jsonb;
                BEGIN
                    SELECT jsonb_build_object('version', c.n, 'record', r.record) INTO present
                        FROM lockstep_change c CROSS JOIN LATERAL lockstep_records(c.entity, ARRAY[c.id]) r
                        WHERE c.id = $2 AND c.entity = $1 AND c.gone IS NULL
                            AND c.scope IN (SELECT lockstep_readable());
                    RETURN coalesce(present, '{}');
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
                    RETURN lockstep_present($1, CASE $1
                        \(schema.cases { $0.keyText(fromJSON: "$2::jsonb") })
                    END);
                EXCEPTION WHEN data_exception THEN
                    -- No record has this identity.
                    RETURN '{}';
                END
                """)
    }

    private var version: ServerFunction {
        ServerFunction(
            signature: "lockstep_version(text, text)", result: "bigint",
            comment: "-- The version of a record; NULL if the user may not read it.", language: .plpgsql,
            isStable: true,
            body: """
                BEGIN
                    RETURN (
                        SELECT c.n FROM lockstep_change c WHERE c.id = $2 AND c.entity = $1 AND c.gone IS NULL
                            AND c.scope IN (SELECT lockstep_readable())
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

    private var missing: ServerFunction {
        ServerFunction(
            signature: "lockstep_missing(text, text[])", result: "boolean",
            comment: "-- Whether one of these records does not exist, or the user may not read it.", language: .plpgsql,
            isStable: true, settings: ServerFunction.probing,
            body: """
                BEGIN
                    RETURN EXISTS (SELECT FROM unnest($2) AS i(id) WHERE NOT EXISTS (
                        SELECT FROM lockstep_change c WHERE c.id = i.id AND c.entity = $1 AND c.gone IS NULL
                            AND c.scope IN (SELECT lockstep_readable())
                    ));
                END
                """)
    }

    private var stored: ServerFunction {
        ServerFunction(
            signature: "lockstep_stored(text, text)", result: "jsonb",
            comment: """
                -- The response to a change that was applied before; NULL if it was not. The row is made first, so that
                -- the same change in another transaction waits for the end of this one.
                """,
            language: .plpgsql,
            body: """
                DECLARE
                    former record;
                BEGIN
                    INSERT INTO lockstep_request (subject, key, hash, response)
                        VALUES (coalesce(lockstep_user(), ''), $1, $2, 'null') ON CONFLICT DO NOTHING;
                    IF FOUND THEN
                        RETURN NULL;
                    END IF;
                    SELECT r.hash, r.response INTO former FROM lockstep_request r
                        WHERE r.subject = coalesce(lockstep_user(), '') AND r.key = $1;
                    IF former.hash <> $2 THEN
                        RETURN jsonb_build_object('status', 422, 'problem', jsonb_build_object(
                            'code', 'lockstep-key', 'message', 'another change was sent with this key'));
                    END IF;
                    RETURN nullif(former.response, 'null');
                END
                """)
    }

    private var store: ServerFunction {
        ServerFunction(
            signature: "lockstep_store(text, jsonb)", result: "void",
            comment: "-- Keeps the response to a change that was applied.", language: .plpgsql,
            body: """
                BEGIN
                    UPDATE lockstep_request r SET response = $2
                        WHERE r.subject = coalesce(lockstep_user(), '') AND r.key = $1;
                END
                """)
    }

    private func apply(_ entity: ServerEntity) -> Code {
        let function: Code = "\(name: entity.object("apply"))"
        return "\(function)(change ->> 'op', id, change -> 'members', (change ->> 'if')::bigint)"
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
                -- Applies changes in their order, each alone: one that is refused changes nothing, and the others
                -- count. It has the rights of the user, so the policies of the tables decide. Only a change that was
                -- applied keeps its key: one that was refused may be sent again.
                """,
            language: .plpgsql, isDefiner: false, settings: ["timezone = 'UTC'"],
            body: pushBody)
    }

    private var pushBody: Code {
        """
        DECLARE
            item json;
            items jsonb[] := '{}';
            change jsonb;
            entity text;
            id text;
            status integer;
            response jsonb;
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
            FOREACH change IN ARRAY items LOOP
                BEGIN
                    IF change IS NULL THEN
                        RAISE SQLSTATE '22023' USING MESSAGE = 'the database cannot store this change';
                    END IF;
                    IF length(change ->> 'key') BETWEEN 1 AND \(Self.maximumKeyLength) IS NOT TRUE THEN
                        RAISE SQLSTATE '22023' USING MESSAGE = 'the change has no key, or a long one';
                    END IF;
                    response := lockstep_stored(change ->> 'key', md5(change::text));
                    IF response IS NULL THEN
                        entity := change ->> 'entity';
                        id := CASE entity
                            \(schema.cases { $0.keyText(fromJSON: "(change -> 'id')") })
                        END;
                        IF id IS NULL OR coalesce(change ->> 'op', '') NOT IN ('create', 'update', 'delete') THEN
                            RAISE SQLSTATE '22023'
                                USING MESSAGE = 'the entity, the identity or the operation is unknown';
                        END IF;
                        status := CASE entity
                            \(schema.cases { apply($0) })
                        END;
                        -- Otherwise, foreign keys would be checked at the end, when only the whole push could fail.
                        SET CONSTRAINTS ALL IMMEDIATE;
                        IF status >= 400 THEN
                            RAISE SQLSTATE 'LS000';
                        END IF;
                        response := jsonb_build_object('status', status) || lockstep_present(entity, id);
                        PERFORM lockstep_store(change ->> 'key', response);
                    END IF;
                EXCEPTION
                    WHEN SQLSTATE 'LS000' THEN
                        response := CASE status
                            WHEN 403 THEN
                                lockstep_problem(403, '42501', 'the user may read this record, but not write it')
                            WHEN 424 THEN
                                lockstep_problem(424, '23503', 'a record that it refers to is not there')
                            ELSE jsonb_build_object('status', status)
                        END || lockstep_present(entity, id);
                    WHEN insufficient_privilege THEN
                        response := lockstep_problem(403, SQLSTATE, SQLERRM);
                    WHEN unique_violation THEN
                        response := lockstep_problem(409, SQLSTATE, SQLERRM) || lockstep_present(entity, id);
                    WHEN foreign_key_violation OR restrict_violation THEN
                        -- What others refer to cannot be deleted; what is referred to has to be there first.
                        response := lockstep_problem(
                            CASE change ->> 'op' WHEN 'delete' THEN 409 ELSE 424 END, SQLSTATE, SQLERRM);
                    WHEN deadlock_detected OR serialization_failure OR lock_not_available THEN
                        response := lockstep_problem(503, SQLSTATE, SQLERRM);
                    WHEN data_exception OR integrity_constraint_violation OR raise_exception THEN
                        response := lockstep_problem(422, SQLSTATE, SQLERRM);
                    WHEN OTHERS THEN
                        -- A server that has no memory or disk, or that stops, fails as a whole. Otherwise, one change
                        -- must not keep all others from being sent.
                        IF left(SQLSTATE, 2) IN ('53', '57', '58', 'XX') THEN
                            RAISE;
                        END IF;
                        response := lockstep_problem(500, SQLSTATE, SQLERRM);
                END;
                responses := array_append(responses, response || jsonb_build_object('key', change -> 'key'));
            END LOOP;
            RETURN json_build_object('responses', responses);
        END
        """
    }
}

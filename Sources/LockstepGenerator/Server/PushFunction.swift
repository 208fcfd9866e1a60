import LockstepEvolution

/// The function to which devices send their changes.
struct PushFunction {
    let schema: ServerSchema

    private static let maximumCount = 500
    private static let maximumKeyLength = 200

    func statements() -> [Code] {
        (JSONValueFunctions().functions + [problem, present, version, claim, groups, lock, record]).map(\.statement)
            + schema.entities.map { ApplyFunction(entity: $0, schema: schema).function.statement } + [push.statement]
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
            signature: "lockstep_present(text, text[])", result: "TABLE (version bigint, record json)",
            comment: """
                -- The versions and the JSON of records, in the order of their identities; NULL for those that the user
                -- may not read.
                """,
            language: .plpgsql, settings: ServerFunction.probing,
            body: """
                BEGIN
                    RETURN QUERY SELECT CASE WHEN r.record IS NOT NULL THEN r.n END, r.record
                        FROM lockstep_records(ARRAY(
                            SELECT c.change FROM unnest($2) WITH ORDINALITY AS i(id, place) LEFT JOIN LATERAL (
                                SELECT c AS change FROM lockstep_change c WHERE c.id = i.id AND c.entity = $1
                                    AND c.gone IS NULL AND c.scope IN (SELECT lockstep_readable()) LIMIT 1
                            ) c ON TRUE ORDER BY i.place
                        ), NULL) r;
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
                    RETURN coalesce((
                        SELECT to_json(r) FROM lockstep_present($1, ARRAY[CASE $1
                            \(schema.cases { $0.keyText(fromJSON: "$2::jsonb") })
                        END]) r WHERE r.version IS NOT NULL
                    ), '{}');
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
                    sender constant text := coalesce(lockstep_user(), '');
                    claimed integer;
                BEGIN
                    INSERT INTO lockstep_request (subject, key, hash)
                        SELECT sender, c.key, c.hash FROM unnest($1, $2) AS c(key, hash)
                        ON CONFLICT DO NOTHING;
                    GET DIAGNOSTICS claimed = ROW_COUNT;
                    IF claimed < cardinality($1) AND EXISTS (
                        SELECT FROM unnest($1, $2) AS c(key, hash) JOIN lockstep_request r
                            ON r.subject = sender AND r.key = c.key AND r.hash <> c.hash
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
            present json[];
            claimed integer;
            responses json[] := '{}';
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
                ids := NULL;
                BEGIN
                    IF items[first] IS NULL THEN
                        RAISE SQLSTATE '22023' USING MESSAGE = 'the database cannot store this change';
                    END IF;
                    -- Without an order or a DISTINCT of their own, aggregates keep the order of the array.
                    SELECT array_agg(CASE entity
                            \(schema.cases { $0.keyText(fromJSON: "(c.value -> 'id')") })
                        END), array_agg(c.value -> 'members'), array_agg((c.value ->> 'if')::bigint),
                        array_agg(c.value ->> 'key'), array_agg(md5(c.value::text)),
                        bool_and(coalesce(length(c.value ->> 'key'), 0) BETWEEN 1 AND \(Self.maximumKeyLength))
                    INTO ids, members, expected, keys, hashes, are_keyed
                    FROM unnest(items[first:last]) AS c(value);
                    are_distinct := (SELECT count(DISTINCT i.id) = count(*) FROM unnest(ids) AS i(id));
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
                    present := ARRAY(
                        SELECT CASE WHEN r.version IS NULL
                            THEN json_build_object('status', status, 'key', r.item -> 'key')
                            ELSE json_build_object(
                                'status', status, 'key', r.item -> 'key', 'version', r.version, 'record', r.record)
                            END
                        FROM ROWS FROM (unnest(items[first:last]), lockstep_present(entity, ids))
                            AS r(item, version, record)
                    );
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
                        problem := problem || coalesce((
                            SELECT to_jsonb(r) FROM lockstep_present(entity, ids) r WHERE r.version IS NOT NULL
                        ), '{}');
                    END IF;
                    problem := problem || jsonb_build_object('key', items[first] -> 'key');
                    responses := array_append(responses, problem::json);
                ELSE
                    responses := responses || present;
                    size := least(2 * size, \(Self.maximumCount));
                END IF;
                first := last + 1;
            END LOOP;
            RETURN json_build_object('responses', responses);
        END
        """
    }
}

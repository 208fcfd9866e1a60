-- Measures the server of Chores.yaml beside the least that the same must cost, in turn, in one session. Each line is
-- `NAME LOCKSTEP FLOOR`, in seconds. `../run --only server` calls it with `rounds`, on an empty database in which
-- small and large are namespaces with the tables and the server.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SET jit = off;

-- How long a statement takes, in seconds.
CREATE FUNCTION public.seconds(work text, count integer) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
    start constant timestamptz := clock_timestamp();
BEGIN
    FOR i IN 1..count LOOP
        EXECUTE work;
    END LOOP;
    RETURN extract(epoch FROM clock_timestamp() - start) / count;
END
$$;

-- A round of both; who is first changes with every round.
CREATE FUNCTION public.round(name text, number integer, work text, floor text, count integer) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    lockstep double precision;
    least double precision;
BEGIN
    IF number % 2 = 0 THEN
        lockstep := public.seconds(work, count);
        least := public.seconds(floor, count);
    ELSE
        least := public.seconds(floor, count);
        lockstep := public.seconds(work, count);
    END IF;
    RETURN format(E'%s\t%s\t%s', name, lockstep, least);
END
$$;

CREATE FUNCTION public.number_id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$ SELECT md5(number::text)::uuid $$;

-- Tasks of a list, by number.
CREATE FUNCTION public.add_tasks(name text, first bigint, last bigint, list uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO %s (id, title, notes, due, labels, list_id)
        SELECT public.number_id(i), ''Task '' || i, repeat(''Milk and bread. '', 6), now(), ''["home", "today"]'', $3
        FROM generate_series($1, $2) i', name) USING first, last, list;
END
$$;

-- The user has a list with 10,000 tasks in one database, and one with 1,000,000 in the other.
INSERT INTO small.list VALUES (public.number_id(0), public.number_id(-1), 'List');
INSERT INTO large.list VALUES (public.number_id(0), public.number_id(-1), 'List');
SELECT public.add_tasks('small.task', 1, 10000, public.number_id(0)) \g /dev/null
SELECT public.add_tasks('large.task', i, i + 9999, public.number_id(0)) FROM generate_series(1, 1000000, 10000) i \g /dev/null
-- The same table without the triggers of the feed.
CREATE TABLE small.plain (LIKE small.task INCLUDING ALL, FOREIGN KEY (list_id) REFERENCES small.list);
INSERT INTO small.plain SELECT * FROM small.task;
VACUUM ANALYZE;

-- Statements of which PostgreSQL keeps the plans, as it does for PostgREST.
CREATE FUNCTION small.rows_of(list uuid) RETURNS json LANGUAGE plpgsql STABLE SET search_path = small AS $$
BEGIN
    RETURN (SELECT json_agg(t) FROM (SELECT * FROM task WHERE list_id = $1 ORDER BY id LIMIT 1000) t);
END
$$;
CREATE FUNCTION small.row_of(task uuid) RETURNS json LANGUAGE plpgsql STABLE SET search_path = small AS $$
BEGIN
    RETURN (SELECT json_agg(t) FROM (SELECT * FROM task WHERE id = $1) t);
END
$$;
CREATE FUNCTION small.insert_all(json) RETURNS void LANGUAGE plpgsql SET search_path = small AS $$
BEGIN
    INSERT INTO task (id, title, notes, due, labels, list_id)
        SELECT r.id, r.title, r.notes, r.due, r.labels, r.list_id FROM json_populate_recordset(NULL::task, $1) r;
END
$$;

-- Batches of 100, each in a transaction.
CREATE PROCEDURE public.write_round(number integer, INOUT line text) LANGUAGE plpgsql AS $$
DECLARE
    first bigint := 2000000 + number * 10000;
    seconds double precision[] := '{0, 0}';
    start timestamptz;
    place integer;
BEGIN
    FOR batch IN 0..39 LOOP
        place := 1 + (batch + number) % 2;
        start := clock_timestamp();
        PERFORM public.add_tasks(
            CASE place WHEN 1 THEN 'small.task' ELSE 'small.plain' END,
            first + batch * 100, first + batch * 100 + 99, public.number_id(0));
        COMMIT;
        seconds[place] := seconds[place] + extract(epoch FROM clock_timestamp() - start) / 20;
    END LOOP;
    line := format(E'server-write\t%s\t%s', seconds[1], seconds[2]);
END
$$;

-- 500 changes, and the same tasks as one array of rows.
CREATE FUNCTION public.members(number bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object(
        'title', 'Task ' || number, 'notes', repeat('Milk and bread. ', 6), 'due', '2026-01-01T12:00:00Z',
        'labels', '["home", "today"]'::jsonb, 'list_id', public.number_id(0))
$$;
CREATE FUNCTION public.push_round(number integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    first constant bigint := 5000000 + number * 1000;
    changes constant json := (
        SELECT json_agg(json_build_object(
            'key', 'key-' || i, 'op', 'create', 'entity', 'Task', 'id', public.number_id(i),
            'members', public.members(i))) FROM generate_series(first, first + 499) i);
    rows constant json := (
        SELECT json_agg(public.members(i) || jsonb_build_object('id', public.number_id(i)))
        FROM generate_series(first + 500, first + 999) i);
BEGIN
    RETURN public.round(
        'server-push', number, format('SELECT small.lockstep_push(%L)', changes),
        format('SELECT small.insert_all(%L)', rows), 1);
END
$$;

SELECT set_config('request.jwt.claims', format('{"sub": "%s"}', public.number_id(-1)), FALSE) \g /dev/null
SELECT n AS start FROM small.lockstep_change WHERE entity = 'List' \gset
SELECT scope FROM small.lockstep_change WHERE entity = 'List' \gset
SELECT epoch AS small_epoch FROM small.lockstep_meta \gset
SELECT epoch AS large_epoch FROM large.lockstep_meta \gset
SELECT max(n) AS small_head FROM small.lockstep_change \gset
SELECT max(n) AS large_head FROM large.lockstep_change \gset
SELECT n - 1 AS small_ten FROM small.lockstep_change WHERE gone IS NULL ORDER BY n DESC OFFSET 9 LIMIT 1 \gset
SELECT n - 1 AS large_ten FROM large.lockstep_change WHERE gone IS NULL ORDER BY n DESC OFFSET 9 LIMIT 1 \gset
SELECT format($$SELECT small.lockstep_changes('{"epoch": "%s", "scopes": {"%s": [%s]}}', 1000)$$,
    :'small_epoch', :'scope', :start) AS page \gset
SELECT format($$SELECT small.lockstep_changes('{"epoch": "%s", "scopes": {"%s": [%s]}}', 1000)$$,
    :'small_epoch', :'scope', :small_head) AS nothing \gset
SELECT format($$SELECT small.lockstep_changes('{"epoch": "%s", "scopes": {"%s": [%s]}}', 1000)$$,
    :'small_epoch', :'scope', :small_ten) AS ten_small \gset
SELECT format($$SELECT large.lockstep_changes('{"epoch": "%s", "scopes": {"%s": [%s]}}', 1000)$$,
    :'large_epoch', :'scope', :large_ten) AS ten_large \gset
SELECT format($$SELECT small.rows_of('%s')$$, public.number_id(0)) AS rows \gset
SELECT format($$SELECT small.row_of('%s')$$, public.number_id(7)) AS row \gset
SET ROLE authenticated;

-- What a page has is what the table has: otherwise, the figures say nothing.
SELECT json_array_length(p -> 'scopes' -> :'scope' -> 'Task' -> 'records') = 1000 AND (
        SELECT json_array_length(small.rows_of(public.number_id(0))) = 1000
    ) AS is_page FROM small.lockstep_changes(substring(:'page' FROM '''(.*)'''), 1000) p \gset
\if :is_page
\else
    \warn the page does not have 1,000 tasks
    SELECT 1 / 0;
\endif

-- Two rounds to warm up, then those that count.
SELECT format('SELECT public.round(%L, %s, %L, %L, %s)', m.name, i, m.work, m.floor, m.count)
    FROM (VALUES
        ('server-page', :'page', :'rows', 5), ('server-nothing', :'nothing', :'row', 500),
        ('server-feed', :'ten_large', :'ten_small', 200)
    ) m(name, work, floor, count) CROSS JOIN generate_series(1, :rounds + 2) i \gexec
RESET ROLE;
SELECT format('CALL public.write_round(%s, NULL)', i) FROM generate_series(1, :rounds + 2) i \gexec
SET ROLE authenticated;
SELECT format('SELECT public.push_round(%s)', i) FROM generate_series(1, :rounds + 2) i \gexec

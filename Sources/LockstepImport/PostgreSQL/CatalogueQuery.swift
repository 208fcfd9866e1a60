/// The query whose result describes the tables of a PostgreSQL database, as one line of JSON.
///
/// It describes the first schema of the search path, as the SQL of a server uses it, and reads only catalogues that
/// every role may read. PostgreSQL 12 is required.
package let postgreSQLCatalogueQuery = """
    -- The tables of the current schema, for `lockstep import` and `lockstep generate --adopt`. It reads no rows.
    SELECT json_build_object(
        'lockstep', 'postgresql',
        'form', 1,
        'schema', current_schema(),
        'tables', (
            SELECT coalesce(json_agg(t.entry ORDER BY t.name), '[]') FROM (
                SELECT c.relname AS name, json_build_object(
                    'name', c.relname,
                    'comment', obj_description(c.oid, 'pg_class'),
                    'rowSecurity', c.relrowsecurity,
                    'ownerRestricted', c.relforcerowsecurity,
                    'inheriting', c.relkind = 'p' OR EXISTS (
                        SELECT FROM pg_inherits h WHERE c.oid IN (h.inhrelid, h.inhparent)
                    ),
                    'columns', (
                        SELECT coalesce(json_agg(json_build_object(
                            'name', a.attname,
                            'type', format_type(a.atttypid, a.atttypmod),
                            'required', a.attnotnull,
                            'default', CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
                            'numbered', a.attidentity <> '',
                            'always', a.attidentity = 'a',
                            'generated', a.attgenerated <> '',
                            'collation', (
                                SELECT o.collname FROM pg_collation o
                                    WHERE o.oid = a.attcollation AND a.attcollation <> y.typcollation
                            ),
                            'comment', col_description(c.oid, a.attnum)
                        ) ORDER BY a.attnum), '[]')
                        FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
                            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                    ),
                    'constraints', (
                        SELECT coalesce(json_agg(json_build_object(
                            'name', o.conname,
                            'kind', o.contype,
                            'columns', (
                                SELECT coalesce(json_agg(a.attname ORDER BY k.position), '[]')
                                FROM unnest(o.conkey) WITH ORDINALITY AS k(number, position)
                                    JOIN pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = k.number
                            ),
                            'schema', r.relnamespace::regnamespace::text,
                            'table', r.relname,
                            'references', (
                                SELECT coalesce(json_agg(a.attname ORDER BY k.position), '[]')
                                FROM unnest(o.confkey) WITH ORDINALITY AS k(number, position)
                                    JOIN pg_attribute a ON a.attrelid = o.confrelid AND a.attnum = k.number
                            ),
                            'delete', o.confdeltype,
                            'update', o.confupdtype,
                            'deferrable', o.condeferrable,
                            'expression', pg_get_expr(o.conbin, o.conrelid, TRUE),
                            'text', pg_get_constraintdef(o.oid, TRUE)
                        ) ORDER BY o.conname), '[]')
                        FROM pg_constraint o LEFT JOIN pg_class r ON r.oid = o.confrelid
                        WHERE o.conrelid = c.oid AND o.contype IN ('p', 'u', 'f', 'c', 'x')
                            -- A foreign key to a table with partitions is there once more for each of them.
                            AND o.conparentid = 0
                    ),
                    'indexes', (
                        SELECT coalesce(json_agg(json_build_object(
                            'name', x.relname,
                            'unique', i.indisunique,
                            'key', i.indisprimary,
                            'constraint', EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid),
                            'partial', i.indpred IS NOT NULL,
                            'method', m.amname,
                            'columns', (
                                SELECT json_agg(a.attname ORDER BY k.position)
                                FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, position)
                                    LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
                                WHERE k.position <= i.indnkeyatts
                            ),
                            'text', pg_get_indexdef(i.indexrelid, 0, TRUE)
                        ) ORDER BY x.relname), '[]')
                        FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
                        WHERE i.indrelid = c.oid AND i.indislive AND i.indisvalid
                    ),
                    'policies', (
                        SELECT coalesce(json_agg(json_build_object(
                            'name', p.policyname,
                            'permissive', p.permissive = 'PERMISSIVE',
                            'command', p.cmd,
                            'roles', p.roles::text[],
                            'using', p.qual,
                            'check', p.with_check
                        ) ORDER BY p.policyname), '[]')
                        FROM pg_policies p
                        WHERE p.schemaname = current_schema() AND p.tablename = c.relname
                    ),
                    'triggers', (
                        SELECT coalesce(json_agg(t.tgname ORDER BY t.tgname), '[]')
                        FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
                    )
                ) AS entry
                FROM pg_class c
                WHERE c.relnamespace = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = current_schema())
                    AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND NOT EXISTS (
                        SELECT FROM pg_depend e
                            WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e'
                    )
            ) t
        ),
        'enums', (
            SELECT coalesce(json_agg(json_build_object(
                'type', format_type(y.oid, NULL),
                'name', y.typname,
                'values', (
                    SELECT coalesce(json_agg(e.enumlabel ORDER BY e.enumsortorder), '[]')
                    FROM pg_enum e WHERE e.enumtypid = y.oid
                )
            ) ORDER BY y.typname), '[]')
            FROM pg_type y WHERE y.typtype = 'e'
        ),
        'domains', (
            SELECT coalesce(json_agg(json_build_object(
                'type', format_type(y.oid, NULL),
                'base', format_type(y.typbasetype, y.typtypmod),
                'required', y.typnotnull,
                'default', pg_get_expr(y.typdefaultbin, 0),
                'checks', (
                    SELECT coalesce(json_agg(pg_get_expr(o.conbin, 0, TRUE) ORDER BY o.conname), '[]')
                    FROM pg_constraint o WHERE o.contypid = y.oid AND o.contype = 'c'
                )
            ) ORDER BY y.typname), '[]')
            FROM pg_type y WHERE y.typtype = 'd'
        ),
        'others', (
            SELECT coalesce(json_agg(json_build_object('name', c.relname, 'kind', c.relkind) ORDER BY c.relname), '[]')
            FROM pg_class c
            WHERE c.relnamespace = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = current_schema())
                AND c.relkind IN ('v', 'm', 'f')
                AND NOT EXISTS (
                    SELECT FROM pg_depend e
                        WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e'
                )
        )
    );

    """

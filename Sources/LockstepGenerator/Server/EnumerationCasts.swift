import LockstepEvolution

/// Casts with which the texts of enums can be assigned to columns whose type is a PostgreSQL enum. Tables that existed
/// before the schema can have such columns.
struct EnumerationCasts {
    let schema: ServerSchema

    /// Empty if no attribute is an enum that is stored as text.
    func statements() -> [Code] {
        let columns = schema.entities.flatMap { entity in
            entity.structure.attributes.compactMap { attribute -> Code? in
                guard case .enumeration(let name) = attribute.type,
                    schema.structure.enumeration(name)?.isInteger == false
                else { return nil }
                return "(\(object: entity.table), \(object: attribute.column))"
            }
        }
        if columns.isEmpty { return [] }
        return [
            """
            -- A column can have a type of its own for an enum. PostgreSQL does not assign text to it without a cast.
            \(ServerFunction.block(
                """
                DECLARE
                    part regtype;
                BEGIN
                    FOR part IN SELECT DISTINCT y.oid::regtype
                        FROM (VALUES
                            \(Code.list(columns))
                        ) AS v(relation, name)
                        JOIN pg_class c ON c.relname = v.relation AND c.relnamespace = current_schema()::regnamespace
                        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = v.name
                        JOIN pg_type y ON y.oid = a.atttypid AND y.typtype = 'e'
                        WHERE NOT EXISTS (
                            SELECT FROM pg_cast k WHERE k.castsource = 'text'::regtype AND k.casttarget = y.oid
                        )
                    LOOP
                        EXECUTE format('CREATE CAST (text AS %s) WITH INOUT AS ASSIGNMENT', part);
                    END LOOP;
                END
                """))
            """
        ]
    }
}

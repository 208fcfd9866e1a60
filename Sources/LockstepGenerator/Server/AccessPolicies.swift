import LockstepEvolution

/// Row-level security: who reads and writes the rows of the tables.
struct AccessPolicies {
    let schema: ServerSchema
    let queries: AccessQueries

    func statements() -> [Code] {
        schema.entities.map(statements) + schema.joinTables.map(statements) + [rights]
    }

    private func statements(_ entity: ServerEntity) -> Code {
        let row: Code = "\(name: entity.table)"
        let writes = entity.structure.remote?.writes ?? []
        let isReadable = queries.mayRead(row, of: entity)
        let isWritable = queries.mayWrite(row, of: entity, isNew: false)
        let mayBeMade = queries.mayWrite(row, of: entity, isNew: true)
        return policies(
            on: entity.table,
            [
                Policy(verb: .select, using: isReadable),
                writes.contains(.create) ? Policy(verb: .insert, check: mayBeMade) : nil,
                writes.contains(.update) ? Policy(verb: .update, using: isWritable, check: isWritable) : nil,
                writes.contains(.delete) ? Policy(verb: .delete, using: isWritable) : nil,
            ].compactMap(\.self))
    }

    /// A link is read by those who read one of its ends, and written by those who write all records that list it.
    private func statements(_ table: LockstepEvolution.JoinTable) -> Code {
        let ends = schema.ends(of: table)
        func exists(_ end: ServerSchema.JoinEnd, where condition: Code) -> Code {
            let columns = zip(end.columns, end.entity.key).map { column, part in
                "e.\(name: part.column) = \(name: table.name).\(name: column)" as Code
            }
            return "EXISTS (SELECT FROM \(name: end.entity.table) e WHERE \(Code.all(columns + [condition])))"
        }
        let carriers = ends.filter(\.isCarrier)
        // The policies of the ends' tables hide what the user does not read.
        let isReadable = exists(ends[0], where: "TRUE")
        let writable = (carriers.isEmpty ? [ends[0]] : carriers).map { end in
            exists(end, where: queries.mayWrite("e", of: end.entity, isNew: false))
        }
        let isWritable = Code.all(writable)
        // Who has lost one of the ends can still remove the link from the other.
        let isRemovable = Code.joined(writable, separator: " OR ")
        return policies(
            on: table.name,
            [
                Policy(verb: .select, using: isReadable), Policy(verb: .insert, check: isWritable),
                Policy(verb: .update, using: isWritable, check: isWritable), Policy(verb: .delete, using: isRemovable),
            ])
    }

    private struct Policy {
        enum Verb: String, CaseIterable {
            case select = "SELECT", insert = "INSERT", update = "UPDATE", delete = "DELETE"

            /// The name of its policy.
            var policy: Code { "lockstep_\(rawValue.lowercased())" }
        }

        let verb: Verb
        var using: Code?
        var check: Code?
    }

    private func policies(on table: String, _ policies: [Policy]) -> Code {
        return .lines(
            ["ALTER TABLE \(name: table) ENABLE ROW LEVEL SECURITY;"]
                + Policy.Verb.allCases.map { "DROP POLICY IF EXISTS \($0.policy) ON \(name: table);" }
                + policies.map { policy in
                    let roles: Code = policy.verb == .select ? "authenticated, anon" : "authenticated"
                    let using = policy.using.map { "\n    USING (\($0))" as Code } ?? Code()
                    let check = policy.check.map { "\n    WITH CHECK (\($0))" as Code } ?? Code()
                    return """
                        CREATE POLICY \(policy.verb.policy) ON \(name: table)
                            FOR \(policy.verb.rawValue) TO \(roles)\(using)\(check);
                        """
                } + [
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON \(name: table) TO authenticated;",
                    "GRANT SELECT ON \(name: table) TO anon;",
                ])
    }

    /// Takes from everybody what belongs to the server, whatever the defaults of the database give them.
    private var rights: Code {
        let helpers = schema.entities.flatMap { entity -> [Code] in
            let suffixes = entity.checksWriters || entity.scope == .own ? ["apply", "writer"] : ["apply"]
            return suffixes.map { "\(object: entity.object($0))" }
        }
        let body: Code = """
            DECLARE
                object record;
            BEGIN
                FOR object IN SELECT c.oid::regclass AS name FROM pg_class c
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v', 'S')
                        AND starts_with(c.relname, 'lockstep_')
                LOOP
                    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, anon, authenticated', object.name);
                END LOOP;
                FOR object IN SELECT p.oid::regprocedure AS name, p.proname FROM pg_proc p
                    WHERE p.pronamespace = current_schema()::regnamespace AND starts_with(p.proname, 'lockstep_')
                LOOP
                    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, anon, authenticated', object.name);
                    IF object.proname IN (
                        'lockstep_changes', 'lockstep_record', 'lockstep_readable', 'lockstep_writable',
                        'lockstep_user', 'lockstep_user_uuid', 'lockstep_user_bigint'
                    ) THEN
                        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO anon, authenticated', object.name);
                    ELSIF object.proname IN (
                        'lockstep_push', 'lockstep_groups', 'lockstep_claim', 'lockstep_present', 'lockstep_version',
                        'lockstep_problem', 'lockstep_text', 'lockstep_timestamp', 'lockstep_day', 'lockstep_array', 'lockstep_lock', 'lockstep_creates',
                        \(Code.list(helpers))
                    ) THEN
                        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO authenticated', object.name);
                    END IF;
                END LOOP;
            END
            """
        return """
            -- Nobody but the owner uses the tables and functions of the server, except for those that are named here.
            \(ServerFunction.block(body))
            """
    }
}

import ServerTestSupport

/// What ``FeedKills`` needs: the processes of pushes are killed at a statement, and each change that is applied leaves a
/// line.
extension FeedDatabase {
    /// When and how the process that executes a push is killed.
    package struct Kill: Sendable {
        /// The number of statements that have begun or ended in it, those of triggers and functions too, if it has as
        /// many; otherwise, it is killed after its commit.
        let statements: Int
        let method: Method

        package enum Method: String, Sendable {
            /// The server ends the process.
            case terminate
            /// The system does (SIGKILL): then the server ends all others, and recovers from its log.
            case kill
        }

        var setting: String { "SET feed.kill = '\(method.rawValue)'; SET feed.statements = \(statements); " }
    }

    package func prepareKills() throws {
        let tables = ["list", "task", "lockstep_scope", "lockstep_change", "lockstep_request"]
        let points = tables.flatMap { table in
            ["BEFORE", "AFTER"].map { time in
                """
                CREATE TRIGGER kill_\(time) \(time) INSERT OR UPDATE OR DELETE ON \(table)
                    FOR EACH STATEMENT EXECUTE FUNCTION kill_point();
                """
            }
        }
        let log = ["list", "task"].map { table in
            "CREATE TRIGGER log AFTER INSERT OR UPDATE OR DELETE ON \(table) FOR EACH ROW EXECUTE FUNCTION log_applied();"
        }
        try owner.rows(
            """
            CREATE FUNCTION kill_point() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ DECLARE
                rest constant integer := nullif(current_setting('feed.statements', TRUE), '')::integer - 1;
            BEGIN
                IF rest = 0 AND current_setting('feed.kill', TRUE) = 'kill' THEN
                    EXECUTE $kill$ COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID' $kill$;
                ELSIF rest = 0 THEN
                    PERFORM pg_terminate_backend(pg_backend_pid());
                ELSIF rest > 0 THEN
                    PERFORM set_config('feed.statements', rest::text, FALSE);
                END IF;
                RETURN NULL;
            END $$;
            \(points.joined())
            CREATE TABLE applied (operation text, entity text, id bigint, value text);
            CREATE FUNCTION log_applied() RETURNS trigger
                LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
                INSERT INTO applied VALUES (
                    TG_OP, TG_TABLE_NAME, coalesce(NEW.id, OLD.id),
                    coalesce(to_jsonb(NEW) ->> 'title', to_jsonb(NEW) ->> 'name'));
                RETURN NULL;
            END $$;
            \(log.joined())
            """)
    }

    /// The server with a list, and nothing else.
    func emptied(granting list: Int, to user: String) throws {
        _ = try emptied(FeedHabits(pageSize: 1_000, respondsWithRecord: true))
        try write(.addList(list, name: "List"))
        try grant(list, to: user)
        try owner.rows("DELETE FROM applied;")
    }

    /// What was applied more than once.
    func repeated() throws -> [String] {
        try owner.rows("SELECT operation, entity, id, value FROM applied GROUP BY 1, 2, 3, 4 HAVING count(*) > 1;")
    }
}

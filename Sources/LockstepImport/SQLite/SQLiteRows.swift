import Foundation
import LockstepEvolution
import LockstepJSON
import LockstepSchema

/// Writes the script that copies the rows of a database into a store.
///
/// A view for each table has the old and the new values, so that there is one place to correct a conversion.
struct SQLiteRows {
    private let result: DatabaseImport.Result
    private let source: String
    private let map: SQLiteRowMap

    /// - Parameter source: The name of the file.
    init(_ result: DatabaseImport.Result, source: String) {
        (self.result, self.source) = (result, source)
        map = SQLiteRowMap(result)
    }

    var text: String {
        let entities = inOrder()
        let tables = entities.compactMap { SQLiteTableRows($0, map: map) }
        var parts = [beginning, emptiness(entities), quiet] + tables.compactMap(\.mintedKeys)
        parts += tables.map { "-- \($0.entity.name)\n\n" + $0.statements.joined(separator: "\n\n") }
        let optional = tables.flatMap(\.optionalLinks)
        if !optional.isEmpty { parts.append("-- Links\n\n" + optional.joined(separator: "\n\n")) }
        let joins = result.joins.compactMap { SQLiteJoinRows($0, map: map) }
        parts += joins.map { $0.statements.joined(separator: "\n\n") }
        let comparisons = tables.map(\.comparison) + joins.map(\.comparison)
        parts.append("-- What the store has of the rows now\n\n" + comparisons.joined(separator: "\n\n"))
        parts.append(end)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var beginning: String {
        let name = result.schema.name
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%'"))
        let file = source.addingPercentEncoding(withAllowedCharacters: allowed) ?? source
        let shown = source.visible
        return """
            -- Copies the rows of \(shown) into a new store of the schema \(name).
            --
            -- Open the store once in the app, so that its file exists, and quit the app. Then run, in the folder of
            -- \(shown):
            --
            --     sqlite3 -bail STORE < \(name).rows.sql
            --
            -- It compares the store with the database, and prints the rows, values and links that were left out, with
            -- the reason. To try it, write ROLLBACK in place of COMMIT.

            -- The views of the database call no functions with side effects.
            PRAGMA trusted_schema = OFF;

            -- In place of the store's own table, in a database that only the generated SQL has made.
            ATTACH ':memory:' AS plain;

            CREATE TABLE plain.\(StoreTables.quiet) (id INTEGER PRIMARY KEY);

            ATTACH 'file:\(file)?mode=ro' AS old;

            CREATE TEMP TABLE left_out ("table" TEXT, "row", "column" TEXT, "value", "reason" TEXT);

            CREATE INDEX temp.left_out_row ON left_out ("table", "row");

            BEGIN IMMEDIATE;
            """
    }

    /// A second run would copy the rows without a key again, also without `-bail`.
    private func emptiness(_ entities: [Entity]) -> String {
        let tables = entities.map(\.tableName).map { table in
            """
            INSERT INTO temp.occupied SELECT \(SQLText.literal(table))
                WHERE EXISTS (SELECT 1 FROM main.\(SQLText.name(table)));
            """
        }
        return """
            -- A store with rows is not changed.
            CREATE TEMP TABLE occupied ("table" TEXT);

            \(tables.joined(separator: "\n"))

            CREATE TEMP TABLE guard ("count" CONSTRAINT "the store has rows already" CHECK ("count" = 0));

            INSERT INTO temp.guard SELECT count(*) FROM temp.occupied;
            """
    }

    private let quiet = """
        -- The rows are not sent to the server. To send them as new records, remove this statement.
        INSERT INTO \(StoreTables.quiet) (id) VALUES (NULL);
        """

    private var end: String {
        """
        DELETE FROM \(StoreTables.quiet);

        SELECT * FROM temp.left_out;

        COMMIT;
        """
    }

    /// The entities, each after those that it requires; these do not form a cycle.
    private func inOrder() -> [Entity] {
        var (ordered, seen): ([Entity], Set<String>) = ([], [])
        // Without recursion, because a chain of tables can be long.
        for entity in result.schema.entities where !seen.contains(entity.name) {
            var open: [(entity: Entity, isDone: Bool)] = [(entity, false)]
            while let (next, isDone) = open.popLast() {
                if isDone {
                    ordered.append(next)
                    continue
                }
                guard seen.insert(next.name).inserted else { continue }
                open.append((next, true))
                for link in next.relationships where !link.isToMany && !link.isOptional {
                    if let target = map.entities[link.destination] { open.append((target, false)) }
                }
            }
        }
        return ordered
    }
}

import Foundation
import LockstepSchema

/// Writes the script that takes over the rows of a database into a store.
struct SQLiteRows {
    private let result: SQLiteImport.Result
    private let source: String
    private let entities: [String: Entity]
    private let sketches: [String: EntitySketch]
    private let keys: [String: SQLiteLinks.Key]
    private let expressions: SQLiteRowExpressions

    init(_ result: SQLiteImport.Result, source: String) {
        (self.result, self.source) = (result, source)
        entities = Dictionary(result.schema.entities.map { ($0.name, $0) }) { first, _ in first }
        sketches = Dictionary(result.sketch.entities.map { ($0.name, $0) }) { first, _ in first }
        let all = result.entities.values.flatMap(\.keys) + result.joins.flatMap { [$0.left, $0.right] }
        keys = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        expressions = SQLiteRowExpressions(result, entities)
    }

    var text: String {
        var parts = [beginning]
        let ordered = inOrder()
        parts += ordered.compactMap(mintedKeys)
        parts += ordered.map(rows)
        parts += ordered.compactMap(optionalLinks)
        parts += result.joins.compactMap(links)
        parts.append(end)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var beginning: String {
        let name = result.schema.name
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%'"))
        let file = source.addingPercentEncoding(withAllowedCharacters: allowed) ?? source
        let shown = SQLiteIndexes.oneLine(source)
        return """
            -- Takes over the rows of \(shown) into a new store of the schema \(name).
            --
            -- Open the store once in the app, so that its file exists, and quit the app. Then run, in the folder of \
            \(shown):
            --
            --     sqlite3 -bail STORE < \(name).rows.sql
            --
            -- It prints the rows and links that were left out, with the reason. To try it, write ROLLBACK in place of \
            COMMIT.

            ATTACH 'file:\(file)?mode=ro' AS old;

            CREATE TEMP TABLE left_out ("table" TEXT, "row", "column" TEXT, "value", "reason" TEXT);
            CREATE INDEX temp.left_out_row ON left_out ("table", "row");

            BEGIN IMMEDIATE;

            -- The rows are not sent to the server. To send them as new records, remove this statement.
            INSERT INTO main.lockstep_quiet (id) VALUES (NULL);
            """
    }

    private var end: String {
        """
        DELETE FROM main.lockstep_quiet;

        SELECT * FROM temp.left_out;

        COMMIT;
        """
    }

    // MARK: Order

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
                    if let target = entities[link.destination] { open.append((target, false)) }
                }
            }
        }
        return ordered
    }

    // MARK: Tables

    private func made(_ entity: Entity) -> SQLiteEntity? {
        sketches[entity.name]?.source.flatMap { result.entities[$0] }
    }

    /// A new key for each row of a table without one. Random, because other devices have the same row numbers.
    private func mintedKeys(_ entity: Entity) -> String? {
        guard let made = made(entity), expressions.isMinted(entity) else { return nil }
        let table = expressions.keyTable(made.table)
        return """
            CREATE TEMP TABLE \(SQLText.name(table)) ("row" PRIMARY KEY, "key" TEXT NOT NULL);

            INSERT INTO temp.\(SQLText.name(table))
                SELECT \(expressions.row(made.table, "s")), \
            lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' \
            || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
                FROM old.\(SQLText.name(made.table.name)) AS s;
            """
    }

    private func rows(_ entity: Entity) -> String {
        guard let made = made(entity), let sketch = sketches[entity.name] else { return "-- \(entity.name)" }
        var (columns, values, checks): ([String], [String], [String]) = ([], [], [])
        for column in entity.columns {
            switch column.content {
            case .surrogateKey, .position: continue
            case .attribute(let name):
                guard let attribute = entity.attributes.first(where: { $0.name == name }) else { continue }
                let member = sketch.attributes.first { $0.name == name }
                guard let source = member?.source else {
                    values.append(expressions.mintedKey(made.table, "s"))
                    columns.append(column.name)
                    continue
                }
                let old = "s.\(SQLText.name(source))"
                let value = conversion(attribute, made.forms[source] ?? .plain).sql(old)
                values.append(value)
                checks.append(check(attribute, source, old, value, made))
            case .foreignKey(let relationship, let attribute):
                let source = sketch.relationships.first { $0.name == relationship }?.source
                guard let key = source.flatMap({ keys[$0] }),
                    let value = expressions.key(key, attribute: attribute, of: target(key))
                else { continue }
                values.append(value)
            }
            columns.append(column.name)
        }
        checks += entity.relationships.compactMap { requiredLink($0, entity, made) }
        let table = made.table.name
        let insertion = """
            INSERT INTO main.\(SQLText.name(entity.tableName)) (\(columns.map(SQLText.name).joined(separator: ", ")))
                SELECT
                    \(values.joined(separator: ",\n        "))
                FROM old.\(SQLText.name(table)) AS s
                WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
                    WHERE l."table" = \(SQLText.literal(table)) AND l."row" = \(expressions.row(made.table, "s")));
            """
        return (["-- \(entity.name)"] + checks.filter { !$0.isEmpty } + [insertion]).joined(separator: "\n\n")
    }

    private func target(_ key: SQLiteLinks.Key) -> Entity? {
        result.sketch.entities.first { $0.source == key.target.name }.flatMap { entities[$0.name] }
    }

    private func conversion(_ attribute: Attribute, _ form: SQLiteForm) -> SQLiteConversion {
        SQLiteConversion(type: attribute.type, form: form, enumerations: result.schema.enumerations)
    }

    /// Lists the rows whose value does not fit.
    private func check(
        _ attribute: Attribute, _ source: String, _ old: String, _ value: String, _ made: SQLiteEntity
    ) -> String {
        var reasons = ["WHEN \(old) IS NULL THEN \(attribute.isOptional ? "NULL" : "'is NULL'")"]
        reasons.append("WHEN \(value) IS NULL THEN 'has another form'")
        let limits = SQLiteRowLimits(attribute, result.schema).violations(value)
        if !limits.isEmpty {
            reasons.append("WHEN \(limits.joined(separator: " OR ")) THEN 'is outside of its limits'")
        }
        return listing(made.table, source, "CASE \(reasons.joined(separator: "\n            ")) END", old)
    }

    private func listing(_ table: SQLiteTable, _ column: String, _ reason: String, _ value: String) -> String {
        """
        INSERT INTO temp.left_out
            SELECT \(SQLText.literal(table.name)), "row", \(SQLText.literal(column)), "value", "reason" FROM (
                SELECT \(expressions.row(table, "s")) AS "row", \(value) AS "value",
                    \(reason) AS "reason"
                FROM old.\(SQLText.name(table.name)) AS s)
            WHERE "reason" IS NOT NULL;
        """
    }

    // MARK: Links

    private func values(_ key: SQLiteLinks.Key) -> [(column: String, value: String)]? {
        guard let target = target(key) else { return nil }
        var pairs: [(String, String)] = []
        for attribute in target.identity.keyAttributes {
            guard let value = expressions.key(key, attribute: attribute, of: target),
                let column = target.attributes.first(where: { $0.name == attribute })?.columnName
            else { return nil }
            pairs.append((column, value))
        }
        return pairs
    }

    /// Whether the record is there that a key refers to.
    private func exists(_ key: SQLiteLinks.Key) -> String? {
        guard let target = target(key), let values = values(key) else { return nil }
        let matches = values.map { "t.\(SQLText.name($0.column)) = \($0.value)" }.joined(separator: " AND ")
        return "EXISTS (SELECT 1 FROM main.\(SQLText.name(target.tableName)) AS t WHERE \(matches))"
    }

    private func key(_ relationship: Relationship, _ entity: Entity) -> SQLiteLinks.Key? {
        sketches[entity.name]?.relationships.first { $0.name == relationship.name }?.source.flatMap { keys[$0] }
    }

    private func requiredLink(_ relationship: Relationship, _ entity: Entity, _ made: SQLiteEntity) -> String? {
        guard case .foreignKey = relationship.storage, !relationship.isOptional,
            let key = key(relationship, entity), let exists = exists(key)
        else { return nil }
        return listing(
            made.table, key.columns.map(\.name).joined(separator: ", "),
            "CASE WHEN NOT \(exists) THEN 'refers to a row that is not taken over' END", expressions.written(key))
    }

    /// Unlinks what refers to nothing. All records are there now.
    private func optionalLinks(_ entity: Entity) -> String? {
        guard let made = made(entity) else { return nil }
        var parts: [String] = []
        for relationship in entity.relationships where relationship.isOptional {
            guard case .foreignKey(let foreign) = relationship.storage, let target = entities[relationship.destination],
                let key = key(relationship, entity), let exists = exists(key)
            else { continue }
            let isSet = key.columns.map { "s.\(SQLText.name($0.name)) IS NOT NULL" }.joined(separator: " AND ")
            parts.append(
                listing(
                    made.table, key.columns.map(\.name).joined(separator: ", "),
                    "CASE WHEN \(isSet) AND NOT \(exists) THEN 'refers to a row that is not taken over: the record is "
                        + "not linked' END", expressions.written(key)))
            let identity = target.identity.keyAttributes.compactMap { name in
                target.attributes.first { $0.name == name }?.columnName
            }
            let own = SQLText.name(entity.tableName)
            let matches = zip(identity, foreign.columns).map { "t.\(SQLText.name($0)) = \(own).\(SQLText.name($1))" }
            let columns = foreign.columns.map(SQLText.name)
            parts.append(
                """
                UPDATE main.\(own) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", "))
                    WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) AND NOT EXISTS (
                        SELECT 1 FROM main.\(SQLText.name(target.tableName)) AS t
                        WHERE \(matches.joined(separator: " AND ")));
                """)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    }

    private func links(_ join: SQLiteLinks.Join) -> String? {
        guard let owner = target(join.left), let sketch = sketches[owner.name],
            let name = sketch.relationships.first(where: { $0.source == join.sources.left })?.name,
            case .joinTable(let table, let isLeft)? = owner.relationships.first(where: { $0.name == name })?.storage,
            let joinTable = result.schema.joinTables.first(where: { $0.name == table }),
            let left = values(join.left), let right = values(join.right), let leftExists = exists(join.left),
            let rightExists = exists(join.right)
        else { return nil }
        let ends = isLeft ? (joinTable.left, joinTable.right) : (joinTable.right, joinTable.left)
        let columns = (ends.0.columns + ends.1.columns).map(SQLText.name).joined(separator: ", ")
        let written = "\(expressions.written(join.left)) || ', ' || \(expressions.written(join.right))"
        let listing = listing(
            join.table, "",
            "CASE WHEN NOT (\(leftExists) AND \(rightExists)) THEN 'links a row that is not taken over' END",
            written)
        return """
            -- \(ends.0.entity).\(ends.0.relationship)

            \(listing)

            INSERT INTO main.\(SQLText.name(table)) (\(columns))
                SELECT DISTINCT \((left + right).map(\.value).joined(separator: ", "))
                FROM old.\(SQLText.name(join.table.name)) AS s
                WHERE \(leftExists) AND \(rightExists);
            """
    }
}

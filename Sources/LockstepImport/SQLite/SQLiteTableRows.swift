import LockstepSchema

/// The statements that copy the rows of a table.
struct SQLiteTableRows {
    let entity: Entity
    private let made: DatabaseEntity
    private let map: SQLiteRowMap
    private var view: SQLiteRowView
    private var columns: [(name: String, value: String)] = []
    /// The queries that list the rows that are left out.
    private var checks: [String] = []
    /// The queries that list the values that are left out of rows that are copied.
    private var valueChecks: [String] = []

    /// `nil` for an entity that has no table.
    init?(_ entity: Entity, map: SQLiteRowMap) {
        guard let made = map.made(entity) else { return nil }
        (self.entity, self.map, self.made) = (entity, map, made)
        view = SQLiteRowView(made.table, map: map)
        for column in entity.columns { add(column) }
        addDuplicates()
        for relationship in entity.relationships where !relationship.isOptional { addRequired(relationship) }
    }

    /// A new key for each row of a table without one. Random, because the rows of other devices have the same numbers.
    var mintedKeys: String? {
        guard entity.identity.keyAttributes.contains(where: { map.source($0, of: entity) == nil }) else { return nil }
        return """
            CREATE TEMP TABLE \(map.keyTable(made.table)) ("row" PRIMARY KEY, "key" TEXT NOT NULL);

            INSERT INTO temp.\(map.keyTable(made.table))
                SELECT \(map.row(made.table, alias: "s")),
                    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
                        || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
                        || hex(randomblob(6)))
                FROM old.\(SQLText.name(made.table.name)) AS s;
            """
    }

    var statements: [String] {
        let list = columns.map { SQLText.name($0.name) }.joined(separator: ", ")
        let values = columns.map(\.value).joined(separator: ", ")
        let insertion = """
            INSERT INTO main.\(SQLText.name(entity.tableName)) (\(list))
                SELECT \(values)
                \(view.fitting);
            """
        return [view.statement] + checks + [insertion] + valueChecks
    }

    var comparison: String { view.comparison(with: entity.tableName, columns: columns) }

    // MARK: Attributes

    private mutating func add(_ column: Column) {
        switch column.content {
        case .surrogateKey, .position: return
        case .attribute(let name):
            guard let attribute = entity.attributes.first(where: { $0.name == name }) else { return }
            if let source = map.source(name, of: entity) {
                let old = "n.\(view.old(source))"
                let new = "n.\(SQLiteRowView.new(column.name))"
                view.addNew(
                    column.name, sql: map.value(attribute, from: source, made: made, old: "s.\(SQLText.name(source))"))
                if attribute.isOptional {
                    columns.append((column.name, fittingValue(attribute, for: new)))
                    valueChecks.append(check(attribute, source: source, from: old, to: new))
                    return
                }
                checks.append(check(attribute, source: source, from: old, to: new))
            } else {
                view.addNew(column.name, sql: map.mintedKey(made.table, alias: "s"))
            }
        case .foreignKey(let relationship, let attribute):
            guard let key = map.key(relationship, of: entity), let target = map.entity(ofTable: key.target),
                let index = target.identity.keyAttributes.firstIndex(of: attribute), let values = map.values(key)
            else { return }
            for column in key.columns { _ = view.old(column.name) }
            view.addNew(column.name, sql: values[index])
        }
        columns.append((column.name, "n.\(SQLiteRowView.new(column.name))"))
    }

    /// The new value, or NULL if it is outside of its limits.
    private func fittingValue(_ attribute: Attribute, for new: String) -> String {
        let limits = SQLiteRowLimits(attribute, schema: map.schema).violations(new)
        return limits.isEmpty ? new : "CASE WHEN \(limits.joined(separator: " OR ")) THEN NULL ELSE \(new) END"
    }

    /// Lists the rows whose value does not fit.
    private func check(_ attribute: Attribute, source: String, from old: String, to new: String) -> String {
        var reasons = ["WHEN \(old) IS NULL THEN \(attribute.isOptional ? "NULL" : "'is NULL'")"]
        let result = attribute.isOptional ? ": it is not copied" : ""
        reasons.append("WHEN \(new) IS NULL THEN 'has another form\(result)'")
        let limits = SQLiteRowLimits(attribute, schema: map.schema).violations(new)
        if !limits.isEmpty {
            reasons.append("WHEN \(limits.joined(separator: " OR ")) THEN 'is outside of its limits\(result)'")
        }
        return view.listing(source, value: old, reason: "CASE \(reasons.joined(separator: "\n            ")) END")
    }

    /// Texts that differ can be the same UUID or date.
    private mutating func addDuplicates() {
        let keys = entity.identity.keyAttributes.compactMap { name in entity.attributes.first { $0.name == name } }
        let sources = keys.compactMap { map.source($0.name, of: entity) }
        let merged: [AttributeType] = [.scalar(.uuid), .scalar(.date), .scalar(.bool)]
        guard sources.count == keys.count, keys.contains(where: { merged.contains($0.type) }) else { return }
        let new = Self.keyColumns(entity).map(SQLiteRowView.new)
        let old = sources.map { "quote(n.\(view.old($0)))" }
        checks.append(
            view.listing(
                sources.joined(separator: ", "), value: old.joined(separator: " || ', ' || "),
                reason: """
                    CASE WHEN \(new.map { "n.\($0) IS NOT NULL" }.joined(separator: " AND "))
                        AND n."row" NOT IN (SELECT min(d."row") FROM \(view.name) AS d
                            GROUP BY \(new.map { "d.\($0)" }.joined(separator: ", ")))
                        THEN 'has the same key as another row' END
                    """))
    }

    // MARK: Links

    /// The record must be there: what it requires is copied before it.
    private mutating func addRequired(_ relationship: Relationship) {
        guard let (key, foreign, target) = link(relationship) else { return }
        checks.append(
            view.listing(
                Self.names(key), value: written(key),
                reason: "CASE WHEN NOT \(Self.exists(target, foreign: foreign)) THEN 'refers to a row that is not "
                    + "copied' END"
            ))
    }

    /// Unlinks what refers to nothing, when all records are there.
    var optionalLinks: [String] {
        var statements: [String] = []
        for relationship in entity.relationships where relationship.isOptional {
            guard let (key, foreign, target) = link(relationship) else { continue }
            let isSet = key.columns.map { "n.\(SQLText.name("old \($0.name)")) IS NOT NULL" }
            let condition = (isSet + ["NOT \(Self.exists(target, foreign: foreign))"]).joined(separator: " AND ")
            statements.append(
                view.listing(
                    Self.names(key), value: written(key),
                    reason: "CASE WHEN \(condition)\n            THEN 'refers to a row that is not copied: it is "
                        + "not linked' END"))
            let own = SQLText.name(entity.tableName)
            let columns = foreign.columns.map(SQLText.name)
            let matches = zip(Self.keyColumns(target), columns).map { "t.\(SQLText.name($0)) = \(own).\($1)" }
            statements.append(
                """
                UPDATE main.\(own) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", "))
                    WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) AND NOT EXISTS (
                        SELECT 1 FROM main.\(SQLText.name(target.tableName)) AS t
                        WHERE \(matches.joined(separator: " AND ")));
                """)
        }
        return statements
    }

    private func link(_ relationship: Relationship) -> (DatabaseLinks.Key, ForeignKey, target: Entity)? {
        guard case .foreignKey(let foreign) = relationship.storage,
            let target = map.entities[relationship.destination], let key = map.key(relationship.name, of: entity)
        else { return nil }
        return (key, foreign, target)
    }

    private static func names(_ key: DatabaseLinks.Key) -> String { key.columns.map(\.name).joined(separator: ", ") }

    /// The columns of a key as they are written, for the list of what is left out.
    private func written(_ key: DatabaseLinks.Key) -> String {
        let names = key.columns.map { "n.\(SQLText.name("old \($0.name)"))" }
        return names.count == 1 ? names[0] : names.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
    }

    static func keyColumns(_ target: Entity) -> [String] {
        target.identity.keyAttributes.compactMap { name in target.attributes.first { $0.name == name }?.columnName }
    }

    /// Whether the record is there that the view's row `n` refers to.
    private static func exists(_ target: Entity, foreign: ForeignKey) -> String {
        exists(target, columns: foreign.columns.map(SQLiteRowView.new))
    }

    static func exists(_ target: Entity, columns: [String]) -> String {
        let matches = zip(keyColumns(target), columns).map { "t.\(SQLText.name($0)) = n.\($1)" }
        return "EXISTS (SELECT 1 FROM main.\(SQLText.name(target.tableName)) AS t "
            + "WHERE \(matches.joined(separator: " AND ")))"
    }
}

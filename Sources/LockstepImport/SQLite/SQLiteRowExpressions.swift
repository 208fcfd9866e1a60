import LockstepSchema

/// SQL that finds rows of the database, and the keys that their records get.
struct SQLiteRowExpressions {
    private let result: SQLiteImport.Result
    private let sketches: [String: EntitySketch]

    init(_ result: SQLiteImport.Result, _ entities: [String: Entity]) {
        self.result = result
        sketches = Dictionary(result.sketch.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// What identifies a row of a table.
    func row(_ table: SQLiteTable, _ alias: String) -> String {
        if let name = table.rowName { return "\(alias).\(name)" }
        return table.rowColumns.map { "quote(\(alias).\(SQLText.name($0.name)))" }.joined(separator: " || ' ' || ")
    }

    /// The columns of a key as they are written, for the list of what is left out.
    func written(_ key: SQLiteLinks.Key) -> String {
        key.columns.count == 1
            ? "s.\(SQLText.name(key.columns[0].name))"
            : key.columns.map { "quote(s.\(SQLText.name($0.name)))" }.joined(separator: " || ', ' || ")
    }

    /// Whether each record gets a key that no column has.
    func isMinted(_ entity: Entity) -> Bool {
        guard let sketch = sketches[entity.name] else { return false }
        return entity.identity.keyAttributes.contains { name in
            sketch.attributes.first { $0.name == name }?.source == nil
        }
    }

    func keyTable(_ table: SQLiteTable) -> String { "key_of_\(table.name)" }

    func mintedKey(_ table: SQLiteTable, _ alias: String) -> String {
        "(SELECT k.\"key\" FROM temp.\(SQLText.name(keyTable(table))) AS k WHERE k.\"row\" = \(row(table, alias)))"
    }

    /// The value of an attribute in the identity of the record that a foreign key refers to.
    func key(_ key: SQLiteLinks.Key, attribute name: String, of target: Entity?) -> String? {
        guard let target, let sketch = sketches[target.name], let made = result.entities[key.target.name],
            let attribute = target.attributes.first(where: { $0.name == name })
        else { return nil }
        let source = sketch.attributes.first { $0.name == name }?.source
        let value: String
        if let source, let index = key.references.firstIndex(where: { $0.isNamed(source) }),
            key.references[index].collation.uppercased() == "BINARY"
        {
            value = conversion(attribute, made.forms[source]).sql("s.\(SQLText.name(key.columns[index].name))")
        } else {
            let found =
                source.map { conversion(attribute, made.forms[$0]).sql("r.\(SQLText.name($0))") }
                ?? mintedKey(key.target, "r")
            let matches = zip(key.references, key.columns).map { reference, column in
                "r.\(SQLText.name(reference.name)) = s.\(SQLText.name(column.name))"
            }
            return "(SELECT \(found) FROM old.\(SQLText.name(key.target.name)) AS r "
                + "WHERE \(matches.joined(separator: " AND ")))"
        }
        if key.columns.count == 1 { return value }
        // A key with a NULL refers to nothing.
        let isSet = key.columns.map { "s.\(SQLText.name($0.name)) IS NOT NULL" }.joined(separator: " AND ")
        return "CASE WHEN \(isSet) THEN \(value) END"
    }

    private func conversion(_ attribute: Attribute, _ form: SQLiteForm?) -> SQLiteConversion {
        SQLiteConversion(type: attribute.type, form: form ?? .plain, enumerations: result.schema.enumerations)
    }
}

/// SQL that finds values outside of an attribute's limits.
struct SQLiteRowLimits {
    private let attribute: Attribute
    private let schema: Schema

    init(_ attribute: Attribute, _ schema: Schema) { (self.attribute, self.schema) = (attribute, schema) }

    /// - Parameter value: The SQL of the stored value.
    func violations(_ value: String) -> [String] {
        var terms: [String] = []
        let number = attribute.type == .scalar(.decimal) ? "CAST(\(value) AS REAL)" : value
        if let minimum = attribute.limits.minimum { terms.append("\(number) < \(minimum)") }
        if let maximum = attribute.limits.maximum { terms.append("\(number) > \(maximum)") }
        if let minimum = attribute.limits.minimumLength { terms.append("length(\(value)) < \(minimum)") }
        if let maximum = attribute.limits.maximumLength { terms.append("length(\(value)) > \(maximum)") }
        if case .enumeration(let name) = attribute.type,
            let enumeration = schema.enumerations.first(where: { $0.name == name }), enumeration.isClosed
        {
            let values = enumeration.cases.map { item in
                switch item.rawValue {
                case .string(let text): SQLText.literal(text)
                case .int(let number): String(number)
                }
            }
            terms.append("\(value) NOT IN (\(values.joined(separator: ", ")))")
        }
        return terms
    }
}

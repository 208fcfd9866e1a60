package import GRDB
package import LockstepEvolution

/// Facts derived from an entity's description, computed once: SQL, key columns, what to check.
///
/// It is a class, so that the many parts of the store that need it share one instance.
package final class EntityPlan: Sendable {
    package let name: String
    package let table: String
    package let columns: [ColumnDescription]
    package let relationships: [RelationshipDescription]
    package let remote: RemoteStructure?

    /// Whether each column may be NULL, and whether its values have limits. They are read for every value that is
    /// written.
    package let isOptional: [Bool]
    package let isLimited: [Bool]
    /// Whether attributes identify the records.
    package let hasIdentity: Bool
    /// The columns of the primary key, in its order. Without an identity, it is the surrogate key, column 0.
    package let keyColumns: [Int]
    /// The columns that identify a record, here and on the server; empty for records that have no identity.
    package let identityColumns: [Int]
    /// For each relationship the columns of the foreign key; empty if the other end holds the key.
    package let foreignKeys: [[Int]]
    /// The column of the server's identity, unique and optional, if the device creates its own; otherwise `nil`.
    package let remoteColumn: Int?
    /// The column that only the server changes, with each write; otherwise `nil`.
    package let versionColumn: Int?
    /// Groups of columns that count as one value in conflicts.
    package let together: [[Int]]
    /// The columns that only the server changes, without the version.
    package var readOnlyColumns: [Int] { columns.indices.filter { columns[$0].wire?.isReadOnly ?? false } }
    /// `SELECT` with every column in order, up to `WHERE`.
    package let selectSQL: String
    package let findSQL: String
    package let insertSQL: String
    package let deleteSQL: String
    /// The condition that a row has a given key.
    package let keyCondition: String
    /// The limits of the values of a representation, except for nested ones.
    package let limitsByWirePath: [[String]: Limits]
    /// The columns that can have a value which cannot be stored.
    package let checkedColumns: [Int]
    /// The columns that refer to attachments.
    package let attachmentColumns: [Int]
    /// The columns of attributes that only this device has, of records that servers know. Without attachments, whose
    /// bytes are removed when no record refers to them.
    package let localColumns: [Int]
    /// Recognizes keys that are not read and look like those of relationships.
    package let relationshipKeys: RelationshipKeys
    /// The to-one relationships to entities that embed the records, whose keys these hold, in the order of the
    /// entities.
    let ownerRelationships: [Int]
    /// Whether the records are sent only inside others, whose keys they hold. Changes of one without an owner are not
    /// recorded until it has one.
    package let travelsInside: Bool
    private let columnsByAttribute: [String: Int]

    init(
        name: String, table: String, hasIdentity: Bool, keyColumns: [Int], remoteColumn: Int?, versionColumn: Int?,
        together: [[String]], columns: [ColumnDescription], relationships: [RelationshipDescription],
        ownerRelationships: [Int],
        travelsInside: Bool, remote: RemoteStructure?
    ) {
        self.name = name
        self.table = table
        self.hasIdentity = hasIdentity
        self.keyColumns = keyColumns
        self.remoteColumn = remoteColumn
        self.versionColumn = versionColumn
        identityColumns = hasIdentity ? keyColumns + [remoteColumn].compactMap(\.self) : []
        var columns = columns
        for column in identityColumns { columns[column] = columns[column].ofIdentity }
        self.columns = columns
        self.relationships = relationships
        self.ownerRelationships = ownerRelationships
        self.travelsInside = travelsInside
        self.remote = remote
        relationshipKeys = RelationshipKeys(columns, descriptions: relationships)
        isOptional = columns.map(\.isOptional)
        isLimited = columns.map { !$0.limits.isEmpty }
        foreignKeys = relationships.map { relationship in
            if case .toOne(columns: let columns, position: _, isRequired: _) = relationship.kind { columns } else { [] }
        }
        let quotedTable = SQLName.quoted(table)
        let names = columns.map { SQLName.quoted($0.name) }
        keyCondition = keyColumns.map { "\(names[$0]) = ?" }.joined(separator: " AND ")
        selectSQL = "SELECT \(names.map { "\(quotedTable).\($0)" }.joined(separator: ", ")) FROM \(quotedTable)"
        findSQL = "\(selectSQL) WHERE \(keyCondition)"
        insertSQL = """
            INSERT INTO \(quotedTable) (\(names.joined(separator: ", "))) \
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
        deleteSQL = "DELETE FROM \(quotedTable) WHERE \(keyCondition)"
        var limits: [[String]: Limits] = [:]
        var attributes: [String: Int] = [:]
        for (index, column) in columns.enumerated() {
            if let wire = column.wire, !column.limits.isEmpty { limits[wire.path] = column.limits }
            if case .attribute(let name) = column.content { attributes[name] = index }
        }
        limitsByWirePath = limits
        checkedColumns = columns.indices.filter { columns[$0].needsCheck }
        attachmentColumns = columns.indices.filter { columns[$0].type == .attachment }
        let identity = identityColumns
        localColumns = columns.indices.filter { index in
            guard case .attribute = columns[index].content, !identity.isEmpty, !identity.contains(index) else {
                return false
            }
            return columns[index].wire == nil && columns[index].type != .attachment
        }
        columnsByAttribute = attributes
        self.together = together.map { $0.compactMap { attributes[$0] }.filter { !keyColumns.contains($0) } }
    }

    /// Whether a record may have a value of a base: the server may have returned nothing for a required one (Rules.md,
    /// P21).
    package func allows(_ base: [DatabaseValue], at column: Int) -> Bool { isOptional[column] || !base[column].isNull }

    /// Whether a record may have all values of a base.
    package func allows(_ base: [DatabaseValue]) -> Bool { base.indices.allSatisfy { allows(base, at: $0) } }

    /// The column of an attribute; `nil` for a transient one.
    package func column(ofAttribute name: String) -> Int? { columnsByAttribute[name] }

    /// The columns by which the server identifies records: that of its own identity, or those of the key.
    package var serverKeyColumns: [Int] { remoteColumn.map { [$0] } ?? keyColumns }

    /// The paths of ``serverKeyColumns`` in a record's JSON, without those that are not in it.
    package var serverKeyPaths: [[String]] { serverKeyColumns.compactMap { columns[$0].wire?.path } }

    /// The index of a relationship; `nil` if there is none with this name.
    package func relationship(named name: String) -> Int? { relationships.firstIndex { $0.name == name } }

    /// A column with its table, in SQL.
    package func qualifiedName(ofColumn column: Int) -> String {
        "\(SQLName.quoted(table)).\(SQLName.quoted(columns[column].name))"
    }

    /// `SELECT` of the records that a many-to-many relationship leads to, in its order, with the columns of the link's
    /// source after their own.
    package func selectSQL(joining join: JoinDescription, where condition: String) -> String {
        let link = SQLName.quoted(join.table)
        let names = columns.indices.map(qualifiedName)
        let sources = join.sourceColumns.map { "\(link).\(SQLName.quoted($0))" }
        let matches = zip(keyColumns, join.destinationColumns).map { column, joinColumn in
            "\(names[column]) = \(link).\(SQLName.quoted(joinColumn))"
        }
        let order = join.position.map { position in
            let column = "\(link).\(SQLName.quoted(position))"
            return " ORDER BY \(column) IS NULL, \(column)"
        }
        return """
            SELECT \((names + sources).joined(separator: ", ")) FROM \(SQLName.quoted(table)) JOIN \(link) \
            ON \(matches.joined(separator: " AND ")) WHERE \(condition)\(order ?? "")
            """
    }

    /// `UPDATE` of these columns of the row with a given key.
    package func updateSQL(_ changed: [Int]) -> String {
        let assignments = changed.map { "\(SQLName.quoted(columns[$0].name)) = ?" }.joined(separator: ", ")
        return "UPDATE \(SQLName.quoted(table)) SET \(assignments) WHERE \(keyCondition)"
    }
}

extension Sequence<EntityPlan> {
    /// The tables of many-to-many relationships.
    package var joinTables: [String] {
        flatMap(\.relationships).compactMap { if case .manyToMany(let join) = $0.kind { join.table } else { nil } }
    }
}

/// Names in SQL.
package enum SQLName {
    /// Quotes a name for SQL. All names are quoted here.
    package static func quoted(_ name: String) -> String {
        var quoted = "\""
        for character in name.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append(character) }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// A name in the form that GRDB expects: GRDB adds quotes, but does not double those in the name.
    package static func forGRDB(_ name: String) -> String { name.replacing("\"", with: "\"\"") }

    /// `"a" = ? AND "b" = ?`
    package static func condition(_ names: [String], in table: String? = nil) -> String {
        let prefix = table.map { quoted($0) + "." } ?? ""
        return names.map { "\(prefix)\(quoted($0)) = ?" }.joined(separator: " AND ")
    }
}

extension HandWrittenEntity {
    /// `Entry+Database.swift`: what one writes on GRDB today to store it.
    var databaseFile: HandWrittenFile {
        HandWrittenFile(
            name + "+Database.swift", imports: ["Foundation", "GRDB"],
            ["extension \(name): TableRecord, FetchableRecord, PersistableRecord {"]
                + ["    \(access)static let databaseTableName = \"\(snakeCase(name))\"", ""]
                + columns + [""] + initializerFromRow + [""] + encode + [""] + createTable + ["}"])
    }

    private var stored: [(name: String, column: String)] {
        attributes.map { ($0.name, $0.column) } + [(entity.parentKey, parentKeyColumn)]
    }

    private var columns: [String] {
        ["    \(access)enum Columns {"]
            + stored.map { "        \(access)static let \($0.name) = Column(\"\($0.column)\")" } + ["    }"]
    }

    private var initializerFromRow: [String] {
        ["    \(access)convenience init(row: Row) throws {", "        self.init("]
            + separated(stored.map { "\($0.name): row[Columns.\($0.name)]" }).map { "            " + $0 }
            + ["        )", "    }"]
    }

    private var encode: [String] {
        ["    \(access)func encode(to container: inout PersistenceContainer) throws {"]
            + stored.map { "        container[Columns.\($0.name)] = \($0.name)" } + ["    }"]
    }

    private var createTable: [String] {
        let definitions = attributes.map { attribute in
            "\"\(attribute.column)\" \(attribute.type.sql)" + (attribute.name == "id" ? " PRIMARY KEY" : "")
                + (attribute.isOptional ? "" : " NOT NULL") + (attribute.isUnique ? " UNIQUE" : "")
        }
        let key =
            "\"\(parentKeyColumn)\" \(parent.keyType.sql)"
            + " REFERENCES \"\(snakeCase(parent.destination))\" (\"id\")"
        let indexed = attributes.filter(\.isIndexed).map(\.column) + [parentKeyColumn]
        let indexes = indexed.map {
            "        CREATE INDEX \"\(snakeCase(name))_\($0)\" ON \"\(snakeCase(name))\" (\"\($0)\");"
        }
        return ["    \(access)static let createTableSQL = \"\"\"", "        CREATE TABLE \"\(snakeCase(name))\" ("]
            + separated(definitions + [key]).map { "            " + $0 } + ["        );"] + indexes
            + ["        \"\"\""]
    }
}

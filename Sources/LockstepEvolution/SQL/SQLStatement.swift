/// A statement of the data definition language as a value.
package enum SQLStatement: Hashable, Sendable {
    case createTable(CreateTable)
    case createIndex(CreateIndex)
    /// `ALTER TABLE … ADD CONSTRAINT`: if tables reference each other, no order of `CREATE TABLE` statements is valid.
    case addForeignKey(name: String, table: String, ForeignKeyConstraint)
    /// The function that a PostgreSQL trigger calls.
    case createFunction(DeleteTrigger)
    case createTrigger(DeleteTrigger)

    /// The part that the statement belongs to.
    var part: SQLParts {
        switch self {
        case .createTable, .createIndex, .addForeignKey: .tables
        case .createFunction, .createTrigger: .triggers
        }
    }

    /// The table that it creates, or that it is about.
    var table: String {
        switch self {
        case .createTable(let table): table.name
        case .createIndex(let index): index.table
        case .addForeignKey(_, let table, _): table
        case .createFunction(let trigger), .createTrigger(let trigger): trigger.table
        }
    }
}

/// A `CREATE INDEX` statement as a value.
package struct CreateIndex: Hashable, Sendable {
    package var name: String
    package var table: String
    package var columns: [String]
    package var isUnique: Bool
}

extension SQLWriter {
    /// Writes the statement without a semicolon at its end.
    package mutating func statement(_ statement: SQLStatement) {
        switch statement {
        case .createTable(let table): createTable(table)
        case .createIndex(let index): createIndex(index)
        case .addForeignKey(let name, let table, let foreignKey): addForeignKey(name, in: table, foreignKey: foreignKey)
        case .createFunction(let trigger): triggerFunction(trigger)
        case .createTrigger(let trigger): self.trigger(trigger)
        }
    }

    private mutating func createIndex(_ index: CreateIndex) {
        write(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
        identifier(index.name)
        space()
        write("ON ")
        identifier(index.table)
        write(" ")
        identifiers(index.columns)
    }

    private mutating func addForeignKey(_ name: String, in table: String, foreignKey: ForeignKeyConstraint) {
        write("ALTER TABLE ")
        identifier(table)
        write("\n    ADD CONSTRAINT ")
        identifier(name)
        write("\n    ")
        self.foreignKey(foreignKey)
    }
}

import LockstepJSON

/// The parts of a structure's SQL.
package struct SQLParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The tables with their indexes and constraints.
    package static let tables = SQLParts(rawValue: 1)
    /// The triggers that apply the rules of deletes, with their functions.
    package static let triggers = SQLParts(rawValue: 2)
}

/// The statements that create a structure's tables, each without a semicolon at its end, in an order in which they can
/// be executed.
package func sqlStatements(
    for structure: SchemaStructure, dialect: SQLDialect, parts: SQLParts = [.tables, .triggers]
) -> [String] {
    var statements = SchemaStatements(structure, dialect: dialect)
    return statements.statements().filter { parts.contains($0.part) }.map { statement in
        var writer = SQLWriter(dialect: dialect, capacity: 512)
        writer.statement(statement)
        writer.endStatement()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The same statements by the tables that they belong to, in the same order.
package func sqlStatementsByTable(
    for structure: SchemaStructure, dialect: SQLDialect
) -> [(table: String, statements: [String])] {
    var builder = SchemaStatements(structure, dialect: dialect)
    let values = builder.statements()
    let texts = sqlStatements(for: structure, dialect: dialect)
    var tables: [String] = []
    var statements: [String: [String]] = [:]
    for (value, text) in zip(values, texts) {
        if statements[value.table] == nil { tables.append(value.table) }
        statements[value.table, default: []].append(text)
    }
    return tables.map { ($0, statements[$0] ?? []) }
}

/// The same statements as a UTF-8 file for readers and database tools, with the pragmas that SQLite needs.
///
/// - Parameters:
///   - comments: The lines at the beginning of the file.
///   - documentation: What each table contains, by its name.
package func sqlFile(
    for structure: SchemaStructure, dialect: SQLDialect, comments: [String], documentation: [String: String]
) -> [UInt8] {
    var builder = SchemaStatements(structure, dialect: dialect, documentation: documentation)
    let statements = builder.statements()
    var writer = SQLWriter(dialect: dialect, capacity: 512 * (statements.count + 1))
    for comment in comments { writer.comment(comment, keepsLines: false) }
    if dialect == .sqlite { writer.pragmas(for: statements) }
    for statement in statements {
        writer.write("\n")
        if case .createTable(let table) = statement, let documentation = table.documentation {
            writer.comment(documentation, keepsLines: true)
        }
        writer.statement(statement)
        writer.endStatement()
        writer.write(";\n")
    }
    return writer.bytes
}

extension SQLWriter {
    /// Both are off by default, and are properties of the connection: they are not stored in the database.
    fileprivate mutating func pragmas(for statements: [SQLStatement]) {
        var hasForeignKeys = false
        var hasTriggers = false
        for statement in statements {
            switch statement {
            case .createTable(let table): hasForeignKeys = hasForeignKeys || !table.foreignKeys.isEmpty
            case .createTrigger: hasTriggers = true
            default: break
            }
        }
        if hasForeignKeys || hasTriggers { write("\n") }
        if hasForeignKeys { write("PRAGMA foreign_keys = ON;\n") }
        if hasTriggers { write("PRAGMA recursive_triggers = ON;\n") }
    }

    /// Writes a comment that its text cannot end: every line begins with `--`, and nothing in it is hidden.
    fileprivate mutating func comment(_ text: String, keepsLines: Bool) {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }), !text.isEmpty {
            write("-- ")
            write(text: text)
            return write("\n")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let kept = keepsLines && lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        for (index, line) in kept.enumerated() {
            if keepsLines || index == 0 { write("--") }
            if !line.isEmpty { write(" ") }
            write(text: line.visible)
            if keepsLines || index == kept.count - 1 { write("\n") }
        }
    }
}

@testable import LockstepEvolution
@testable import LockstepReview
import LockstepSchema
import ServerTestSupport
import Testing

/// A migration of PostgreSQL tables, run in a namespace of its own.
struct PostgreSQLTables {
    let evolution: SchemaEvolution
    let migration: PostgreSQLMigration

    /// Reads both schemas, which are the entities of a file.
    init(
        _ old: String, _ new: String, renames: [MemberPath: String] = [:],
        answers: [MemberPath: ChangeAnswers] = [:]
    ) throws {
        let (former, new) = (try Self.structure(old), try Self.structure(new))
        var changes = try SchemaDiff.changes(from: SchemaTree(former), to: SchemaTree(new), renames: renames)
        for index in changes.indices {
            if let answer = answers[changes[index].path] { changes[index].answers = answer }
        }
        let version = SchemaHistory.Version(number: 2, hash: StructureHash(new), changes: changes)
        evolution = try SchemaEvolution(from: SchemaTree(former), by: [version])
        migration = PostgreSQLMigration(evolution)
    }

    private static func structure(_ text: String) throws -> SchemaStructure {
        let file = "lockstep: 1\nschema: Journal\n" + text + "\n"
        let reading = readSchemas([SchemaSource(path: "Journal.yaml", bytes: Array(file.utf8))])
        #expect(reading.diagnostics.map(\.message) == [], "\(text)")
        return try #require(reading.schemas.first).structure
    }

    static func script(_ statements: [String]) -> String { statements.map { $0 + ";\n" }.joined() }

    /// The tables of the former structure.
    var formerTables: String { Self.script(sqlStatements(for: evolution.former, dialect: .postgresql)) }
    var newTables: String { Self.script(sqlStatements(for: evolution.new, dialect: .postgresql)) }
    var expand: String { "BEGIN;\n\(Self.script(migration.expand))COMMIT;\n" }
    var contract: String { "BEGIN;\n\(Self.script(migration.contract))COMMIT;\n" }

    /// Runs the migration, and compares the result with fresh tables.
    ///
    /// - Parameters:
    ///   - rows: Statements that add rows to the former tables.
    ///   - between: Statements between the two files.
    ///   - query: Queries after both.
    /// - Returns: The rows of all queries.
    @discardableResult
    func run(
        rows: String = "", between: String = "", query: String = "", comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let server = try PostgreSQLServer.require()
        let script = formerTables + rows + expand + between + contract
        let lines = try server.run(script + query + Self.structureQuery)
        let start = lines.lastIndex(of: Self.separator) ?? lines.startIndex
        let fresh = try server.run(newTables + Self.structureQuery)
        let (found, expected) = (Set(lines[start...]), Set(fresh))
        let difference = found.symmetricDifference(expected).sorted().map { (found.contains($0) ? "+ " : "- ") + $0 }
        #expect(
            difference == [], "\(comment)\n\(migration.expand)\n\(migration.contract)", sourceLocation: sourceLocation)
        return Array(lines[..<start])
    }

    private static let separator = "the structure"

    /// What the catalogue has of the current namespace, one line for each thing. The names of constraints and indexes,
    /// and the order of columns, do not count.
    private static let structureQuery = """
        SELECT '\(separator)';
        SELECT 'relation', relname, relkind FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v');
        SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
                pg_get_expr(d.adbin, d.adrelid)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
                AND NOT a.attisdropped;
        SELECT 'constraint', conrelid::regclass, contype, pg_get_constraintdef(oid, TRUE) FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace;
        SELECT 'index', tablename, regexp_replace(indexdef, 'INDEX .* USING', 'INDEX USING') FROM pg_indexes
            WHERE schemaname = current_schema();
        SELECT 'trigger', pg_get_triggerdef(t.oid, TRUE), p.prosrc FROM pg_trigger t
            JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE NOT t.tgisinternal AND p.pronamespace = current_schema()::regnamespace;
        SELECT 'function', proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace;

        """
}

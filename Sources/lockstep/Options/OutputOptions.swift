import ArgumentParser
import LockstepGenerator
public import LockstepSchema

/// The location and the form of generated files.
struct OutputOptions: ParsableArguments {
    @Option(help: "The folder to write to; each schema gets a folder in it.", completion: .directory)
    var output = "Generated"

    @Option(help: "The access level of declarations: public, package or internal. By default, that of the schema.")
    var access: AccessLevel?

    @Option(help: "The dialects to write .sql files for, separated by commas: sqlite, postgresql, or none.")
    var sql = DialectList(dialects: [.sqlite])

    @Flag(
        help: "Also write the SQL that makes a PostgreSQL server of the tables, for schemas with scopes.")
    var server = false

    @Option(
        help:
            "With --server, compare the tables of a database, as 'lockstep import --postgresql-query' describes them.",
        completion: .file())
    var adopt: String?

    @Option(help: "Distribute the declarations of a schema over this number of files, for very large schemas.")
    var shards: Int?

    func validate() throws {
        if let shards, !(1...10_000).contains(shards) {
            throw ValidationError("--shards must be a number from 1 to 10000, not \(shards).")
        }
        if adopt != nil, !server { throw ValidationError("--adopt is for tables of a server: add --server.") }
        if server, adopt == nil, !sql.dialects.contains(.postgresql) {
            throw ValidationError(
                "--server needs the tables of the server: add --sql sqlite,postgresql, or --adopt if you have them.")
        }
    }

    private var generation: GenerationOptions {
        var options = GenerationOptions(access: access, dialects: sql.dialects, shards: shards)
        options.hasServer = server
        return options
    }

    /// Throws ``UsageFailure`` if a server is requested of a schema that has none.
    ///
    /// - Parameter isDryRun: Whether to report what a server changes in existing tables.
    func files(for schemas: [VersionedSchema], isDryRun: Bool) throws -> [GeneratedFile] {
        if server, let schema = schemas.map(\.schema).first(where: { !$0.hasScopes }) {
            throw UsageFailure(
                message: "--server needs scopes, and no entity of '\(schema.name)' has one. Add 'scope:' to them.")
        }
        if let adopt { try AdoptionReport(path: adopt).check(schemas.map(\.schema), isDryRun: isDryRun) }
        return schemas.flatMap { versioned in
            var schema = versioned.schema
            schema.source = SchemaFiles.displayPath(of: schema.source, besideOutput: output)
            return generate(schema, options: generation, history: versioned.history)
        }
    }

    /// The fingerprint of the input for this schema file's output.
    func fingerprint(_ source: VersionedSource) -> InputFingerprint {
        InputFingerprint(
            schema: source.schema.allBytes,
            source: SchemaFiles.displayPath(of: source.schema.path, besideOutput: output),
            options: generation, history: source.history?.bytes)
    }

    /// The options as they were given, except for defaults.
    var arguments: [String] {
        var result: [String] = []
        if output != "Generated" { result += ["--output", output] }
        if let access { result += ["--access", access.rawValue] }
        if sql.dialects != [.sqlite] { result += ["--sql", sql.text] }
        if server { result.append("--server") }
        if let adopt { result += ["--adopt", adopt] }
        if let shards { result += ["--shards", String(shards)] }
        return result
    }
}

extension AccessLevel: ExpressibleByArgument {}

/// `--sql`: dialects separated by commas, or `none`.
struct DialectList: ExpressibleByArgument {
    var dialects: [SQLDialect]

    init(dialects: [SQLDialect]) {
        self.dialects = dialects
    }

    init?(argument: String) {
        dialects = []
        if argument == "none" { return }
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let dialect = SQLDialect(rawValue: String(name)) else { return nil }
            if !dialects.contains(dialect) { dialects.append(dialect) }
        }
    }

    var text: String {
        dialects.isEmpty ? "none" : dialects.map(\.rawValue).joined(separator: ",")
    }

    var defaultValueDescription: String { text }
}

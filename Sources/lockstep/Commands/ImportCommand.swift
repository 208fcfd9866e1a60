import ArgumentParser
import Foundation
import LockstepGenerator

#if Import
    import LockstepImport
#endif

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Creates a schema from what you have: a Core Data model, SwiftData classes, a database, JSON, …",
        discussion: """
            Core Data models, SwiftData and Realm classes (Swift files or a folder), SQLite and PostgreSQL \
            databases, sample JSON (several files, or - for standard input), OpenAPI descriptions, JSON Schema, and \
            schema.rb of Rails. Reports what it has decided and what it has left out, also as comments in the schema. \
            Never overwrites a file.

            EXAMPLE
              lockstep import Shop.xcdatamodeld   # writes Schemas/Shop.yaml
              lockstep import Shop/Models         # all @Model classes in the folder
              lockstep import Shop.sqlite --rows  # also Schemas/Shop.rows.sql
              curl https://example.com/posts | lockstep import - --name Blog
              lockstep import --postgresql-query | psql -X -At DATABASE > Shop.json
              lockstep import Shop.json           # the result of that query
              lockstep import posts.json --prove  # also merges the samples into a store
            """
    )

    @Argument(help: "What to import, or - for standard input.", completion: .file())
    var files: [String] = []

    @Option(help: "The schema's name, UpperCamelCase. The default is that of the file.")
    var name: String?

    @Option(help: "The folder to write it to.", completion: .directory)
    var output = SchemaFiles.defaultFolder

    @Flag(help: "For Core Data and SwiftData: import all versions, as the schema's history.")
    var versions = false

    @Flag(help: "For Core Data, SwiftData and SQLite: also write what copies the rows.")
    var rows = false

    @Flag(help: "Compile the generated Swift, open a store, and check that samples, or rows (--rows), come back equal.")
    var prove = false

    @Option(help: "The folder of Lockstep's package, for --prove. The default is the one this tool was built from.")
    var lockstep: String?

    @Flag(help: "Print the query that describes a PostgreSQL database, for psql -X -At, and import nothing.")
    var postgresqlQuery = false

    @Flag(help: "Print all notes, even if the report has more than 150 lines.")
    var verbose = false

    @Flag(help: "Exit with 1 if anything was left out, or did not come back equal.")
    var strict = false

    func validate() throws {
        if files.isEmpty, !postgresqlQuery {
            throw ValidationError("Name what to import, or - for standard input.")
        }
        if lockstep != nil, !prove { throw ValidationError("--lockstep is only for --prove.") }
        if !files.isEmpty, postgresqlQuery {
            throw ValidationError("--postgresql-query imports nothing. Run it without files.")
        }
    }

    func run() throws {
        #if Import
            if postgresqlQuery { return Console.print(TerminalText(document: postgreSQLCatalogueQuery)) }
            if let name { try SchemaName.check(name) }
            let options = ImportOptions(name: name, hasVersions: versions, hasRows: rows, keepsSamples: prove)
            let (path, imported, schema) = try SchemaImport(files: files, options: options, folder: output).run()
            Console.report(TerminalText(document: imported.report.text(path, isComplete: verbose)))
            if prove, let schema {
                let proof = ImportProof(
                    imported: imported, schema: schema, path: path, files: files, lockstep: lockstep)
                if try !proof.report(), strict { throw Exit.findings }
            }
            if strict, imported.report.isPartial { throw Exit.findings }
        #else
            throw UsageFailure.missing("importers", trait: "Import", command: "import")
        #endif
    }
}

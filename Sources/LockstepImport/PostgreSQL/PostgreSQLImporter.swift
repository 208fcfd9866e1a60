import LockstepSchema

/// PostgreSQL databases, as the query of `--postgresql-query` or PostgREST describes them.
struct PostgreSQLImporter: SchemaImporter {
    let title = "PostgreSQL databases (the result of --postgresql-query, or what PostgREST responds to GET /)"
    let takesSeveral = false

    func recognizes(_ input: ImportInput) -> Bool {
        !input.isFolder && (PostgreSQLCatalogue.recognizes(input) || PostgRESTDescription.recognizes(input))
    }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        let input = inputs[0]
        let source = try Self.source(input)
        let name = UsableName.type(options.name ?? input.baseName ?? "Server")
        var excluded: Set<String> = []
        func run() throws(ImportFailure) -> DatabaseImport.Result {
            let notes = ImportNotes(file: input.name)
            return try DatabaseImport(source, name: name, notes: notes, excluding: excluded).run(path: input.path)
        }
        var result = try run()
        // A column that becomes an attribute can take the name of a relationship, but a crafted file alone has many.
        for _ in 0..<Self.roundLimit {
            let found = MisnamedKeys(result).ids
            if found.isEmpty { break }
            excluded.formUnion(found)
            result = try run()
        }
        return ImportedSchema(result.repaired, report: result.report, from: input.name)
    }

    private static let roundLimit = 4

    /// - Throws: ``ImportFailure`` if it cannot be read, or has no table.
    private static func source(_ input: ImportInput) throws(ImportFailure) -> PostgreSQLSource {
        let (source, remedy): (PostgreSQLSource, String)
        if PostgreSQLCatalogue.recognizes(input) {
            source = PostgreSQLSource(try PostgreSQLCatalogue(input))
            remedy =
                "The query describes the first schema of the search path. For another one, run it with "
                + "PGOPTIONS='-c search_path=NAME'."
        } else {
            let description = try PostgRESTDescription(input)
            let catalogue = try PostgreSQLCatalogue(try description.catalogue(), path: input.path)
            source = PostgreSQLSource(catalogue, description: description)
            remedy =
                "PostgREST describes what the role of the request may use. Request it again with a role that can read "
                + "the tables; of Supabase, with a secret key."
        }
        guard source.tables.isEmpty else { return source }
        throw ImportFailure(input.path, reason: "It has no table. \(remedy)")
    }
}

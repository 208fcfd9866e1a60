import LockstepSchema

/// Models of SwiftData and Realm, in files of Swift.
struct SwiftSourcesImporter: SchemaImporter {
    let title = "SwiftData and Realm models (.swift)"
    /// Those of Realm have no versions and no rows that are copied.
    let optionTitle = "SwiftData models (.swift)"
    let takesSeveral = true
    let hasVersions = true
    let hasRows = true

    func recognizes(_ input: ImportInput) -> Bool { SwiftSources.recognizes(input) }

    #if SwiftSources
        func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
            let sources = try SwiftSources(inputs)
            let (declarations, unread) = readDeclarations(of: sources.files)
            let program = SwiftProgram(declarations, unread: sources.unread + unread)
            if program.models.isEmpty, let failure = sources.failure { throw failure }
            if options.hasRows, let object = program.models.first(where: program.isRealm) {
                throw sources.lines.located(
                    ImportFailure(
                        sources.lines.path, line: object.line,
                        reason: "`--rows` is only for SwiftData; read a file of Realm with its SDK. Run the command "
                            + "again without it."))
            }
            if program.models.isEmpty {
                let found = sources.bundles.first
                throw ImportFailure(
                    sources.lines.path,
                    reason: "There is no `@Model class` of SwiftData, and no class of Realm's `Object`. "
                        + (found.map { "Name the model of Core Data: \($0)." } ?? "Name the folder of the models."))
            }
            let bundle = Self.bundle(program, lines: sources.lines)
            let name = UsableName.type(options.name ?? inputs[0].baseName ?? bundle.current.name)
            return try bundle.schema(named: name, source: inputs[0].name, options: options)
        }

        /// The versions of an app's models; one if it has none.
        private static func bundle(_ program: SwiftProgram, lines: FileLines) -> CoreDataBundle {
            var versions = program.versions.map { version in
                CoreDataBundle.Version(name: version.name, path: version.path.joined(separator: ".")) {
                    () throws(ImportFailure) in
                    try SwiftModel.model(program.models(of: version), in: program, lines: lines)
                }
            }
            if versions.isEmpty {
                versions = [
                    CoreDataBundle.Version(name: "Models", path: lines.path) { () throws(ImportFailure) in
                        try SwiftModel.model(program.models, in: program, lines: lines)
                    }
                ]
            }
            return CoreDataBundle(versions: versions, current: versions[versions.count - 1])
        }
    #else
        func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
            throw ImportFailure(
                inputs[0].path,
                reason: "This build of lockstep has no reader of Swift. In a package, add the trait: .package(url: …, "
                    + "traits: [\"SwiftSources\"]); or run 'swift run lockstep import' in a clone of lockstep.")
        }
    #endif
}

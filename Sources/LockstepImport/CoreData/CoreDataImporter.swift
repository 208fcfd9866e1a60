import LockstepSchema

/// Core Data models, as Xcode saves them.
struct CoreDataImporter: SchemaImporter {
    let title = "Core Data models (.xcdatamodeld, .xcdatamodel)"
    let takesSeveral = false
    let hasVersions = true
    let hasRows = true

    func recognizes(_ input: ImportInput) -> Bool { CoreDataBundle.isModel(input.path) }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        let input = inputs[0]
        let bundle = try CoreDataBundle(at: input.path)
        let own = input.baseName ?? bundle.current.name
        let name = UsableName.type(options.name ?? (own == "contents" ? bundle.current.name : own))
        return try bundle.schema(named: name, source: input.name, options: options)
    }
}

extension CoreDataBundle {
    /// The schema of the current version, with what else the options say.
    ///
    /// - Parameter source: The name of the source, for the comments.
    func schema(named name: String, source: String, options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        var imported: ImportedSchema
        let result: CoreDataImport.Result
        if options.hasVersions {
            (imported, result) = try CoreDataVersions(self, name: name, source: source).run()
        } else {
            result = try CoreDataImport.sketch(current, name: name)
            var report = result.report
            if let note = choiceNote { report.add(note) }
            imported = ImportedSchema(result.repaired, report: report, from: source)
        }
        if options.hasRows { imported.companions.append(result.map.file(name, from: source)) }
        return imported
    }
}

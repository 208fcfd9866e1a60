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
        var imported: ImportedSchema
        let current: CoreDataImport.Result
        if options.hasVersions {
            (imported, current) = try CoreDataVersions(bundle, name: name, source: input.name).run()
        } else {
            current = try CoreDataImport.sketch(bundle.current, name: name)
            var report = current.report
            if let note = bundle.choiceNote { report.add(note) }
            imported = ImportedSchema(current.repaired, report: report, from: input.name)
        }
        if options.hasRows { imported.companions.append(current.map.file(name, from: input.name)) }
        return imported
    }
}

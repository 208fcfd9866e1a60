import ArgumentParser
import Foundation
import LockstepSchema

#if Import
    import LockstepImport
#endif

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a schema of a Core Data model.",
        discussion: """
            Reports what it has decided and what has no counterpart, also as comments in the schema. Never overwrites a
            file.

            EXAMPLE
              lockstep import Shop.xcdatamodeld              # writes Schemas/Shop.yaml
              lockstep import Shop.xcdatamodeld --name Store --output Sources/App
            """
    )

    @Argument(help: "What to import, or - for standard input.", completion: .file())
    var files: [String]

    @Option(help: "The schema's name. The default is that of the file.")
    var name: String?

    @Option(help: "The folder to write it to.", completion: .directory)
    var output = SchemaFiles.defaultFolder

    @Flag(help: "Import all versions of the model, as the schema's history.")
    var versions = false

    @Flag(help: "Also write what takes over the rows.")
    var rows = false

    @Flag(help: "Exit with 1 if anything was left out.")
    var strict = false

    func run() throws {
        #if Import
            let imported: ImportedSchema
            let options = ImportOptions(name: name, hasVersions: versions, hasRows: rows)
            do { imported = try importSchema(inputs(), options) } catch {
                throw UsageFailure(message: "\(error.description) Nothing was written.")
            }
            let path = (output as NSString).appendingPathComponent(imported.name + ".yaml")
            try check(imported, at: path)
            try write(imported, to: path)
            Console.report(imported.report.text(path))
            if strict, imported.report.isPartial { throw Exit.findings }
        #else
            throw UsageFailure(
                message: """
                    This build of lockstep has no importers. In a package, add the trait: \
                    .package(url: …, traits: ["Import"]); or run 'swift run lockstep import' in a clone of lockstep.
                    """)
        #endif
    }

}

#if Import
    extension ImportCommand {
        private func inputs() throws(ImportFailure) -> [ImportInput] {
            var inputs: [ImportInput] = []
            for file in files {
                let isStandardInput = file == "-"
                inputs.append(
                    isStandardInput
                        ? ImportInput(standardInput: FileHandle.standardInput.readDataToEndOfFile())
                        : try ImportInput(path: file))
            }
            return inputs
        }

        /// What is written is read again first.
        private func check(_ imported: ImportedSchema, at path: String) throws {
            let schema = SchemaSource(path: path, bytes: Array(imported.text.utf8))
            let history = imported.history.map {
                SchemaSource(path: HistoryFile.path(besideSchema: path), bytes: Array($0.utf8))
            }
            let reading = readVersions(
                [VersionedSource(schema: schema, history: history)], checking: .recorded(.error))
            if let problem = reading.diagnostics.first(where: { $0.severity == .error }) {
                throw InvalidImport(file: files.joined(separator: " "), message: problem.message)
            }
        }

        /// Writes the schema and what belongs to it, or nothing.
        private func write(_ imported: ImportedSchema, to path: String) throws {
            var texts = [(path: path, text: imported.text)]
            if let history = imported.history { texts.append((HistoryFile.path(besideSchema: path), history)) }
            texts += imported.companions.map { ((output as NSString).appendingPathComponent($0.name), $0.text) }
            for (path, _) in texts where FileManager.default.fileExists(atPath: path) {
                throw UsageFailure(
                    message: "'\(path)' exists already. Nothing was written. Choose another '--name', or remove it.")
            }
            var written: [String] = []
            for (path, text) in texts {
                do {
                    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
                    written.append(path)
                } catch {
                    for path in written { try? FileManager.default.removeItem(atPath: path) }
                    throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
                }
            }
        }
    }
#endif

/// A schema that an import has made breaks a rule: a bug.
private struct InvalidImport: Error, CustomStringConvertible {
    let file: String
    let message: String

    var description: String { "The schema made of '\(file)' would be invalid: \(message). Nothing was written." }
}

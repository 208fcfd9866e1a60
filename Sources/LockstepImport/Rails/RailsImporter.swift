import Foundation
import LockstepSchema

/// The schema of a Rails app: `db/schema.rb`.
struct RailsImporter: SchemaImporter {
    let title = "Rails schemas (schema.rb)"
    let takesSeveral = false

    func recognizes(_ input: ImportInput) -> Bool {
        let text = String(decoding: input.beginning(), as: UTF8.self)
        return text.contains(/(^|\n)\s*ActiveRecord::Schema(\[[^\]]*\])?\.define/)
    }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        let input = inputs[0]
        let notes = ImportNotes(file: input.name)
        let source = RailsSource(try RailsReader.read(try input.read(), path: input.path, notes: notes), notes: notes)
        guard !source.tables.isEmpty else {
            throw ImportFailure(input.path, reason: "It has no table with records that an app could use.")
        }
        // The file of each app has the same name. The app's name is that of the folder above `db`.
        let folders = URL(fileURLWithPath: input.path).standardizedFileURL.pathComponents.dropLast()
        let app = folders.last == "db" && folders.count > 2 ? folders.dropLast().last : nil
        let own = input.baseName == "schema" ? app : input.baseName
        let name = UsableName.type(options.name ?? own ?? "Rails")
        let result = try DatabaseImport(source, name: name, notes: notes).run(path: input.path)
        return ImportedSchema(result.repaired, report: result.report, from: input.name)
    }
}

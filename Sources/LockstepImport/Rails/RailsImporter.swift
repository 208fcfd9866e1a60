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
        let tables = try RailsReader.read(try input.read(), path: input.path, notes: notes)
        // The file of each app has the same name. The app's name is that of the folder above `db`.
        let folders = URL(fileURLWithPath: input.path).standardizedFileURL.pathComponents.dropLast()
        let app = folders.last == "db" && folders.count > 2 ? folders.dropLast().last : nil
        let own = input.baseName == "schema" ? app : input.baseName
        let name = UsableName.type(options.name ?? own ?? "Rails")
        var sketch = try RailsImport(tables, notes: notes, name: name).run(path: input.path)
        let repaired = try sketch.repair(notes, path: input.path)
        return ImportedSchema(repaired, report: notes.report, from: input.name)
    }
}
